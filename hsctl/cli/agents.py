"""`hsctl agents`: every agent with its parameters, defaults and presets; those of installed packages too."""

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hsctl.cli.options import AsJson
from hsctl.report.console import print_json, print_view

if TYPE_CHECKING:
    from search.spec import Spec

EXAMPLES = """
hsctl agents                       # every agent with its parameters
hsctl agents beam mcts             # these two
hsctl agents ./myagent.py:MyAgent  # an agent of your own
"""


def agents(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME ...]", help="List only these agents.")] = None,
    json: AsJson = False,
) -> None:
    """List the agents, their parameters and presets: built-in ones, and those of installed packages."""
    from hsctl.match.user_agents.spec import agent_names

    records = [agent_record(name) for name in names] if names else [listed(name) for name in agent_names()]
    if json:
        print_json({"agents": records})
    else:
        print_view(agents_view(records))


def listed(name: str) -> dict[str, Any]:
    """An agent of the list; what is wrong with one of an installed package doesn't keep the others from being shown."""
    from engine.errors import HsctlError

    try:
        return agent_record(name)
    except HsctlError as error:
        idea = f"can't be used: {error}"
        return {"name": name, "idea": idea, "params": [], "presets": {}, "sparring": {}, "is_sparring": False}


def agent_record(text: str) -> dict[str, Any]:
    from hsctl.match.user_agents.spec import agent_names, names_agent, read_spec
    from search.params import SpecError
    from search.spec import AGENTS

    if not names_agent(text) or (text.partition(":")[0] in AGENTS and ":" in text):
        raise SpecError(f"{text!r} is not an agent; the agents are: {', '.join(agent_names())}")
    spec = read_spec(text)
    params = [
        {"name": each.name, "type": type(each.default).__name__, "default": each.default, **each.metadata}
        for each in fields(spec.params)
    ]
    return {
        "name": spec.name,
        "idea": idea_of(spec),
        "params": params,
        "presets": spec.params.PRESETS,
        "sparring": spec.params.SPARRING,
        "is_sparring": spec.name in AGENTS and AGENTS[spec.name].is_sparring,
    }


def idea_of(spec: "Spec") -> str:
    from hsctl.match.user_agents.spec import OwnSpec, describe
    from search.spec import AGENTS

    return describe(spec.target).idea if isinstance(spec, OwnSpec) else AGENTS[spec.name].idea


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
    if any(record["sparring"] or record["is_sparring"] for record in records):
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

    partners = {f"{record['name']}:{name}": idea for record in records for name, idea in record["sparring"].items()}
    partners |= {record["name"]: record["idea"] for record in records if record["is_sparring"]}
    return [Text(f"  {text}  {idea}") for text, idea in partners.items()]


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
