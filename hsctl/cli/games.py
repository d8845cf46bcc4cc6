"""`hsctl games`: recorded games listed, with the players that lost and why."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.options import MOST_GAMES, AsJson
from hsctl.report.console import announce, print_json_lines, print_line, print_view, progress

if TYPE_CHECKING:
    from hsctl.league.listing import Filter, ListedGame

EXAMPLES = """
hsctl games                              # your newest games
hsctl games games --lost --player mybot  # which games did it lose?
hsctl games --cause timeout --json       # for scripts
"""
MOST_SHOWN = 20


def games(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A folder with games. Default: all games that hsctl saved.")
    ] = None,
    lost: Annotated[bool, typer.Option("--lost", help="List only games that the player lost.")] = False,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="P", help="Name or part of a name. Default: external bots, else all players."),
    ] = None,
    cause: Annotated[
        str | None,
        typer.Option(
            metavar="CAUSE",
            help="List only games lost by this cause: own, others or both (whose bombs), boxes, dead (at the start), "
            "error, or one error such as timeout.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="List the newest N.")] = MOST_SHOWN,
    json: AsJson = False,
) -> None:
    """List recorded games, newest first, with result, cause of loss and file."""
    from hsctl.league.listing import CAUSES_OF_LOSS, Filter

    if cause is not None and cause not in CAUSES_OF_LOSS:
        raise HsctlError(f"--cause {cause!r}: name one of {', '.join(CAUSES_OF_LOSS)}")
    show_games(folder, Filter(player, lost, cause), limit, json)


def show_games(folder: Path | None, wanted: "Filter", limit: int, as_json: bool = False) -> None:
    from replays.opening import files_in

    paths = files_in(folder)
    if as_json:
        from msgspec import to_builtins

        print_json_lines(map(to_builtins, find_games(paths, wanted, limit)))
        return
    found = list(find_games(paths, wanted, limit))
    if not found:
        from hsctl.league.listing import describe_none

        announce(describe_none(paths, wanted, "saved by hsctl" if folder is None else f"in {folder}"))
        return
    from hsctl.report.games import listed_view

    for game in found:
        print_view(listed_view(game))
        print_line(f"  {game.file}")
    if len(found) == limit < len(paths):
        announce(f"the newest {limit}; --limit N lists more")


def find_games(paths: list[Path], wanted: "Filter", limit: int) -> "Iterator[ListedGame]":
    """The newest games that are wanted."""
    from hsctl.league.listing import list_games

    found = 0
    with progress("looking through games", len(paths)) as advance, closing(list_games(paths, wanted)) as listed:
        for game in listed:
            advance(1)
            if game is not None:
                yield game
                found += 1
            if found == limit:
                return
