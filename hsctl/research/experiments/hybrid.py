"""Is a search of few steps worth it? Every variant of hybrid against three `pommer`, on the same seeds, by survival.

Asked as in Figure 4 and Table 1 of Zhou et al. 2018: wins, ties and losses against three of the framework's bots,
the last one standing winning; and of two variants, how many of the games that only one of them won were won by the
row. Asked twice: at the budget of the command, and with 33 nodes a turn, as many as that paper's slow model made in
100 ms (3 ms for a step and a copy). `ticks` is exploit with the other reading of "in range of a bomb, 5".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from engine.game import SURVIVAL
from hsctl.league.intervals import Share, share_of
from hsctl.report.plots import bars
from hsctl.report.tables import format_share, new_table
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import (
    ComparedCell,
    JudgedClaim,
    PaperTable,
    is_above,
    judged_table,
    measured,
    published,
    share_record,
)
from hsctl.research.experiments.variants import SeedResult, play_variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VARIANTS = ("exploit", "explore", "ucb1", "random", "heuristic", "bfs", "mcts")  # Table 1's order
OPPONENT = "pommer"
OPPONENTS = (OPPONENT, OPPONENT, OPPONENT)
TICKS = "ticks"
FEW = 33  # nodes
PAPER_GAMES = 300
TABLE_1 = {  # row over column, of the games that one of them won and the other didn't
    "exploit": (0.580, 0.489, 0.565, 0.641, 0.627, 0.763, 0.959),
    "explore": (0.403, 0.458, 0.541, 0.509, 0.645, 0.906),
    "ucb1": (0.549, 0.638, 0.604, 0.737, 0.949),
    "random": (0.579, 0.553, 0.683, 0.941),
    "heuristic": (0.473, 0.643, 0.902),
    "bfs": (0.638, 0.923),
    "mcts": (0.875,),
}
NO_NUMBERS = "the paper's figure has no numbers; what its text says of it is judged below"
SIMPLE_WINS = 0.2167  # of one of the framework's bots against three others, as the paper says
WIN, TIE, LOSS = OUTCOMES = ("win", "tie", "loss")

Results = dict[int, SeedResult]  # by seed


def outcome_of(score: float) -> str:
    return WIN if score == 1 else TIE if score > 0 else LOSS


@dataclass(frozen=True)
class HybridOutcomes:
    """Every variant with one budget: what became of its games."""

    results: dict[str, Results]  # by variant
    budget: str

    def share(self, variant: str, outcome: str) -> Share | None:
        blocks = [
            [outcome_of(score) == outcome for score in result.scores] for result in self.results[variant].values()
        ]
        return share_of([sum(block) for block in blocks], [len(block) for block in blocks])

    def over(self, row: str, column: str) -> Share | None:
        """Of the games that only one of two variants won, those that the row won; None if there is none."""
        better, differ = [], []
        for seed, result in self.results[row].items():
            scores = zip(result.scores, self.results[column][seed].scores, strict=True)
            won = [(mine == 1, theirs == 1) for mine, theirs in scores]
            better.append(won.count((True, False)))
            differ.append(better[-1] + won.count((False, True)))
        boards = [board for board, count in enumerate(differ) if count]
        return share_of([better[board] for board in boards], [differ[board] for board in boards])

    def cells(self) -> Iterator[ComparedCell]:
        """Table 1 beside ours; the paper doesn't say in how many of its 300 games two variants differ."""
        names = [*VARIANTS, OPPONENT]
        for row, shares in TABLE_1.items():
            for column, share in zip(names[names.index(row) + 1 :], shares, strict=True):
                yield ComparedCell(row, column, self.over(row, column), published(share, PAPER_GAMES))

    def table(self) -> PaperTable:
        games = sum(len(result.scores) for result in self.results[OPPONENT].values())
        notes = (
            f"{games} games each, {self.budget}, by survival; intervals over the boards on which two differ, the "
            f"paper's as if all its {PAPER_GAMES} games did"
        )
        title = f"Table 1 of Zhou et al., {self.budget}"
        return PaperTable(
            title, ("row", "over column"), "won of the games in which they differ", list(self.cells()), notes
        )

    def view(self) -> RenderableType:
        table = new_table(f"Figure 4, {self.budget}: against three {OPPONENT}")
        table.add_column("variant")
        for outcome in OUTCOMES:
            table.add_column(f"{outcome} (95 %)", justify="right")
        for variant in self.results:
            table.add_row(variant, *(format_share(self.share(variant, outcome), 1) for outcome in OUTCOMES))
        note = Text(NO_NUMBERS, "dim")
        return Group(table, note, Text(""), judged_table(self.statements()), Text(""), self.table().view())

    def statements(self) -> list[JudgedClaim]:
        """What the paper says of Figure 4, which has no numbers."""
        ours = self.share(OPPONENT, WIN)
        simple = ComparedCell(OPPONENT, WIN, ours, published(SIMPLE_WINS, PAPER_GAMES))
        words = f"one of the framework's bots beats three others in {100 * SIMPLE_WINS:.1f} %"
        beaten = [(variant, self.over(variant, OPPONENT)) for variant in VARIANTS]
        return [
            JudgedClaim(words, format_share(ours, 1), simple.agrees),
            *(
                JudgedClaim(
                    f"{variant} wins more than that bot",
                    f"{format_share(share, 1)} of those that differ",
                    is_above(share.interval if share else None, 0.5),
                )
                for variant, share in beaten
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        shares = {
            variant: {outcome: share_record(self.share(variant, outcome)) for outcome in OUTCOMES}
            for variant in self.results
        }
        claims = [each.as_dict() for each in self.statements()]
        return {"outcomes": shares, "claims": claims, "table1": self.table().as_dict()}


@dataclass(frozen=True)
class TwoBudgets:
    """The answer: the same variants with two budgets."""

    answers: list[HybridOutcomes]

    def view(self) -> RenderableType:
        return Group(*(part for answer in self.answers for part in (answer.view(), Text(""))))

    def as_dict(self) -> dict[str, Any]:
        return {answer.budget: answer.as_dict() for answer in self.answers}

    def draw(self) -> "Figure":
        series = {
            answer.budget: [measured(answer.share(variant, WIN)) for variant in answer.results]
            for answer in self.answers
        }
        return bars(f"hybrid against three {OPPONENT}, by survival", list(self.answers[0].results), series, "won")


def run_variants(stage: ExperimentStage) -> ExperimentAnswer:
    own = ask(stage, "", stage.effort.budget)
    return TwoBudgets([own, ask(stage, f",nodes={FEW}", f"{FEW} nodes a turn")])


def specs_of(budget: str) -> dict[str, str]:
    """Who plays, by the name in the tables."""
    variants = {variant: f"hybrid:{variant}{budget}" for variant in VARIANTS}
    return {OPPONENT: OPPONENT, **variants, TICKS: f"hybrid:near=ticks{budget}"}


def ask(stage: ExperimentStage, budget: str, title: str) -> HybridOutcomes:
    """All variants with this budget of their own, or with the stage's."""
    specs = specs_of(budget)
    found = play_variants(stage, list(specs.values()), [OPPONENTS], ends=SURVIVAL)
    lineup = " ".join(OPPONENTS)
    return HybridOutcomes({name: found.results[spec, lineup] for name, spec in specs.items()}, title)


EXPERIMENTS = {"hybrid": Experiment(run_variants, games=1200, ms=10.0, nodes=500)}  # 300 seeds from every seat
