"""Is a search of few steps worth it? Every variant of hybrid against three `simple`, on the same seeds.

Asked as in Table 1 of Zhou et al. 2018, where two variants are compared on the seeds where they differ. Asked twice: at
equal time, and with 33 nodes a turn, as many as that paper's slow model made in 100 ms (3 ms for a step and a copy).
Variants that win few games differ on few seeds, so they are compared by their places as well.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.tables import measured
from hsctl.experiments.variants import Claim, Variants, play_variants
from hsctl.views.plots import bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SELECTIONS = ("exploit", "explore", "ucb1", "random")
VARIANTS = (*SELECTIONS, "heuristic", "bfs", "mcts")  # Table 1's order
OPPONENTS = ("simple", "simple", "simple")
BEATEN = ("simple", "explore", "heuristic", "bfs", "mcts")  # by exploit, significantly, in Table 1
FEW = 33  # nodes


@dataclass(frozen=True)
class ByPlace(Variants):
    """Variants compared by their places instead: a seed counts for the better places over all seats."""

    def totals(self, variant: str) -> dict[int, float]:
        totals: dict[int, float] = {}
        for lineup in self.lineups:
            for seed, result in self.results.get((variant, lineup), {}).items():
                totals[seed] = totals.get(seed, 0.0) - sum(result.ranks)
        return totals


@dataclass(frozen=True)
class Budgets:
    """The answer: the same variants with two budgets."""

    answers: dict[str, Variants]  # by budget

    def view(self) -> RenderableType:
        parts: list[RenderableType] = []
        for answer in self.answers.values():
            parts += [answer.view(), Text(""), by_place(answer).split_table(), Text("")]
        return Group(*parts)

    def as_dict(self) -> dict[str, Any]:
        return {
            budget: {**answer.as_dict(), "where_places_differ": by_place(answer).as_dict()["where_they_differ"]}
            for budget, answer in self.answers.items()
        }

    def draw(self) -> "Figure":
        lineup = " ".join(OPPONENTS)
        series = {
            budget: [measured(answer.score(variant, lineup)) for variant in answer.variants]
            for budget, answer in self.answers.items()
        }
        return bars("hybrid against three simple", ("simple", *VARIANTS), series, "score")


def by_place(answer: Variants) -> ByPlace:
    return ByPlace(f"{answer.title}, by place", answer.variants, answer.lineups, answer.results, answer.budget)


def run(stage: Stage) -> Answer:
    timed = ask(stage, "", "Equal time")
    few = replace(ask(stage, f",nodes={FEW}", f"{FEW} nodes"), budget=f"{FEW} nodes a turn")
    return Budgets({answer.budget: answer for answer in (timed, few)})


def ask(stage: Stage, budget: str, title: str) -> Variants:
    """All variants with this budget of their own, or with the stage's."""
    specs = {"simple": "simple", **{variant: f"hybrid:{variant}{budget}" for variant in VARIANTS}}
    claims = [Claim(f"exploit beats {worse}", specs["exploit"], specs[worse]) for worse in BEATEN]
    answer = play_variants(stage, list(specs.values()), [OPPONENTS], title, claims=claims)
    return answer.named({spec: name for name, spec in specs.items()})


EXPERIMENT = Experiment(run, games=1200, ms=10.0)  # 300 seeds from every seat
