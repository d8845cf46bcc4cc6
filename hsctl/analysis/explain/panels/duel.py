"""What duel left behind: visits and means by side, how far the tree goes, what was kept and shared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from rich.console import Group
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.findings import (
    RISKY,
    UNLIKELY,
    UNSURVIVABLE,
    Extent,
    Findings,
    Panel,
    Section,
    Value,
    findings_of,
    read_search,
)
from hsctl.analysis.explain.tables import CompactTable, action_text, format_number, histogram, pick_depths
from hsctl.analysis.explain.why_not import (
    VISITS,
    Standing,
    WhyNot,
    fate_before_search,
    fate_of_standings,
    fate_of_untried,
    follow_line,
)
from replays.render.turn import QUIET, format_count
from search.agent import Decision
from search.common.first_moves import members
from search.duel.agent import DuelAgent
from search.duel.tree import NONE_PENDING, UNOPENED, DuelTree, action_in, children_of, mean_points, most_visited

ANSWERS = 3  # shown of each first move

Side = tuple[int, int]  # a player and their mate, or the player again


@dataclass(frozen=True)
class Choice:
    """A node of a tree of two sides, by the action that leads to it; the mean is that of the side that takes it."""

    player: int
    action: int
    name: str
    visits: int
    mean: float
    mate_action: int | None = None  # in the same move, if the sides are teams


@dataclass(frozen=True)
class Exchange:
    """One of the own first moves and the answers to it."""

    move: Choice
    answers: list[Choice]


@dataclass(frozen=True)
class Duel(Panel):
    """What duel left behind."""

    json_field = "duel"

    adversary: int | None  # the opponent; None: no other player lives
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

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
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


@read_search.register
def read_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is the mean of its simulations; of several with the same own action, of the most visited."""
    exchanges = exchanges_of(agent, player)
    bests = {exchange.move.action: Value(exchange.move.mean, 1) for exchange in reversed(exchanges)}
    rules = left_out(agent, state, player)
    return findings_of(agent, state, player, decision, bests, duel_of(agent, player, exchanges), rules=rules)


def duel_of(agent: DuelAgent, player: int, exchanges: list[Exchange]) -> Duel:
    walk, sides = agent.walk, sides_of(agent, player)
    line = most_visited(agent.tree, int(walk.root))
    parents = [int(walk.root), *(node for _number, node in line)]
    return Duel(
        adversary=None if walk.alone else int(walk.rival),
        iterations=int(walk.iterations),
        size=int(walk.tree_size),
        kept=int(walk.kept),
        saved=int(walk.saved),
        shared=int(walk.shared),
        exchanges=exchanges,
        rounds=count_rounds(agent.tree, int(walk.tree_size)),
        most_visited=[choice_of(agent, sides[ply % 2], parents[ply], *step) for ply, step in enumerate(line)],
    )


def sides_of(agent: DuelAgent, player: int) -> tuple[Side, Side]:
    """The player and the opponent, each with its mate."""
    walk = agent.walk
    mate = int(walk.mate) if player == walk.player else int(walk.player)
    return (player, mate), (int(walk.rival), int(walk.second))


def left_out(agent: DuelAgent, state: np.record, player: int) -> dict[int, str]:
    """The legal first moves that the tree left out, once it looked for them."""
    tree, root = agent.tree, int(agent.walk.root)
    if int(tree.untried[root]) == int(UNOPENED):
        return {}
    numbers = [*children_of(tree, root), *members(int(tree.untried[root]))]
    searched = [action_in(tree, agent.walk, root, number, player) for number in numbers]
    survivable = members(agent.first_moves.survivable(state, agent.map, player))
    missing = [action for action in agent.first_moves.legal(state, player) if action not in searched]
    why = UNLIKELY if agent.walk.joint else RISKY
    return {action: why if action in survivable else UNSURVIVABLE for action in missing}


def exchanges_of(agent: DuelAgent, player: int) -> list[Exchange]:
    """The own first moves and the opponent's answers, each the most visited first."""
    tree, root = agent.tree, int(agent.walk.root)
    ours, theirs = sides_of(agent, player)
    found = []
    for number, node in children_of(tree, root).items():
        answers = [choice_of(agent, theirs, node, *step) for step in children_of(tree, node).items()]
        found.append(Exchange(choice_of(agent, ours, root, number, node), by_visits(answers)))
    return sorted(found, key=lambda exchange: -exchange.move.visits)


def by_visits(choices: list[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: -choice.visits)


def choice_of(agent: DuelAgent, side: Side, parent: int, number: int, node: int) -> Choice:
    """A child of a node, by the number of its move, as a choice of the first of a side."""
    tree, walk = agent.tree, agent.walk
    action, mate_action = (action_in(tree, walk, parent, number, player) for player in side)
    counts = int(tree.visits[node]), mean_points(tree, node)
    return Choice(side[0], action, ACTION_NAMES[action], *counts, mate_action if walk.joint else None)


def count_rounds(tree: DuelTree, size: int) -> list[int]:
    """How many positions of the tree are so many rounds from now."""
    turns = tree.states["turn"][:size][tree.pending[:size] == NONE_PENDING].astype(np.int64)
    counts: list[int] = np.bincount(turns - turns.min()).tolist()
    return counts


@follow_line.register
def follow_duel(
    agent: DuelAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    """Follow the own actions, the opponent giving its most visited answer to each; the most visited move is chosen."""
    if (fate := fate_before_search(line, decision, findings)) is not None:
        return WhyNot(line, [], fate, VISITS)
    tree, node, (ours, _) = agent.tree, int(agent.walk.root), sides_of(agent, player)
    standings: list[Standing] = []
    best: list[float] = []
    for depth, action in enumerate(line, 1):
        children = [(choice_of(agent, ours, node, *step), step[1]) for step in children_of(tree, node).items()]
        children.sort(key=lambda child: (-child[0].visits, -child[0].mean))
        rank = next((rank for rank, (choice, _) in enumerate(children, 1) if choice.action == action), None)
        if rank is None:
            return WhyNot(line, standings, fate_of_untried(agent, state, player, line, standings, best), VISITS)
        found, node = children[rank - 1]
        standings.append(Standing(depth, action, found.visits, rank, len(children), found.mean))
        best.append(children[0][0].mean)
        answers = most_visited(tree, node)
        node = answers[0][1] if answers else node
    return WhyNot(line, standings, fate_of_standings(standings, best), VISITS)


# Showing


def describe(duel: Duel, names: Sequence[str]) -> str:
    """The opponent, the size of the tree, and how much of it was kept or shared."""
    against = "against nobody" if duel.adversary is None else f"against {names[duel.adversary]}"
    size = f"{format_count(duel.iterations)} iterations, {format_count(duel.size)} nodes of the tree"
    kept = f", {format_count(duel.kept)} kept (saved {format_count(duel.saved)} nodes of search)" if duel.kept else ""
    shared = f", {format_count(duel.shared)} ways into known positions" if duel.shared else ""
    return f"{against}: {size}{kept}{shared}"


def exchange_table(exchanges: Sequence[Exchange]) -> CompactTable:
    table = CompactTable()
    table.add_column("first move")
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    table.add_column("answers of the opponent: visits, mean", folds=True)
    for exchange in exchanges:
        move, answers = exchange.move, Text(", ").join(answer_text(answer) for answer in exchange.answers[:ANSWERS])
        table.add_row(move_text(move), str(move.visits), format_number(move.mean), answers)
    return table


def answer_text(answer: Choice) -> Text:
    return Text.assemble(move_text(answer), f" {answer.visits} {format_number(answer.mean)}")


def move_text(choice: Choice) -> Text:
    """An action, or with the mate's: `up + bomb left`."""
    if choice.mate_action is None:
        return action_text(choice.action)
    return Text.assemble(action_text(choice.action), " + ", action_text(choice.mate_action))


def line_table(choices: Sequence[Choice], names: Sequence[str]) -> CompactTable:
    table = CompactTable()
    for name in ("who", "action"):
        table.add_column(name)
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    for choice in choices:
        who = names[choice.player] if choice.player < len(names) else "nobody"
        table.add_row(who, move_text(choice), str(choice.visits), format_number(choice.mean))
    return table
