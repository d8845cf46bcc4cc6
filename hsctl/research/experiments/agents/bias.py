"""Do decaying reward and progressive bias help? Both are swept, at roll-out depths 12 and 20 (Park et al. 2021).

Every variant changes one thing in the plain tree search (gamma = 1, h = 0), which is the report's MCTS, or in the
report's best (gamma = 0.8 with h = 0), and plays the plain search of the same depth. Asked too is what the framework
that the report used does otherwise: means scaled by their parent's lowest and highest value, the most visited first
move. The report has figures of two variants alone (gamma = 0.8 with h = 0 and h = 1), in teams and against osla, rhea
and the plain search at once: `hsctl paper teams`. Of the sweeps it has none, and each says so; what the report says in
words of those two is judged. Its 200 iterations are 2,400 nodes at depth 12: `--nodes 2400`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.report.plots import bars
from hsctl.report.tables import format_share
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import Judged, is_above, measured
from hsctl.research.experiments.variants import Claim, Variants, play_variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEPTHS = (12, 20)
PLAIN = "bias:plain"
CUSTOM, ADVANCED = "bias:custom", "bias:h=1"
DECAY, VALUE, ALIKE, BY_VALUE, FRAMEWORK = (
    "decay of the rewards",
    "decay of the whole value",
    "bias, the same for all",
    "bias by value",
    "the framework's choices",
)
# What is asked -> the variants that answer it
SWEEPS = {
    DECAY: (PLAIN, *(f"bias:gamma={gamma}" for gamma in (0.98, 0.9, 0.8, 0.5))),
    VALUE: (PLAIN, *(f"bias:decays=value,gamma={gamma}" for gamma in (0.98, 0.8))),
    ALIKE: (CUSTOM, *(f"bias:h={h}" for h in (0.25, 1, 4))),
    BY_VALUE: (CUSTOM, *(f"bias:value,h={h}" for h in (0.25, 1, 4))),
    FRAMEWORK: (PLAIN, *(f"{PLAIN},{part}" for part in ("normalise=1", "choose=visits", "framework"))),
}
# The same -> what the report has of it
PUBLISHED = {
    DECAY: "the report has figures of gamma = 0.8 alone (hsctl paper teams): it names others as future work",
    VALUE: "the report has no figures of this: it is another reading of its equation 4",
    ALIKE: "the report has figures of h = 0 and h = 1 alone (hsctl paper teams): it names others as future work",
    BY_VALUE: "the report has no figures of this: it names other heuristics as future work",
    FRAMEWORK: "the report has no figures of this: it doesn't mention them",
}


def run(stage: ExperimentStage) -> ExperimentAnswer:
    return Sweeps([ask(stage, question, depth) for depth in DEPTHS for question in SWEEPS])


def ask(stage: ExperimentStage, question: str, depth: int) -> Variants:
    """One sweep; its first variant is the one that the others are compared with."""
    variants = [at_depth(variant, depth) for variant in SWEEPS[question]]
    lineups = [(at_depth(PLAIN, depth),)]
    title, remark = f"{question}, depth {depth}", PUBLISHED[question]
    answer = play_variants(stage, variants, lineups, title, variants[0], claims_of(question, depth), remark=remark)
    return replace(answer, statements=statements_of(answer, depth)) if question == ALIKE else answer


def claims_of(question: str, depth: int) -> list[Claim]:
    """That no bias is better than one that is the same for all: said of depth 12 alone."""
    is_said = question == ALIKE and depth == DEPTHS[0]
    return [Claim("h = 0 outperforms h = 1", CUSTOM, ADVANCED)] if is_said else []


def statements_of(answer: Variants, depth: int) -> tuple[Judged, ...]:
    """That both variants of the report outperform the plain search: whether they score more than half against it."""
    scores = {h: answer.score(at_depth(text, depth), answer.lineups[0]) for h, text in ((0, CUSTOM), (1, ADVANCED))}
    return tuple(
        Judged(
            f"gamma = 0.8 with h = {h} outperforms the plain search",
            format_share(score, 1),
            is_above(score.interval if score else None, 0.5),
        )
        for h, score in scores.items()
    )


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
