"""What a report tells, as data: players, ratings, pairs, and every game with the name of its page."""

from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from hsctl.league.rating import Rating
from hsctl.league.standings import PlayerStanding, Standings
from hsctl.match.finished import FinishedGame
from hsctl.report.tables import warning_lines
from replays.text import clean

PageOf = Callable[[Path], str | None]  # the address of the page of a replay, if there is one


def report_of(standings: Standings, page_of: PageOf) -> dict[str, Any]:
    """Players are numbers: places in `names`. Games are in the order of the league, whichever finished first."""
    return {
        "warning": " ".join(warning_lines(standings.delays)),
        "names": [clean(name) for name in standings.names],
        "players": [player_of(player) for player in standings.players],
        "ratings": [rating_of(rating) for rating in standings.ratings()],
        "pairs": pairs_of(standings),
        "sizes": standings.sizes,
        "games": [game_of(game, page_of) for game in standings.in_order()],
    }


def player_of(player: PlayerStanding) -> dict[str, Any]:
    return {
        "games": player.games,
        "won": player.wins,
        "drawn": player.draws,
        "lost": player.losses,
        "boxes": round(fmean(player.boxes), 2) if player.boxes else None,
        "causes": dict(sorted(player.deaths.items())),
        "places": [player.ranks.count(place) for place in range(1, 5)],
    }


def rating_of(rating: Rating) -> dict[str, Any]:
    ends = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    return {"note": rating.note, **{name: None if elo is None else round(elo, 1) for name, elo in ends.items()}}


def pairs_of(standings: Standings) -> list[list[dict[str, Any] | None]]:
    """By row and column: how often the row was ranked above the column, level, below."""
    players = range(len(standings.names))
    return [[pair_of(standings, row, column) for column in players] for row in players]


def pair_of(standings: Standings, row: int, column: int) -> dict[str, Any] | None:
    meetings = None if row == column else standings.meetings(row, column)
    if meetings is None:
        return None
    low, high = meetings.share.interval or (0.0, 1.0)
    counts = {"above": meetings.wins, "level": meetings.draws, "below": meetings.losses}
    return {**counts, "share": round(meetings.share.value, 4), "low": round(low, 4), "high": round(high, 4)}


def game_of(game: FinishedGame, page_of: PageOf) -> dict[str, Any]:
    """By seat: who sat there, rank, boxes, the cause of a death with its turn."""
    return {
        "seed": game.seed,
        "seats": list(game.seating),
        "ranks": game.ranks,
        "boxes": game.boxes,
        "drawn": game.is_drawn,
        "causes": ["" if fate is None else fate.cause for fate in game.deaths],
        "deaths": ["" if fate is None else clean(fate.failure or fate.cause) for fate in game.deaths],
        "died": [None if fate is None else fate.turn for fate in game.deaths],
        "turns": game.turns,
        "reason": clean(game.reason),
        "page": None if game.replay is None else page_of(game.replay),
    }
