"""`hsctl cache`: compiled code, where it is kept, and how to have it before it is needed."""

from typing import Annotated, Any

import typer

from hsctl.commands.options import AsJson, refuse_several
from hsctl.commands.output import announce, print_json

EXAMPLES = """
hsctl cache                   # where compiled code is kept, and what there is
hsctl cache --warm beam mcts  # compile what these agents need, on all cores
hsctl cache --clean           # remove all of it
"""


def cache(
    agents: Annotated[list[str] | None, typer.Argument(metavar="[AGENT ...]", help="Only these agents.")] = None,
    warm: Annotated[bool, typer.Option("--warm", help="Compile what isn't compiled yet.")] = False,
    clean: Annotated[bool, typer.Option("--clean", help="Remove compiled code, also that of other versions.")] = False,
    json: AsJson = False,
) -> None:
    """Show, fill or empty the cache of compiled code.

    Agents are compiled when they are first used; `--warm` does it beforehand, on a cluster for instance.
    """
    from search.params import SpecError
    from search.spec import AGENTS

    refuse_several({"--warm": warm, "--clean": clean})
    for name in agents or ():
        if name not in AGENTS:
            raise SpecError(f"{name!r} is not an agent; the agents are: {', '.join(AGENTS)}")
    if clean:
        refuse_several({"--clean": clean, "AGENT": agents})
        from engine.compile.cache import remove_all

        remove_all()
    if warm:
        from hsctl.league.compiling import compile_for
        from hsctl.views.compiling import showing
        from hsctl.views.console import SafeConsole

        compile_for(agents or AGENTS, announce, showing(SafeConsole(stderr=True)))
    record = cache_record(agents or list(AGENTS))
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
    }


def show(record: dict[str, Any]) -> None:
    typer.echo(f"{record['folder']}: {record['bytes'] / 2**20:.0f} MB")
    typer.echo(f"compiled: {', '.join(record['compiled']) or 'nothing'}")
    if record["missing"]:
        typer.echo(f"not yet:  {', '.join(record['missing'])} (`hsctl cache --warm` compiles them)")
