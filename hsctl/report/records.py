"""Standings and comparisons as JSON: the documents that scripts read.

In all of them `players` are in the order they were named, and in each of the `games`, `seats` are the names of the
players by seat; `ranks`, `boxes`, `death_turns` (null for the living and for who was dead from the start),
`faithful_turns` (null but for ghosts), `predictions` (null but for bots that predict), `misdrawn` (null but for bots
that draw what can't be read) and `slow_starts` (null but for bots whose first answer would be late on the arena) follow
that order. `turns` says how many there were; their numbers begin with `first_turn`. In a league's, `table` leads from
row and column to wins, draws and losses (for more than two players: ranked above, level, below), and `ratings` from the
name to Elo with its interval (null where it is unknown). Intervals are of 95 %, [low, high]; the games of one seed
count as a block. `clock` is wall or cpu, null if nodes limit all players; times are by that clock for built-in agents.
`valid` is false if the machine delayed more than 2 % of the turns; `delayed_turns` is their share, `retries` the number
of games that were played again because of delays.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from statistics import fmean, median
from typing import Any

from hsctl.league.comparison import Comparison, games_of
from hsctl.league.intervals import Interval, mean_interval
from hsctl.league.rating import Rating
from hsctl.league.standings import Meetings, PlayerStanding, Standings
from hsctl.match.result import CAUSES, CULPRITS, Delays, Foresight, GameResult, Misdrawn, SlowStart
from replays.replay import CPU, format_fields

Fields = dict[str, Callable[[PlayerStanding], Any]]  # of a player, in the order of the document
ANYTHING = Interval(0.0, 1.0)  # what a share may be that no game tells of


def format_record(record: dict[str, Any]) -> str:
    """One JSON object, with a line for each player and game."""
    lists = tuple(name for name, value in record.items() if isinstance(value, list))
    return "{" + format_fields(record, lists, json.dumps) + "}"


def series_record(standings: Standings) -> dict[str, Any]:
    return {
        "clock": standings.clock,
        **delays_record(standings.delays),
        "players": [player_record(player, OF_A_SERIES) for player in standings.players],
        "games": games_record(standings),
    }


def league_record(standings: Standings) -> dict[str, Any]:
    return {
        "clock": standings.clock,
        **delays_record(standings.delays),
        "players": [player_record(player, OF_A_LEAGUE) for player in standings.players],
        "table": table_record(standings),
        "ratings": {rating.name: rating_record(rating) for rating in standings.ratings()},
        "effort": effort_record(standings),
        "games": games_record(standings),
    }


def delays_record(delays: Delays) -> dict[str, Any]:
    return {"valid": delays.is_valid, "delayed_turns": round(delays.share, 4), "retries": delays.retries}


def games_record(standings: Standings) -> list[dict[str, Any]]:
    return [game_record(game, standings.names) for game in standings.in_order()]


def game_record(game: GameResult, names: Sequence[str]) -> dict[str, Any]:
    return {
        "seed": game.seed,
        "seats": [names[player] for player in game.seating],
        "ranks": game.ranks,
        "boxes": game.boxes,
        "death_turns": [None if fate is None else fate.turn for fate in game.deaths],
        "faithful_turns": game.faithful_turns or None,
        "predictions": by_seat(game.foresight),
        "misdrawn": by_seat(game.misdrawn),
        "slow_starts": by_seat(game.slow_starts),
        "first_turn": game.first_turn,
        "turns": game.turns,
        "reason": game.reason,
        "retries": game.retries,
        "replay": None if game.replay is None else str(game.replay),
    }


def by_seat(found: Sequence[Foresight | Misdrawn | SlowStart | None]) -> list[dict[str, Any] | None] | None:
    """Null for a seat of which there is nothing to tell; null if there is nothing of any."""
    told = [None if each is None else asdict(each) for each in found]
    return told if any(told) else None


def effort_record(standings: Standings) -> dict[str, Any]:
    """What it took: the games, the players' thinking in them, and the runner's share of the time of a game (null if
    thinking has another clock)."""
    games = standings.games
    playing = sum(game.seconds for game in games)
    thinking = sum(one.total_ms for game in games for one in game.thinking) / 1000
    return {
        "games": len(games),
        "played_now": sum(game.is_new for game in games),
        "playing_s": round(playing, 3),
        "thinking_s": round(thinking, 3),
        "overhead": round((playing - thinking) / thinking, 5) if thinking and standings.clock != CPU else None,
    }


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


def rating_record(rating: Rating) -> dict[str, Any]:
    ends = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    rounded_ends = {name: None if value is None else round(value, 1) for name, value in ends.items()}
    return {**rounded_ends, "games": rating.games, "note": rating.note, "group": rating.group}


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    test, left = comparison.test, comparison.test.forecast()
    return {
        "first": comparison.new,
        "second": comparison.old,
        "clock": comparison.clock,
        **delays_record(comparison.delays),
        "verdict": comparison.verdict or "undecided",
        "games": comparison.games,
        "wins": comparison.wins,
        "draws": comparison.draws,
        "losses": comparison.losses,
        "score": None if comparison.score is None else round(comparison.score, 4),
        "interval": rounded(comparison.interval),
        "llr": round(test.llr, 4),
        "lower": round(test.lower, 4),
        "upper": round(test.upper, 4),
        "faithful_turns": {name: round(turns, 2) for name, turns in comparison.faithful_turns.items()},
        "faults": comparison.faults,
        "lost": [{"seed": game.seed, "seat": game.seating.index(0)} for game in comparison.lost],
        "games_left": None if left is None else games_of(left),
    }


# A player


def player_record(player: PlayerStanding, fields: Fields) -> dict[str, Any]:
    return {name: read(player) for name, read in fields.items()}


def median_record(player: PlayerStanding) -> dict[str, float] | None:
    times_ms = player.times_ms
    return {"median": round(median(times_ms), 3), "worst": round(max(times_ms), 3)} if times_ms else None


def mean_record(player: PlayerStanding) -> dict[str, float] | None:
    if player.mean_ms is None or player.worst_ms is None:
        return None
    return {"mean": round(player.mean_ms, 3), "worst": round(player.worst_ms, 3)}


def speed_record(player: PlayerStanding) -> float | None:
    return None if player.nodes_a_ms is None else round(player.nodes_a_ms, 1)


def intervals_record(player: PlayerStanding) -> dict[str, list[float] | None]:
    """Of the shares of games, and of the means over games."""
    happened = {"wins": player.won, "draws": player.drawn, "losses": player.lost, "deaths": player.died}
    shares = {name: player.share(games) for name, games in happened.items()}
    means = {"boxes": player.boxes, "bombs": player.bombs}
    places = mean_interval(player.ranks, player.seeds, 1.0, player.last_place)
    return {
        **{name: rounded(ANYTHING if share is None else share.interval) for name, share in shares.items()},
        "rank": rounded(places),
        **{name: rounded(mean_interval(values, player.seeds, 0.0)) for name, values in means.items()},
    }


def places_record(player: PlayerStanding) -> dict[int, list[dict[str, Any]]]:
    """The number of players -> how often each place was taken."""
    return {
        size: [
            {"games": share.count, "interval": rounded(share.interval)}
            for place in range(1, size + 1)
            if (share := player.share_of_place(size, place)) is not None
        ]
        for size in sorted(set(player.sizes))
    }


def rounded_mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


def rounded(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [round(end, 4) for end in interval]


SHARED: Fields = {
    "name": lambda player: player.name,
    "games": lambda player: player.games,
    "wins": lambda player: player.wins,
    "draws": lambda player: player.draws,
    "losses": lambda player: player.losses,
    "mean_rank": lambda player: rounded_mean(player.ranks),
    "boxes": lambda player: sum(player.boxes),
    "mean_boxes": lambda player: rounded_mean(player.boxes),
    "bombs": lambda player: sum(player.bombs),
    "deaths": lambda player: player.deaths.total(),
    "deaths_by_cause": lambda player: {cause: player.deaths[cause] for cause in CAUSES},
    "errors": lambda player: dict(player.errors),
    "timeouts_by_culprit": lambda player: {culprit: player.timeouts[culprit] for culprit in CULPRITS},
    "late_turns": lambda player: {culprit: player.late[culprit] for culprit in CULPRITS},
    "cpu_beyond_turns": lambda player: round(player.beyond, 4),
    "faults": lambda player: dict(player.faults),
}
TIMES = ("timeouts_by_culprit", "late_turns", "cpu_beyond_turns")
OF_A_SERIES: Fields = {
    **{name: SHARED[name] for name in ("name", "games", "wins", "draws", "losses", "boxes", "deaths")},
    "timeouts": lambda player: player.errors["timeout"],
    **{name: SHARED[name] for name in ("deaths_by_cause", "errors", "bombs", "mean_rank", "mean_boxes")},
    "time_ms": median_record,
    "nodes_per_ms": speed_record,
    "faults": SHARED["faults"],
    **{name: SHARED[name] for name in TIMES},
    "intervals": intervals_record,
}
OF_A_LEAGUE: Fields = {
    **{name: SHARED[name] for name in ("name", "games", "wins", "draws", "losses", "mean_rank")},
    "places": places_record,
    **{name: SHARED[name] for name in ("boxes", "mean_boxes")},
    "boxes_interval": lambda player: rounded(mean_interval(player.boxes, player.seeds, 0.0)),
    "bombs": SHARED["bombs"],
    "bombs_per_turn": lambda player: None if player.bombs_a_turn is None else round(player.bombs_a_turn, 4),
    **{name: SHARED[name] for name in ("deaths", "deaths_by_cause", "errors")},
    "turns": lambda player: player.turns,
    "time_ms": mean_record,
    "nodes_per_ms": speed_record,
    "faults": SHARED["faults"],
    **{name: SHARED[name] for name in TIMES},
}
