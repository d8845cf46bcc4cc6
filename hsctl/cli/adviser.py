"""Agents that give advice in the stepper, by the questions and answers of `hsctl explain`."""

from collections.abc import Callable

from rich.console import RenderableType

from engine.errors import HsctlError
from hsctl.analysis.explain.answer import ExplainedDecision, answer
from hsctl.analysis.explain.findings import Extent
from hsctl.analysis.explain.question import ExplainRequest, ask_record
from hsctl.analysis.explain.view import explanation_view
from hsctl.analysis.review.mistakes import ReferenceBeam
from hsctl.analysis.review.run import ReviewRequest, review_game
from hsctl.analysis.review.view import MarkedGame
from hsctl.match.play_on import parent_of, task_on
from hsctl.match.players import read_player
from hsctl.match.runner import play_once
from hsctl.match.trust import NOBODY
from replays.arena.importing import game_of
from replays.inputs import Inputs
from replays.playback import Playback
from replays.record import Record
from replays.render.overlays import Advised
from search.spec import AGENTS

NODES = 20_000  # of an answer: the same every time
NODES_PLAYED = 1000  # of each decision of a game that is played on


class StepperAdviser:
    """An Adviser of the stepper."""

    def __init__(self) -> None:
        self.agents = [name for name in AGENTS if name != "still"]

    def answer(self, record: Record, turn: int, seat: int, agent: str) -> ExplainedDecision:
        if not isinstance(record, Playback | Inputs):
            raise HsctlError("agents give advice on games and inputs only")
        return answer(ask_record(record, turn, ExplainRequest(player=str(seat), agent=agent, nodes=NODES)), None)

    def advise(self, record: Record, turn: int, seat: int, agent: str) -> Advised:
        found = self.answer(record, turn, seat, agent)
        decision = found.decision
        return Advised(decision.action, list(decision.plan), decision.value, found.reason)

    def explain(self, record: Record, turn: int, seat: int, agent: str) -> RenderableType:
        return explanation_view(self.answer(record, turn, seat, agent), Extent())

    def play_on(self, record: Record, turn: int, agent: str) -> Playback:
        if isinstance(record, Inputs):
            record = game_of(record)
        if not isinstance(record, Playback):
            raise HsctlError("only games and inputs can be played on")
        player = read_player(f"{agent}:nodes={NODES_PLAYED}")
        parent = parent_of(record, "", "0" * 16, turn, {})
        swaps = dict.fromkeys(record.game_at(turn).living, player)
        replay, _ = play_once(task_on(record, parent, swaps, NOBODY))
        return Playback(replay)

    def review(self, record: Record, seat: int, on_turns: Callable[[float], None]) -> Playback:
        if not isinstance(record, Playback):
            raise HsctlError("only whole games can be reviewed")
        reference = ReferenceBeam("beam:reference")
        return MarkedGame(record, review_game(record, seat, "", reference, ReviewRequest(), on_turns))
