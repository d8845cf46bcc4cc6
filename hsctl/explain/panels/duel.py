"""What duel left behind: visits and means by side, how far the tree goes, what was kept and shared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.explain.read import read, trace_of
from hsctl.explain.roots import RISKY, UNSURVIVABLE
from hsctl.explain.show.tables import action_text, compact_table, format_number, histogram, pick_depths
from hsctl.explain.trace import Extent, Panel, Section, Trace, Value
from replays.look.turn import QUIET, format_count
from search.agent import Decision
from search.common.first_moves import members
from search.duel.agent import DuelAgent
from search.duel.tree import NOTHING, UNOPENED, DuelTree, children_of, mean_points, most_visited

ANSWERS = 3  # shown of each first move


@dataclass(frozen=True)
class Choice:
    """A node of a tree of two sides, by the action that leads to it; the mean is that of the side that takes it."""

    player: int
    action: int
    name: str
    visits: int
    mean: float


@dataclass(frozen=True)
class Exchange:
    """One of the own first moves and the answers to it."""

    move: Choice
    answers: list[Choice]


@dataclass(frozen=True)
class Duel(Panel):
    """What duel left behind."""

    json_field = "duel"

    adversary: int | None  # the rival; None: nobody else lives
    iterations: int
    size: int
    kept: int  # nodes of the tree brought along from the turn before
    saved: int  # nodes of search that they would have cost
    shared: int  # ways into positions that others led to before
    exchanges: list[Exchange]
    rounds: list[int]  # [rounds from now], positions in the tree
    most_visited: list[Choice]  # sides in turn

    def limit(self, extent: Extent) -> Self:
        line = self.most_visited[: extent.depth and 2 * extent.depth]
        return replace(self, exchanges=self.exchanges[: extent.top], most_visited=line)

    def sections(self, trace: Trace, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        """Visits and means by side: each is that of the side that moves."""
        picked = pick_depths(len(self.most_visited), extent.depth and 2 * extent.depth)
        yield (
            "the duel",
            Group(
                Text(describe(self, names), QUIET),
                exchange_table(self.exchanges[: extent.top]),
                Text("\npositions of the tree by rounds from now:", QUIET),
                histogram(self.rounds),
                Text("\nthe most visited line, the sides in turn:", QUIET),
                line_table([self.most_visited[at] for at in picked], names),
            ),
        )


# Reading


@read.register
def read_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """A first move's value is the mean of its simulations."""
    exchanges = exchanges_of(agent)
    bests = {exchange.move.action: Value(exchange.move.mean, 1) for exchange in exchanges}
    rules = left_out(agent, state, player)
    return trace_of(agent, state, player, decision, bests, duel_of(agent, exchanges), rules=rules)


def duel_of(agent: DuelAgent, exchanges: list[Exchange]) -> Duel:
    walk, sides = agent.walk, sides_of(agent)
    line = most_visited(agent.tree, int(walk.root))
    return Duel(
        adversary=None if walk.alone else int(walk.rival),
        iterations=int(walk.iterations),
        size=int(walk.tree_size),
        kept=int(walk.kept),
        saved=int(walk.saved),
        shared=int(walk.shared),
        exchanges=exchanges,
        rounds=count_rounds(agent.tree, int(walk.tree_size)),
        most_visited=[choice_of(agent.tree, sides[ply % 2], *step) for ply, step in enumerate(line)],
    )


def sides_of(agent: DuelAgent) -> tuple[int, int]:
    return int(agent.walk.player), int(agent.walk.rival)


def left_out(agent: DuelAgent, state: np.record, player: int) -> dict[int, str]:
    """The legal first moves that the tree left out, once it looked for them."""
    tree, root = agent.tree, int(agent.walk.root)
    if int(tree.untried[root]) == int(UNOPENED):
        return {}
    searched = [*children_of(tree, root), *members(int(tree.untried[root]))]
    survivable = members(agent.first_moves.survivable(state, agent.map, player))
    missing = [action for action in agent.first_moves.legal(state, player) if action not in searched]
    return {action: RISKY if action in survivable else UNSURVIVABLE for action in missing}


def exchanges_of(agent: DuelAgent) -> list[Exchange]:
    """The own first moves and the rival's answers, each the most visited first."""
    tree, (player, rival) = agent.tree, sides_of(agent)
    found = []
    for action, node in children_of(tree, int(agent.walk.root)).items():
        answers = [choice_of(tree, rival, *step) for step in children_of(tree, node).items()]
        found.append(Exchange(choice_of(tree, player, action, node), by_visits(answers)))
    return sorted(found, key=lambda exchange: -exchange.move.visits)


def by_visits(choices: list[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: -choice.visits)


def choice_of(tree: DuelTree, player: int, action: int, node: int) -> Choice:
    return Choice(player, action, ACTION_NAMES[action], int(tree.visits[node]), mean_points(tree, node))


def count_rounds(tree: DuelTree, size: int) -> list[int]:
    """How many positions of the tree are so many rounds from now."""
    turns = tree.states["turn"][:size][tree.pending[:size] == NOTHING].astype(np.int64)
    counts: list[int] = np.bincount(turns - turns.min()).tolist()
    return counts


# Showing


def describe(duel: Duel, names: Sequence[str]) -> str:
    """Against whom, how large the tree is, and how much of it came for free."""
    against = "against nobody" if duel.adversary is None else f"against {names[duel.adversary]}"
    size = f"{format_count(duel.iterations)} iterations, {format_count(duel.size)} nodes of the tree"
    kept = f", {format_count(duel.kept)} kept (saved {format_count(duel.saved)} nodes of search)" if duel.kept else ""
    shared = f", {format_count(duel.shared)} ways into known positions" if duel.shared else ""
    return f"{against}: {size}{kept}{shared}"


def exchange_table(exchanges: Sequence[Exchange]) -> Table:
    table = compact_table()
    table.add_column("first move", no_wrap=True)
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    table.add_column("answers of the rival: visits, mean", overflow="fold")
    for exchange in exchanges:
        move, answers = exchange.move, Text(", ").join(answer_text(answer) for answer in exchange.answers[:ANSWERS])
        table.add_row(action_text(move.action), str(move.visits), format_number(move.mean), answers)
    return table


def answer_text(answer: Choice) -> Text:
    return Text.assemble(action_text(answer.action), f" {answer.visits} {format_number(answer.mean)}")


def line_table(choices: Sequence[Choice], names: Sequence[str]) -> Table:
    table = compact_table()
    for name in ("who", "action"):
        table.add_column(name, no_wrap=True)
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    for choice in choices:
        who = names[choice.player] if choice.player < len(names) else "nobody"
        table.add_row(who, action_text(choice.action), str(choice.visits), format_number(choice.mean))
    return table
