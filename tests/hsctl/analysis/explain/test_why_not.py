"""Where a line fell in a search: in the layers of a beam, in a tree, among individuals, by its value."""

import random
from collections import Counter

import numpy as np
import pytest

from engine.board import DOWN, LEFT, RIGHT, STAY, UP
from engine.rules import ACTIONS
from engine.state import MAX_TURNS
from hsctl.analysis.explain.findings import Findings
from hsctl.analysis.explain.panels import read_findings
from hsctl.analysis.explain.panels.basic import PommerRules, SeekerGoals
from hsctl.analysis.explain.panels.beam import BeamLayers
from hsctl.analysis.explain.panels.rhea import Evolution
from hsctl.analysis.explain.rerun import NOWHERE, Rerun, follow_through_layers
from hsctl.analysis.explain.why_not import (
    CHOSEN,
    DEAD,
    GLOBAL_CUT,
    ILLEGAL,
    INDIVIDUALS,
    KEPT,
    LOCAL_CUT,
    OUTSCORED,
    OUTVALUED,
    PRUNED,
    UNSEARCHED,
    UNTRIED,
    VISITS,
    LineFate,
    WhyNot,
    follow_line,
)
from search.agent import Budget, Decision
from search.beam.agent import BeamAgent
from search.beam.memory import FEWEST_SEEN, make_layers
from search.common.planning import SAFE_MOVE
from tests.hsctl.analysis.explain.reading import EXACT, ROOM, panel_of, traced
from tests.search.beam.beams import beam_agent
from tests.search.positions import Position, agent, decide, drawn, legal, random_positions


def follow(spec: str, position: Position, line: list[int], nodes: int = 2000) -> WhyNot:
    decision, trace = traced(spec, position, nodes)
    pruned = {root.action: root.pruned for root in trace.roots if root.pruned}
    return follow_through_layers(beam_agent(spec), position.state, line, list(decision.plan), pruned)


def is_kept(beam: BeamAgent, position: Position, fate: LineFate, width: int, local: int) -> bool:
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


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["beam:width=30,local=3", "beam:width=25,lb=0", "beam:width=60,zh=0", "beam"])
def test_the_width_named_keeps_the_line_and_one_less_loses_it(spec):
    draw, beam, seen = random.Random(1), beam_agent(spec), Counter[str]()
    for position in random_positions(8, seed=9):
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
    assert seen[GLOBAL_CUT] + seen[LOCAL_CUT] > 1


@pytest.mark.slow
def test_lines_fall_in_every_way_and_the_layers_say_the_same():
    draw, seen = random.Random(2), Counter[str]()
    for spec in ("beam:width=30,local=3", "beam:width=60,fmp=0"):
        for position in random_positions(36, seed=10):
            decision, trace = traced(spec, position, 2500)
            line = random_line(draw, position, decision.plan)
            found = follow(spec, position, line, 2500)
            seen[found.fate.kind] += 1
            seen["a duplicate"] += any(standing.absorbed_by is not None for standing in found.standings)
            for standing in found.standings:
                layer = panel_of(trace, BeamLayers).layers[standing.depth - 1]
                assert standing.states <= layer.kept
                if standing.of:
                    assert standing.of == layer.kept + layer.local_cut + layer.global_cut
    assert {CHOSEN, ILLEGAL, DEAD, LOCAL_CUT, GLOBAL_CUT, OUTSCORED, "a duplicate"} <= set(seen)


def test_the_layers_of_a_rerun_are_those_of_the_search():
    beam = beam_agent("beam:width=40,local=4")
    for position in random_positions(6, seed=11):
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
    assert follow("beam", drawn(ROOM), list(decision.plan[:3])).fate == LineFate(CHOSEN, 3)


def test_without_a_complete_layer_nothing_is_followed():
    position, beam = drawn(ROOM), beam_agent("beam")
    decision = decide(beam, position, Budget(stages={}))
    trace = read_findings(beam, position.state, 0, decision)
    assert panel_of(trace, BeamLayers) == BeamLayers([], None, "open", decided_by=SAFE_MOVE) and decision.value is None
    assert follow_through_layers(beam, position.state, [RIGHT], list(decision.plan), {}).fate == LineFate(UNSEARCHED, 1)


def test_the_narrowest_beam_has_room_for_all_hashes_that_a_layer_clears():
    assert all(make_layers(width, np.zeros(MAX_TURNS, np.uint64)).seen.size >= FEWEST_SEEN for width in (1, 2, 3))


# Other searches


def ask(spec: str, position: Position, line: list[int], nodes: int = 2000) -> tuple[Decision, Findings, WhyNot]:
    decision, findings = traced(spec, position, nodes)
    return decision, findings, follow_line(agent(spec), position.state, position.player, line, decision, findings)


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("mcts", VISITS),
        ("bias:value", VISITS),
        ("duel", VISITS),
        ("rhea", INDIVIDUALS),
        ("negamax:opening=0", KEPT),
        ("chokudai", KEPT),
        ("simple", KEPT),
    ],
)
def test_every_first_move_has_its_fate_in_every_search(spec: str, counts: str) -> None:
    seen = Counter[str]()
    for position in random_positions(3, seed=21):
        for action in range(ACTIONS):
            decision, findings, found = ask(spec, position, [action])
            root = findings.roots[action]
            seen[found.fate.kind] += 1
            if action == decision.action:
                assert found.fate.kind == CHOSEN
            elif root.pruned:
                assert (found.fate.kind, found.fate.reason) == (PRUNED if root.legal else ILLEGAL, root.pruned)
            elif root.best is None:
                assert found.fate.kind == UNTRIED
            else:
                assert found.fate.kind in (OUTVALUED, CHOSEN)
                assert found.fate.gap is None or found.fate.score == pytest.approx(root.best.value)
                assert found.counts == counts
    assert {CHOSEN, OUTVALUED, ILLEGAL} <= set(seen)


@pytest.mark.parametrize("spec", ["mcts", "bias:value", "duel"])
def test_a_line_is_followed_through_a_tree(spec: str) -> None:
    position = drawn(ROOM)
    decision, _, found = ask(spec, position, [DOWN, UP])
    assert [standing.depth for standing in found.standings] == [1, 2]
    one, two = (standing.states for standing in found.standings)
    assert decision.nodes >= one >= two > 0
    beyond = ask(spec, position, [RIGHT, RIGHT])[2]
    assert (beyond.fate.kind, beyond.fate.depth, len(beyond.standings)) == (ILLEGAL, 2, 1)


def test_individuals_that_begin_with_a_line_are_counted() -> None:
    position = drawn(ROOM)
    _, findings, found = ask("rhea", position, [DOWN, DOWN], 6000)
    genomes = panel_of(findings, Evolution).genomes
    alike = [genome for genome in genomes if genome.actions[:2] == [DOWN, DOWN]]
    assert [standing.states for standing in found.standings[1:]] == [len(alike)] * bool(alike)


def test_seeker_and_pommer_show_what_they_compared() -> None:
    decision, findings = traced("seeker", drawn(ROOM), 3000)
    goals = panel_of(findings, SeekerGoals).goals
    [chosen] = [goal for goal in goals if goal.is_chosen]
    assert chosen.value == decision.value == max(goal.value for goal in goals if goal.value is not None)
    rules = panel_of(traced("pommer", drawn(ROOM), 10)[1], PommerRules).rules
    assert [rule.applies for rule in rules] == [False] * (len(rules) - 1) + [True]


def test_chokudai_shows_the_best_state_of_each_first_move() -> None:
    for position in random_positions(5, seed=22):
        decision, findings = traced("chokudai", position, 1500)
        best = findings.roots[decision.action].best
        assert best is not None and (best.value, best.depth) == (decision.value, decision.depth)
        assert sum(best.terms.values()) == pytest.approx(best.value)
        assert [sum(root.states[at] for root in findings.roots) for at in range(len(findings.kept))] == findings.kept
