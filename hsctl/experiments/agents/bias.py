"""Do decaying reward and progressive bias help? Both are swept, at roll-out depths 12 and 20 (Park et al. 2021).

Every variant changes one thing in the plain tree search (gamma = 1, h = 0), which is the report's MCTS, or in the
report's best (gamma = 0.8 with h = 0), and plays the plain search of the same depth. Asked too is what the framework
that the report used does otherwise: means scaled by their parent's lowest and highest value, the most visited first
move. (Against osla, rhea and the plain search all at once: `hsctl paper teams`.) The report's 200 iterations are 2,400
nodes at depth 12: `--nodes 2400`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.tables import measured
from hsctl.experiments.variants import Variants, play_variants
from hsctl.views.plots import bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEPTHS = (12, 20)
PLAIN = "bias:plain"
# What is asked -> the variants that answer it
SWEEPS = {
    "decay of the rewards": (PLAIN, *(f"bias:gamma={gamma}" for gamma in (0.98, 0.9, 0.8, 0.5))),
    "decay of the whole value": (PLAIN, *(f"bias:decays=value,gamma={gamma}" for gamma in (0.98, 0.8))),
    "bias, the same for all": ("bias:custom", *(f"bias:h={h}" for h in (0.25, 1, 4))),
    "bias by value": ("bias:custom", *(f"bias:value,h={h}" for h in (0.25, 1, 4))),
    "the framework's choices": (PLAIN, *(f"{PLAIN},{part}" for part in ("normalise=1", "choose=visits", "framework"))),
}


def run(stage: Stage) -> Answer:
    return Sweeps([ask(stage, question, depth) for depth in DEPTHS for question in SWEEPS])


def ask(stage: Stage, question: str, depth: int) -> Variants:
    """One sweep; its first variant is the one that the others are compared with."""
    variants = [at_depth(variant, depth) for variant in SWEEPS[question]]
    lineups = [(at_depth(PLAIN, depth),)]
    return play_variants(stage, variants, lineups, f"{question}, depth {depth}", baseline=variants[0])


def at_depth(variant: str, depth: int) -> str:
    return variant if depth == DEPTHS[0] else f"{variant},rollout={depth}"


@dataclass(frozen=True)
class Sweeps:
    """The answers to all questions."""

    answers: Sequence[Variants]

    def view(self) -> RenderableType:
        return Group(*(part for answer in self.answers for part in (answer.view(), Text(""))))

    def as_dict(self) -> dict[str, Any]:
        return {"sweeps": [answer.as_dict() for answer in self.answers]}

    def draw(self) -> "Figure":
        """All variants side by side, against the plain search."""
        rows = dict(self.rows())
        scores = [measured(answer.score(variant, answer.lineups[0])) for variant, answer in rows.items()]
        return bars("Progressive bias and decaying reward", list(rows), {f"against {PLAIN}": scores}, "score")

    def rows(self) -> Iterator[tuple[str, Variants]]:
        return ((variant, answer) for answer in self.answers for variant in answer.variants)


EXPERIMENT = Experiment(run, games=100, ms=10.0)
