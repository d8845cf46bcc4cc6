"""Section 7.1 of the main paper: how its three agents behave, counted turn by turn.

Every pair plays from both seats. The counts of each game are kept next to the ledger (`KeptFacts` in frame.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.text import Text

from engine.board import cells_of
from engine.events import Drop, Event, ItemPicked
from engine.game import Explosion, Game
from engine.position import Cell
from engine.survival import fill_forecast, new_forecast
from hsctl.league.intervals import Interval, mean_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import format_mean, new_table
from hsctl.research.experiments.beam import PLAYERS
from hsctl.research.experiments.frame import (
    Experiment,
    ExperimentAnswer,
    ExperimentStage,
    KeptFacts,
    key_of_facts,
    play_recorded,
)
from hsctl.research.experiments.tables import PAPER_NODES, JudgedClaim, is_above, judged_table, overlap, warn_shallow
from replays.playback import Playback
from replays.replay import Limits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AROUND = 0.5  # to either side of what the paper calls "around"
WIDEST = 2.0  # an interval of a depth that means nothing
GENES = 17
MCTS, RHEA, BEAM = (PLAYERS[name] for name in ("mcts", "rhea", "beam"))


# Counting


@dataclass
class Manner:
    """What one player did in a game."""

    turns: int = 0
    bombs: int = 0
    idle_bombs: int = 0  # that exploded without reaching a box
    returns: int = 0  # steps away and back at once, without a reason
    depths: list[int] = field(default_factory=list)  # of its searches, by turn
    died: bool = False
    trapped: bool = False  # dead by a position that the others' actions made hopeless
    died_together: bool = False  # in one fire with everybody else, and boxes decided the game
    path: list[tuple[Cell, bool]] = field(default_factory=list)  # cells, and whether leaving them had a reason

    def as_dict(self) -> dict[str, Any]:
        """All but the path, which serves only while counting."""
        return {name: value for name, value in asdict(self).items() if name != "path"}

    def per_turn(self, count: float) -> float | None:
        return count / self.turns if self.turns else None

    def add_cell(self, cell: Cell, has_reason: bool) -> None:
        """Where a turn began; a way from A to B and back to A counts if neither step had a reason."""
        self.path.append((cell, has_reason))
        if len(self.path) > 2:
            (first, was_urged), (second, was_urged_back), (third, _) = self.path[-3:]
            self.returns += first == third != second and not was_urged and not was_urged_back


def manners_of(playback: Playback) -> list[Manner]:
    """What every player did in a game."""
    manners = [Manner() for _ in range(playback.seats)]
    for turn in range(playback.first_turn, playback.end_turn):
        before, after, moves = playback.game_at(turn), playback.game_at(turn + 1), playback.moves_at(turn)
        for manner, move in zip(manners, moves, strict=True):
            if move is not None:
                manner.turns += 1
                manner.depths.append(move.thought.depth if move.thought else 0)
        count_events(before, playback.events_at(turn), manners)
        note_trapped(before, after, [move.action or 0 if move else 0 for move in moves], manners)
    note_end(playback.game_at(playback.end_turn), manners)
    return manners


def count_events(game: Game, events: Sequence[Event], manners: Sequence[Manner]) -> None:
    """Bombs that explode, bombs dropped, and which players had a reason to go where they went."""
    boxes, danger = set(cells_of(game.state.boxes)), cells_in_danger(game)
    busy = {event.player for event in events if isinstance(event, Drop | ItemPicked)}
    for event in events:
        if isinstance(event, Explosion):
            manners[event.owner].idle_bombs += boxes.isdisjoint(event.cells)
        elif isinstance(event, Drop):
            manners[event.player].bombs += 1
    for player in game.players():
        manners[player.id].add_cell(player.cell, player.id in busy or player.cell in danger)


def cells_in_danger(game: Game) -> set[Cell]:
    """All cells that the bombs on the board will burn."""
    forecast = new_forecast()
    fill_forecast(game.state, game.map, forecast)
    return {cell for fire in forecast.fire[: int(forecast.rounds)] for cell in cells_of(fire)}


def note_trapped(before: Game, after: Game, actions: Sequence[int], manners: Sequence[Manner]) -> None:
    """A trapped player could survive, can't any more, and could have if the others had stood still."""
    for seat in after.living:
        if after.can_survive(seat):
            manners[seat].trapped = False
        elif before.can_survive(seat):
            alone = before.copy()
            alone.step([action if at == seat else 0 for at, action in enumerate(actions)])
            manners[seat].trapped = alone.can_survive(seat)


def note_end(game: Game, manners: Sequence[Manner]) -> None:
    ranks = game.ranks()
    for seat, manner in enumerate(manners):
        manner.died = seat not in game.living
        manner.trapped &= manner.died
        manner.died_together = not game.living and len(set(ranks)) > 1 and len({each.turns for each in manners}) == 1


# The answer


class Trait(NamedTuple):
    """One line of the answer: a number of every game, or None where the game has none."""

    name: str
    value: Callable[[Manner], float | None]


def mean_of(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


BOMBS = Trait("bombs a turn", lambda manner: manner.per_turn(manner.bombs))
IDLE = Trait("  of them without a box", lambda manner: manner.per_turn(manner.idle_bombs))
RETURNS = Trait("there and back a 100 turns", lambda manner: manner.per_turn(100 * manner.returns))
DEPTH = Trait("depth", lambda manner: mean_of(manner.depths))
DEATHS = Trait("deaths", lambda manner: float(manner.died))
TRAPPED = Trait("  by a trap", lambda manner: float(manner.trapped))
TOGETHER = Trait("died together, boxes decided", lambda manner: float(manner.died_together))
TRAITS = (BOMBS, IDLE, RETURNS, DEPTH, DEATHS, TRAPPED, TOGETHER)


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

    def statements(self) -> list[JudgedClaim]:
        """The paper's words, judged by the intervals."""
        genes, trapped = self.interval(RHEA, DEPTH), self.numbers(MCTS, TRAPPED)[0]
        fewer = is_above(genes, GENES)
        return [
            self.compare("mcts bombs without use, more than beam", IDLE, MCTS, BEAM),
            self.compare("rhea goes there and back, more than mcts", RETURNS, RHEA, MCTS),
            self.compare("rhea goes there and back, more than beam", RETURNS, RHEA, BEAM),
            JudgedClaim(
                f"rhea's plans are shorter than {GENES} genes", span(genes), None if fewer is None else not fewer
            ),
            self.near("mcts sees around 12 turns", MCTS, DEPTH, 12),
            JudgedClaim(
                "mcts is trapped from time to time",
                f"{sum(trapped):.0f} of {len(trapped)} games",
                True if any(trapped) else None,
            ),
        ]

    def compare(self, words: str, trait: Trait, more: str, less: str) -> JudgedClaim:
        """Whether one agent has more of a trait than another."""
        high, low = self.interval(more, trait), self.interval(less, trait)
        agrees = None
        if high is not None and low is not None and (high.low > low.high or high.high < low.low):
            agrees = high.low > low.high
        return JudgedClaim(words, f"{span(high)} against {span(low)}", agrees)

    def near(self, words: str, agent: str, trait: Trait, number: float) -> JudgedClaim:
        """Whether a mean is about this number."""
        found = self.interval(agent, trait)
        return JudgedClaim(words, span(found), overlap(found, Interval(number - AROUND, number + AROUND), WIDEST))

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


def run_behaviour(stage: ExperimentStage) -> ExperimentAnswer:
    effort, kept = stage.effort, KeptFacts(stage.ledger.path)
    manners: dict[str, list[tuple[int, Manner]]] = {spec: [] for spec in PLAYERS.values()}
    pairs = list(combinations(manners, 2))
    seeds = stage.seeds(stage.games, 2)
    done = 0
    with bar(stage.console, "game", 2 * len(pairs) * len(seeds), TimeRemainingColumn()) as update:
        for seed in seeds:
            for seated in [order for pair in pairs for order in (pair, pair[::-1])]:
                key = key_of_facts(seed, seated, effort.limits, __name__)
                facts = kept.get(key, partial(count_game, seated, seed, effort.limits))
                for spec, manner in zip(seated, facts, strict=True):
                    manners[spec].append((seed, Manner(**manner)))
                done += 1
                update(done, effort.budget)
    return Behaviour(manners, effort.budget)


def count_game(seated: Sequence[str], seed: int, limits: Limits) -> list[dict[str, Any]]:
    return [manner.as_dict() for manner in manners_of(play_recorded(seated, seed, limits))]


EXPERIMENTS = {"behaviour": Experiment(run_behaviour, games=40, ms=100.0, nodes=PAPER_NODES, counts_turns=True)}
