"""Games that were played on: where they leave the record, which players stray from it, what a change was worth."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.play_on import Continuation, Fork, PlayedOn, is_by_clock
from hsctl.stats.change import Change
from hsctl.stats.intervals import Interval
from hsctl.views.tables import format_games, new_table
from replays.look.board import seat_mark
from replays.look.turn import short_names


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
        f"player {seat} ({names[seat]}) plays {played}, recorded is {recorded}{why(plan, fork, seat)}"
        for seat, played, recorded in zip(fork.seats, fork.played, fork.recorded, strict=True)
    ]
    return f"another game than recorded from turn {fork.turn} on: {'; '.join(who)}"


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


def stray_lines(plan: Continuation, played: Sequence[PlayedOn]) -> list[str]:
    """Bots that answered the recorded inputs otherwise; each is told once, with the earliest turn."""
    found = {stray.seat: stray for each in reversed(played) for stray in each.strays}
    return [
        f"player {seat} ({plan.names[seat]}) is not deterministic: given the recorded inputs it answers otherwise from "
        f"turn {stray.turn} on ({stray.answers} of {stray.turns} answers)"
        for seat, stray in sorted(found.items())
    ]


def changes_view(plan: Continuation, changes: Sequence[Change], is_one_game: bool) -> RenderableType:
    """A row for each living player: the chance to win without and with the change, and the change itself."""
    table = new_table()
    table.add_column("player", max_width=28, overflow="ellipsis", no_wrap=True)
    is_compared = any(change.before is not None for change in changes)
    for title in ("as recorded", "changed", "change", "95 %") if is_compared else ("chance to win", "95 %"):
        table.add_column(title, justify="right")
    names = short_names(plan.names)
    for one in changes:
        cells = [format_chance(one.chance)]
        bounds = format_change(one.change_interval) if is_compared else format_bounds(one.interval)
        if one.before is not None and one.change is not None:
            cells = [format_chance(one.before), *cells, f"{100 * one.change:+.0f} %"]
        table.add_row(Text.assemble(seat_mark(one.seat), " ", names[one.seat]), *cells, "" if is_one_game else bounds)
    return Group(table, Text(describe_series(plan, changes[0].games, is_compared, is_one_game)))


def format_chance(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def format_bounds(interval: Interval) -> str:
    """Of a chance."""
    return f"{100 * interval.low:.0f} to {100 * interval.high:.0f}"


def format_change(interval: Interval | None) -> str:
    """Of a difference between chances: with its sign."""
    return "" if interval is None else f"{100 * interval.low:+.0f} to {100 * interval.high:+.0f}"


def describe_series(plan: Continuation, games: int, is_compared: bool, is_one_game: bool) -> str:
    each = " each way" if is_compared else ""
    what = f"{format_games(games)}{each} from turn {plan.turn}; a shared first place counts half"
    if is_one_game and games > 1:
        return f"{what}; all were the same game: the players are deterministic, so one game tells it"
    return what


def play_on_record(
    plan: Continuation, played: Sequence[PlayedOn], changes: Sequence[Change], is_one_game: bool
) -> dict[str, Any]:
    """What is added to the JSON of a series."""
    fork = played[0].fork
    return {
        "played_on": {
            "file": plan.parent.file,
            "turn": plan.turn,
            "swapped": {str(seat): plan.names[seat] for seat in sorted(plan.swapped)},
            "moves": {str(seat): order for seat, order in plan.orders.items()},
            "fork": None if fork is None else fork._asdict(),
            "strays": [stray._asdict() for stray in played[0].strays],
            "all_the_same": is_one_game,
        },
        "chances": [chance_record(change) for change in changes],
    }


def chance_record(change: Change) -> dict[str, Any]:
    interval = change.change_interval
    return {
        "seat": change.seat,
        "games": change.games,
        "chance": round(change.chance, 4),
        "interval": [round(end, 4) for end in change.interval],
        "before": None if change.before is None else round(change.before, 4),
        "change": None if change.change is None else round(change.change, 4),
        "change_interval": None if interval is None else [round(end, 4) for end in interval],
    }
