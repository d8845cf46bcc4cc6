"""A league to be shown: who beat whom, who took which place, ratings, boxes, deaths, thinking time; and as JSON.

In the JSON, `table` leads from row and column to wins, draws and losses (for more than two players: ranked above,
level, below), `ratings` from the name to Elo with its interval (null where it can't be told), `players` stand in the
order they were named, and in each of the `games` ranks and boxes follow the order of `seats`.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.runner import LeagueGame
from hsctl.stats.intervals import mean_interval
from hsctl.stats.rating import Rating
from hsctl.stats.score import CAUSES
from hsctl.stats.standings import Meetings, PlayerStanding, Standings
from hsctl.views.report import CAUSE_NAMES, rounded_mean
from hsctl.views.tables import format_count, format_mean, format_ms, format_percent, format_share, new_table

WIDEST_NAME = 24
MOST_ON_A_LINE = 4  # players whose shares and intervals fit beside each other in 80 columns
PLACES = ("1st", "2nd", "3rd", "4th")


def league_view(standings: Standings) -> RenderableType:
    """All tables, each with its title."""
    is_duel = standings.sizes in ([], [2])
    titled = [
        ("win rate of row over column" if is_duel else "row ranked above column", cross_table(standings, True)),
        *(() if is_duel else [("shares of places", place_table(standings))]),
        ("ratings", rating_table(standings)),
        ("how they play", manner_table(standings)),
    ]
    parts = [part for title, table in titled for part in (Text(title, "bold"), table, Text())]
    return Group(*parts, Text(describe_league(standings)))


def name_column(table: Any, title: str = "") -> None:
    table.add_column(title, max_width=WIDEST_NAME, overflow="fold")


def cross_table(standings: Standings, has_intervals: bool) -> RenderableType:
    """Shares of wins of row over column, in per cent."""
    table = new_table()
    name_column(table)
    for name in standings.names:
        table.add_column(name, justify="right", overflow="fold")
    between = " " if len(standings.names) <= MOST_ON_A_LINE else "\n"
    for row, name in enumerate(standings.names):
        met = [standings.meetings(row, column) for column in range(len(standings.names))]
        show = partial(format_share, between=between) if has_intervals else format_percent
        table.add_row(name, *(show(one.share) if one else "" for one in met))
    return table


def place_table(standings: Standings) -> RenderableType:
    """How often each player took each place, by number of players."""
    table = new_table()
    table.add_column("players", justify="right")
    name_column(table, "player")
    for place in PLACES[: max(standings.sizes)]:
        table.add_column(place, justify="right")
    for size in standings.sizes:
        for player in standings.players:
            shares = [player.share_of_place(size, place) for place in range(1, size + 1)]
            if any(shares):
                table.add_row(str(size), player.name, *map(format_share, shares))
    return table


def rating_table(standings: Standings) -> RenderableType:
    """Elo, best first."""
    table = new_table()
    name_column(table)
    for title in ("Elo", "95 %", "games", "won, drawn, lost", "mean place"):
        table.add_column(title, justify="right")
    rated = zip(standings.ratings(), standings.players, strict=True)
    for rating, player in sorted(rated, key=lambda pair: (pair[0].elo is None, -(pair[0].elo or 0.0))):
        table.add_row(
            rating.name,
            "" if rating.elo is None else f"{rating.elo:+.0f}",
            format_bounds(rating),
            str(player.games),
            f"{player.wins}, {player.draws}, {player.losses}",
            format_mean(player.ranks, player.seeds, 2),
        )
    noted = [one for one in standings.ratings() if one.elo is not None and one.note]
    return Group(table, *(Text(f"{one.name}: {one.note}") for one in noted))


def format_bounds(rating: Rating) -> str:
    if rating.elo is None:
        return rating.note
    low = "…" if rating.low is None else f"{rating.low:+.0f}"
    return f"{low} to {'…' if rating.high is None else f'{rating.high:+.0f}'}"


def manner_table(standings: Standings) -> RenderableType:
    """Boxes, bombs, deaths by cause, thinking time."""
    table = new_table()
    name_column(table)
    causes = [cause for cause in CAUSES if any(player.deaths[cause] for player in standings.players)]
    titles = ["boxes a game", "bombs a turn", "deaths", *(f"by {CAUSE_NAMES[cause]}" for cause in causes)]
    for title in [*titles, "ms a turn", "worst"]:
        table.add_column(title, justify="right")
    for player in standings.players:
        table.add_row(
            player.name,
            format_mean(player.boxes, player.seeds),
            "" if player.bombs_a_turn is None else f"{player.bombs_a_turn:.3f}",
            str(player.deaths.total()),
            *(format_count(player.deaths[cause]) for cause in causes),
            "" if player.mean_ms is None else format_ms(player.mean_ms),
            format_ms(player.worst_ms),
        )
    return table


def describe_league(standings: Standings) -> str:
    lengths = [game.row.outcome.turns for game in standings.games]
    seeds = [game.block.seed for game in standings.games]
    new = sum(game.is_new for game in standings.games)
    known = len(standings.games) - new
    return f"{len(lengths)} games on {len(set(seeds))} seeds ({new} played now, {known} from the ledger)" + (
        f"; turns of a game: {format_mean(lengths, seeds)}" if lengths else ""
    )


def error_lines(standings: Standings, most: int = 5) -> list[str]:
    """The errors that ended players, the first few of them, with where each was first."""
    places: dict[str, list[str]] = {}
    for game in standings.in_order():
        for seat, fate in enumerate(game.row.outcome.deaths):
            if fate is not None and fate.failure:
                what = f"{standings.names[game.seating[seat]]}: {fate.failure}: {fate.detail}"
                places.setdefault(what, []).append(f"seed {game.block.seed}, turn {fate.turn}")
    lines = [f"{what} ({where[0]}, {len(where)} in all)" for what, where in places.items()]
    return lines[:most] + ([f"and {len(lines) - most} other errors"] if len(lines) > most else [])


# JSON


def league_record(standings: Standings) -> dict[str, Any]:
    return {
        "players": [player_record(player) for player in standings.players],
        "table": table_record(standings),
        "ratings": {rating.name: rating_record(rating) for rating in standings.ratings()},
        "effort": effort_record(standings.games),
        "games": [game_record(game, standings.names) for game in standings.in_order()],
    }


def format_record(record: dict[str, Any]) -> str:
    """JSON with one line for each player and game."""
    lines = []
    for name, value in record.items():
        rows = ",\n".join(json.dumps(entry) for entry in value) if isinstance(value, list) else ""
        lines.append(f'"{name}": [\n{rows}\n]' if isinstance(value, list) else f'"{name}": {json.dumps(value)}')
    return "{" + ",\n".join(lines) + "}"


def table_record(standings: Standings) -> dict[str, dict[str, Any]]:
    names = standings.names
    met = {(row, column): standings.meetings(row, column) for row in range(len(names)) for column in range(len(names))}
    return {
        name: {
            other: meetings_record(one) for column, other in enumerate(names) if (one := met[row, column]) is not None
        }
        for row, name in enumerate(names)
    }


def meetings_record(meetings: Meetings) -> dict[str, Any]:
    return {
        "wins": meetings.wins,
        "draws": meetings.draws,
        "losses": meetings.losses,
        "win_rate": round(meetings.share.value, 4),
        "interval": rounded(meetings.share.interval),
    }


def rounded(interval: Sequence[float] | None) -> list[float] | None:
    return None if interval is None else [round(end, 4) for end in interval]


def rating_record(rating: Rating) -> dict[str, Any]:
    ends = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    rounded_ends = {name: None if value is None else round(value, 1) for name, value in ends.items()}
    return {**rounded_ends, "games": rating.games, "note": rating.note, "group": rating.group}


def player_record(player: PlayerStanding) -> dict[str, Any]:
    mean_ms = player.mean_ms
    return {
        "name": player.name,
        "games": player.games,
        "wins": player.wins,
        "draws": player.draws,
        "losses": player.losses,
        "mean_rank": rounded_mean(player.ranks),
        "places": {size: places_record(player, size) for size in sorted(player.places)},
        "boxes": sum(player.boxes),
        "mean_boxes": rounded_mean(player.boxes),
        "boxes_interval": rounded(mean_interval(player.boxes, player.seeds)),
        "bombs": player.bombs,
        "bombs_per_turn": None if player.bombs_a_turn is None else round(player.bombs_a_turn, 4),
        "deaths": player.deaths.total(),
        "deaths_by_cause": {cause: player.deaths[cause] for cause in CAUSES},
        "errors": dict(player.errors),
        "turns": player.turns,
        "time_ms": None if mean_ms is None else {"mean": round(mean_ms, 3), "worst": round(player.worst_ms, 3)},
    }


def places_record(player: PlayerStanding, size: int) -> list[dict[str, Any]]:
    shares = [player.share_of_place(size, place) for place in range(1, size + 1)]
    return [{"games": share.count, "interval": rounded(share.interval)} for share in shares if share is not None]


def effort_record(games: Sequence[LeagueGame]) -> dict[str, Any]:
    """What it took: the games, the players' thinking in them, and the runner's share of the time of a game."""
    playing = sum(game.row.outcome.seconds for game in games)
    thinking = sum(one.total_ms for game in games for one in game.row.outcome.thinking) / 1000
    new = sum(game.is_new for game in games)
    return {
        "games": len(games),
        "played_now": new,
        "playing_s": round(playing, 3),
        "thinking_s": round(thinking, 3),
        "overhead": round((playing - thinking) / thinking, 5) if thinking else None,
    }


def game_record(game: LeagueGame, names: Sequence[str]) -> dict[str, Any]:
    outcome = game.row.outcome
    return {
        "seed": game.block.seed,
        "seats": [names[player] for player in game.seating],
        "ranks": outcome.ranks,
        "boxes": outcome.boxes,
        "turns": outcome.turns,
        "reason": outcome.reason,
        "replay": None if game.row.replay is None else str(game.row.replay),
    }
