"""Every agent's tunables with their meaning and source, and how a player is written.

    name[:part,part,...]        a part is a preset or key=value
    beam   beam:paper   beam:paper,width=1000   mcts:c=0.7,time=50   random

`time=` (milliseconds) and `nodes=` give a player a budget of its own. This file imports no numba, so that
`hsctl agents` and `--help` are instant.
"""

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

from engine.errors import HsctlError


class SpecError(HsctlError):
    """A player that can't be read."""


def param(default: Any, meaning: str, source: str, least: float | None = None, most: float | None = None) -> Any:
    """A tunable: its default, what it does (with its unit), where the default comes from, and its bounds if any."""
    return field(default=default, metadata={"meaning": meaning, "source": source, "least": least, "most": most})


@dataclass(frozen=True)
class Params:
    """The tunables of one agent. PRESETS: name -> changed defaults."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {}

    def as_dict(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def changed(self, key: str, text: str) -> Self:
        """A copy with one parameter read from text."""
        known = {each.name: each for each in fields(self)}
        if key not in known:
            names = ", ".join([*known, "time", "nodes"])
            raise SpecError(f"unknown parameter {key!r}; known: {names}")
        value = parse_value(key, text, getattr(self, key))
        check_bounds(key, value, known[key].metadata["least"], known[key].metadata["most"])
        return replace(self, **{key: value})


def parse_value(key: str, text: str, default: Any) -> Any:
    """Text as a value of the default's type."""
    kind = type(default)
    try:
        if kind is bool:
            return {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}[text.lower()]
        value = kind(text)
    except (ValueError, KeyError):
        raise SpecError(f"parameter {key}: expected {kind.__name__}, found {text!r}") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise SpecError(f"parameter {key}: expected a finite number, found {text!r}")
    return value


def check_bounds(key: str, value: Any, least: float | None, most: float | None) -> None:
    if least is not None and value < least:
        raise SpecError(f"parameter {key}: expected {least} or more, found {value}")
    if most is not None and value > most:
        raise SpecError(f"parameter {key}: expected {most} or less, found {value}")


@dataclass(frozen=True)
class NoParams(Params):
    """An agent without tunables."""


@dataclass(frozen=True)
class SimpleParams(Params):
    """The rule bot."""

    box: float = param(1.0, "worth of a box that a bomb would hit", "guess")
    item: float = param(1.2, "worth of an item to walk onto", "guess")
    decay: float = param(0.9, "factor per step of the way", "guess", least=0, most=1)


PAPER = "paper, section 5"


@dataclass(frozen=True)
class EvaluationParams(Params):
    """The weights of the paper's evaluation; tunables of every agent that uses it."""

    box: float = param(1.0, "points for each box destroyed (term 1)", PAPER)
    range_5: float = param(0.9, "points per range up to 5 (term 2)", PAPER)
    range_each: float = param(0.4, "points per range (term 2)", PAPER)
    bombs_2: float = param(3.4, "points per extra bomb up to 2 (term 3)", PAPER)
    bombs_4: float = param(1.7, "points per extra bomb up to 4 (term 3)", PAPER)
    bombs_each: float = param(0.7, "points per extra bomb (term 3)", PAPER)
    gamma: float = param(0.95, "worth of a box to be destroyed, per turn until then (term 4)", PAPER, least=0, most=1)
    players: float = param(0.05, "points per cell of mean distance to the living others (term 5)", PAPER)
    centre: float = param(-0.04, "points per cell of distance to the centre, while boxes are many (term 6)", PAPER)
    near_boxes: float = param(-0.1, "points per cell of mean distance to the boxes, once few (term 6)", PAPER)
    many_boxes: int = param(20, "boxes above which there are many (term 6)", PAPER)
    dead: float = param(-1000.0, "points for being dead (term 7)", PAPER)


BEAM = "paper, section 6.3"


@dataclass(frozen=True)
class BeamParams(EvaluationParams):
    """Beam search with the paper's enhancements, each a switch."""

    width: int = param(500, "states kept in a layer", BEAM, least=1, most=100000)
    local: int = param(12, "states kept per own cell in a layer (lb)", BEAM, least=1)
    zh: bool = param(True, "drop duplicates by Zobrist hash", BEAM)
    op: bool = param(True, "predict the opponents", BEAM)
    lb: bool = param(True, "local beams", BEAM)
    fmp: bool = param(True, "first move pruning", BEAM)
    sc: bool = param(True, "states that can't be survived lose score", BEAM)
    unsurvivable: float = param(-500.0, "points for a state that can't be survived (sc)", "guess; the paper: highly")
    op_share: float = param(0.15, "share of the budget for all opponents together (op)", BEAM, least=0, most=1)

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {},
        "zh": {"width": 1000, "op": False, "lb": False, "fmp": False, "sc": False},
        "zh+op": {"width": 500, "op": True, "lb": False, "fmp": False, "sc": False},
        "zh+lb": {"width": 500, "op": False, "lb": True, "fmp": False, "sc": False},
        "zh+fmp": {"width": 500, "op": False, "lb": False, "fmp": True, "sc": False},
        "all": {"width": 500, "op": True, "lb": True, "fmp": True, "sc": False},
        "all+sc": {},
    }


MCTS = "paper, section 6.1"


@dataclass(frozen=True)
class MctsParams(Params):
    """Single-player Monte Carlo tree search."""

    c: float = param(1.0, "weight of exploration in UCT", MCTS)
    rollout: int = param(15, "rounds of a random simulation", MCTS, least=0, most=1000)
    gamma: float = param(0.98, "worth of a reward, per round until then", MCTS, least=0, most=1)
    reward: float = param(50.0, "factor of the rewards", MCTS)
    base: float = param(200.0, "constant from which the distance to the boxes is taken", MCTS)
    scale: float = param(400.0, "divisor of the whole value", MCTS, least=0.001)
    dead: float = param(0.0, "value of a simulation in which the agent died", MCTS)
    bombs: int = param(4, "bombs up to which another one is rewarded", MCTS)
    op_share: float = param(0.1, "share of the budget for each opponent", "paper, section 6", least=0, most=1)
    careful: bool = param(True, "leave out first moves that an opponent can punish within two turns", MCTS)
    capacity: int = param(
        131072, "nodes of the tree; when full it grows no more", "measured: 100 ms need 60,000", least=2, most=16777216
    )


RHEA = "paper, section 6.2"


@dataclass(frozen=True)
class RheaParams(EvaluationParams):
    """A rolling horizon evolutionary algorithm."""

    population: int = param(50, "individuals kept", RHEA, least=2, most=10000)
    offspring: int = param(50, "children per generation", RHEA, least=2, most=10000)
    length: int = param(17, "genes: actions ahead", RHEA, least=1, most=200)
    mutation: float = param(0.5, "chance of each gene of a child to be replaced", RHEA, least=0, most=1)
    crossover: str = param("one-point", "one-point or uniform", RHEA)
    replacement: str = param("plus", "plus: parents and children compete; comma: children replace parents", RHEA)
    punishment: float = param(10.0, "points per turn that a state is unsurvivable before the end", "guess")
    op_share: float = param(0.1, "share of the budget for each opponent", "paper, section 6", least=0, most=1)


@dataclass(frozen=True)
class AgentInfo:
    """Where an agent lives and what it takes; nothing of it is imported before it is made."""

    idea: str
    module: str
    class_name: str
    params: type[Params]


AGENTS: dict[str, AgentInfo] = {
    "beam": AgentInfo("beam search, first of 2,300 bots", "search.beam", "BeamAgent", BeamParams),
    "mcts": AgentInfo("single-player Monte Carlo tree search", "search.mcts", "MctsAgent", MctsParams),
    "rhea": AgentInfo("rolling horizon evolution", "search.rhea", "RheaAgent", RheaParams),
    "osla": AgentInfo(
        "one step look-ahead: the best value after one step", "search.osla", "OslaAgent", EvaluationParams
    ),
    "simple": AgentInfo(
        "goes to the best bomb spot or item, bombs boxes, flees blasts", "search.simple", "SimpleAgent", SimpleParams
    ),
    "random": AgentInfo("any legal action", "search.basic", "RandomAgent", NoParams),
    "still": AgentInfo("never does anything", "search.basic", "StillAgent", NoParams),
}


@dataclass(frozen=True)
class Spec:
    """A built-in player as it was written."""

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
        raise SpecError(f"{text!r} is no agent; the agents are: {', '.join(AGENTS)}")
    spec = Spec(text, name, AGENTS[name].params())
    for part in filter(None, rest.split(",")):
        try:
            spec = apply_part(spec, part)
        except SpecError as error:
            raise SpecError(f"{text!r}: {error}") from None
    return spec


def apply_part(spec: Spec, part: str) -> Spec:
    key, equals, value = part.partition("=")
    if not equals:
        if part not in spec.params.PRESETS:
            presets = ", ".join(spec.params.PRESETS) or "none"
            raise SpecError(f"{part!r} is neither key=value nor a preset of {spec.name} (presets: {presets})")
        return replace(spec, params=replace(spec.params, **spec.params.PRESETS[part]))
    if key == "time":
        return replace(spec, ms=positive(key, parse_value(key, value, 1.0)))
    if key == "nodes":
        return replace(spec, nodes=positive(key, parse_value(key, value, 1)))
    return replace(spec, params=spec.params.changed(key, value))


def positive(key: str, value: Any) -> Any:
    if not value > 0:
        raise SpecError(f"parameter {key}: expected more than 0, found {value}")
    return value
