"""`hsctl cache`: where hsctl keeps things and how much of them, and how to have compiled code before it is needed."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.errors import suggest
from hsctl.cli.options import AsJson, refuse_several
from hsctl.report.console import announce, print_json

EXAMPLES = """
hsctl cache                   # what is kept where, and how much
hsctl cache --warm beam mcts  # compile what these agents need, on all cores
hsctl cache --clean           # remove compiled code, and nothing else
"""


def cache(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT ...]", help="Only these agents, or env.")
    ] = None,
    warm: Annotated[bool, typer.Option("--warm", help="Compile everything that isn't compiled yet.")] = False,
    clean: Annotated[bool, typer.Option("--clean", help="Remove compiled code of all versions.")] = False,
    json: AsJson = False,
) -> None:
    """Show where hsctl keeps files; fill or empty the cache of compiled code.

    Agents, and environments for learners (env), are compiled when they are first used; `--warm` does it beforehand, on
    a cluster for instance.
    """
    from search.params import SpecError
    from search.spec import AGENTS
    from search.warm import ENVIRONMENTS

    refuse_several({"--warm": warm, "--clean": clean})
    known = [*AGENTS, ENVIRONMENTS]
    for name in agents or ():
        if name not in known:
            raise SpecError(f"{name!r} is not an agent; the agents are: {', '.join(AGENTS)}{suggest(name, AGENTS)}")
    if clean:
        refuse_several({"--clean": clean, "AGENT": agents})
        from engine.compile.cache import remove_all

        remove_all()
    if warm:
        from hsctl.match.compiling import compile_for
        from hsctl.report.live import showing
        from hsctl.report.safe_console import SafeConsole

        compile_for(agents or known, announce, showing(SafeConsole(stderr=True)))
    record = cache_record(agents or known)
    if json:
        print_json(record)
    else:
        show(record)


def cache_record(agents: list[str]) -> dict[str, Any]:
    from engine.compile.cache import HOME, used_bytes
    from search.warm import missing_parts, parts_of

    missing = missing_parts(agents)
    return {
        "folder": str(HOME),
        "bytes": used_bytes(),
        "compiled": [part for part in parts_of(agents) if part not in missing],
        "missing": missing,
        "data": data_record(),
    }


def data_record() -> dict[str, Any]:
    """What is kept for the user, which `--clean` never touches."""
    from hsctl.league.ledger import default_ledger
    from replays.store import data_folder, replay_folder

    replays, ledger = size_of(replay_folder()), default_ledger()
    return {
        "folder": str(data_folder()),
        "replays": {"folder": str(replay_folder()), "files": replays[0], "bytes": replays[1]},
        "ledger": {"file": str(ledger), "bytes": ledger.stat().st_size if ledger.is_file() else 0},
    }


def size_of(folder: Path) -> tuple[int, int]:
    """How many files are in a folder, and their bytes."""
    try:
        sizes = [entry.stat().st_size for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return 0, 0
    return len(sizes), sum(sizes)


def show(record: dict[str, Any]) -> None:
    typer.echo(f"{record['folder']}: {record['bytes'] / 2**20:.0f} MB")
    typer.echo(f"compiled: {', '.join(record['compiled']) or 'nothing'}")
    if record["missing"]:
        typer.echo(f"not yet:  {', '.join(record['missing'])} (`hsctl cache --warm` compiles them)")
    replays, ledger = record["data"]["replays"], record["data"]["ledger"]
    typer.echo(f"replays:  {replays['folder']}: {replays['files']} files, {format_mb(replays['bytes'])}")
    typer.echo(f"ledger:   {ledger['file']}: {format_mb(ledger['bytes'])}")


def format_mb(count: int) -> str:
    return f"{count / 2**20:.1f} MB"
