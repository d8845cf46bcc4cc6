"""Games that were played on: where they leave the record, which players stray from it, what a change was worth."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.intervals import Change, Estimate
from hsctl.match.past import Fork, Past, Stray
from hsctl.match.play_on import is_by_clock
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask
from hsctl.report.tables import format_games, new_table
from replays.render.board import seat_mark
from replays.render.turn import short_names


def past_of(task: GameTask) -> Past:
    assert task.past is not None
    return task.past


def describe_fork(task: GameTask, fork: Fork | None) -> str:
    """Whether it is the recorded game to the end; if not, where and by whom it became another."""
    past, names = past_of(task), task.names
    if fork is None and not past.replay.result.is_finished:
        last = past.replay.start.turn + len(past.replay.turns) - 1
        return f"as recorded until turn {last}, where the record ends; played to its end from there on"
    if fork is None:
        same = "though a player or a move was changed" if past.is_changed else "the players are deterministic here"
        return f"the same game as recorded, from turn {past.turn} to the end: {same}"
    who = [
        f"player {seat} ({names[seat]}) plays {played} instead of {recorded}{why(task, fork, seat)}"
        for seat, played, recorded in zip(fork.seats, fork.played, fork.recorded, strict=True)
    ]
    return f"differs from the record from turn {fork.turn} on: {'; '.join(who)}"


def why(task: GameTask, fork: Fork, seat: int) -> str:
    """What made a player do something else."""
    player = task.players[seat]
    if seat in past_of(task).orders and fork.turn == past_of(task).turn:
        return " (the move it was given)"
    if seat in past_of(task).swapped or past_of(task).is_changed:
        return ""
    if later := forks_between(task, fork.turn):
        return f" (the record itself was played on from turn {later[0]})"
    if player is not None and is_by_clock(player, task.limits):
        return " (it thinks by the clock, so no two games need be the same)"
    return " (it is not deterministic, or not the player that was recorded)"


def forks_between(task: GameTask, turn: int) -> list[int]:
    """The turns after the first one played here, up to another, from which the record was played on: other players,
    moves or seeds made it from there on."""
    forks, parent = [], past_of(task).replay.parent
    while parent is not None:
        forks.append(parent.turn)
        parent = parent.parent
    return sorted(fork for fork in forks if past_of(task).turn < fork <= turn)


def earliest_strays(played: Sequence[GameResult]) -> list[Stray]:
    """Bots that answered the recorded inputs differently, each with the earliest turn of all games."""
    strays = sorted((stray for each in played for stray in each.strays), key=lambda stray: -stray.turn)
    return [stray for _, stray in sorted({stray.seat: stray for stray in strays}.items())]


def stray_lines(task: GameTask, played: Sequence[GameResult]) -> list[str]:
    return [
        f"player {seat} ({task.names[seat]}) is not deterministic: given the recorded inputs, it answers differently "
        f"from turn {turn} on ({answers} of {turns} answers)"
        for seat, turn, answers, turns in earliest_strays(played)
    ]


def changes_view(task: GameTask, changes: Sequence[Change]) -> RenderableType:
    """A row for each living player: the chance to win without and with the change, and the change itself."""
    table = new_table()
    table.add_column("player", max_width=28, overflow="ellipsis", no_wrap=True)
    is_compared = changes[0].unchanged is not None
    for title in ("as recorded", "changed", "change", "95 %") if is_compared else ("chance to win", "95 %"):
        table.add_column(title, justify="right")
    names = short_names(task.names)
    for one in changes:
        cells = [format_chance(one.changed.chance), format_bounds(one.changed)]
        if one.unchanged is not None and one.change is not None:
            chances = [format_chance(each.chance) for each in (one.unchanged, one.changed)]
            cells = [*chances, f"{100 * one.change:+.0f} %", format_change(one)]
        table.add_row(Text.assemble(seat_mark(one.seat), " ", names[one.seat]), *cells)
    return Group(table, Text(describe_series(task, changes[0])))


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


def describe_series(task: GameTask, change: Change) -> str:
    """How many games were played from where, and how many of them are distinct."""
    games = describe_games(change.changed)
    if change.unchanged is not None:
        games = f"as recorded, {describe_games(change.unchanged)}; changed, {games}"
    return f"from turn {past_of(task).turn}: {games}; a shared first place counts half"


def describe_games(estimate: Estimate) -> str:
    if estimate.is_one_game:
        return f"all {estimate.games} games were the same game"
    distinct = "all" if estimate.distinct == estimate.games else f"{estimate.distinct}"
    return f"{format_games(estimate.games)}, {distinct} distinct" if estimate.games > 1 else format_games(1)


def play_on_record(task: GameTask, played: Sequence[GameResult], changes: Sequence[Change]) -> dict[str, Any]:
    """What is added to the JSON of a series; `played` are the games with the change."""
    fork = min((each.fork for each in played if each.fork), default=None)
    parent = past_of(task).parent
    assert parent is not None
    return {
        "played_on": {
            "file": parent.file,
            "turn": past_of(task).turn,
            "swapped": {str(seat): task.names[seat] for seat in sorted(past_of(task).swapped)},
            "moves": {str(seat): order for seat, order in past_of(task).orders.items()},
            "fork": None if fork is None else fork._asdict(),
            "strays": [stray._asdict() for stray in earliest_strays(played)],
            "spread": parent.spread,
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
