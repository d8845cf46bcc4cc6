"""The files of a report: index.html, and in games/ the page of each game that has a replay.

    DIR/index.html      numbers, plots, filters and the list of games; opens without a server
    DIR/games/*.html    games to step through

The same games give the same bytes.
"""

import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from engine.errors import HsctlError
from hsctl.league.rating import Rating
from hsctl.league.standings import PlayerStanding, Standings
from hsctl.match.result import GameResult
from hsctl.report.standings import fault_lines
from hsctl.report.tables import warning_lines
from replays.export.page import format_document, format_page
from replays.export.svg import format_palette
from replays.files import read_source, write_text
from replays.playback import load
from replays.text import clean, counted

FOLDER = Path(__file__).parent
GAMES = "games"
TITLE = "hsctl league"
PAGE = re.compile(rf'"page":"({GAMES}/[0-9]+-[A-Za-z0-9.-]*\.html)"')  # as format_report writes it


def write_report(standings: Standings, folder: Path) -> list[str]:
    """Write all of it in the place of an earlier report; what must be said about replays that can't be shown."""
    index = folder / "index.html"
    earlier = games_of(index)
    pages, refused = write_games(standings.in_order(), folder)
    write_text(index, format_report(standings, pages), with_folder=True)
    for name in earlier.difference(pages.values()):
        (folder / name).unlink(missing_ok=True)
    return refused


def games_of(index: Path) -> set[str]:
    """The pages of games that a report links; none if there is no report."""
    try:
        text = read_source(index).decode()
    except (HsctlError, UnicodeDecodeError):
        return set()
    return set(PAGE.findall(text)) if f"<title>{TITLE}" in text else set()


def format_report(standings: Standings, pages: dict[Path, str]) -> str:
    """The text of the page; `pages` has the addresses of games by their replays."""
    return format_document(
        title=escape(describe_league(standings)),
        body=read("report.html"),
        style=format_palette() + read("report.css"),
        data=report_of(standings, pages.get),
        script=read("report.js"),
    )


def describe_league(standings: Standings) -> str:
    """The title of the page: who leads, and by how much was played."""
    rated = [rating for rating in standings.ratings() if rating.elo is not None]
    best = max(rated, key=lambda rating: rating.elo or 0.0, default=None)
    leads = "" if best is None else f"{clean(best.name)} leads {len(standings.names)} players, "
    return f"{TITLE}: {leads}{counted(len(standings.games), 'game')}"


def write_games(games: Sequence[GameResult], folder: Path) -> tuple[dict[Path, str], list[str]]:
    """A page for each replay, and where it is; what is wrong with the others."""
    pages: dict[Path, str] = {}
    refused = []
    for replay in dict.fromkeys(game.replay for game in games if game.replay is not None):
        name = f"{len(pages) + 1}-{re.sub(r'[^A-Za-z0-9.-]+', '-', replay.stem)[:80]}.html"
        try:
            page = format_page(load(replay))
        except HsctlError as error:
            refused.append(str(error))
            continue
        write_text(folder / GAMES / name, page, with_folder=True)
        pages[replay] = f"{GAMES}/{name}"
    return pages, refused


def read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


# The data of the page


PageOf = Callable[[Path], str | None]  # the address of the page of a replay, if there is one


def report_of(standings: Standings, page_of: PageOf) -> dict[str, Any]:
    """Players are numbers: places in `names`. Games are in the order of the league, whichever finished first."""
    return {
        "warning": " ".join(warning_lines(standings.delays)),
        "faults": [clean(line) for line in fault_lines(standings.names, standings.in_order())],
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


def game_of(game: GameResult, page_of: PageOf) -> dict[str, Any]:
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
