"""Decisions that were stalled are repeated from the record one by one, each with the plan of the turn before."""

from random import Random

import pytest

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import ExplainedDecision, answer
from hsctl.analysis.explain.question import ExplainRequest, ask_replay
from hsctl.analysis.explain.tracing.check import check_trace
from hsctl.analysis.explain.tracing.files import open_trace
from hsctl.analysis.explain.tracing.record import EVERY_ROW, TraceRun
from hsctl.match.seats import CLOCKS
from replays.playback import Playback, load
from replays.replay import WALL, Limits
from search.beam.agent import NARROW
from search.common.planning import LAST_PLAN, OWN_STAGE
from tests.hsctl.cli.test_explain import saved
from tests.search.clocks import MS, ScriptedClock, counting_nodes


class StallingClock(ScriptedClock):
    """One that stalls now and then, whatever is under way."""

    random = Random(5)

    def __call__(self) -> int:
        self.now += 20 * MS * (self.random.random() < 0.04)
        return super().__call__()


@pytest.fixture(scope="module")
def playback(tmp_path_factory: pytest.TempPathFactory) -> Playback:
    """A game in which half of the decisions were stalled."""
    clock = StallingClock()
    with pytest.MonkeyPatch.context() as patch, counting_nodes(clock):
        patch.setitem(CLOCKS, WALL, clock)
        limits = Limits(first_turn_ms=10.0, turn_ms=10.0, clock=WALL)
        return load(saved(tmp_path_factory.mktemp("stalled"), ["beam", "beam:scaled"], limits, 4))


def explained(playback: Playback, turn: int, seat: int, line: str | None = None) -> ExplainedDecision:
    return answer(ask_replay(playback, turn, ExplainRequest(player=str(seat))), line)


@pytest.mark.slow
def test_every_stalled_decision_comes_out_again_on_its_own(playback):
    seen = set()
    for turn in range(playback.first_turn, playback.end_turn, 5):
        for seat, move in enumerate(playback.moves_at(turn)):
            if move is None or move.thought is None:
                continue
            found = explained(playback, turn, seat)
            thought, decision = move.thought, found.decision
            assert (decision.action, list(decision.plan), decision.value) == (move.action, thought.plan, thought.value)
            assert (decision.nodes, decision.stages) == (thought.nodes, thought.stages)
            seen.add((seat, decided_by(found)))
    assert seen >= {(0, OWN_STAGE), (0, LAST_PLAN), (0, NARROW), (1, OWN_STAGE), (1, LAST_PLAN)}


def decided_by(found: ExplainedDecision) -> str:
    return str(getattr(found.findings.panels[0], "decided_by"))  # noqa: B009 (a field of the beam's panel)


def turn_decided_by(playback: Playback, stage: str) -> int:
    """The first turn that was."""
    turns = range(playback.first_turn + 10, playback.end_turn)
    return next(turn for turn in turns if decided_by(explained(playback, turn, 0)) == stage)


@pytest.mark.parametrize("stage", [LAST_PLAN, NARROW])
def test_what_is_left_behind_belongs_to_the_line_that_was_chosen(playback, stage, tmp_path):
    turn = turn_decided_by(playback, stage)
    found = explained(playback, turn, 0)
    assert [step.action for step in found.findings.line] == list(found.decision.plan)
    assert found.findings.line[-1].value == found.decision.value
    others = [root for root in found.findings.roots if root.legal and root.action != found.decision.action]
    for root in others:
        why_not = explained(playback, turn, 0, ACTION_NAMES[root.action]).why_not
        assert why_not is not None and why_not.fate.kind != "chosen"
        if stage == LAST_PLAN and not root.pruned:
            assert (why_not.fate.kind, why_not.fate.reason) == ("pruned", LAST_PLAN)
    path = tmp_path / "trace.jsonl"
    question = ask_replay(playback, turn, ExplainRequest(player="0"))
    TraceRun(question, "a test", open_trace(str(path), 3), EVERY_ROW, lambda _: None).run()
    assert check_trace(path).differences == []
