"""The outcome of games to be shown: one game as a table, a series as a table with intervals, both as JSON.

In the JSON, `players` stand in the order they were named and `boxes` is the sum over all games; in each of the
`games`, `seats` are the names of the players by seat, and `ranks` and `boxes` follow that order.
"""

import json
import shlex
from collections.abc import Callable, Sequence
from statistics import fmean, median
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.series import GameResult
from hsctl.stats.intervals import Share, games_interval, mean_interval
from hsctl.stats.score import BOTH, CAUSES, ERROR, OTHERS, OWN, PlayerScore, Score
from hsctl.views.tables import format_count, format_mean, format_ms, format_share, new_table
from replays.look.board import seat_mark

CAUSE_NAMES = {OWN: "own bomb", OTHERS: "others' bomb", BOTH: "both", ERROR: "error"}
ERRORS_SHOWN = 5


# One game


def game_view(result: GameResult, names: Sequence[str]) -> RenderableType:
    """Who came where in one game, and how it went."""
    table = new_table()
    table.add_column("place", justify="right")
    table.add_column("player", max_width=24, overflow="ellipsis", no_wrap=True)
    table.add_column("boxes", justify="right")
    table.add_column("death")
    table.add_column("ms", justify="right")
    table.add_column("worst", justify="right")
    for seat in sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat)):
        table.add_row(
            str(result.ranks[seat]),
            Text.assemble(seat_mark(seat), " ", names[result.seating[seat]]),
            str(result.boxes[seat]),
            format_death(result, seat),
            *format_times(result.times_ms[seat]),
        )
    turns = "1 turn" if result.turns == 1 else f"{result.turns} turns"
    teams = ", 0 and 1 against 2 and 3" if result.is_teamed else ""
    return Group(table, Text(f"seed {result.seed}{teams}, {turns}, ended by: {result.reason}"))


def format_death(result: GameResult, seat: int) -> Text:
    """When, and whose bombs or which failure it was."""
    if seat not in result.deaths:
        return Text("" if result.times_ms[seat] else "dead from the start")
    turn, death = result.deaths[seat]
    if death.failure:
        return Text(f"turn {turn}, {death.failure}")
    owners = [("own", "") if owner == seat else seat_mark(owner) for owner in death.owners]
    joined = [part for owner in owners for part in (" and ", owner)][1:]
    return Text.assemble(f"turn {turn}, ", *joined, " bomb" if len(owners) == 1 else " bombs")


# A series


def series_view(score: Score) -> RenderableType:
    """One column per player, one row per measure; ± and brackets hold the 95 % interval."""
    table = new_table()
    table.add_column("")
    for player in score.players:
        table.add_column(player.name, justify="right", overflow="fold")
    for name, show in ROWS:
        cells = [show(player) for player in score.players]
        if any(cells):
            table.add_row(name, *cells)
    return Group(table, Text(describe_series(score)))


def share_of_games(happened: Sequence[bool], seeds: Sequence[int]) -> str:
    if not happened:
        return ""
    return format_share(Share(sum(happened), len(happened), games_interval(happened, seeds)))


def format_times(times_ms: Sequence[float]) -> tuple[str, str]:
    """Median and worst."""
    return (format_ms(median(times_ms)), format_ms(max(times_ms))) if times_ms else ("", "")


ROWS: list[tuple[str, Callable[[PlayerScore], str]]] = [
    ("won, drawn, lost", lambda player: f"{player.wins}, {player.draws}, {player.losses}"),
    ("wins", lambda player: share_of_games(player.won, player.seeds)),
    ("draws", lambda player: share_of_games(player.drawn, player.seeds)),
    ("losses", lambda player: share_of_games(player.lost, player.seeds)),
    ("mean rank", lambda player: format_mean(player.ranks, player.seeds, 2)),
    ("boxes a game", lambda player: format_mean(player.boxes, player.seeds)),
    ("bombs a game", lambda player: format_mean(player.bombs, player.seeds)),
    ("deaths", lambda player: share_of_games(player.died, player.seeds)),
    *(
        (f"  by {CAUSE_NAMES[cause]}", lambda player, cause=cause: format_count(player.deaths[cause]))
        for cause in CAUSES
    ),
    ("  timeouts", lambda player: format_count(player.errors["timeout"])),
    ("ms a turn", lambda player: format_times(player.times_ms)[0]),
    ("  worst", lambda player: format_times(player.times_ms)[1]),
]


def describe_series(score: Score) -> str:
    games = score.in_order()
    lengths = [result.turns for result in games]
    seeds = sorted({result.seed for result in games})
    seed = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    spread = f"{min(lengths)} to {max(lengths)}"
    turns = format_mean(lengths, [result.seed for result in games])
    return f"{len(games)} games, {seed}; turns of a game: {turns} ({spread})"


def error_lines(score: Score) -> list[str]:
    """The errors that ended players, the first few of them, with all that is known and where it was first."""
    places: dict[str, list[str]] = {}
    for result in score.in_order():
        for seat, (turn, death) in result.deaths.items():
            if death.failure:
                what = f"{score.names[result.seating[seat]]}: {death.failure}: {death.detail}"
                places.setdefault(what, []).append(f"seed {result.seed}, turn {turn}")
    lines = [f"{what} ({where[0]}{format_more(len(where) - 1)})" for what, where in places.items()]
    left = len(lines) - ERRORS_SHOWN
    return lines[:ERRORS_SHOWN] + ([f"and {left} other errors"] if left > 0 else [])


def format_more(count: int) -> str:
    return f" and {count} more times" if count > 1 else " and once more" if count else ""


def replay_lines(score: Score) -> list[str]:
    """Where the replays are and how to open the last one."""
    paths = [result.replay for result in score.games if result.replay is not None]
    if not paths:
        return []
    many = [f"{len(paths)} replays in {paths[-1].parent}"] if len(paths) > 1 else []
    return [*many, f"open it: hsctl replay {shlex.quote(str(paths[-1]))}"]


# JSON


def format_json(score: Score) -> str:
    """One object, with a line for each player and game."""
    players = ",\n".join(json.dumps(player_record(player)) for player in score.players)
    games = ",\n".join(json.dumps(game_record(result, score.names)) for result in score.in_order())
    return f'{{"players": [\n{players}\n],\n"games": [\n{games}\n]}}'


def player_record(player: PlayerScore) -> dict[str, Any]:
    return {
        "name": player.name,
        "games": player.games,
        "wins": player.wins,
        "draws": player.draws,
        "losses": player.losses,
        "boxes": sum(player.boxes),
        "deaths": player.deaths.total(),
        "timeouts": player.errors["timeout"],
        "deaths_by_cause": {cause: player.deaths[cause] for cause in CAUSES},
        "errors": dict(player.errors),
        "bombs": sum(player.bombs),
        "mean_rank": rounded_mean(player.ranks),
        "mean_boxes": rounded_mean(player.boxes),
        "time_ms": times_record(player.times_ms),
        "intervals": intervals_record(player),
    }


def rounded_mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


def times_record(times_ms: Sequence[float]) -> dict[str, float] | None:
    return {"median": round(median(times_ms), 3), "worst": round(max(times_ms), 3)} if times_ms else None


def intervals_record(player: PlayerScore) -> dict[str, list[float] | None]:
    """95 % intervals, [low, high]: of the shares of games, and of the means over games; seeds are blocks."""
    happened = {"wins": player.won, "draws": player.drawn, "losses": player.lost, "deaths": player.died}
    shares = {name: games_interval(games, player.seeds) for name, games in happened.items()}
    means = {"rank": player.ranks, "boxes": player.boxes, "bombs": player.bombs}
    intervals = {**shares, **{name: mean_interval(values, player.seeds) for name, values in means.items()}}
    return {name: interval and [round(end, 4) for end in interval] for name, interval in intervals.items()}


def game_record(result: GameResult, names: Sequence[str]) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "seats": [names[player] for player in result.seating],
        "ranks": result.ranks,
        "boxes": result.boxes,
        "turns": result.turns,
        "reason": result.reason,
        "replay": None if result.replay is None else str(result.replay),
    }
