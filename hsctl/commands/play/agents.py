"""`hsctl agents`: every built-in agent with its parameters, defaults and presets."""

from dataclasses import fields
from typing import Annotated, Any

import typer

from hsctl.commands.options import AsJson
from hsctl.commands.output import print_json, print_view

EXAMPLES = """
hsctl agents            # every agent with its parameters
hsctl agents beam mcts  # these two
hsctl agents --json     # for a script
"""


def agents(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME ...]", help="List only these agents.")] = None,
    json: AsJson = False,
) -> None:
    """List the built-in agents, their parameters and presets."""
    from search.params import SpecError
    from search.spec import AGENTS

    for name in names or ():
        if name not in AGENTS:
            raise SpecError(f"{name!r} is not an agent; the agents are: {', '.join(AGENTS)}")
    records = [agent_record(name) for name in names or AGENTS]
    if json:
        print_json({"agents": records})
    else:
        print_view(agents_view(records))


def agent_record(name: str) -> dict[str, Any]:
    from search.spec import AGENTS

    info = AGENTS[name]
    params = [
        {"name": each.name, "type": type(each.default).__name__, "default": each.default, **each.metadata}
        for each in fields(info.params)
    ]
    return {
        "name": name,
        "idea": info.idea,
        "params": params,
        "presets": info.params.PRESETS,
        "sparring": info.params.SPARRING,
    }


def agents_view(records: list[dict[str, Any]]) -> Any:
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = []
    for record in records:
        parts.append(Text.assemble((record["name"], "bold"), f"  {record['idea']}"))
        if record["params"]:
            parts.append(params_table(record["params"]))
        parts += [Text(f"  preset {name}: {format_preset(values)}") for name, values in record["presets"].items()]
        parts.append(Text(""))
    if any(record["sparring"] for record in records):
        parts += [
            Text("sparring partners  players of other kinds, to measure yourself against", "bold"),
            *sparring(records),
        ]
        parts.append(Text(""))
    parts.append(Text("Write NAME[:PART,PART...]; a part is a preset or parameter=value: simple:box=2,decay=0.8"))
    parts.append(Text("Any agent takes time=MS or nodes=N as a budget of its own: simple:nodes=100"))
    return Group(*parts)


def sparring(records: list[dict[str, Any]]) -> list[Any]:
    from rich.text import Text

    return [
        Text(f"  {record['name']}:{name}  {idea}") for record in records for name, idea in record["sparring"].items()
    ]


def params_table(params: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style="dim")
    for name in ("  parameter", "default", "meaning", "source"):
        table.add_column(name, overflow="fold")
    for param in params:
        table.add_row(f"  {param['name']}", str(param["default"]), param["meaning"], param["source"])
    return table


def format_preset(values: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in values.items()) or "the defaults"
