"""The files of a report: index.html, and in games/ the page of each game that has a replay.

    DIR/index.html      numbers, plots, filters and the list of games; opens without a server
    DIR/games/*.html    games to step through

The same games give the same bytes.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from engine.errors import HsctlError
from hsctl.league.standings import Standings
from hsctl.match.finished import FinishedGame
from hsctl.report.league_data import report_of
from replays.export.page import format_document, format_page
from replays.export.svg import format_palette
from replays.files import write_text
from replays.playback import load

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
        text = index.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    return set(PAGE.findall(text)) if f"<title>{TITLE}</title>" in text else set()


def format_report(standings: Standings, pages: dict[Path, str]) -> str:
    """The text of the page; `pages` has the addresses of games by their replays."""
    return format_document(
        title=TITLE,
        body=read("report.html"),
        style=format_palette() + read("report.css"),
        data=report_of(standings, pages.get),
        script=read("report.js"),
    )


def write_games(games: Sequence[FinishedGame], folder: Path) -> tuple[dict[Path, str], list[str]]:
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
