"""The agent `beam`: decisions before the search, and passes of growing width.

On the clock a stall may come at any moment, so the most important stages come first:

    narrow      a first pass of the main search, with the others staying: a fraction of a millisecond
    models      which weights the others use; skipped if there is no time
    opponent    the others' plans, one stage each
    threats     which first moves hold against any reply; always at least one round
    last plan   the rest of the last turn's plan, replayed under these plans: a few microseconds
    own         passes of growing width

The main search decides, unless it got less than half as deep as the plan of the turn before (or, without one, as the
narrow pass), or that plan is worth more at the depth it got to. Nothing can stall a decision by nodes, so it has
neither a narrow pass nor a last plan. A beam of one pass (`start=0`) has no narrow one either.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from engine.cells import count_cells
from engine.game import Game
from engine.rules import ACTIONS, BOMB
from engine.state import MAX_TURNS, SLOT, SLOT_BITS
from engine.survival import is_survivable
from search.agent import Budget, Decision
from search.beam.layers import advance, begin
from search.beam.memory import GLOBAL_CUT, LOCAL_CUT, SEARCH, best_line, best_scores, make_layers, usual_parts
from search.beam.models import DEPTH, MODELS, NODES, OWN, WIDTH, Models, action_between
from search.beam.params import BeamParams
from search.beam.race import LEVEL, LOST, OPEN, WON, race_of
from search.clock import Stage, Timer, nodes_of, pass_name
from search.common.evaluate import make_weights
from search.common.first_moves import members
from search.common.planning import ALL_ROOTS, LAST_PLAN, Line, PlanningAgent, Plans, pack_plans
from search.common.threats import Threats
from search.memory import take_memory

FILL = 1.2  # a wider pass takes less than its share: its first layers don't fill up
LEAST_GROWTH = 1.3  # a pass that is hardly wider than the last is not worth its time
MOST_THREATS = 20_000  # nodes
MODEL_SHARE = 0.35  # of the budget, at most, for models; skipped where that is too little
NARROW = "narrow"  # the stage of the first pass on the clock
NARROW_WIDTH = 10
NARROW_SHARE = 0.1  # of the budget, at most
LEAST_TRAP = 0.05  # points below which traps aren't looked for

# Weights by the state of the race for boxes. Once it is lost, boxes count nothing: the last one would end the game.
NO_PLACE = {"centre": 0.0, "near_boxes": 0.0, "sum_boxes": 0.0}
BY_RACE: dict[int, dict[str, float]] = {
    OPEN: {},
    WON: {**NO_PLACE, "box": 0.0, "players": 0.3},
    LEVEL: {**NO_PLACE, "players": -0.3},
    LOST: {**NO_PLACE, "box": 0.0, "players": -0.3},
}
EQUIPMENT = ("range_5", "range_each", "bombs_2", "bombs_4", "bombs_each")  # weights of what items bring
ONLY_MOVES = (1 << BOMB) - 1  # no bombs

# Why a first move is left out although first move pruning allows it, as in explain's document.
ANSWERED, NOT_FORCED, NO_NEED = "has an answer", "no forced win", "boxes are decided"


def weights_by_race(params: BeamParams) -> dict[int, np.record]:
    return {race: make_weights(replace(params, **changes)) for race, changes in BY_RACE.items()}  # type: ignore[arg-type]


def is_allowed(actions: Sequence[int], roots: int) -> bool:
    """Whether a line begins with one of these first moves."""
    return bool(actions) and (roots == ALL_ROOTS or bool(roots >> actions[0] & 1))


def trap_points(first: float, decay: float) -> tuple[np.ndarray, int]:
    """A trap's points by turn, and how many turns ahead to look for traps."""
    points, factor, depth = np.zeros(MAX_TURNS + 1), 1.0, 0
    for turn in range(MAX_TURNS + 1):  # by products, not by a power: the same on any machine
        points[turn] = first * factor
        factor *= decay
        if turn and points[turn] > LEAST_TRAP:
            depth = turn
    return points, depth


class Passes:
    """The results of a stage's passes."""

    def __init__(self) -> None:
        self.widths: dict[int, int] = {}  # with their nodes
        self.order: list[int] = []  # of the widths
        self.lines: list[Line] = []

    def add(self, width: int, line: Line) -> None:
        self.widths[width] = self.widths.get(width, 0) + line.nodes
        self.order.append(width)
        self.lines.append(line)

    @property
    def nodes(self) -> int:
        return sum(self.widths.values())


@dataclass(frozen=True)
class SafetyNet:
    """A line from a small pass, to be followed if the main search finds less."""

    stage: str
    line: Line
    roots: int  # first moves that were allowed
    given: Sequence[int] = ()  # its first actions, if it was not free to choose them
    scores: Sequence[float] = ()  # by depth; none if they can't be compared with those of the main search

    def holds_more_than(self, own: Line) -> bool:
        """Whether the main search is less than half as deep, or finds less at the depth that it got to."""
        if 2 * own.depth < self.line.depth:
            return True
        return own.value is not None and own.depth <= len(self.scores) and self.scores[own.depth - 1] > own.value


class BeamAgent(PlanningAgent):
    params: BeamParams
    largest_piece = ACTIONS  # the children of one state

    def __init__(self, params: BeamParams) -> None:
        super().__init__(params)
        many = replace(params, early=max(params.early, params.early_many))
        self.weights_by_race = weights_by_race(params), weights_by_race(many)  # for two players, and for more
        self.has_many = False  # more than two players are alive
        self.race = OPEN
        self.models = Models()
        self.model = OWN  # whose weights a search uses
        self.threats = Threats(params.threats)
        self.filtered: dict[int, str] = {}  # first moves left out in addition to first move pruning, and why
        self.narrow: SafetyNet | None = None  # found by the narrow pass
        self.layers = make_layers(params.width, self.other_actions, params.horizon or MAX_TURNS)
        self.search = np.zeros(1, SEARCH)[0]
        self.search.has_local = params.lb
        self.search.drops_duplicates = params.zh
        self.search.checks_survival = params.sc
        self.search.unsurvivable = params.unsurvivable
        self.search.ends = params.ends
        self.search.trust = params.trust
        self.traps = trap_points(params.trap, params.trap_decay)
        self.hunting = trap_points(params.hunt, params.hunt_decay)

    @property
    def weights(self) -> np.record:
        """The weights in use."""
        own = self.weights_by_race[self.has_many][self.race]
        return own if self.model == OWN else self.models.weights[self.model]

    @property
    def horizon(self) -> int:
        """How many turns ahead to look now."""
        most = self.params.horizon_many if self.has_many else 0
        return min(self.params.horizon or MAX_TURNS, most or MAX_TURNS)

    def prediction_share(self, others: int) -> float:
        return self.params.op_share / others if self.params.op else 0.0

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.models.forget()

    def see(self, state: np.record, player: int) -> None:
        if self.params.op and self.params.models:
            self.models.see(state)

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.see(state, player)
        return super().decide(state, player, budget)

    def look_ahead(self, state: np.record, player: int, plans: Plans, roots: int) -> Line:
        """The best line from these first moves while the others follow these plans: one pass of full width, to its
        end. Its lines can be compared, whatever the others do, because it always uses the usual weights."""
        self.weigh_as_usual(state)
        pack_plans(plans, self.other_actions)
        return self.run_pass(state, player, roots, Timer(Budget()).stage("own", 1.0, 0), self.params.width, 0)

    def weigh_as_usual(self, state: np.record) -> None:
        self.race = OPEN
        self.has_many = int(np.count_nonzero(state.players)) > 2
        self.value_equipment(state)

    def value_equipment(self, state: np.record) -> None:
        """The worth of range and bombs: less as fewer boxes are left."""
        if self.params.phase:
            left = count_cells(state.boxes) / max(1, np.count_nonzero(state.players))
            share = min(1.0, left / self.params.phase)
            for weights in self.weights_by_race[self.has_many].values():
                for name in EQUIPMENT:
                    weights[name] = share * getattr(self.params, name)

    def warm_ups(self) -> dict[str, Callable[[], None]]:
        return {"layers": self.warm_decision, "threats": self.warm_threats}

    def warm_decision(self) -> None:
        super().warm_decision()
        state = Game.start(0, 2).state
        self.first_moves.use_kernels(state, self.map)
        action_between(state, state, 1)
        take_memory(usual_parts(self.layers))

    def warm_threats(self) -> None:
        game = Game.start(0, 3)
        game.state.players[1:] = game.state.players[0]  # near each other, as at no game's start
        for rivals in ([1], [1, 2]):
            self.threats.judge(game.state, game.map, 0, rivals, ALL_ROOTS, Timer(Budget(nodes=100)).stage("", 1.0, 0))

    # Predicting the others

    def predict(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> Plans:
        nodes = self.ask_models(player, timer, sum(stages.values()))
        if known := self.models.known:
            stages["models" if known == self.models.rounds else pass_name("models", known)] = nodes
        self.weigh_as_usual(state)
        return super().predict(state, player, timer, stages)

    def ask_models(self, player: int, timer: Timer, spent_nodes: int) -> int:
        """Compare the others' moves with the models' choices, as far as time allows; returns the nodes that it
        took: those of the last round where no clock runs."""
        nodes, stage = 0, timer.stage("models", MODEL_SHARE, spent_nodes)
        pack_plans({}, self.other_actions)
        while self.models.known < self.rounds_to_know(timer, stage):
            if not stage.has_time_for(NODES * len(MODELS), spent_nodes + nodes):
                break
            before, after = self.models.turns[self.models.known : self.models.known + 2]
            asked, is_done = self.ask_about_round(before, after, player, stage, spent_nodes + nodes)
            nodes = asked + (nodes if timer.is_running else 0)
            if not is_done:
                break
            self.models.known += 1
        return nodes if timer.recorded is None else nodes_of(timer.recorded, "models")

    def rounds_to_know(self, timer: Timer, stage: Stage) -> int:
        """How many rounds of this game to compare with the models, in a game of two: all, unless there are too
        few nodes for one or the record has fewer."""
        if timer.recorded is not None:
            known = stage.recorded[0][0] if stage.recorded else MAX_TURNS if "models" in timer.recorded else 0
            return min(self.models.rounds, known)
        is_asked = self.models.others == 1 and stage.limit >= NODES * len(MODELS)
        return self.models.rounds if is_asked else 0

    def ask_about_round(
        self, before: np.record, after: np.record, player: int, stage: Stage, spent_nodes: int
    ) -> tuple[int, bool]:
        """Ask the models about all others that are alive on both turns; returns the nodes that it took, and
        False if time ran out: then nothing is learnt."""
        nodes = 0
        if after.turn == before.turn + 1:
            self.weigh_as_usual(before)
            for other in self.living_others(after, player):
                if before.players[other]:
                    action = int(action_between(before, after, other))
                    asked, answers = self.ask_about(before, other, action, stage, spent_nodes + nodes)
                    nodes += asked
                    if len(answers) < len(MODELS):
                        return nodes, False
                    self.models.add(other, answers)
        return nodes, True

    def ask_about(
        self, state: np.record, other: int, action: int, stage: Stage, spent_nodes: int
    ) -> tuple[int, dict[str, bool]]:
        """Ask each model whether it would have done the same in another player's place; returns the nodes that
        it took, and the answers that there was time for."""
        nodes, roots = 0, self.roots_of_other(state, other)
        answers: dict[str, bool] = {}
        for name in MODELS:
            if answers and not stage.has_time_for(NODES, spent_nodes + nodes):
                break
            self.model = name
            line = self.run_pass(state, other, roots, Timer(Budget()).stage("models", 1.0, 0), WIDTH, 0, DEPTH)
            answers[name] = line.actions[:1] == [action]
            nodes += line.nodes
        self.model = OWN
        return nodes, answers

    def plan_for(self, state: np.record, other: int, roots: int, stage: Stage) -> Line:
        self.model = self.models.best_for(other)
        line = self.plan(state, other, roots, stage)
        self.model = OWN
        return line

    # Before the search

    def look_first(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> None:
        self.narrow = None
        if self.params.start and timer.has(NARROW):
            self.weigh_as_usual(state)
            self.judge_race(state, player)
            pack_plans({}, self.other_actions)
            roots = self.pruned_roots(state, player, self.living_rivals(state, player))
            line = self.run_pass(state, player, roots, timer.stage(NARROW, NARROW_SHARE, 0), NARROW_WIDTH, 0)
            self.narrow = SafetyNet(NARROW, line, roots)
            stages[NARROW] = line.nodes

    def judge_race(self, state: np.record, player: int) -> None:
        is_judged = self.params.settled and not self.mates  # with a teammate, other boxes decide too
        self.race = race_of(state, self.map, player, self.living_rivals(state, player)) if is_judged else OPEN

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        rivals = self.living_rivals(state, player)
        self.judge_race(state, player)
        self.filtered = {}
        roots = self.pruned_roots(state, player, rivals)
        if self.params.threats and rivals:
            stage = timer.stage("threats", self.params.threat_share, sum(stages.values()), MOST_THREATS)
            self.threats.is_alone = not self.mates
            judged = self.threats.judge(state, self.map, player, rivals, roots, stage)
            stages["threats"] = judged.nodes
            if judged.winning:
                return self.keep(judged.safe, roots | judged.winning, NOT_FORCED)
            roots = self.keep(judged.safe, roots, ANSWERED)
        if self.race == WON and roots & ONLY_MOVES:
            roots = self.keep(roots & ONLY_MOVES, roots, NO_NEED)
        return roots

    def safe_moves(self, state: np.record, player: int, roots: int) -> list[int]:
        return members(roots) or super().safe_moves(state, player, roots)  # to die on purpose is allowed too

    def pruned_roots(self, state: np.record, player: int, rivals: list[int]) -> int:
        """First move pruning; leaves kills of one opponent among many to the threats, which know the risk."""
        if not self.params.fmp:
            return ALL_ROOTS
        if self.params.kills and not (self.params.threats and len(rivals) > 1):
            roots = self.first_moves.allowed(state, self.map, player, rivals, is_alone=not self.mates)
        else:
            roots = self.first_moves.survivable(state, self.map, player)
        if self.params.caution and roots:
            lost = self.threats.lost_to_all(state, self.map, player, rivals, roots)
            roots = self.keep(roots & ~lost or roots, roots, ANSWERED)
        return roots

    def keep(self, chosen: int, roots: int, reason: str) -> int:
        """Leave out all first moves but the chosen ones."""
        self.filtered |= dict.fromkeys(members(roots & ~chosen), reason)
        return chosen

    def roots_of_other(self, state: np.record, other: int) -> int:
        return self.first_moves.survivable(state, self.map, other) if self.params.fmp else ALL_ROOTS

    # The search

    def plan_own(self, state: np.record, player: int, roots: int, timer: Timer, stages: dict[str, int]) -> Line:
        net = self.follow_last_plan(state, player, roots, timer, stages)
        if net is None and self.narrow is not None and is_allowed(self.narrow.line.actions, roots):
            net = self.narrow
        own = self.search_own(state, player, roots, timer, stages)
        if net is None or not net.holds_more_than(own):
            return self.survive(state, player, roots, own)
        self.thinking.decided_by = net.stage
        if net.stage == NARROW:  # it knew neither the others' plans nor their replies
            self.thinking.plans, self.thinking.roots = {}, net.roots
            pack_plans({}, self.other_actions)
        if not timer.is_running:  # leave the memory of the line that is played
            stage = timer.stage(net.stage, 1.0, 0).upto(net.line.nodes)
            self.run_pass(state, player, net.roots, stage, NARROW_WIDTH, 0, net.line.depth, net.given)
        return net.line

    def follow_last_plan(
        self, state: np.record, player: int, roots: int, timer: Timer, stages: dict[str, int]
    ) -> SafetyNet | None:
        """Replay the plan of the turn before under today's predictions; None if there is none, or it can no
        longer be survived. Where passes have a depth, it continues to the same, so that scores can be compared."""
        given = self.last_plan(state)[: self.horizon]
        if not (timer.has(LAST_PLAN) and is_allowed(given, roots)):
            return None
        is_compared = self.params.start > 0
        stage, depth = Timer(Budget()).stage(LAST_PLAN, 1.0, 0), MAX_TURNS if is_compared else len(given)
        line = self.run_pass(state, player, roots, stage, NARROW_WIDTH, 0, depth, given)
        stages[LAST_PLAN] = line.nodes
        end = self.layers.states[line.depth & 1, 0]
        if not line.depth or not is_survivable(end, self.map, player):
            return None
        scores = best_scores(self.layers, line.depth) if is_compared else ()
        return SafetyNet(LAST_PLAN, line, roots, given, scores)

    def has_hardly_begun(self, line: Line) -> bool:
        return super().has_hardly_begun(line) and not self.search.finished

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        if stage.recorded:
            return self.repeat(state, player, roots, stage)
        if not self.params.start:
            return self.run_pass(state, player, roots, stage, self.params.width, 0)
        return self.widen(state, player, roots, stage)

    def widen(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Passes of growing width, as long as the budget allows another."""
        width, passes = min(self.params.start, self.params.width), Passes()
        while True:
            before, since = passes.nodes, stage.timer.clock()
            passes.add(width, self.run_pass(state, player, roots, stage, width, before))
            wider = min(self.params.width, int(width * FILL * stage.repeats_left(passes.nodes, before, since)))
            if not self.search.finished or not self.was_cut() or wider < LEAST_GROWTH * width:
                return self.choose(state, player, roots, stage, passes)
            width = wider

    def repeat(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """The passes of a decision on record."""
        passes = Passes()
        for recorded, nodes in stage.recorded or []:
            width = max(1, min(recorded, self.params.width))  # a record may hold anything
            passes.add(width, self.run_pass(state, player, roots, stage.upto(nodes), width, 0))
        return self.choose(state, player, roots, stage, passes)

    def choose(self, state: np.record, player: int, roots: int, stage: Stage, passes: Passes) -> Line:
        """The line of the widest pass, or of the one before if it found none.

        It then repeats that pass, so that the memory belongs to the line, unless time is up.
        """
        *earlier, last = passes.lines
        if earlier and last.depth < earlier[-1].depth // 2:
            last = earlier[-1]
            if stage.end is None:
                self.run_pass(state, player, roots, stage.upto(last.nodes), passes.order[-2], 0)
        return replace(last, nodes=passes.nodes, passes=passes.widths)

    def was_cut(self) -> bool:
        """Whether the last pass had to leave anything out."""
        return bool(self.layers.counters[1 : int(self.search.depth) + 1, [LOCAL_CUT, GLOBAL_CUT]].any())

    def run_pass(
        self,
        state: np.record,
        player: int,
        roots: int,
        stage: Stage,
        width: int,
        before: int,
        depth: int = MAX_TURNS,
        given: Sequence[int] = (),
    ) -> Line:
        """One search with layers of this width, no more than so many, after so many nodes of the stage. `given` are
        actions to begin with."""
        search, layers = self.search, self.layers
        self.set_up(state, player, width, depth)
        search.given, search.line[: len(given)] = len(given), given
        begin(layers, search, state, self.map, self.weights, np.uint64(roots))
        while not search.finished and (limit := stage.next_limit(before + int(search.nodes))) is not None:
            advance(layers, search, self.map, self.weights, limit - before)
        depth = int(search.depth)
        value = float(layers.score[depth, 0]) if depth else None
        return Line(best_line(layers, depth), value, depth, int(search.nodes))

    def set_up(self, state: np.record, player: int, width: int, depth: int = MAX_TURNS) -> None:
        """Set for which player, how widely and how far to search."""
        search = self.search
        mates = self.mates if player == self.player else ()
        search.player = player
        search.mates = reduce(lambda bits, mate: bits | 1 << mate, mates, 0)
        self.weights.mates = sum(int(SLOT) << int(SLOT_BITS) * mate for mate in mates)
        search.width = min(width, self.params.width)  # there is memory for no more
        search.local = max(self.params.local, int(self.params.crowd * search.width))
        search.max_depth = max(0, min(depth, self.horizon, MAX_TURNS - int(state.turn)))
        search.given = 0
        if self.model == OWN:
            search.trap[:], search.trap_depth = self.hunting if self.race == LOST else self.traps
            rivals = [other for other in self.living_others(state, player) if other not in mates]
            self.weights.rivals = self.params.rivals / max(1, len(rivals))
        else:
            search.trap_depth = 0  # public bots ignore traps and others' gains
