"""What a search leaves behind says what the search did: sums, terms, rules."""

from collections import Counter
from dataclasses import astuple

import pytest

from engine.board import LEFT, RIGHT, STAY, UP
from engine.rules import BOMB
from hsctl.analysis.explain.document import DOCUMENT, Explanation, add_panels
from hsctl.analysis.explain.findings import Extent, Panel, Step, Value
from hsctl.analysis.explain.panels import read_findings
from hsctl.analysis.explain.panels.beam import BeamLayers, Foreseen, Unfinished
from hsctl.analysis.explain.panels.negamax import AlphaBeta
from hsctl.analysis.explain.panels.rhea import Evolution
from hsctl.analysis.explain.panels.trees import Machine, Tree
from search.agent import Budget
from search.beam.models import MODELS
from search.bias.agent import BiasAgent
from search.bias.tree import ROOT
from search.common.planning import SAFE_MOVE
from search.hybrid.agent import HybridAgent
from search.mcts.agent import MctsAgent
from search.mcts.params import MctsParams
from tests.hsctl.analysis.explain.reading import EXACT, ROOM, panel_of, root_of, traced
from tests.search.beam.beams import beam_agent
from tests.search.bias.test_agent import worth
from tests.search.hybrid.hybrids import DUEL
from tests.search.positions import Position, agent, decide, drawn, legal, random_positions
from tests.search.test_positions import KILL, MINE, ONE_ESCAPE, SACRIFICE

BEAMS = ("beam", "beam:width=30,local=3", "beam:width=25,lb=0,zh=0", "beam:width=7,fmp=0,op=0", "beam:zh")


# Sums


@pytest.mark.slow
@pytest.mark.parametrize("spec", BEAMS)
def test_whatever_is_generated_in_a_layer_is_accounted_for(spec):
    for position in random_positions(12):
        for nodes in (1, 60, 3000):
            decision, trace = traced(spec, position, nodes)
            for layer in panel_of(trace, BeamLayers).layers:
                fallen = layer.duplicates + layer.dead + layer.unsurvivable + layer.local_cut + layer.global_cut
                assert layer.generated == fallen + layer.kept
            panel = panel_of(trace, BeamLayers)
            if panel.decided_by != SAFE_MOVE:
                kept = [layer.depth for layer in panel.layers if layer.kept]
                assert kept == list(range(1, decision.depth + 1))


@pytest.mark.parametrize("spec", BEAMS)
def test_every_kept_state_descends_from_a_first_move(spec):
    for position in random_positions(6, seed=1):
        _, trace = traced(spec, position, 2000)
        for at, layer in enumerate(panel_of(trace, BeamLayers).layers):
            states = [root.states[at] for root in trace.roots if at < len(root.states)]
            assert sum(states) == layer.kept


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*BEAMS, "beam:early=0.1,trap=0", "rhea", "osla"])
def test_the_terms_of_a_value_sum_up_to_it(spec):
    seen = 0
    for position in random_positions(14, seed=2):
        decision, trace = traced(spec, position, 1500)
        values: list[Value | Step] = [root.best for root in trace.roots if root.best]
        for valued in values + [step for step in trace.line if step.terms]:
            assert sum(valued.terms.values()) == pytest.approx(valued.value, abs=EXACT)
            seen += 1
        if decision.depth:
            best = trace.roots[decision.action].best
            assert best is not None and best.value == decision.value
    assert seen > 30


def test_a_beam_tells_by_whose_weights_it_foresees_the_others():
    trace = traced("beam", drawn(ROOM), 500)[1]
    assert panel_of(trace, BeamLayers).models == {}
    beam, position = beam_agent("beam"), drawn(ROOM)
    decision = decide(beam, position, Budget(nodes=500))
    for _ in range(3):
        beam.models.add(1, {name: name == "scaled" for name in MODELS})
    panel = panel_of(read_findings(beam, position.state, 0, decision), BeamLayers)
    assert panel.models == {1: Foreseen("scaled", 1.0)}
    (_, words), *_ = [section for section in panel.sections(trace, "ab", Extent()) if "foreseen" in str(section[0])]
    assert "b: by the weights of beam:scaled, right on 100 %" in "".join(map(str, words.renderables))


@pytest.mark.parametrize(("boxes", "race"), [((5, 5), "open"), ((9, 5), "won"), ((5, 8), "level"), ((5, 9), "lost")])
def test_a_beam_tells_how_the_race_for_boxes_stands_once_it_is_decided(boxes, race):
    panel = panel_of(traced("beam", drawn(ROOM, boxes=boxes), 500)[1], BeamLayers)
    assert panel.race == race
    assert [race in words.replace("drawn at best", "level") for words in panel.reasons()] == [True] * (race != "open")


def test_the_punishment_of_rhea_is_a_whole_number_of_turns():
    seen = 0
    for position in random_positions(60, seed=3):
        for root in traced("rhea", position, 800)[1].roots:
            if root.best and (lost := root.best.terms["unsurvivable"]):
                assert lost / 10 == pytest.approx(round(lost / 10)) and lost < 0
                seen += 1
    assert seen > 5


def test_the_best_line_is_the_plan_and_ends_with_the_decision_s_value():
    for position in random_positions(8, seed=4):
        decision, trace = traced("beam", position, 2000)
        if decision.depth:
            assert [step.action for step in trace.line] == list(decision.plan)
            assert trace.line[-1].value == decision.value and trace.line[-1].place == 0


def test_visits_of_the_first_moves_and_nodes_by_depth_are_all_there_are():
    for position in random_positions(6, seed=5):
        decision, trace = traced("mcts", position, 2000)
        tree = panel_of(trace, Tree)
        assert sum(child.visits for child in tree.children) == tree.iterations
        assert sum(tree.depths) == tree.size and len(tree.depths) == decision.depth + 1
        visits = [visit.visits for visit in tree.most_visited]
        assert visits == sorted(visits, reverse=True)


def test_the_fitness_of_a_rhea_that_keeps_its_parents_never_falls():
    for position in random_positions(6, seed=6):
        decision, trace = traced("rhea", position, 6000)
        evolution = panel_of(trace, Evolution)
        assert evolution.history == sorted(evolution.history)
        best = evolution.genomes[0]
        assert (best.fitness, tuple(best.actions)) == (decision.value, decision.plan)
        assert all(len(each.actions) + each.skipped == evolution.genes for each in evolution.genomes)


def test_what_each_depth_of_negamax_took_is_all_it_took_and_the_chosen_move_is_exact():
    for position in random_positions(8, seed=8):
        decision, trace = traced("negamax:opening=0", position, 900)
        alpha_beta = panel_of(trace, AlphaBeta)
        assert sum(one.nodes for one in alpha_beta.deepenings) == decision.nodes
        assert all(one.complete for one in alpha_beta.deepenings[:-1])
        chosen, *others = alpha_beta.bounds
        assert (chosen.action, chosen.value, chosen.exact) == (decision.action, decision.value, True)
        assert all(other.value <= chosen.value for other in others)
        best = trace.roots[decision.action].best
        assert best is not None and sum(best.terms.values()) == pytest.approx(decision.value if best.terms else 0)


def test_the_terms_of_a_first_move_of_bias_are_those_of_equation_3():
    for position in random_positions(4, seed=6):
        found = agent("bias:value")
        assert isinstance(found, BiasAgent)
        decision, trace = traced("bias:value", position, 3000)
        tree = panel_of(trace, Tree)
        assert trace.roots[decision.action].best is not None
        for child in tree.children:
            node = int(found.tree.child[ROOT, child.action])
            assert list(child.terms) == ["mean", "exploration", "bias"]
            assert sum(child.terms.values()) == pytest.approx(worth(found, ROOT, node))
        assert sum(child.visits for child in tree.children) == tree.iterations
        assert sum(tree.depths) == tree.size


def test_hybrid_tells_its_state_and_the_scores():
    decision, trace = traced("hybrid", drawn(DUEL), 400)
    machine, tree, hybrid = panel_of(trace, Machine), panel_of(trace, Tree), agent("hybrid")
    assert isinstance(hybrid, HybridAgent)
    assert (machine.state, machine.decided_by) == ("attack", "fmcs exploit")
    assert (machine.enemy, machine.distance, machine.bombs_left) == (1, 2, 1)
    assert trace.roots[decision.action].best is not None
    assert {child.action for child in tree.children} == {root.action for root in trace.roots if root.best}
    assert sum(child.visits for child in tree.children) == hybrid.tree.visits[0]


def test_hybrid_without_a_search_tells_its_rules():
    trace = traced("hybrid", drawn("..0\n0 0 0 0 1 3\n0 1 12 10 1 3"), 400)[1]
    [machine] = trace.panels
    assert isinstance(machine, Machine) and (machine.decided_by, machine.score) == ("rules", None)


def test_every_panel_has_its_field_in_the_document():
    fields = {panel.json_field for panel in Panel.__subclasses__() if panel is not BeamLayers}
    assert fields | set(BeamLayers([], None, "open").as_fields()) <= set(DOCUMENT.__struct_fields__)


def test_a_new_panel_gets_its_field():
    class Fresh(Panel):
        json_field = "fresh"

    fields = add_panels(Explanation).__struct_fields__
    assert set(fields) == {*Explanation.__struct_fields__, "fresh"}


def test_a_subclass_of_an_agent_is_read_like_the_agent():
    class Careful(MctsAgent):
        """A tree search."""

    position = drawn(ROOM)
    mine = Careful(MctsParams())
    decision = decide(mine, position, Budget(nodes=300))
    assert [type(panel) for panel in read_findings(mine, position.state, 0, decision).panels] == [Tree]


def test_reading_a_trace_changes_neither_the_position_nor_later_decisions():
    for name in ("beam", "mcts", "rhea", "negamax", "osla", "simple"):
        for position in random_positions(2, seed=7):
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
    return {root.name: root.pruned for root in traced("beam:scaled", position, 500)[1].roots if root.legal}


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
    assert [astuple(layer)[:8] for layer in panel_of(trace, BeamLayers).layers] == [
        (1, 6, 0, 0, 3, 0, 0, 3),
        (2, 14, 4, 0, 0, 0, 0, 10),
    ]
    assert panel_of(trace, BeamLayers).unfinished == Unfinished(depth=3, expanded=8, of=10, generated=25)
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
