"""`hsctl agents`: a line for each agent, or all parameters and presets of some."""

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hsctl.cli.options import AsJson
from hsctl.report.console import print_json, print_line, print_view
from replays.text import shorten

if TYPE_CHECKING:
    from search.spec import Spec

EXAMPLES = """
hsctl agents                       # all agents, a line each
hsctl agents beam                  # its parameters and presets
hsctl agents ./myagent.py:MyAgent  # your own agent
"""
OURS = "ours"
SEARCH = "Search: sizes, depths, shares"
SWITCHES = "Switches and choices"
WEIGHTS = "Weights of the evaluation"
SPARRING = "Sparring partners, to measure yourself against:"
HOW_TO_WRITE = (
    "beam:width=1000 changes a parameter, beam:paper takes a preset (hsctl agents beam)",
    "beam:time=50 or beam:nodes=20000 gives a player a budget of its own",
)


def agents(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME ...]", help="Show these agents with their parameters.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List built-in and installed agents; with NAME, show that agent's parameters and presets."""
    from hsctl.match.user_agents.spec import agent_names

    records = [agent_record(name) for name in names] if names else [listed(name) for name in agent_names()]
    if json:
        print_json({"agents": records})
    else:
        show_agents(records, names is not None)


def show_agents(records: list[dict[str, Any]], is_detailed: bool) -> None:
    from hsctl.report.safe_console import SafeConsole

    if is_detailed:
        for record in records:
            print_view(agent_view(record))
        return
    width = SafeConsole().width
    for line in list_lines(records):
        print_line(shorten(line, width))


def listed(name: str) -> dict[str, Any]:
    """An agent of the list; what is wrong with one of an installed package doesn't keep the others from being shown."""
    from engine.errors import HsctlError

    try:
        return agent_record(name)
    except HsctlError as error:
        idea = f"can't be used: {error}"
        unknown = {"source": "?", "params": [], "presets": {}, "sparring": {}, "is_sparring": False}
        return {"name": name, "idea": idea, **unknown}


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
        "source": AGENTS[spec.name].source if spec.name in AGENTS else "yours",
        "params": params,
        "presets": spec.params.PRESETS,
        "sparring": spec.params.SPARRING,
        "is_sparring": spec.name in AGENTS and AGENTS[spec.name].is_sparring,
    }


def idea_of(spec: "Spec") -> str:
    from hsctl.match.user_agents.spec import UserSpec, describe
    from search.spec import AGENTS

    return describe(spec.target).idea if isinstance(spec, UserSpec) else AGENTS[spec.name].idea


# The list


def list_lines(records: list[dict[str, Any]]) -> list[str]:
    """One line per agent, then one per sparring partner."""
    agents = [row for record in records if not record["is_sparring"] for row in agent_rows(record)]
    partners = [
        (f"{each['name']}:{name}", "preset", idea) for each in records for name, idea in each["sparring"].items()
    ]
    partners += [(each["name"], each["source"], each["idea"]) for each in records if each["is_sparring"]]
    names, sources = (max(len(row[at]) for row in [*agents, *partners]) for at in (0, 1))
    lines = [f"{name:{names}}  {source:{sources}}  {idea}" for name, source, idea in agents]
    lines += ["", SPARRING] if partners else []
    lines += [f"{name:{names}}  {source:{sources}}  {idea}" for name, source, idea in partners]
    return [*lines, "", *HOW_TO_WRITE]


def agent_rows(record: dict[str, Any]) -> list[tuple[str, str, str]]:
    rows = [(record["name"], record["source"], record["idea"])]
    if record["source"] == OURS and "paper" in record["presets"]:
        rows.append((f"{record['name']}:paper", "the paper's", "the same as published in 2022"))
    return rows


# One agent


def agent_view(record: dict[str, Any]) -> Any:
    """Parameters in groups, those first that users may want to change; then presets."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text.assemble((record["name"], "bold"), f"  {record['idea']} ({record['source']})"), Text("")]
    for group, params in group_params(record["params"]).items():
        parts += [Text(group, "bold"), params_table(params), Text("")]
    if record["presets"]:
        parts += [Text("Presets", "bold"), presets_table(record), Text("")]
    return Group(*parts, *map(Text, HOW_TO_WRITE))


def group_params(params: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """By kind: sizes and shares of the search, switches, terms and weights of the evaluation."""
    groups: dict[str, list[dict[str, Any]]] = {SEARCH: [], SWITCHES: [], WEIGHTS: []}
    for param in params:
        is_weight = "(term" in param["meaning"] or (param["type"] == "float" and not param["name"].endswith("share"))
        groups[WEIGHTS if is_weight else SWITCHES if param["type"] in ("bool", "str") else SEARCH].append(param)
    return {name: each for name, each in groups.items() if each}


def params_table(params: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column(no_wrap=True, style="dim")
    for param in params:
        source = re.split("[,;]", param["source"])[0]
        table.add_row(f"  {param['name']}={param['default']}", param["meaning"], shorten(source, 12))
    return table


def presets_table(record: dict[str, Any]) -> Any:
    """What each preset is like, or the first parameters that it changes."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    for name, values in record["presets"].items():
        changed = ",".join(f"{key}={value}" for key, value in values.items()) or "the defaults"
        table.add_row(f"  {record['name']}:{name}", record["sparring"].get(name, changed))
    return table
