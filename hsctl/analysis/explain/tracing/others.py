"""Rows of all other agents: evolution, alpha-beta, queues, and those that weigh candidates.

Evolution goes on one individual at a time. Whom it bred from whom it doesn't keep, so breeding is done again in plain
Python, from the same random number; the genes must come out the same.

Alpha-beta and seeker are searched a second time piece by piece, with the kernels that the search is made of.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.board import X_OF, Y_OF
from engine.rules import ACTION_NAMES, ACTIONS
from engine.state import BYTE
from hsctl.analysis.explain.panels.basic import terms_after
from hsctl.analysis.explain.tracing.rows import (
    AlphaBetaRow,
    CandidateRow,
    GenomeRow,
    OwnRow,
    PassCount,
    RowBatch,
    batch_of,
    row_of,
)
from hsctl.analysis.explain.tracing.watch import Arguments, Emit, Slices, Watcher, watcher_of
from hsctl.match.user_agents.agent import UserAgent
from hsctl.match.user_agents.base import FIRST_MOVES
from search.agent import Decision
from search.common.planning import Line
from search.negamax.agent import NegamaxAgent
from search.negamax.deepen import NO_ACTION
from search.negamax.deepen import advance_once as advance_negamax
from search.negamax.deepen import begin as begin_negamax
from search.osla.agent import OslaAgent
from search.pommer.agent import PommerAgent, View, first_cell, look, neighbours
from search.rhea.agent import RheaAgent
from search.rhea.evolution import CHANCE
from search.seeker.agent import SeekerAgent, drop_walking
from search.seeker.plans import advance_once as advance_seeking
from search.seeker.plans import begin as begin_seeking
from search.simple.agent import NO_VALUE, SimpleAgent

CHUNK = 1 << 14  # rows
WORD = (1 << 64) - 1
RESERVED = ("record", "section")  # columns that rows of a user's agent can't have: theirs get a _


class RowBuffer:
    """Rows that come one by one, handed out in batches."""

    def __init__(self, emit: Emit | None) -> None:
        self.emit = emit
        self.rows: list[Any] = []

    def add(self, row: Any) -> None:
        self.rows.append(row)
        if len(self.rows) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        if self.rows and self.emit is not None:
            self.emit(batch_of(self.rows))
        self.rows = []


def names_of(actions: Any) -> list[str]:
    return [ACTION_NAMES[int(action)] for action in actions]


def name_of(action: int) -> str | None:
    return None if action == NO_ACTION else ACTION_NAMES[action]


# rhea


class RheaWatcher(Watcher):
    """Follows an evolution, individual by individual."""

    agent: RheaAgent
    method = "plan"
    kinds = (GenomeRow,)

    def count(self, given: Arguments, line: Line) -> PassCount:
        evolution, pool = self.agent.evolution, self.agent.pool
        generation, at, parents = int(evolution.generation), int(evolution.next), int(evolution.population)
        children = pool.order.size - parents
        tried = [at] if not generation else [parents, *[children] * (generation - 1), at - parents]
        layers = [{"depth": depth, "tried": count} for depth, count in enumerate(tried)]
        return self.counted(given, line, totals={"nodes": line.nodes, "tried": sum(tried)}, layers=layers)

    def record(self, original: Callable[..., Line], given: Arguments) -> Line:
        recorder = GenerationRecorder(self, given)
        line = original(**{**given, "stage": Slices(given["stage"], recorder.next_step)})
        recorder.next_step(0)
        recorder.rows.flush()
        if given["stage"].name == "own":
            self.best = recorder.nodes[int(self.agent.pool.fitness.argmax())] if line.actions else None
        return line


class GenerationRecorder:
    """The individuals of one evolution as they are tried."""

    def __init__(self, watcher: RheaWatcher, given: Arguments) -> None:
        self.watcher, self.pool, self.evolution = watcher, watcher.agent.pool, watcher.agent.evolution
        self.stage, self.player = given["stage"].name, given["player"]
        self.rows = RowBuffer(watcher.emit)
        self.nodes: dict[int, int] = {}  # place in memory -> node of who is there
        self.bred: dict[int, tuple[int, int, int]] = {}  # place -> mother, father (nodes), genes mutated
        self.tried = 0
        self.spent = 0
        self.generation = 0
        self.random = 0
        self.fittest = -np.inf

    def next_step(self, _nodes: int) -> int:
        """An individual was tried, or none yet."""
        evolution = self.evolution
        if int(evolution.nodes) > self.spent:
            if int(evolution.generation) != self.generation:
                self.breed_again()
            self.note(int(self.pool.order[int(evolution.next) - 1]))
        self.spent, self.random = int(evolution.nodes), int(evolution.random)
        return 1

    def note(self, at: int) -> None:
        pool, node = self.pool, self.watcher.new_node()
        mother, father, mutated = self.bred.get(at, (None, None, 0))
        fitness, done = float(pool.fitness[at]), names_of(pool.done[at, : pool.length[at]])
        is_random = mother is None
        self.rows.add(
            GenomeRow(
                stage=self.stage,
                pass_=len(self.watcher.passes),
                player=self.player,
                node=node,
                generation=int(self.evolution.generation),
                individual=at,
                operator="random" if is_random else "crossover+mutation" if mutated else "crossover",
                mother=mother,
                father=father,
                mutated=mutated,
                genes=names_of(pool.genes[at, : int(self.evolution.max_length)]),
                done=done,
                first_move=done[0] if done else None,
                fitness=fitness,
                nodes=int(self.evolution.nodes) - self.spent,
                best=fitness > self.fittest,
            )
        )
        self.nodes[at] = node
        self.fittest = max(self.fittest, fitness)

    def breed_again(self) -> None:
        """Whom the new children come from: the parents are the first in the order, unchanged since then."""
        self.generation = int(self.evolution.generation)
        pool, parents, length = self.pool, int(self.evolution.population), int(self.evolution.max_length)
        order, self.bred = pool.order.tolist(), {}
        fitness = [float(pool.fitness[at]) for at in order[:parents]]
        chance = Xorshift(self.random)
        for at in order[parents:]:
            mother, father = (order[draw(chance, fitness)] for _ in range(2))
            genes, mutated = self.cross(chance, mother, father, length)
            assert genes == pool.genes[at, :length].tolist(), "an individual that was bred again came out otherwise"
            self.bred[at] = self.nodes[mother], self.nodes[father], mutated

    def cross(self, chance: "Xorshift", mother: int, father: int, length: int) -> tuple[list[int], int]:
        """`make_child` of rhea/evolution.py: the genes, and how many are new."""
        genes, mutated = [], 0
        cut = chance.below(length)
        for gene in range(length):
            random = chance.next()
            takes_mother = random & 1 == 0 if self.evolution.is_uniform else gene <= cut
            genes.append(int(self.pool.genes[mother if takes_mother else father, gene]))
            if chance.below(int(CHANCE)) < int(self.evolution.mutation):
                genes[-1] = chance.below(ACTIONS)
                mutated += 1
        return genes, mutated


class Xorshift:
    """The random numbers of engine/random.py, in plain Python."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        state = self.state
        state ^= state << 13 & WORD
        state ^= state >> 7
        state ^= state << 17 & WORD
        self.state = state
        return state

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32


def draw(chance: Xorshift, fitness: Sequence[float]) -> int:
    """`draw_parent` of rhea/evolution.py: a place in the order."""
    lowest = min(fitness)
    total = 0.0
    for each in fitness:
        total += each - lowest
    left = float(chance.below(int(CHANCE))) / float(CHANCE) * total
    for place, each in enumerate(fitness):
        left -= each - lowest
        if left < 0.0:
            return place
    return 0


@watcher_of.register
def watch_rhea(agent: RheaAgent, emit: Emit | None = None) -> Watcher:
    return RheaWatcher(agent, emit)


# negamax


class NegamaxWatcher(Watcher):
    """Follows an alpha-beta search, which is made a second time."""

    agent: NegamaxAgent
    method = "plan"
    kinds = (AlphaBetaRow,)

    def follow(self, original: Callable[..., Line], given: Arguments) -> Line:
        line = original(**given)
        if line.nodes:  # else a rule decided
            if self.emit is not None:
                PlyRecorder(self, given, line).run()
            self.passes.append(self.count(given, line))
        return line

    def count(self, given: Arguments, line: Line) -> PassCount:
        logs = self.agent.stack.iterations[: int(self.agent.search.iteration) + 1]
        names = ("nodes", "hits", "cutoffs", "first_cutoffs")
        layers = [{"depth": at, **{name: int(log[name]) for name in names}} for at, log in enumerate(logs)]
        return self.counted(given, line, totals={"nodes": line.nodes}, layers=layers)


class OpenPly:
    """A node whose replies are tried."""

    def __init__(self, node: int, parent: int | None, first_move: str | None) -> None:
        self.node, self.parent, self.first_move = node, parent, first_move
        self.action = NO_ACTION
        self.window = (-np.inf, np.inf)
        self.stepped = self.cutoff = self.first_cutoff = False
        self.line: list[int] = []  # nodes of the best line from here


class PlyRecorder:
    """Makes the search once more, piece by piece."""

    def __init__(self, watcher: NegamaxWatcher, given: Arguments, line: Line) -> None:
        self.watcher, self.agent, self.line = watcher, watcher.agent, line
        self.stack, self.search = self.agent.stack, self.agent.search
        self.plies, self.logs = self.stack.plies, self.stack.iterations
        self.stage, self.player, self.state = given["stage"].name, given["player"], given["state"]
        self.rows = RowBuffer(watcher.emit)
        self.open: list[OpenPly] = []
        self.best_line: list[int] = []

    def run(self) -> None:
        search, evaluation, agent = self.search, self.agent.evaluation, self.agent
        was_finished, found = bool(search.finished), float(search.found_value)
        begin_negamax(self.stack, search, self.state, agent.params.depth)
        self.begin_deepening()
        while not search.finished and (was_finished or int(search.nodes) < self.line.nodes):
            self.go_on(evaluation)
        while self.open:
            self.note_closed(None, "unfinished")
        self.rows.flush()
        is_same = int(search.nodes) == self.line.nodes and float(search.found_value) == found
        assert is_same, "a search that was made again came out otherwise"
        self.watcher.best = self.best_line[-1] if self.best_line else None

    def begin_deepening(self) -> None:
        self.open = [OpenPly(self.watcher.new_node(), None, None)]
        self.deepening = int(self.search.iteration)

    def go_on(self, evaluation: Any) -> None:
        """One piece of the search, and what it did."""
        search, at = self.search, int(self.search.ply)
        log = self.logs[self.deepening]
        before = int(search.nodes), int(log["hits"]), int(log["cutoffs"]), int(log["first_cutoffs"])
        is_closing = not search.is_new and int(self.plies["cursor"][at]) == int(self.plies["count"][at])
        is_known, value = advance_negamax(self.stack, search, self.agent.map, evaluation.pair, evaluation.weights)
        stepped, hits = int(search.nodes) > before[0], int(log["hits"]) > before[1]
        if is_closing and at == 0:
            self.note_closed(float(self.plies["value"][0]), self.kind_of(0))
            if not search.finished:
                self.begin_deepening()
            return
        if is_closing:
            child = self.note_closed(-float(value), self.kind_of(at))
        else:
            child = self.reach(at, stepped)
            if not is_known:
                return
            kind = "table" if hits else "leaf" if at + 1 == int(search.depth) else "over"
            self.note_closed(-float(value), kind)
        above = self.open[-1]
        if int(self.plies["action"][len(self.open) - 1]) == child.action:
            above.line = [child.node, *child.line]
            if above.parent is None:
                self.best_line = above.line
        above.cutoff |= int(log["cutoffs"]) > before[2]
        above.first_cutoff |= int(log["first_cutoffs"]) > before[3]

    def reach(self, at: int, stepped: bool) -> OpenPly:
        """An action of the ply was begun."""
        above, action = self.open[-1], int(self.plies["trying"][at])
        child = OpenPly(self.watcher.new_node(), above.node, above.first_move or ACTION_NAMES[action])
        child.action, child.stepped = action, stepped
        child.window = float(self.plies["alpha"][at + 1]), float(self.plies["beta"][at + 1])
        self.open.append(child)
        return child

    def kind_of(self, at: int) -> str:
        """How sure the value of a ply is that was left just now."""
        ply = self.plies[at]
        if ply["value"] >= ply["beta"]:
            return "at least"
        return "at most" if ply["value"] <= ply["first_alpha"] else "exact"

    def note_closed(self, value: float | None, kind: str) -> OpenPly:
        """The last open ply is done; `value` is that of the side that moved into it."""
        ply, depth = self.open.pop(), len(self.open)
        rival = int(self.agent.evaluation.pair.rival)  # an empty seat if nobody else lives
        is_inner = kind not in ("table", "leaf", "over")
        reply = int(self.plies["action"][depth]) if is_inner and not self.is_fresh(depth) else NO_ACTION
        alpha, beta = (bound if np.isfinite(bound) else None for bound in ply.window)
        self.rows.add(
            AlphaBetaRow(
                stage=self.stage,
                pass_=len(self.watcher.passes),
                player=self.player,
                node=ply.node,
                parent=ply.parent,
                deepening=self.deepening,
                depth=depth,
                side=None if depth == 0 else self.player if depth % 2 else rival,
                action=name_of(ply.action),
                first_move=ply.first_move,
                alpha=alpha,
                beta=beta,
                value=value,
                best_reply=name_of(reply),
                kind=kind,
                cutoff=ply.cutoff,
                first_cutoff=ply.first_cutoff,
                stepped=ply.stepped,
            )
        )
        return ply

    def is_fresh(self, depth: int) -> bool:
        """Whether the ply was reached, and nothing tried there yet."""
        return bool(self.search.is_new) and depth == int(self.search.ply)


@watcher_of.register
def watch_negamax(agent: NegamaxAgent, emit: Emit | None = None) -> Watcher:
    return NegamaxWatcher(agent, emit)


# Candidates


class CandidateWatcher(Watcher):
    """For agents that weigh candidates, once; `candidates` finds them after the decision."""

    agent: Any
    kinds = (CandidateRow,)

    def finish(self, state: np.record, player: int, decision: Decision) -> None:
        rows = self.candidates(state, player, decision)
        self.best = next(row.node for row in rows if row.best)
        plan, totals = list(decision.plan), {"candidates": self.weighed(decision)}
        self.passes.append(PassCount(0, "own", player, decision.nodes, decision.depth, plan, totals=totals))
        if self.emit is not None:
            self.emit(batch_of(rows))

    def weighed(self, decision: Decision) -> int:
        """How many, as the agent counts."""
        return decision.nodes

    def candidates(self, state: np.record, player: int, decision: Decision) -> list[CandidateRow]:
        raise NotImplementedError

    def row(self, player: int, action: int | None, **values: Any) -> CandidateRow:
        name = None if action is None else ACTION_NAMES[action]
        fixed = {"stage": "own", "pass_": 0, "player": player, "depth": 1, "action": name, "first_move": name}
        return row_of(CandidateRow, **{"node": self.new_node(), "nodes": 1, "best": False, **fixed, **values})


class OslaWatcher(CandidateWatcher):
    def candidates(self, state: np.record, player: int, decision: Decision) -> list[CandidateRow]:
        agent = self.agent
        return [
            self.row(
                player,
                action,
                score=agent.value_after(state, player, action),
                terms=terms_after(agent, state, player, action),
                best=action == decision.action,
            )
            for action in agent.first_moves.legal(state, player)[: decision.nodes]
        ]


SIMPLE_VERDICTS = {NO_VALUE / 2: "deadly", NO_VALUE / 4: "a bomb for nothing"}


class SimpleWatcher(CandidateWatcher):
    def candidates(self, state: np.record, player: int, decision: Decision) -> list[CandidateRow]:
        values = enumerate(self.agent.values.tolist())
        return [
            self.row(player, action, score=value, verdict=SIMPLE_VERDICTS.get(value), best=action == decision.action)
            for action, value in values
            if value != NO_VALUE
        ]


class PommerWatcher(CandidateWatcher):
    """The rules of pommer in order, up to the one that decides."""

    counted_only = ("nothing: pommer has rules and no scores",)

    def weighed(self, decision: Decision) -> int:
        return self.asked

    def candidates(self, state: np.record, player: int, decision: Decision) -> list[CandidateRow]:
        agent = self.agent
        view, rows = look(state, player, agent.mates, agent.params), []
        for rule, applies, goal in rules_of(view, agent.params):
            found = {"what": rule, "verdict": "decides" if applies else "does not apply", "nodes": 0, "best": applies}
            x, y = goal or (None, None)
            rows.append(self.row(player, decision.action if applies else None, x=x, y=y, **found))
            if applies:
                break
        self.asked = len(rows)
        return rows


def rules_of(view: View, params: Any) -> "list[tuple[str, bool, tuple[int, int] | None]]":
    """The rules of search/pommer: what each is, whether it applies, and the goal it found; `choose` goes by them."""
    beside = {to for _move, to in neighbours(view.me.cell)} | {view.me.cell}
    places = {to for box in view.boxes for _move, to in neighbours(box) if to in view.free}
    rival, item = view.nearest(view.rivals, params.rival), view.nearest(view.items, params.item)
    place = view.nearest(places, params.box - 1) if view.me.bombs_left else None

    def is_open(goal: tuple[int, int] | None) -> bool:
        return goal is not None and not view.is_in_line(first_cell(view, goal))

    return [
        ("in line of a bomb", view.is_in_line(view.me.cell), None),
        ("a rival one step away", bool(view.rivals & beside) and view.can_bomb(), None),
        ("a rival near", is_open(rival), rival),
        ("an item near", is_open(item), item),
        ("a box beside", bool(view.boxes & beside) and view.can_bomb(), None),
        ("a box near", is_open(place), place),
        ("any step", True, None),
    ]


@watcher_of.register
def watch_osla(agent: OslaAgent, emit: Emit | None = None) -> Watcher:
    return OslaWatcher(agent, emit)


@watcher_of.register
def watch_simple(agent: SimpleAgent, emit: Emit | None = None) -> Watcher:
    return SimpleWatcher(agent, emit)


@watcher_of.register
def watch_pommer(agent: PommerAgent, emit: Emit | None = None) -> Watcher:
    return PommerWatcher(agent, emit)


class SeekerWatcher(Watcher):
    """Follows seeker from goal to goal; the search is made a second time."""

    agent: SeekerAgent
    method = "plan"
    kinds = (CandidateRow,)
    counted_only = ("positions that A* looks at are counted in `nodes` of the goal they lead to",)

    def count(self, given: Arguments, line: Line) -> PassCount:
        return self.counted(given, line, totals={"nodes": line.nodes})

    def record(self, original: Callable[..., Line], given: Arguments) -> Line:
        line = original(**given)
        agent, seeking, plans = self.agent, self.agent.seeking, self.agent.plans
        was_finished, rows = bool(seeking.finished), RowBuffer(self.emit)
        begin_seeking(plans, seeking, given["state"], agent.map, agent.worth, np.uint64(given["roots"]))
        levels: list[int | None] = [None]  # nodes of the goals on the way
        while not seeking.finished and (was_finished or int(seeking.nodes) < line.nodes):
            level = int(seeking.level)
            tried, spent, best = int(plans.goals.tried[level]), int(seeking.nodes), float(seeking.best_value)
            branch = int(seeking.branch)
            advance_seeking(plans, seeking, agent.map, agent.worth)
            if int(plans.goals.tried[level]) != tried + 1:
                continue  # back to the level above
            is_reached = int(seeking.level) == level + 1
            row = self.goal_row(given, level, tried, is_reached)
            row.parent, row.nodes, row.terms["branch"] = levels[level], int(seeking.nodes) - spent, float(branch)
            if is_reached:
                levels[level + 1 :] = [row.node]
            if float(seeking.best_value) > best:
                row.best, self.best = True, row.node
            rows.add(row)
        rows.flush()
        assert int(seeking.nodes) == line.nodes, "a search that was made again came out otherwise"
        return line

    def goal_row(self, given: Arguments, level: int, at: int, is_reached: bool) -> Any:
        plans = self.agent.plans
        goals, cell = plans.goals, int(plans.goals.cell[level, at]) & int(BYTE)
        actions = plans.line[: int(plans.rounds[level + 1])].tolist() if is_reached else []
        played = names_of(drop_walking(actions, given["roots"]))
        return row_of(
            CandidateRow,
            stage=given["stage"].name,
            pass_=len(self.passes),
            player=given["player"],
            node=self.new_node(),
            depth=level + 1,
            first_move=played[0] if played else None,
            x=int(X_OF[cell]),
            y=int(Y_OF[cell]),
            score=float(plans.value[level + 1]) if is_reached else None,
            verdict="reached" if is_reached else "no way",
            what="bomb" if goals.drops[level, at] else "item",
            terms={"worth": float(goals.worth[level, at]), "promise": float(goals.promise[level, at])},
            line=played or None,
            nodes=0,
            best=False,
        )


@watcher_of.register
def watch_seeker(agent: SeekerAgent, emit: Emit | None = None) -> Watcher:
    return SeekerWatcher(agent, emit)


# Agents of the user's own


class OwnWatcher(Watcher):
    """Whatever lists of dicts the agent's `trace()` gives."""

    agent: UserAgent
    kinds = (OwnRow,)

    def finish(self, state: np.record, player: int, decision: Decision) -> None:
        if self.emit is None:
            return
        said = self.agent.trace()
        rows = [
            {"section": title, **{f"{name}_" if name in RESERVED else name: value for name, value in row.items()}}
            for title, below in said.items()
            if title != FIRST_MOVES and isinstance(below, list)
            for row in below
            if isinstance(row, dict)
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        if rows:
            self.emit(RowBatch(OwnRow, {name: [row.get(name) for row in rows] for name in names}))


@watcher_of.register
def watch_own(agent: UserAgent, emit: Emit | None = None) -> Watcher:
    return OwnWatcher(agent, emit)
