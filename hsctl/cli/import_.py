"""`hsctl import`: games of the arena, checked against their record and kept as replays."""

from os.path import isdir  # unlike Path's, it takes names of any length
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.options import choose_folder, refuse_beside
from hsctl.report.console import NO, announce, print_json, print_line, print_view

if TYPE_CHECKING:
    from replays.arena.importing import ImportedFile

EXAMPLES = """
hsctl import game.json                   # a game in the site's JSON
hsctl import console.txt --seed 1234567  # console text has no seed
hsctl import games/                      # every game in a folder
"""
UNREADABLE = 2


def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-|DIR", help="A game of the arena (- for stdin), or a folder of them.")
    ],
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the board, for console text without one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Save replays in DIR instead of your data folder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Verify arena games and save them as replays.

    FILE is the JSON of a game or the text of the console. The game is played again from its seed and the players'
    outputs, and compared with everything that was recorded; the first difference is reported as MISMATCH. The exit code
    is 0 if everything matches, 1 for a MISMATCH, 2 if a file can't be read.
    """
    if isdir(file):
        refuse_beside(f"{file}, a folder,", {"--seed": seed})
    folder = choose_folder(out, is_saved=True)
    assert folder is not None
    if isdir(file):
        import_all(file, folder, json)
    else:
        import_one(file, seed, folder, json)


def import_one(file: Path, seed: int | None, folder: Path, as_json: bool) -> None:
    from hsctl import __version__
    from hsctl.report.import_view import describe_mismatch, game_view, record_of
    from replays.arena.importing import EQUAL, import_file

    imported = import_file(file, seed, folder, __version__)
    if as_json:
        print_json(record_of(imported))
    elif imported.verdict == EQUAL:
        print_view(game_view(imported))
        print_line(f"replay: {imported.saved}")
    else:
        print_line(describe_mismatch(imported))
        if imported.saved:
            announce(f"the game as the rules play it: {imported.saved}")
    if imported.verdict != EQUAL:
        raise typer.Exit(NO)


def import_all(file: Path, folder: Path, as_json: bool) -> None:
    from hsctl import __version__
    from hsctl.report.import_view import folder_view, problem_lines, record_of
    from replays.arena.importing import import_folder

    files = list(import_folder(file, folder, __version__))
    if not files:
        raise HsctlError(f"{file}: the folder is empty; name one with games of the arena")
    if as_json:
        print_json([record_of(each) for each in files])
    else:
        print_view(folder_view(files))
        for line in problem_lines(files):
            print_line(line)
    raise typer.Exit(exit_code(files))


def exit_code(files: "list[ImportedFile]") -> int:
    """A difference counts more than a file that is not a game."""
    from replays.arena.importing import EQUAL, MISMATCH

    verdicts = {each.verdict for each in files}
    return NO if MISMATCH in verdicts else 0 if verdicts == {EQUAL} else UNREADABLE
