"""How do the paper's three agents behave? What section 7.1 tells of them, counted turn by turn.

Every pair plays from both seats. No record of a game contains how deep a search for an opponent got, so the games are
watched, and what was seen is kept beside the ledger (hsctl/research/experiments/keeping.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.text import Text

from hsctl.league.intervals import Interval, mean_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import format_mean, new_table
from hsctl.research.experiments.frame import Effort, Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.keeping import Watched, key_of_watched, warm_agent
from hsctl.research.experiments.paper.table3 import PLAYERS
from hsctl.research.experiments.tables import PAPER_NODES, Judged, is_above, judged_table, overlap, warn_shallow
from hsctl.research.experiments.watching import Manner, watch_game
from search.agent import Budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Trait(NamedTuple):
    """One line of the answer: a number of every game, or None where the game has none."""

    name: str
    value: Callable[[Manner], float | None]


BOMBS = Trait("bombs a turn", lambda manner: manner.per_turn(manner.bombs))
IDLE = Trait("  of them without a box", lambda manner: manner.per_turn(manner.idle_bombs))
RETURNS = Trait("there and back a 100 turns", lambda manner: manner.per_turn(100 * manner.returns))
DEPTH = Trait("own depth", lambda manner: mean_of(manner.depths))
OTHER_DEPTH = Trait("depth for opponents", lambda manner: mean_of(manner.other_depths))
GENERATIONS = Trait("generations", lambda manner: mean_of(manner.generations))
DEATHS = Trait("deaths", lambda manner: float(manner.died))
TRAPPED = Trait("  by a trap", lambda manner: float(manner.trapped))
TOGETHER = Trait("died together, boxes decided", lambda manner: float(manner.died_together))
TRAITS = (BOMBS, IDLE, RETURNS, DEPTH, OTHER_DEPTH, GENERATIONS, DEATHS, TRAPPED, TOGETHER)
MCTS, RHEA, BEAM = (PLAYERS[name] for name in ("mcts", "rhea", "beam"))
AROUND = 0.5  # to either side of what the paper calls "around"
WIDEST = 2.0  # an interval of a depth that tells nothing
GENES = 17
WATCHER = "hsctl.research.experiments.watching"


def mean_of(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


@dataclass(frozen=True)
class Behaviour:
    """The answer: what each agent did in each of its games, with the seeds of these."""

    manners: dict[str, list[tuple[int, Manner]]]
    budget: str

    def numbers(self, agent: str, trait: Trait) -> tuple[list[float], list[int]]:
        """A trait of all games that have it, and their seeds."""
        found = [(trait.value(manner), seed) for seed, manner in self.manners[agent]]
        known = [(value, seed) for value, seed in found if value is not None]
        return [value for value, _ in known], [seed for _, seed in known]

    def view(self) -> RenderableType:
        table = new_table("Behaviour: means per game (95 % over boards)")
        table.add_column("")
        for agent in self.manners:
            table.add_column(agent, justify="right")
        for trait in TRAITS:
            table.add_row(trait.name, *(format_mean(*self.numbers(agent, trait), digits=2) for agent in self.manners))
        statements = judged_table(self.statements(), "What section 7.1 and 6.1 say")
        shallow = warn_shallow({BEAM: mean_of(self.numbers(BEAM, DEPTH)[0])})
        return Group(table, Text(self.notes, "dim"), *shallow, Text(""), statements)

    def interval(self, agent: str, trait: Trait) -> Interval | None:
        return mean_interval(*self.numbers(agent, trait), 0.0)

    def statements(self) -> list[Judged]:
        """The paper's words, judged by the intervals."""
        genes, trapped = self.interval(RHEA, DEPTH), self.numbers(MCTS, TRAPPED)[0]
        fewer = is_above(genes, GENES)
        return [
            self.compare("mcts bombs without use, more than beam", IDLE, MCTS, BEAM),
            self.compare("rhea goes there and back, more than mcts", RETURNS, RHEA, MCTS),
            self.compare("rhea goes there and back, more than beam", RETURNS, RHEA, BEAM),
            Judged(f"rhea's plans are shorter than {GENES} genes", span(genes), None if fewer is None else not fewer),
            self.near("mcts sees around 12 turns", MCTS, DEPTH, 12),
            self.near("mcts sees around 9 turns for opponents", MCTS, OTHER_DEPTH, 9),
            Judged(
                "mcts is trapped from time to time",
                f"{sum(trapped):.0f} of {len(trapped)} games",
                True if any(trapped) else None,
            ),
        ]

    def compare(self, words: str, trait: Trait, more: str, less: str) -> Judged:
        """Whether one agent has more of a trait than another."""
        high, low = self.interval(more, trait), self.interval(less, trait)
        agrees = None
        if high is not None and low is not None and (high.low > low.high or high.high < low.low):
            agrees = high.low > low.high
        return Judged(words, f"{span(high)} beside {span(low)}", agrees)

    def near(self, words: str, agent: str, trait: Trait, number: float) -> Judged:
        """Whether a mean is about this number."""
        found = self.interval(agent, trait)
        return Judged(words, span(found), overlap(found, Interval(number - AROUND, number + AROUND), WIDEST))

    @property
    def notes(self) -> str:
        games = min(len(manners) for manners in self.manners.values())
        return (
            f"{games} games each, {self.budget}; there and back: a step away and back at once, with no bomb dropped, "
            "no item taken and no fire coming to either cell; trap: the last own move could have been survived, had "
            "the others stood still"
        )

    def as_dict(self) -> dict[str, Any]:
        traits = {
            agent: {trait.name.strip(): mean_of(self.numbers(agent, trait)[0]) for trait in TRAITS}
            for agent in self.manners
        }
        return {"notes": self.notes, "agents": traits, "claims": [each.as_dict() for each in self.statements()]}

    def draw(self) -> "Figure":
        """Each trait as a share of its largest value, so that all fit on one scale."""
        series = {agent: [self.relative(agent, trait) for trait in TRAITS] for agent in self.manners}
        labels = [trait.name.strip() for trait in TRAITS]
        return bars("Behaviour", labels, series, "share of the largest of the three")

    def relative(self, agent: str, trait: Trait) -> PlottedNumber:
        means = {each: mean_of(self.numbers(each, trait)[0]) for each in self.manners}
        largest = max((mean for mean in means.values() if mean), default=0.0)
        mean = means[agent]
        if mean is None or not largest:
            return PlottedNumber(None)
        interval = mean_interval(*self.numbers(agent, trait), 0.0)
        ends = (interval.low / largest, interval.high / largest) if interval else ()
        return PlottedNumber(mean / largest, *ends)


def span(interval: Interval | None) -> str:
    return "too few games" if interval is None else f"{interval.low:.2f}–{interval.high:.2f}"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    effort, kept = stage.effort, Watched(stage.ledger.path)
    manners: dict[str, list[tuple[int, Manner]]] = {spec: [] for spec in PLAYERS.values()}
    pairs = list(combinations(manners, 2))
    seeds = stage.seeds(stage.games, 2)
    done = 0
    with bar(stage.console, "game", 2 * len(pairs) * len(seeds), TimeRemainingColumn()) as update:
        for seed in seeds:
            for seated in [order for pair in pairs for order in (pair, pair[::-1])]:
                key = key_of_watched(seed, seated, effort.limits, WATCHER)
                seen = kept.get(key, partial(watch, seated, seed, effort))
                for spec, manner in zip(seated, seen, strict=True):
                    manners[spec].append((seed, Manner(**manner)))
                done += 1
                update(done, effort.budget)
    return Behaviour(manners, effort.budget)


def watch(seated: Sequence[str], seed: int, effort: Effort) -> list[dict[str, Any]]:
    """Play a game, and tell what everybody did."""
    budget = Budget(nodes=effort.nodes) if effort.nodes else Budget(effort.ms)
    agents = [warm_agent(spec, at, effort.limits.clock) for at, spec in enumerate(seated)]
    return [manner.as_dict() for manner in watch_game(agents, seed, budget)]


EXPERIMENT = Experiment(run, games=40, ms=100.0, nodes=PAPER_NODES)
