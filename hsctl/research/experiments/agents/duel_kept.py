"""How many nodes does the kept tree of duel save? Turn by turn in games against each opponent, from both seats.

Saved are the calls of step that a fresh search would have needed for the tree that was kept; without shared states that
tree is exactly the same. No record of a game contains this, so what was seen is kept beside the ledger. The report
names a kept tree as an obvious improvement, and has no figures of it.
"""

from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.text import Text

from engine.game import Game
from hsctl.league.intervals import mean_share_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import new_table
from hsctl.research.experiments.frame import Effort, Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.keeping import Watched, key_of_watched, warm_agent
from search.agent import Agent, Budget
from search.duel.agent import DuelAgent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPECS = ("duel:share=0", "duel")
NOTE = "95 % over boards; the report has no figures of this: it names a kept tree as future work"
OPPONENTS = ("random", "osla", "duel", "mcts", "beam")


@dataclass(frozen=True)
class NodesSaved:
    """What was saved in one game, on average over its turns."""

    kept: float  # share of turns that began with a tree
    saved: float  # nodes a turn
    spent: float  # nodes a turn
    tree: float  # the share that was saved of all nodes the tree stands for


def play(agent: DuelAgent, opponent: Agent, seed: int, seat: int, budget: Budget) -> NodesSaved:
    """Play one game and watch one agent."""
    game = Game.start(seed, 2)
    agents: list[Agent] = [agent, opponent] if seat == 0 else [opponent, agent]
    for at, each in enumerate(agents):
        each.start_game(game.map, at, seed)
    kept, saved, spent = [], [], []
    while not game.is_over:
        decisions = [each.decide(game.state, at, budget) for at, each in enumerate(agents)]
        kept.append(bool(agent.walk.kept))
        saved.append(int(agent.walk.saved))
        spent.append(decisions[seat].nodes)
        game.step([decision.action for decision in decisions])
    return NodesSaved(fmean(kept), fmean(saved), fmean(spent), sum(saved) / (sum(saved) + sum(spent)))


@dataclass(frozen=True)
class Savings:
    """The answer: savings by game, with its seed, for each agent against each opponent."""

    rows: dict[tuple[str, str], list[tuple[int, NodesSaved]]]
    budget: str

    def share(self, row: tuple[str, str]) -> PlottedNumber:
        shares = [saving.tree for _, saving in self.rows[row]]
        interval = mean_share_interval(shares, [seed for seed, _ in self.rows[row]])
        return PlottedNumber(fmean(shares), *((interval.low, interval.high) if interval else ()))

    def view(self) -> RenderableType:
        table = new_table(f"Nodes saved by the kept tree, {self.budget}")
        table.add_column("agent")
        for name in ("against", "with a tree", "saved a turn", "spent", "saved of all"):
            table.add_column(name, justify="right")
        for row, savings in self.rows.items():
            means = [fmean(getattr(saving, name) for _, saving in savings) for name in ("kept", "saved", "spent")]
            kept, saved, spent = f"{100 * means[0]:.0f} %", f"{means[1]:,.0f}", f"{means[2]:,.0f}"
            table.add_row(*row, kept, saved, spent, format_measured(self.share(row)))
        games = min(map(len, self.rows.values()))
        return Group(table, Text(f"{games} games each; {NOTE}", "dim"))

    def as_dict(self) -> dict[str, Any]:
        return {" - ".join(row): [asdict(saving) for _, saving in savings] for row, savings in self.rows.items()}

    def draw(self) -> "Figure":
        series = {spec: [self.share((spec, opponent)) for opponent in OPPONENTS] for spec in SPECS}
        return bars("Nodes saved by the kept tree", OPPONENTS, series, "share of all nodes")


def format_measured(share: PlottedNumber) -> str:
    interval = "" if share.low is None or share.high is None else f" ({100 * share.low:.0f}–{100 * share.high:.0f})"
    return f"{100 * (share.value or 0.0):.0f} %{interval}"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    effort, kept = stage.effort, Watched(stage.ledger.path)
    games = [(seed, seat) for seed in stage.seeds(stage.games, 2) for seat in (0, 1)]
    pairs = [(spec, opponent) for spec in SPECS for opponent in OPPONENTS]
    rows: dict[tuple[str, str], list[tuple[int, NodesSaved]]] = {pair: [] for pair in pairs}
    with bar(stage.console, "game", len(games) * len(pairs), TimeRemainingColumn()) as update:
        for done, pair in enumerate(pairs):
            for at, (seed, seat) in enumerate(games):
                key = key_of_watched(seed, pair if seat == 0 else pair[::-1], effort.limits, __name__)
                seen = kept.get(f"{key} {seat}", partial(watch, pair, seed, seat, effort))
                rows[pair].append((seed, NodesSaved(**seen)))
                update(done * len(games) + at + 1, effort.budget)
    return Savings(rows, effort.budget)


def watch(pair: tuple[str, str], seed: int, seat: int, effort: Effort) -> dict[str, float]:
    agent, opponent = (warm_agent(spec, at, effort.limits.clock) for at, spec in enumerate(pair))
    assert isinstance(agent, DuelAgent)
    budget = Budget(nodes=effort.nodes) if effort.nodes else Budget(effort.ms)
    return asdict(play(agent, opponent, seed, seat, budget))


EXPERIMENT = Experiment(run, games=20, ms=10.0)
