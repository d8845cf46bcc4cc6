"""How users write a player, and the register of all agents.

    name[:part,part,...]        a part is a preset or key=value
    beam   beam:paper   beam:paper,width=1000   mcts:c=0.7,time=50   random

`time=` (milliseconds) and `nodes=` give a player its own budget. This file imports no numba, so that
`hsctl agents` and `--help` are instant.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from engine.errors import MOST_MS, MOST_NODES, suggest
from search.params import Params, SpecError, parse_value


@dataclass(frozen=True)
class AgentInfo:
    """What an agent takes and where it lives; nothing of it is imported before it is needed.

    The package `mcts` has MctsParams in `search/mcts/params.py` and MctsAgent in `search/mcts/agent.py`.
    """

    idea: str
    package: str
    class_name: str = ""  # if it isn't that of the package
    params_name: str = ""  # likewise
    is_sparring: bool = False  # a sparring partner to measure against
    source: str = "ours"  # or the authors of the method
    compile_s: float | Mapping[str, float] = 3.0  # CPU seconds of one core, by part if parts compile side by side

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_name", self.class_name or f"{self.package.capitalize()}Agent")
        object.__setattr__(self, "params_name", self.params_name or f"{self.package.capitalize()}Params")

    @property
    def module(self) -> str:
        return f"search.{self.package}.agent"

    @property
    def params(self) -> type[Params]:
        found: type[Params] = getattr(import_module(f"search.{self.package}.params"), self.params_name)
        return found


AGENTS: dict[str, AgentInfo] = {
    "beam": AgentInfo("beam search, first of 2,300 bots", "beam", compile_s={"layers": 11.0, "threats": 5.0}),
    "mcts": AgentInfo("single-player Monte Carlo tree search", "mcts", source="the paper's", compile_s=4.0),
    "bias": AgentInfo(
        "tree search with progressive bias and decaying reward", "bias", source="Park 2021", compile_s=4.0
    ),
    "rhea": AgentInfo("rolling horizon evolution", "rhea", source="the paper's", compile_s=4.0),
    "negamax": AgentInfo(
        "alpha-beta against the nearest opponent, strategies by phase and lead",
        "negamax",
        source="Polychronopoulos 2020",
        compile_s=6.0,
    ),
    "duel": AgentInfo("tree search for two sides that move in turn", "duel", source="Jonsson 2024", compile_s=7.0),
    "osla": AgentInfo(
        "one step look-ahead: the best value after one step", "osla", source="the paper's", compile_s=1.0
    ),
    "simple": AgentInfo("goes to the best bomb spot or item, bombs boxes, flees blasts", "simple", compile_s=2.5),
    "hybrid": AgentInfo(
        "state machine with a flat Monte Carlo search in tight spots",
        "hybrid",
        source="Zhou 2018",
        compile_s=7.0,
    ),
    "pommer": AgentInfo(
        "rule bot of the Pommerman framework: flees lines of bombs, bombs its neighbours",
        "pommer",
        source="Pommerman",
        is_sparring=True,
        compile_s=0.1,
    ),
    "chokudai": AgentInfo(
        "a queue for every depth, swept again and again, best first",
        "chokudai",
        source="public bots",
        is_sparring=True,
        compile_s=3.0,
    ),
    "seeker": AgentInfo(
        "goal after goal (items, sets of boxes), the ways between them by A*",
        "seeker",
        source="public bots",
        is_sparring=True,
        compile_s=3.5,
    ),
    "random": AgentInfo("any legal action", "basic", "RandomAgent", "NoParams", compile_s=0.5),
    "still": AgentInfo("never does anything", "basic", "StillAgent", "NoParams", compile_s=0.1),
}


@dataclass(frozen=True)
class Spec:
    """A built-in player as the user wrote it."""

    text: str
    name: str
    params: Params
    ms: float | None = None
    nodes: int | None = None


def is_agent(text: str) -> bool:
    """Whether the text names a built-in agent (its parameters may still be wrong)."""
    return text.split(":", 1)[0] in AGENTS


def parse_spec(text: str) -> Spec:
    """A built-in player from its text."""
    name, _, rest = text.partition(":")
    if name not in AGENTS:
        raise SpecError(f"{text!r} is not an agent; the agents are: {', '.join(AGENTS)}{suggest(name, AGENTS)}")
    spec = Spec(text, name, AGENTS[name].params())
    for part in filter(None, rest.split(",")):
        try:
            spec = apply_part(spec, part)
        except SpecError as error:
            raise SpecError(f"{text!r}: {error}") from None
    return spec


def former_names(text: str) -> dict[str, str]:
    """Renamed presets in a text with their current names: `beam:literal` -> `beam:paper`."""
    found: dict[str, str] = {}
    for name, parts in re.findall(rf"\b({'|'.join(AGENTS)}):([\w+,=.-]+)", text):
        former = AGENTS[name].params.FORMER
        words = re.split("[,+]", parts)  # a + joins a team
        found |= {f"{name}:{word}": f"{name}:{former[word]}" for word in words if word in former}
    return found


def apply_part(spec: Spec, part: str) -> Spec:
    key, equals, value = part.partition("=")
    if not equals:
        preset = spec.params.FORMER.get(part, part)
        if preset not in spec.params.PRESETS:
            presets = ", ".join(spec.params.PRESETS) or "none"
            hint = suggest(part, spec.params.PRESETS)
            raise SpecError(f"{part!r} is neither key=value nor a preset of {spec.name} (presets: {presets}){hint}")
        return replace(spec, params=replace(spec.params, **spec.params.PRESETS[preset]))
    if key == "time":
        return replace(spec, ms=positive(key, parse_value(key, value, 1.0), MOST_MS))
    if key == "nodes":
        return replace(spec, nodes=positive(key, parse_value(key, value, 1), MOST_NODES))
    return replace(spec, params=spec.params.changed(key, value))


def positive(key: str, value: Any, most: float) -> Any:
    if not 0 < value <= most:
        raise SpecError(f"parameter {key}: expected more than 0, at most {most:.0f}, found {value}")
    return value
