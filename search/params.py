"""Every agent's tunables with their meaning and source.

This file imports no numba, so that `hsctl agents` and `--help` are instant. Agents with a package of their own keep
their tunables there, in `params.py`.
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
OWN = "measured, docs/strength.md"
AS_PUBLISHED: dict[str, Any] = {
    **EvaluationParams().as_dict(),
    "width": 500,
    "op_share": 0.15,
    "start": 0,
    "crowd": 0.0,
    "horizon": 0,
    "rivals": 0.0,
    "ends": False,
    "threats": 0,
    "settled": False,
    "trap": 0.0,
}


@dataclass(frozen=True)
class BeamParams(EvaluationParams):
    """Beam search with the paper's enhancements, each a switch, and what goes beyond it."""

    range_5: float = param(0.2, "points per range up to 5 (term 2)", OWN)
    range_each: float = param(0.1, "points per range (term 2)", OWN)
    bombs_2: float = param(0.9, "points per extra bomb up to 2 (term 3)", OWN)
    bombs_4: float = param(0.3, "points per extra bomb up to 4 (term 3)", OWN)
    bombs_each: float = param(0.1, "points per extra bomb (term 3)", OWN)
    players: float = param(0.0, "points per cell of mean distance to the living others (term 5)", OWN)
    near_boxes: float = param(-0.3, "points per cell of mean distance to the boxes, once few (term 6)", OWN)
    many_boxes: int = param(100, "boxes above which there are many (term 6); 100 = never", OWN)
    width: int = param(32000, "states kept in a layer at most", OWN, least=1, most=100000)
    local: int = param(12, "states kept per own cell in a layer (lb)", BEAM, least=1)
    zh: bool = param(True, "drop duplicates by Zobrist hash", BEAM)
    op: bool = param(True, "predict the opponents", BEAM)
    lb: bool = param(True, "local beams", BEAM)
    fmp: bool = param(True, "first move pruning", BEAM)
    sc: bool = param(True, "states that can't be survived lose score", BEAM)
    unsurvivable: float = param(-500.0, "points for a state that can't be survived (sc)", "guess; the paper: highly")
    op_share: float = param(0.2, "share of the budget for all opponents together (op)", OWN, least=0, most=1)
    start: int = param(60, "width of a first pass that tells how wide the next can be; 0 = one pass", OWN, least=0)
    crowd: float = param(0.025, "states kept per own cell, as a share of the width, if that is more", OWN, least=0)
    horizon: int = param(24, "turns ahead; 0 = to the end of the game", OWN, least=0, most=200)
    rivals: float = param(0.5, "points lost for a box of the others", OWN)
    ends: bool = param(True, "bombs that explode after the last turn are worth nothing", OWN)
    threats: int = param(5, "rounds for which first moves must hold whatever an opponent answers", OWN, least=0, most=6)
    threat_share: float = param(0.1, "share of the budget for finding that out, at most", OWN, least=0, most=1)
    settled: bool = param(True, "keep away from everybody once the boxes are decided", OWN)
    trap: float = param(4.0, "points for a bomb that leaves an opponent no way out", OWN)
    trap_decay: float = param(0.6, "factor of that per turn from now", OWN, least=0, most=1)
    trust: float = param(
        0.5, "share of that by his predicted cell; the rest by all he could reach", OWN, least=0, most=1
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": AS_PUBLISHED,
        "zh": {**AS_PUBLISHED, "width": 1000, "op": False, "lb": False, "fmp": False, "sc": False},
        "zh+op": {**AS_PUBLISHED, "op": True, "lb": False, "fmp": False, "sc": False},
        "zh+lb": {**AS_PUBLISHED, "op": False, "lb": True, "fmp": False, "sc": False},
        "zh+fmp": {**AS_PUBLISHED, "op": False, "lb": False, "fmp": True, "sc": False},
        "all": {**AS_PUBLISHED, "op": True, "lb": True, "fmp": True, "sc": False},
        "all+sc": AS_PUBLISHED,
        "hunter": {**AS_PUBLISHED, "players": -0.3, "trap": 20.0, "trap_decay": 0.9},
        "turtle": {**AS_PUBLISHED, "players": 0.3, "threats": 1},
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
