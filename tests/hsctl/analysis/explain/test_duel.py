"""Explaining an agent that keeps its tree: the decisions before are repeated too, as far back as they count."""

from pathlib import Path

import msgspec
import pytest

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import answer
from hsctl.analysis.explain.document import document_of
from hsctl.analysis.explain.findings import Extent
from hsctl.analysis.explain.panels import read_findings
from hsctl.analysis.explain.panels.duel import Duel, move_text
from hsctl.analysis.explain.question import ExplainRequest, ask_position, ask_replay
from replays.playback import load
from replays.replay import Limits, Replay, Thought
from search.agent import Budget
from tests.engine.draw import board
from tests.hsctl.analysis.explain.reading import panel_of
from tests.hsctl.cli.test_explain import KILL, explained, saved
from tests.search.positions import agent, drawn


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("duels")
    return [
        saved(folder, ["duel", "duel:share=0,caution=0"], Limits(nodes=300), 1),
        saved(folder, ["simple", "duel:c=1"], Limits(first_turn_ms=8.0, turn_ms=3.0), 3),
    ]


def thoughts_of(path: Path, seat: int) -> list[Thought | None]:
    turns = msgspec.json.decode(path.read_bytes(), type=Replay).turns
    return [move.thought if (move := turn.moves[seat]) else None for turn in turns]


@pytest.mark.slow
def test_a_decision_on_a_kept_tree_is_repeated_to_its_last_number(games):
    kept = 0
    for path, seat in ((games[0], 0), (games[0], 1), (games[1], 1)):
        for turn, thought in list(enumerate(thoughts_of(path, seat)))[::30]:
            if thought is None:
                continue
            found = explained(path, turn, player=str(seat))
            assert found.reproduced
            assert (found.plan, found.value, found.nodes) == (thought.plan, thought.value, thought.nodes)
            assert found.duel is not None and bool(found.duel.kept) == bool(thought.carried)
            kept += bool(thought.carried)
    assert kept > 3


def test_the_decisions_before_are_repeated_back_to_the_last_that_carried_nothing(games):
    thoughts = thoughts_of(games[0], 0)
    longest = 0
    for turn in range(0, len(thoughts), 25):
        question = ask_replay(load(games[0]), turn, ExplainRequest(player="0"))
        assert [each.game.turn for each in question.earlier] == list(range(turn))
        turns = [each.game.turn for each in question.earlier if each.budget is not None]
        assert turns == list(range(turn - len(turns), turn))
        starts = thoughts[turn - len(turns)]
        assert starts is not None and not starts.carried
        longest = max(longest, len(turns))
    assert longest > 2


def test_another_budget_goes_on_from_the_same_tree(games):
    thoughts = thoughts_of(games[0], 0)
    turn = next(turn for turn, thought in enumerate(thoughts) if thought and thought.carried)
    same, more = explained(games[0], turn, player="0"), explained(games[0], turn, player="0", nodes=2000)
    assert same.duel is not None and more.duel is not None
    assert (same.duel.kept, same.duel.saved) == (more.duel.kept, more.duel.saved)
    assert more.nodes >= 2000 > same.nodes


def test_visits_and_values_are_told_by_side():
    question = ask_position(board(KILL), "drawn", 0, (), ExplainRequest(agent="duel", nodes=20_000))
    duel = panel_of(answer(question, None).findings, Duel)
    assert duel.adversary == 1
    assert [exchange.move.visits for exchange in duel.exchanges] == sorted(
        (exchange.move.visits for exchange in duel.exchanges), reverse=True
    )
    for exchange in duel.exchanges:
        assert exchange.move.player == 0 and {answer.player for answer in exchange.answers} <= {1}
    assert [choice.player for choice in duel.most_visited[:4]] == [0, 1, 0, 1]
    best = duel.exchanges[0]
    assert best.move == duel.most_visited[0] and best.answers[0] == duel.most_visited[1]
    assert best.move.mean > 5 and best.answers[0].mean < -5  # what one wins the other loses
    assert duel.rounds[0] == 1


def test_a_move_that_is_lost_if_the_rival_acts_is_called_risky():
    question = ask_position(board(KILL), "drawn", 0, (), ExplainRequest(agent="duel", nodes=3000, player="1"))
    roots = answer(question, None).findings.roots
    assert {root.pruned for root in roots if root.legal and root.survivable and root.best is None} <= {"risky", None}


def test_depth_and_top_limit_what_is_told(games):
    found = answer(ask_replay(load(games[0]), 10, ExplainRequest(player="0")), None)
    less = document_of(found, Extent(depth=1, top=2))
    assert less.duel is not None
    assert (len(less.duel.exchanges), len(less.duel.most_visited)) == (2, 2)


@pytest.mark.parametrize("player", [0, 1])
def test_the_moves_of_a_team_are_shown_with_what_the_mate_does(player):
    position = drawn("0 0 0 0 1 3\n0 1 2 0 1 3\n0 2 12 10 1 3\n0 3 12 8 1 3", player)
    duel = agent("duel")
    duel.start_game(position.map, player, 1, (1 - player,))
    decision = duel.decide(position.state, player, Budget(nodes=3000))
    trace = read_findings(duel, position.state, player, decision)
    panel = panel_of(trace, Duel)
    best = panel.exchanges[0].move
    assert (best.player, best.action) == (player, decision.action)
    assert best.mate_action == trace.plans[1 - player][0]
    assert {answer.player for exchange in panel.exchanges for answer in exchange.answers} == {2}
    assert move_text(best).plain == f"{ACTION_NAMES[best.action]} + {ACTION_NAMES[best.mate_action]}"
