"""The runner's side: a user agent as an Agent like any other, which thinks in a worker process.

Whoever asks without a clock of their own waits for PATIENCE_S; making an agent may take longer, because it may compile.
A worker that failed is gone: the next game, or the next question outside of one, starts another.
"""

import os
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

import hsctl
from engine.errors import HsctlError
from engine.rules import ACTION_NAMES, ACTIONS, legal_actions
from hsctl.match.user_agents.spec import Target, UserSpec
from hsctl.match.user_agents.wire import Reply, Request, WireDecision
from replays.replay import Failure, Late
from search.agent import Agent, Budget, Decision

if TYPE_CHECKING:  # explanations know this class, and need no bots for it
    from hsctl.match.bots.answer import BotAnswer
    from hsctl.match.bots.limits import BotLimits

PATIENCE_S = 60.0  # for an answer where there is no clock
MAKING_S = 600.0  # for an agent to be imported, made and warmed up
LONGEST_LINE = 1024 * 1024
HOME = str(Path(hsctl.__file__).parents[1])
CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); import hsctl, engine, search, replays; del sys.path[0]; "
    "from hsctl.match.user_agents.worker import main; main(sys.argv[2:])"
)
INSTALLED = "installed"  # the last word of a worker whose agent an installed package names
SAME_HASHES = {"PYTHONHASHSEED": "0"}  # so that the order of a set is no source of chance
TOLD = ("PYTHON", "NUMBA_", "HSCTL_", "XDG_", "OMP_", "VIRTUAL_ENV")  # beginnings of variables that a worker gets


class Breach(HsctlError):
    """An agent broke the contract. `failure` goes into the record."""

    def __init__(self, text: str, failure: Failure, answer: "BotAnswer") -> None:
        super().__init__(text)
        self.failure = failure
        self.answer = answer

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.failure, self.answer)

    @property
    def late(self) -> Late | None:
        return self.answer.late


class Connection:
    """A worker that is asked by lines of JSON. `text` is what errors call the agent."""

    def __init__(self, text: str, target: Target, bot_limits: "BotLimits | None" = None) -> None:
        from hsctl.match.bots.bot import Bot
        from hsctl.match.bots.limits import ORDINARY

        self.text = text
        bot_limits = bot_limits or ORDINARY
        words = [sys.executable, "-P", "-c", CODE, HOME, target.place, target.class_name]
        words += [INSTALLED] if target.is_installed else []
        told = sorted({*bot_limits.env, *(name for name in os.environ if name.startswith(TOLD))})
        bot_limits = msgspec.structs.replace(bot_limits, env=tuple(told))
        self.bot = Bot(words, startup_s=0.0, bot_limits=bot_limits, longest_line=LONGEST_LINE, variables=SAME_HASHES)
        self.bot.start()
        weakref.finalize(self, self.bot.stop)  # at the latest when Python ends, while all that it takes is there

    def ask(self, request: Request, seconds: float) -> "tuple[Any, BotAnswer]":
        """What was asked for, or a Breach; after one there is no worker any more."""
        answer = self.bot.ask(msgspec.json.encode(request).decode() + "\n", seconds)
        if answer.failure is not None:
            failure = msgspec.structs.replace(answer.failure, last_line=None)  # which is a reply of the worker's
            raise self.breach(answer, failure.cause, failure.describe())
        assert answer.line is not None
        try:
            reply = msgspec.json.decode(answer.line, type=Reply)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise self.breach(answer, "forged", "something wrote into the pipe of its worker") from None
        if reply.error:
            raise self.breach(answer, "invalid" if reply.is_invalid else "crash", reply.error)
        return reply.result, answer

    def breach(self, answer: "BotAnswer", cause: str, detail: str) -> Breach:
        """Stop the worker, and say why."""
        self.close()
        return Breach(f"{self.text!r}: {detail}", Failure(cause, detail), answer)

    def close(self) -> None:
        self.bot.stop()


class UserAgent(Agent):
    """A user agent, as it was written."""

    def __init__(self, spec: UserSpec, bot_limits: "BotLimits | None" = None) -> None:
        super().__init__(spec.params)
        self.spec = spec
        self.bot_limits = bot_limits
        self._connection: Connection | None = None

    def ask(self, request: Request, seconds: float = PATIENCE_S) -> "tuple[Any, BotAnswer]":
        """Ask the worker, which is started and makes its agent if need be."""
        if self._connection is None:
            self._connection = Connection(self.spec.text, self.spec.target, self.bot_limits)
            self.make()
        try:
            return self._connection.ask(request, seconds)
        except Breach:
            self._connection = None
            raise

    def make(self) -> None:
        """Have the agent made anew, in the same worker."""
        self.ask(Request("make", params=self.params.as_dict()), MAKING_S)

    def renewed(self) -> "UserAgent":
        """Itself, with the agent made anew."""
        self.make()
        return self

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.ask(Request("start", map=hexed(map_), player=player, seed=game_seed, mates=list(mates)))

    def see(self, state: np.record, player: int) -> None:
        self.ask(Request("see", state=hexed(state), map=hexed(self.map), player=player))

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        return self.decide_within(state, player, budget, PATIENCE_S)[0]

    def decide_within(
        self, state: np.record, player: int, budget: Budget, seconds: float
    ) -> "tuple[Decision, BotAnswer]":
        """A legal decision, and how the answer came; or a Breach."""
        stages = None if budget.stages is None else dict(budget.stages)
        request = Request("decide", {}, hexed(state), hexed(self.map), player)
        request.ms, request.nodes, request.stages = budget.ms, budget.nodes, stages
        result, answer = self.ask(request, seconds)
        try:
            found = msgspec.convert(result, WireDecision)
        except msgspec.ValidationError as error:
            raise self.reject(answer, f"what it decided is no Decision: {error}") from None
        legal = int(legal_actions(state, player))
        if not 0 <= found.action < ACTIONS or not legal >> found.action & 1:
            raise self.reject(answer, describe_illegal(found.action, legal))
        if any(not 0 <= action < ACTIONS for action in (*found.plan, *found.carried)):
            raise self.reject(answer, f"planned an action that is none of 0 to {ACTIONS - 1}")
        plan, carried = tuple(found.plan), tuple(found.carried)
        decision = Decision(
            found.action, plan, found.value, found.nodes, found.stages, found.depth, carried, found.message
        )
        return decision, answer

    def reject(self, answer: "BotAnswer", detail: str) -> Breach:
        assert self._connection is not None
        breach = self._connection.breach(answer, "invalid", detail)
        self._connection = None
        return breach

    def trace(self) -> dict[str, Any]:
        """What the agent says of its last decision."""
        result, _ = self.ask(Request("trace"))
        return result if isinstance(result, dict) else {}

    def warm_up(self) -> None:
        """Start the worker, and refuse an agent that breaks the contract at first sight."""
        from hsctl.match.user_agents.contract import admit

        admit(self)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def describe_illegal(action: int, legal: int) -> str:
    expected = ", ".join(name for at, name in enumerate(ACTION_NAMES) if legal >> at & 1)
    name = f" ({ACTION_NAMES[action]})" if 0 <= action < ACTIONS else ""
    return f"chose action {action}{name}, which is not legal there; legal are {expected}"


def hexed(record: np.record) -> str:
    return record.tobytes().hex()
