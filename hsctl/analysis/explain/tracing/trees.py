"""Rows of tree searches: every iteration as it ends, and every node as the search leaves it.

A search goes on one iteration at a time. Whatever an iteration has visited has one visit more than before, so it is
found by going down from the root.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine.rules import ACTION_BITS, ACTION_MASK, ACTION_NAMES, ACTIONS
from engine.state import MAX_TURNS
from hsctl.analysis.explain.panels.duel import sides_of
from hsctl.analysis.explain.tracing.rows import PassCount, RowBatch, TreeRow, WalkRow
from hsctl.analysis.explain.tracing.watch import Arguments, Emit, Slices, Watcher, watcher_of
from search.bias.agent import BiasAgent
from search.common.uct import NO_NODE
from search.duel.agent import DuelAgent
from search.duel.tree import NONE_PENDING, UNOPENED, action_in, children_of, most_visited
from search.hybrid.agent import HybridAgent
from search.mcts.agent import MctsAgent

NAMES = np.array([*ACTION_NAMES, None], object)  # [action]; the last for none
NO_ACTION = ACTIONS
CHUNK = 1 << 15  # rows
BITS = np.array([number.bit_count() for number in range(1 << ACTIONS)])


class TreeWatcher(Watcher):
    """Follows the plans of mcts; the others differ in a few words."""

    agent: Any
    method = "plan"
    kinds = (TreeRow, WalkRow)
    counted_only = ("rounds of simulations are counted as nodes of the budget, only their value is a row (walk)",)
    has_walks = True

    @property
    def walk(self) -> np.record:
        """The record of the search under way."""
        record: np.record = self.agent.walk
        return record

    @property
    def root(self) -> int:
        return 0

    @property
    def size(self) -> int:
        return int(self.walk.tree_size)

    def record(self, original: Callable[..., Any], given: Arguments) -> Any:
        follower = WalkFollower(self, given)
        found = original(**{**given, "stage": Slices(given["stage"], follower.next_step)})
        follower.next_step(0)
        follower.flush()
        nodes = self.new_nodes(self.size)
        line = self.line_nodes(found)
        if given["stage"].name == "own":
            self.best = int(nodes[line[-1]]) if line else None
        self.emit_nodes(given, nodes, line)
        return found

    def count(self, given: Arguments, line: Any) -> PassCount:
        totals = {"size": self.size, "visits": int(self.agent.tree.visits[self.root])}
        if self.has_walks:
            totals["iterations"] = int(self.walk.iterations)
        return PassCount(
            len(self.passes),
            given["stage"].name,
            given["player"],
            int(self.walk.nodes),
            self.depth_of(line),
            self.actions_of(line),
            totals=totals,
            layers=[{"depth": depth, "nodes": len(level)} for depth, level in enumerate(self.levels())],
        )

    def depth_of(self, line: Any) -> int:
        return int(line.depth)

    def actions_of(self, line: Any) -> list[int]:
        return list(line.actions)

    def levels(self) -> list[np.ndarray]:
        """The nodes of each depth."""
        child, level, found = self.agent.tree.child, np.array([self.root]), []
        while level.size:
            found.append(level)
            below = child[level].ravel()
            level = np.unique(below[below != NO_NODE])
        return found

    def line_nodes(self, line: Any) -> list[int]:
        """The nodes of the line that was found, without the root, as far as the tree goes."""
        nodes, node = [], self.root
        for action in self.actions_of(line):
            node = int(self.agent.tree.child[node, action])
            if node == NO_NODE:
                break
            nodes.append(node)
        return nodes

    def first_name(self, number: int, player: int) -> str | None:
        """A first move by its number."""
        return None if number == NO_ACTION else ACTION_NAMES[number]

    def emit_nodes(self, given: Arguments, nodes: np.ndarray, line: list[int]) -> None:
        shape = self.shape_of(line)
        count, is_best = self.size, np.zeros(self.size, bool)
        nothing = np.full(count, None, object)
        is_best[[self.root, *line]] = True
        visits = self.agent.tree.visits[:count]
        means = np.ma.array(self.agent.tree.total[:count] / np.maximum(visits, 1), mask=visits == 0)
        whole = {
            "stage": np.array([given["stage"].name] * count, object),
            "pass": np.full(count, len(self.passes)),
            "player": np.full(count, given["player"]),
            "node": nodes,
            "parent": np.ma.array(nodes[shape.parent], mask=shape.parent == NO_NODE),
            "depth": shape.depth,
            "side": np.full(count, given["player"]),
            "action": NAMES[shape.number],
            "mate_action": nothing,
            "first_move": NAMES[shape.first],
            "visits": visits.copy(),
            "mean": means,
            **dict.fromkeys(("maximum", "prior", "untried", "terminal"), nothing),
            "best": is_best,
            **self.columns_of(given, shape),
        }
        assert self.emit is not None
        reached = np.flatnonzero(shape.depth >= 0)
        for first in range(0, len(reached), CHUNK):
            self.emit(RowBatch(TreeRow, whole).take(reached[first : first + CHUNK]))

    def shape_of(self, line: list[int]) -> "TreeShape":
        """Who is whose child; where several lead to a node, the chosen line counts, else the first."""
        child, count = self.agent.tree.child, self.size
        parent, number = np.full(count, NO_NODE), np.full(count, NO_ACTION)
        above, numbers = np.nonzero(child[:count] != NO_NODE)
        below = child[:count][above, numbers]
        parent[below[::-1]], number[below[::-1]] = above[::-1], numbers[::-1]
        for before, node in zip([self.root, *line], line, strict=False):
            parent[node], number[node] = before, int(np.flatnonzero(child[before] == node)[0])
        parent[self.root], number[self.root] = NO_NODE, NO_ACTION
        depth, first = np.full(count, -1), np.full(count, NO_ACTION)
        for at, level in enumerate(self.levels()):
            depth[level] = at
            first[level] = number[level] if at == 1 else first[parent[level]] if at else NO_ACTION
        return TreeShape(parent, number, depth, first)

    def columns_of(self, given: Arguments, shape: "TreeShape") -> dict[str, Any]:
        """What this kind of tree knows beside visits and means."""
        tree, count = self.agent.tree, self.size
        is_dead = tree.states["players"][:count, given["player"]] == 0
        terminal = np.full(count, None, object)
        terminal[shape.depth == int(self.walk.max_depth)] = "end"
        terminal[is_dead] = "dead"
        untried = BITS[tree.untried[:count].astype(np.int64)]
        return {"maximum": tree.best[:count].copy(), "terminal": terminal, "untried": untried}


class TreeShape(NamedTuple):
    """What the nodes are to each other."""

    parent: np.ndarray  # [node], or NO_NODE
    number: np.ndarray  # [node], of the move that leads to it, or NO_ACTION
    depth: np.ndarray  # [node], -1 if it can't be reached any more
    first: np.ndarray  # [node], the number of the first move


class WalkFollower:
    """Finds what each iteration visited."""

    def __init__(self, watcher: TreeWatcher, given: Arguments) -> None:
        self.watcher, self.tree = watcher, watcher.agent.tree
        self.stage, self.player = given["stage"].name, given["player"]
        self.visits: np.ndarray | None = None  # [node], as they were before
        self.total = np.zeros(0)
        self.size = 0
        self.longest = 0  # walk so far, in steps
        self.iterations = 0
        self.rows: dict[str, list[Any]] = {}
        self.clear()

    def clear(self) -> None:
        self.rows = {name: [] for name in ("iteration", "node", "depth", "first_move", "is_new", "value")}

    def next_step(self, _nodes: int) -> int:
        """An iteration has ended, or none has begun yet."""
        watcher = self.watcher
        iterations = int(watcher.walk.iterations) if watcher.has_walks else 0
        if self.visits is None or iterations != self.iterations + 1:
            self.remember_all()
        else:
            self.follow(iterations)
        self.iterations = iterations
        return 1

    def remember_all(self) -> None:
        self.visits, self.total = self.tree.visits.copy(), self.tree.total.copy()
        self.size = self.watcher.size

    def follow(self, iterations: int) -> None:
        visits, tree, size = self.visits, self.tree, self.watcher.size
        assert visits is not None
        visits[self.size : size], self.total[self.size : size] = 0, 0.0
        path = self.visited_path() if hasattr(tree, "path") else self.visited_below()
        visits[path] = tree.visits[path]
        first = NO_ACTION if len(path) == 1 else int(np.flatnonzero(tree.child[path[0]] == path[1])[0])
        self.note(iterations - 1, int(path[-1]), len(path) - 1, first, int(path[-1]) >= self.size)
        self.size = size

    def visited_path(self) -> np.ndarray:
        """The nodes of the last walk, which the tree remembers; beyond its end stand those of longer ones before."""
        tree, visits = self.tree, self.visits
        assert visits is not None
        path: np.ndarray = tree.path[: self.longest + 2]
        changed = tree.visits[path] != visits[path]
        length = len(path) if changed.all() else int(np.argmin(changed))
        if length == self.longest + 2 and path[-1] not in tree.child[path[-2]]:
            length -= 1  # nobody has been so deep: it is from an earlier search
        self.longest = max(self.longest, length - 1)
        return path[:length].copy()

    def visited_below(self) -> np.ndarray:
        """The same, from the root down."""
        tree, visits, path = self.tree, self.visits, [self.watcher.root]
        assert visits is not None
        while True:
            children = tree.child[path[-1]]
            visited = children[(children != NO_NODE) & (tree.visits[children] != visits[children])]
            if not visited.size:
                return np.array(path)
            path.append(int(visited[0]))

    def note(self, iteration: int, node: int, depth: int, first: int, is_new: bool) -> None:
        value = float(self.tree.total[node] - self.total[node])
        self.total[node] = self.tree.total[node]
        name = self.watcher.first_name(first, self.player)
        values = (iteration, self.watcher.next_node + node, depth, name, is_new, value)
        for column, each in zip(self.rows.values(), values, strict=True):
            column.append(each)
        if len(self.rows["node"]) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        count = len(self.rows["node"])
        if count and self.watcher.emit is not None:
            fixed = {"stage": self.stage, "pass": len(self.watcher.passes), "player": self.player}
            self.watcher.emit(RowBatch(WalkRow, {**{k: [v] * count for k, v in fixed.items()}, **self.rows}))
            self.clear()


@watcher_of.register
def watch_mcts(agent: MctsAgent, emit: Emit | None = None) -> Watcher:
    return TreeWatcher(agent, emit)


class BiasWatcher(TreeWatcher):
    """The others move at random, so a node of bias is no state."""

    def columns_of(self, given: Arguments, shape: TreeShape) -> dict[str, Any]:
        tree, count = self.agent.tree, self.size
        return {"maximum": tree.best[:count].copy(), "prior": tree.h[:count].copy()}


@watcher_of.register
def watch_bias(agent: BiasAgent, emit: Emit | None = None) -> Watcher:
    return BiasWatcher(agent, emit)


class HybridWatcher(TreeWatcher):
    """Searches only where its machine leaves the decision to a search; bfs makes no walks."""

    method = "run"

    def __init__(self, agent: HybridAgent, emit: Emit | None = None) -> None:
        super().__init__(agent, emit)
        self.has_walks = agent.params.search != "bfs"

    @property
    def walk(self) -> np.record:
        record: np.record = self.agent.search
        return record

    def depth_of(self, line: Any) -> int:
        return len(self.actions_of(line))

    def actions_of(self, line: Any) -> list[int]:
        return list(self.agent.best_line()[0])

    def columns_of(self, given: Arguments, shape: TreeShape) -> dict[str, Any]:
        tree, count = self.agent.tree, self.size
        is_leaf = (tree.untried[:count] == 0) & (tree.child[:count] == NO_NODE).all(axis=1)
        terminal = np.full(count, None, object)
        terminal[is_leaf] = "deadly"
        terminal[shape.depth == int(self.walk.max_depth)] = "end"
        untried = BITS[tree.untried[:count].astype(np.int64)]
        return {"maximum": tree.best[:count].copy(), "terminal": terminal, "untried": untried}


@watcher_of.register
def watch_hybrid(agent: HybridAgent, emit: Emit | None = None) -> Watcher:
    return HybridWatcher(agent, emit)


class DuelWatcher(TreeWatcher):
    """A tree of two sides, which may have come along from the turn before: then its visits have, too."""

    @property
    def root(self) -> int:
        return int(self.walk.root)

    def line_nodes(self, line: Any) -> list[int]:
        return [node for _number, node in most_visited(self.agent.tree, self.root)]

    def first_name(self, number: int, player: int) -> str | None:
        if number == NO_ACTION:
            return None
        return ACTION_NAMES[action_in(self.agent.tree, self.walk, self.root, number, player)]

    def columns_of(self, given: Arguments, shape: TreeShape) -> dict[str, Any]:
        tree, count = self.agent.tree, self.size
        ours, theirs = sides_of(self.agent, given["player"])
        is_ours = tree.pending[:count] != NONE_PENDING
        side = np.ma.array(np.where(is_ours, ours[0], theirs[0]), mask=shape.depth <= 0)
        firsts = np.full(ACTIONS + 1, None, object)  # [number]
        for number in children_of(tree, self.root):
            firsts[number] = self.first_name(number, given["player"])
        untried = tree.untried[:count].astype(np.int64)
        return {
            "side": side,
            "action": self.actions_by(shape, is_ours, ours[0], theirs[0]),
            "mate_action": self.actions_by(shape, is_ours, ours[1], theirs[1])
            if self.walk.joint
            else np.full(count, None),
            "first_move": firsts[shape.first],
            "untried": np.ma.array(BITS[untried & ((1 << ACTIONS) - 1)], mask=untried == int(UNOPENED)),
            "terminal": self.terminals(ours[0], theirs[0]),
        }

    def actions_by(self, shape: TreeShape, is_ours: np.ndarray, own: int, other: int) -> np.ndarray:
        """What a player of either side does in the move that leads to each node."""
        tree, numbers = self.agent.tree, shape.number
        if self.walk.joint:
            known = np.flatnonzero(shape.parent != NO_NODE)
            players = np.where(is_ours[known], own, other)
            packed = tree.moves[shape.parent[known], numbers[known]].astype(np.int64)
            numbers = numbers.copy()
            numbers[known] = packed >> int(ACTION_BITS) * players & int(ACTION_MASK)
        names: np.ndarray = NAMES[numbers]
        return names

    def terminals(self, own: int, other: int) -> np.ndarray:
        players = self.agent.tree.states["players"][: self.size]
        found = np.full(self.size, None, object)
        found[self.agent.tree.states["turn"][: self.size] >= MAX_TURNS] = "end"
        if not self.walk.alone:
            found[players[:, other] == 0] = "rival dead"
        found[players[:, own] == 0] = "dead"
        return found


@watcher_of.register
def watch_duel(agent: DuelAgent, emit: Emit | None = None) -> Watcher:
    return DuelWatcher(agent, emit)
