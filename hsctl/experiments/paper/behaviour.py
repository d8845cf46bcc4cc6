"""How do the paper's three agents behave? What section 7.1 tells of them, counted turn by turn.

Every pair plays from both seats. The games are played here and not kept, because no record of a game contains how deep
a search for an opponent got. By nodes they are the same each time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.text import Text

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.paper.table3 import PLAYERS
from hsctl.experiments.watching import Manner, watch_game
from hsctl.stats.intervals import mean_interval
from hsctl.views.live import bar
from hsctl.views.plots import Measured, bars
from hsctl.views.tables import format_mean, new_table
from search import make_agent
from search.agent import Budget

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Trait(NamedTuple):
    """One line of the answer: a number of every game, or None where the game has none."""

    name: str
    value: Callable[[Manner], float | None]
    paper: str = ""


TRAITS = (
    Trait("bombs a turn", lambda manner: manner.per_turn(manner.bombs)),
    Trait("  of them without a box", lambda manner: manner.per_turn(manner.idle_bombs), "mcts: a strong need"),
    Trait("there and back a 100 turns", lambda manner: manner.per_turn(100 * manner.returns), "rhea: often"),
    Trait("own depth", lambda manner: mean_of(manner.depths), "mcts: around 12; rhea: fewer than 17 genes"),
    Trait("depth for opponents", lambda manner: mean_of(manner.other_depths), "mcts: around 9"),
    Trait("generations", lambda manner: mean_of(manner.generations)),
    Trait("deaths", lambda manner: float(manner.died)),
    Trait("  by a trap", lambda manner: float(manner.trapped), "mcts: from time to time"),
    Trait("died together, boxes decided", lambda manner: float(manner.died_together)),
)


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
        table.add_column("the paper")
        for trait in TRAITS:
            cells = [format_mean(*self.numbers(agent, trait), digits=2) for agent in self.manners]
            table.add_row(trait.name, *cells, trait.paper)
        return Group(table, Text(self.notes, "dim"))

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
        return {"notes": self.notes, "agents": traits}

    def draw(self) -> "Figure":
        """Each trait as a share of its largest value, so that all fit on one scale."""
        series = {agent: [self.relative(agent, trait) for trait in TRAITS] for agent in self.manners}
        labels = [trait.name.strip() for trait in TRAITS]
        return bars("Behaviour", labels, series, "share of the largest of the three")

    def relative(self, agent: str, trait: Trait) -> Measured:
        means = {each: mean_of(self.numbers(each, trait)[0]) for each in self.manners}
        largest = max((mean for mean in means.values() if mean), default=0.0)
        mean = means[agent]
        if mean is None or not largest:
            return Measured(None)
        interval = mean_interval(*self.numbers(agent, trait), 0.0)
        ends = (interval.low / largest, interval.high / largest) if interval else ()
        return Measured(mean / largest, *ends)


def run(stage: Stage) -> Answer:
    effort = stage.effort
    budget = Budget(nodes=effort.nodes) if effort.nodes else Budget(effort.ms)
    agents = {spec: make_agent(spec) for spec in PLAYERS.values()}
    manners: dict[str, list[tuple[int, Manner]]] = {spec: [] for spec in agents}
    pairs = list(combinations(agents, 2))
    seeds = stage.seeds(stage.games, 2)
    done = 0
    for agent in agents.values():
        agent.warm_up()
    with bar(stage.console, "game", 2 * len(pairs) * len(seeds), TimeRemainingColumn()) as update:
        for seed in seeds:
            for pair in pairs:
                for seated in (pair, pair[::-1]):
                    watched = watch_game([agents[each] for each in seated], seed, budget)
                    for spec, manner in zip(seated, watched, strict=True):
                        manners[spec].append((seed, manner))
                    done += 1
                    update(done, effort.budget)
    return Behaviour(manners, effort.budget)


EXPERIMENT = Experiment(run, games=40, ms=100.0, nodes=20_000)
