"""Games that were played on: where they leave the record, which players stray from it, what a change was worth."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.change import Change, Estimate
from hsctl.league.play_on import Continuation, Fork, PlayedOn, is_by_clock
from hsctl.match.past import Stray
from hsctl.report.tables import format_games, new_table
from replays.render.board import seat_mark
from replays.render.turn import short_names


def describe_fork(plan: Continuation, fork: Fork | None) -> str:
    """Whether it is the recorded game to the end; if not, where and by whom it became another."""
    if fork is None and not plan.replay.result.is_finished:
        last = plan.replay.start.turn + len(plan.replay.turns) - 1
        return f"as recorded until turn {last}, where the record ends; played to its end from there on"
    if fork is None:
        same = "though a player or a move was changed" if plan.is_changed else "the players are deterministic here"
        return f"the same game as recorded, from turn {plan.turn} to the end: {same}"
    names = plan.names
    who = [
        f"player {seat} ({names[seat]}) plays {played} instead of {recorded}{why(plan, fork, seat)}"
        for seat, played, recorded in zip(fork.seats, fork.played, fork.recorded, strict=True)
    ]
    return f"differs from the record from turn {fork.turn} on: {'; '.join(who)}"


def why(plan: Continuation, fork: Fork, seat: int) -> str:
    """What made a player do something else."""
    player = plan.players[seat]
    if seat in plan.orders and fork.turn == plan.turn:
        return " (the move it was given)"
    if seat in plan.swapped or plan.is_changed:
        return ""
    if later := forks_between(plan, fork.turn):
        return f" (the record itself was played on from turn {later[0]})"
    if player is not None and is_by_clock(player, plan.limits):
        return " (it thinks by the clock, so no two games need be the same)"
    return " (it is not deterministic, or not the player that was recorded)"


def forks_between(plan: Continuation, turn: int) -> list[int]:
    """The turns after the first one played here, up to another, from which the record was played on: other players,
    moves or seeds made it from there on."""
    forks, parent = [], plan.replay.parent
    while parent is not None:
        forks.append(parent.turn)
        parent = parent.parent
    return sorted(fork for fork in forks if plan.turn < fork <= turn)


def earliest_strays(played: Sequence[PlayedOn]) -> list[Stray]:
    """Bots that answered the recorded inputs differently, each with the earliest turn of all games."""
    strays = sorted((stray for each in played for stray in each.strays), key=lambda stray: -stray.turn)
    return [stray for _, stray in sorted({stray.seat: stray for stray in strays}.items())]


def stray_lines(plan: Continuation, played: Sequence[PlayedOn]) -> list[str]:
    return [
        f"player {seat} ({plan.names[seat]}) is not deterministic: given the recorded inputs, it answers differently "
        f"from turn {turn} on ({answers} of {turns} answers)"
        for seat, turn, answers, turns in earliest_strays(played)
    ]


def changes_view(plan: Continuation, changes: Sequence[Change]) -> RenderableType:
    """A row for each living player: the chance to win without and with the change, and the change itself."""
    table = new_table()
    table.add_column("player", max_width=28, overflow="ellipsis", no_wrap=True)
    is_compared = changes[0].unchanged is not None
    for title in ("as recorded", "changed", "change", "95 %") if is_compared else ("chance to win", "95 %"):
        table.add_column(title, justify="right")
    names = short_names(plan.names)
    for one in changes:
        cells = [format_chance(one.changed.chance), format_bounds(one.changed)]
        if one.unchanged is not None and one.change is not None:
            chances = [format_chance(each.chance) for each in (one.unchanged, one.changed)]
            cells = [*chances, f"{100 * one.change:+.0f} %", format_change(one)]
        table.add_row(Text.assemble(seat_mark(one.seat), " ", names[one.seat]), *cells)
    return Group(table, Text(describe_series(plan, changes[0])))


def format_chance(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def format_bounds(estimate: Estimate) -> str:
    """Of a chance; games that were all the same have none."""
    low, high = estimate.interval
    return "" if estimate.is_one_game else f"{100 * low:.0f} to {100 * high:.0f}"


def format_change(change: Change) -> str:
    """The bounds of a difference between chances, with their sign."""
    if change.interval is None or change.is_one_game:
        return ""
    return f"{100 * change.interval.low:+.0f} to {100 * change.interval.high:+.0f}"


def describe_series(plan: Continuation, change: Change) -> str:
    """How many games were played from where, and how many of them are distinct."""
    games = describe_games(change.changed)
    if change.unchanged is not None:
        games = f"as recorded, {describe_games(change.unchanged)}; changed, {games}"
    return f"from turn {plan.turn}: {games}; a shared first place counts half"


def describe_games(estimate: Estimate) -> str:
    if estimate.is_one_game:
        return f"all {estimate.games} games were the same game"
    distinct = "all" if estimate.distinct == estimate.games else f"{estimate.distinct}"
    return f"{format_games(estimate.games)}, {distinct} distinct" if estimate.games > 1 else format_games(1)


def play_on_record(plan: Continuation, played: Sequence[PlayedOn], changes: Sequence[Change]) -> dict[str, Any]:
    """What is added to the JSON of a series; `played` are the games with the change."""
    fork = min((each.fork for each in played if each.fork), default=None)
    return {
        "played_on": {
            "file": plan.parent.file,
            "turn": plan.turn,
            "swapped": {str(seat): plan.names[seat] for seat in sorted(plan.swapped)},
            "moves": {str(seat): order for seat, order in plan.orders.items()},
            "fork": None if fork is None else fork._asdict(),
            "strays": [stray._asdict() for stray in earliest_strays(played)],
            "spread": plan.parent.spread,
            "distinct_games": changes[0].changed.distinct if changes else 0,
            "all_the_same": bool(changes) and changes[0].is_one_game,
        },
        "chances": [chance_record(change) for change in changes],
    }


def chance_record(change: Change) -> dict[str, Any]:
    changed, before = change.changed, change.unchanged
    return {
        "seat": change.seat,
        "games": changed.games,
        "distinct": changed.distinct,
        "chance": round(changed.chance, 4),
        "interval": [round(end, 4) for end in changed.interval],
        "games_before": None if before is None else before.games,
        "distinct_before": None if before is None else before.distinct,
        "before": None if before is None else round(before.chance, 4),
        "change": None if change.change is None else round(change.change, 4),
        "change_interval": None if change.interval is None else [round(end, 4) for end in change.interval],
    }
