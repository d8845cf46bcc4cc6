"""`hsctl export`: finished games and replays as tables, for pandas, R or a spreadsheet."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from engine.errors import HsctlError
from hsctl.cli.options import LedgerFile
from hsctl.report.console import announce

if TYPE_CHECKING:
    from replays.playback import Playback

EXAMPLES = """
hsctl export ledger > games.csv           # every game of your leagues
hsctl export replays games/ --out tables  # four tables of a folder
hsctl export replays --table turns        # the newest replay, turn by turn
"""


def export(
    what: Annotated[
        Literal["ledger", "replays"], typer.Argument(metavar="ledger|replays", help="The source of the tables.")
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE ...]", help="Replays, or folders of them. Default: the newest replay."),
    ] = None,
    to: Annotated[
        Literal["csv", "jsonl", "parquet"],
        typer.Option(metavar="csv|jsonl|parquet", help="The format; parquet needs hsctl[parquet]."),
    ] = "csv",
    table: Annotated[
        Literal["games", "turns", "decisions", "events"] | None,
        typer.Option(
            metavar="NAME",
            help="Table of replays: games, turns, decisions or events. Default: games, or all with --out.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write to a file, or all tables of replays into a folder.")
    ] = None,
    ledger: LedgerFile = None,
) -> None:
    """Write games, turns, decisions and events as tables.

    docs/reference/export.md lists the columns. Without --out, the table goes to stdout.
    """
    from hsctl.report.export import PARQUET, check_parquet

    if to == PARQUET:
        check_parquet()
        if out is None:
            raise HsctlError("--to parquet needs --out PATH: it is not text")
    if what == "ledger":
        if files or table is not None:
            raise HsctlError("a ledger has only games: drop the files and --table")
        export_ledger(ledger, to, out)
        return
    if ledger is not None:
        raise HsctlError("export replays reads files: drop --ledger")
    export_replays(files or [], to, table, out)


def export_ledger(path: Path | None, form: str, out: Path | None) -> None:
    """Write the games of a ledger, which is only read, never created or upgraded."""
    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.report.export import LEDGER as COLUMNS
    from hsctl.report.export import ledger_rows

    file = path or default_ledger()
    if file.exists():
        with Ledger(file, is_own=False) as opened:
            put(ledger_rows(opened), list(COLUMNS), form, out)
    elif path is not None:
        raise HsctlError(f"{path}: No such file or directory; name a ledger")
    else:
        announce(f"no games yet: your first league creates {file}")
        put([], list(COLUMNS), form, out)


def export_replays(files: list[Path], form: str, table: str | None, out: Path | None) -> None:
    from hsctl.report.export import MAKERS, TABLES
    from replays.opening import expand_folders

    paths = list(expand_folders(files))

    def rows(name: str) -> Iterator[dict[str, Any]]:
        for path, playback in open_all(paths):
            yield from MAKERS[name](playback, str(path))

    if table is None and out is not None:
        for name, columns in TABLES.items():
            put(rows(name), list(columns), form, out / f"{name}.{form}")
    else:
        name = table or "games"
        put(rows(name), list(TABLES[name]), form, out)


def put(rows: Iterable[dict[str, Any]], columns: list[str], form: str, out: Path | None) -> None:
    """Write rows to a file, and report it, or to stdout."""
    import sys

    from hsctl.report.export import write_file, write_text

    if out is None:
        if sys.stdout is None:
            raise HsctlError("stdout is closed; add --out PATH")
        write_text(rows, columns, form, sys.stdout)
    else:
        announce(f"{out}: {write_file(rows, columns, form, out)} rows")


def open_all(paths: list[Path]) -> "Iterator[tuple[Path, Playback]]":
    """A single file that holds no game is an error; among several it is skipped."""
    from replays.opening import open_game, open_games

    if len(paths) == 1:
        return iter([(paths[0], open_game(paths[0])[0])])
    return open_games(paths, announce)
