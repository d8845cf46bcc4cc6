"""What a search leaves behind says what the search did: sums, terms, rules, and where a line fell."""

import random
from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest

from engine.board import LEFT, RIGHT, STAY, UP
from engine.rules import BOMB
from hsctl.explain.read.rerun import NOWHERE, Rerun
from hsctl.explain.read.trace import Root, Step, Trace, Unfinished, Value, trace_decision
from hsctl.explain.read.why_not import (
    CHOSEN,
    DEAD,
    GLOBAL_CUT,
    ILLEGAL,
    LOCAL_CUT,
    OUTSCORED,
    PRUNED,
    UNSEARCHED,
    Fate,
    WhyNot,
    why_not,
)
from search.agent import Budget, Decision
from search.beam.agent import BeamAgent
from search.beam.memory import FEWEST_SEEN, make_layers
from tests.search.beam.beams import beam_agent
from tests.search.positions import Position, agent, decide, drawn, legal, random_positions
from tests.search.test_positions import KILL, MINE, ONE_ESCAPE, SACRIFICE

BEAMS = ("beam", "beam:width=30,local=3", "beam:width=25,lb=0,zh=0", "beam:width=7,fmp=0,op=0", "beam:zh")
EXACT = 1e-9

ROOM = """
    ..0..
    .X.X.
    1...2
    0 0 0 0 1 3
    0 1 12 10 1 3
    """


def traced(spec: str, position: Position, nodes: int) -> tuple[Decision, Trace]:
    decision = decide(agent(spec), position, Budget(nodes=nodes))
    return decision, trace_decision(agent(spec), position.state, position.player, decision)


def root_of(spec: str, position: Position, action: int, nodes: int = 500) -> Root:
    return traced(spec, position, nodes)[1].roots[action]


# Sums


@pytest.mark.parametrize("spec", BEAMS)
def test_whatever_is_generated_in_a_layer_is_accounted_for(spec):
    for position in random_positions(40):
        for nodes in (1, 60, 3000):
            decision, trace = traced(spec, position, nodes)
            for layer in trace.layers:
                fallen = layer.duplicates + layer.dead + layer.unsurvivable + layer.local_cut + layer.global_cut
                assert layer.generated == fallen + layer.kept
            assert [layer.depth for layer in trace.layers if layer.kept] == list(range(1, decision.depth + 1))


@pytest.mark.parametrize("spec", BEAMS)
def test_every_kept_state_descends_from_a_first_move(spec):
    for position in random_positions(20, seed=1):
        _, trace = traced(spec, position, 2000)
        for at, layer in enumerate(trace.layers):
            states = [root.states[at] for root in trace.roots if at < len(root.states)]
            assert sum(states) == layer.kept


@pytest.mark.parametrize("spec", [*BEAMS, "rhea", "osla"])
def test_the_terms_of_a_value_sum_up_to_it(spec):
    seen = 0
    for position in random_positions(40, seed=2):
        decision, trace = traced(spec, position, 1500)
        values: list[Value | Step] = [root.best for root in trace.roots if root.best]
        for valued in values + [step for step in trace.line if step.terms]:
            assert sum(valued.terms.values()) == pytest.approx(valued.value, abs=EXACT)
            seen += 1
        if decision.depth:
            best = trace.roots[decision.action].best
            assert best is not None and best.value == decision.value
    assert seen > 100


def test_the_punishment_of_rhea_is_a_whole_number_of_turns():
    seen = 0
    for position in random_positions(60, seed=3):
        for root in traced("rhea", position, 800)[1].roots:
            if root.best and (lost := root.best.terms["unsurvivable"]):
                assert lost / 10 == pytest.approx(round(lost / 10)) and lost < 0
                seen += 1
    assert seen > 5


def test_the_best_line_is_the_plan_and_ends_with_the_decision_s_value():
    for position in random_positions(30, seed=4):
        decision, trace = traced("beam", position, 2000)
        if decision.depth:
            assert [step.action for step in trace.line] == list(decision.plan)
            assert trace.line[-1].value == decision.value and trace.line[-1].place == 0


def test_visits_of_the_first_moves_and_nodes_by_depth_are_all_there_are():
    for position in random_positions(20, seed=5):
        decision, trace = traced("mcts", position, 2000)
        assert trace.tree is not None
        assert sum(child.visits for child in trace.tree.children) == trace.tree.iterations
        assert sum(trace.tree.depths) == trace.tree.size and len(trace.tree.depths) == decision.depth + 1
        visits = [visit.visits for visit in trace.tree.most_visited]
        assert visits == sorted(visits, reverse=True)


def test_the_fitness_of_a_rhea_that_keeps_its_parents_never_falls():
    for position in random_positions(20, seed=6):
        decision, trace = traced("rhea", position, 6000)
        assert trace.evolution is not None
        assert trace.evolution.history == sorted(trace.evolution.history)
        best = trace.evolution.genomes[0]
        assert (best.fitness, tuple(best.actions)) == (decision.value, decision.plan)
        assert all(len(each.actions) + each.skipped == trace.evolution.genes for each in trace.evolution.genomes)


def test_what_each_depth_of_negamax_took_is_all_it_took_and_the_chosen_move_is_exact():
    for position in random_positions(30, seed=8):
        decision, trace = traced("negamax:opening=0", position, 900)
        assert trace.alpha_beta is not None
        assert sum(one.nodes for one in trace.alpha_beta.deepenings) == decision.nodes
        assert all(one.complete for one in trace.alpha_beta.deepenings[:-1])
        chosen, *others = trace.alpha_beta.bounds
        assert (chosen.action, chosen.value, chosen.exact) == (decision.action, decision.value, True)
        assert all(other.value <= chosen.value for other in others)
        best = trace.roots[decision.action].best
        assert best is not None and sum(best.terms.values()) == pytest.approx(decision.value if best.terms else 0)


def test_reading_a_trace_changes_neither_the_position_nor_later_decisions():
    for name in ("beam", "mcts", "rhea", "negamax", "osla", "simple"):
        for position in random_positions(5, seed=7):
            before = position.state.tobytes(), position.map.tobytes()
            decision, trace = traced(name, position, 600)
            assert traced(name, position, 600) == (decision, trace)
            assert (position.state.tobytes(), position.map.tobytes()) == before


# Rules


def test_illegal_first_moves_say_what_is_in_the_way():
    assert root_of("beam", drawn(ROOM), LEFT).pruned == "blocked"
    assert root_of("beam", drawn(ROOM), UP + BOMB).pruned == "blocked"
    assert root_of("beam", drawn(ROOM), RIGHT).pruned is None
    poor, on_bomb = ROOM.replace("0 0 0 0 1 3", "0 0 0 0 0 3"), ROOM + "\n    1 0 0 0 8 3\n"
    assert root_of("beam", drawn(poor), STAY + BOMB).pruned == "no bomb left"
    assert root_of("beam", drawn(on_bomb), STAY + BOMB).pruned == "on a bomb"


def rules_of(position: Position) -> dict[str, str | None]:
    return {root.name: root.pruned for root in traced("beam:paper", position, 500)[1].roots if root.legal}


def test_legal_first_moves_are_left_out_by_the_rule_that_is_named():
    assert rules_of(drawn(ONE_ESCAPE)) == {"stay": None, "left": "unsurvivable", "right": None}
    sealed = rules_of(drawn(KILL))
    assert (sealed["right+bomb"], sealed["right"], sealed["left+bomb"]) == (None, "not killing", "unsurvivable")
    dying = drawn(SACRIFICE.format(bombs=MINE), boxes=(4, 3))
    assert rules_of(dying) == {"stay": "no sacrifice", "up": None, "down": "no sacrifice"}


def test_who_dies_by_a_first_move_and_who_could_kill_after_it_is_named():
    assert root_of("beam", drawn(KILL), RIGHT + BOMB).kills == [1]
    assert root_of("beam", drawn(KILL), RIGHT).kills == []
    assert root_of("beam", drawn(KILL, player=1), STAY).killable_by == [0]
    assert root_of("beam", drawn(ROOM), RIGHT).killable_by == []


def test_every_legal_first_move_that_is_not_searched_has_a_rule():
    rules: Counter[str | None] = Counter()
    for spec in ("beam", "mcts"):
        for position in random_positions(150, seed=8):
            trace = traced(spec, position, 300)[1]
            roots = agent(spec).thinking.roots  # type: ignore[attr-defined]
            for action in legal(position):
                searched = not roots or bool(roots >> action & 1)
                assert (trace.roots[action].pruned is None) == searched
                rules[trace.roots[action].pruned] += 1
    assert {None, "unsurvivable", "punishable"} <= set(rules)


# A whole trace, drawn


def test_the_trace_of_a_small_search_is_this_one():
    decision, trace = traced("beam:paper,op=0", drawn(ROOM), 40)
    future = 0.95**8  # a box in eight turns
    assert (decision.plan, decision.nodes) == ((RIGHT, LEFT + BOMB), 42)
    assert {root.name: root.states for root in trace.roots if any(root.states)} == {
        "stay": [1, 6],
        "right": [1, 2],
        "down": [1, 2],
    }
    assert [astuple(layer)[:8] for layer in trace.layers] == [(1, 6, 0, 0, 3, 0, 0, 3), (2, 14, 4, 0, 0, 0, 0, 10)]
    assert trace.unfinished == Unfinished(depth=3, expanded=8, of=10, generated=25)
    best = trace.roots[RIGHT].best
    assert best is not None and best.depth == 2
    assert best.terms == pytest.approx(
        {"boxes": 0, "range": 3.9, "bombs": 0, "future": future, "players": 1.1, "place": -1 / 3}
        | {"dead": 0, "unsurvivable": 0}
    )
    assert [(step.name, step.x, step.y, step.place) for step in trace.line] == [
        ("right", 1, 0, 1),
        ("left+bomb", 0, 0, 0),
    ]


# Why not


def follow(spec: str, position: Position, line: list[int], nodes: int = 2000) -> WhyNot:
    decision, trace = traced(spec, position, nodes)
    pruned = {root.action: root.pruned for root in trace.roots if root.pruned}
    return why_not(beam_agent(spec), position.state, line, list(decision.plan), pruned)


def is_kept(beam: BeamAgent, position: Position, fate: Fate, width: int, local: int) -> bool:
    """Whether the search, run again with another width and cap in that one layer, keeps the fallen state."""
    rerun = Rerun(beam, position.state, max(width, beam.params.width))
    while rerun.search.depth < fate.depth - 1:
        rerun.complete_layer()
    rerun.search.width, rerun.search.local = width, local
    rerun.complete_layer()
    assert fate.rank is not None
    return bool(rerun.children(fate.depth).place[fate.rank - 1] != NOWHERE)


def random_line(draw: random.Random, position: Position, plan: tuple[int, ...]) -> list[int]:
    """A line that leaves the plan sooner or later."""
    start = list(plan[: draw.randrange(8)]) if draw.random() < 0.6 else [draw.choice(legal(position))]
    return start + [draw.choice([0, 1, 2, 3, 4, 5]) for _ in range(draw.randrange(3))] or [0]


@pytest.mark.parametrize("spec", ["beam:width=30,local=3", "beam:width=25,lb=0", "beam:width=60,zh=0", "beam"])
def test_the_width_named_keeps_the_line_and_one_less_loses_it(spec):
    draw, beam, seen = random.Random(1), beam_agent(spec), Counter[str]()
    for position in random_positions(40, seed=9):
        decision = traced(spec, position, 4000)[0]
        for _ in range(4):
            fate = follow(spec, position, random_line(draw, position, decision.plan), 4000).fate
            seen[fate.kind] += 1
            if fate.kind not in (LOCAL_CUT, GLOBAL_CUT):
                continue
            width, local = fate.width or beam.params.width, fate.local or beam.params.local
            assert fate.width or fate.local
            assert is_kept(beam, position, fate, width, local)
            assert not fate.width or not is_kept(beam, position, fate, width - 1, local)
            assert not fate.local or not is_kept(beam, position, fate, width, local - 1)
            assert fate.gap is not None and sum(fate.terms.values()) == pytest.approx(-fate.gap, abs=EXACT)
    assert seen[GLOBAL_CUT] + seen[LOCAL_CUT] > 10


def test_lines_fall_in_every_way_and_the_layers_say_the_same():
    draw, seen = random.Random(2), Counter[str]()
    for spec in ("beam:width=30,local=3", "beam:width=60,fmp=0"):
        for position in random_positions(60, seed=10):
            decision, trace = traced(spec, position, 2500)
            line = random_line(draw, position, decision.plan)
            found = follow(spec, position, line, 2500)
            seen[found.fate.kind] += 1
            seen["a duplicate"] += any(standing.absorbed_by is not None for standing in found.standings)
            for standing in found.standings:
                layer = trace.layers[standing.depth - 1]
                assert standing.states <= layer.kept
                if standing.of:
                    assert standing.of == layer.kept + layer.local_cut + layer.global_cut
    assert {CHOSEN, ILLEGAL, DEAD, LOCAL_CUT, GLOBAL_CUT, OUTSCORED, "a duplicate"} <= set(seen)


def test_the_layers_of_a_rerun_are_those_of_the_search():
    beam = beam_agent("beam:width=40,local=4")
    for position in random_positions(20, seed=11):
        decide(beam, position, Budget(nodes=3000))
        rerun = Rerun(beam, position.state)
        for depth in rerun.depths():
            size = int(rerun.search.layer_size)
            for name in ("score", "parent", "action", "root"):
                again, first = getattr(rerun.layers, name), getattr(beam.layers, name)
                assert np.array_equal(again[depth, :size], first[depth, :size])


def test_a_duplicate_is_followed_as_the_line_that_was_there_sooner():
    """Right and back is where stay and stay already was."""
    found = follow("beam:paper,op=0", drawn(ROOM), [RIGHT, LEFT], 3000)
    assert found.standings[1].absorbed_by == [STAY, STAY]


def test_a_first_move_that_was_not_searched_names_its_rule():
    for position in random_positions(200, seed=12):
        trace = traced("beam", position, 300)[1]
        for root in trace.roots:
            if root.legal and root.pruned:
                fate = follow("beam", position, [root.action], 300).fate
                assert (fate.kind, fate.reason) == (PRUNED, root.pruned)
                return
    raise AssertionError("no first move was left out")


def test_the_chosen_line_is_called_so():
    decision = traced("beam", drawn(ROOM), 2000)[0]
    assert follow("beam", drawn(ROOM), list(decision.plan[:3])).fate == Fate(CHOSEN, 3)


def test_without_a_complete_layer_nothing_is_followed():
    position, beam = drawn(ROOM), beam_agent("beam")
    decision = decide(beam, position, Budget(stages={}))
    trace = trace_decision(beam, position.state, 0, decision)
    assert (trace.layers, trace.unfinished, decision.value) == ([], None, None)
    assert why_not(beam, position.state, [RIGHT], list(decision.plan), {}).fate == Fate(UNSEARCHED, 1)


def test_the_narrowest_beam_has_room_for_all_hashes_that_a_layer_clears():
    assert all(make_layers(width, np.zeros(1, np.uint64)).seen.size >= FEWEST_SEEN for width in (1, 2, 3))
