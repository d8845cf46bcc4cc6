"""A user agent in a seat: asked like a built-in agent, eliminated like a bot.

hsctl kills its worker when it is late, raises an exception or chooses an illegal action. Then the player is out, with
one line that says why, and the next game has a new worker.
"""

from engine.game import Game
from hsctl.budget import turn_limit
from hsctl.match.bots.answer import BotAnswer
from hsctl.match.bots.limits import BotLimits
from hsctl.match.players import PlayerText
from hsctl.match.seats import Act, ThinkingSeat, thought_of
from hsctl.match.user_agents.agent import PATIENCE_S, Breach, UserAgent
from hsctl.match.user_agents.spec import UserSpec
from replays.replay import Limits, Move, PlayerInfo
from search.agent import Budget


class UserSeat(ThinkingSeat):
    """One worker, kept from game to game."""

    agent: UserAgent

    def __init__(self, player: PlayerText, bot_limits: BotLimits) -> None:
        assert isinstance(player.spec, UserSpec)
        self.spec = player.spec
        self.agent = UserAgent(player.spec, bot_limits)
        self.info = PlayerInfo(player.text, True, self.agent.settings())
        self.breach: Breach | None = None  # at the start of this game

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.breach = None
        try:
            super().begin(game, seat, seed, limits)
        except Breach as breach:
            self.breach = breach

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        limit = turn_limit(limits, is_first)
        budget = self.budget_for(game, limits, limit)
        sent = self.sight.look(game) if self.sight else game
        try:
            if self.breach is not None:
                raise self.breach
            seconds = seconds_for(budget, limit)
            decision, answer = self.agent.decide_within(sent.state, self.seat, budget, seconds)
        except Breach as breach:
            move = Move(failure=breach.failure)
            return self.noted(move, breach.answer, is_timed=budget.ms is not None)
        move = Move(decision.action, message=decision.message, thought=thought_of(decision))
        return self.noted(move, answer, is_timed=budget.ms is not None)

    def noted(self, move: Move, answer: BotAnswer, is_timed: bool) -> Act:
        """What is recorded of the answer besides; where only nodes count, no time, so that equal games are equal."""
        move.stderr, move.late = answer.stderr, answer.late
        if is_timed:
            move.time_ms = round(answer.wall_s * 1000, 3)
        return Act(move, answer.wall_s * 1000)

    def end(self) -> None:
        """The worker stays for the next game."""


def seconds_for(budget: Budget, limit_ms: float | None) -> float:
    """How long to wait: for the turn's time, or the agent's own if that is longer; without a clock, with patience."""
    if budget.ms is None or limit_ms is None:
        return PATIENCE_S
    return max(limit_ms, budget.ms) / 1000
