"""The strategies and their weights, and which one is played when: by the phase of the game and by the lead.

    opening   the first turns                    a rule towards the centre (agent.py)
    middle    many boxes left                    sniper
    end       few boxes left
                  far ahead                      mortar: the sniper with more weight on booms
                  a little ahead                 defensive
                  level or a little behind       mortar
                  far behind                     nuke

Level counts as a little behind: staying passive would end in a draw.
"""

from dataclasses import dataclass

from search.negamax.params import NegamaxParams
from search.params import SpecError

AUTO = "auto"
OPENING, MIDDLE, END = "opening", "middle", "end"


@dataclass(frozen=True)
class Weights:
    """How much each evaluation counts."""

    baseline: float = 0.0
    stacks: float = 0.0
    isolation: float = 0.0
    split: float = 0.0
    boom: float = 0.0
    bridges: float = 0.0
    noise: float = 0.0


STRATEGIES = {
    "sniper": Weights(baseline=1, stacks=1, split=1, boom=100),
    "mortar": Weights(baseline=1.75, stacks=1, split=0.5, boom=150),
    "defensive": Weights(baseline=1.5, isolation=0.2, boom=25),
    "nuke": Weights(boom=150, isolation=-1),
    "baseline": Weights(baseline=1),  # the report's greedy player
    "bridge": Weights(baseline=1, bridges=1),  # developed there, and not used
    "control": Weights(baseline=1, noise=1),  # "effectively a random agent", to measure against
}


@dataclass(frozen=True)
class ChosenStrategy:
    """A strategy and why it was chosen."""

    name: str
    phase: str  # of the game
    boxes_left: int
    lead: float  # pieces ahead of the opponent
    reason: str


def check_strategy(name: str) -> None:
    """Raise for a strategy that doesn't exist."""
    if name != AUTO and name not in STRATEGIES:
        raise SpecError(f"negamax: strategy is one of {', '.join([AUTO, *STRATEGIES])}, not {name!r}")


def choose_strategy(params: NegamaxParams, turn: int, boxes_left: int, lead: float) -> ChosenStrategy:
    """The strategy of a turn."""
    phase = phase_of(params, turn, boxes_left)
    if params.strategy != AUTO:
        return ChosenStrategy(params.strategy, phase, boxes_left, lead, "asked for")
    if phase == END:
        name, reason = end_strategy(lead, params.far)
        return ChosenStrategy(name, phase, boxes_left, lead, reason)
    return ChosenStrategy("sniper", phase, boxes_left, lead, "many boxes left")


def phase_of(params: NegamaxParams, turn: int, boxes_left: int) -> str:
    if turn < params.opening:
        return OPENING
    return END if boxes_left <= params.few_boxes else MIDDLE


def end_strategy(lead: float, far: float) -> tuple[str, str]:
    """The strategy of the end game, and why."""
    if lead >= far:
        return "mortar", "few boxes left, far ahead"
    if lead > 0:
        return "defensive", "few boxes left, a little ahead"
    if lead > -far:
        return "mortar", "few boxes left, level" if lead == 0 else "few boxes left, a little behind"
    return "nuke", "few boxes left, far behind"
