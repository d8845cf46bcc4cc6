"""A player in a seat of a running game: a built-in agent that thinks here, or an external bot in its own process.

Ghosts are in ghosts.py, user agents in user_agents/seat.py, people in person.py.

Built-in agents are never eliminated for time: hsctl records how long they took by the clock of the game, and who is to
blame if it was too much. External bots are eliminated, by the wall clock.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.compile.cache import check_sources
from engine.errors import HsctlError
from engine.game import Game
from engine.notation import NotationError, format_header, format_position, parse_order, resolve
from engine.variants import Sight, mates_of
from hsctl.budget import CLOCKS, HAS_CPU_CLOCK, budget_of, thinking_ms, turn_limit, vary
from hsctl.match.bots.answer import BotAnswer, BotFailure
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.lateness import judge_own, read_own, to_ms
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.past import Earlier
from hsctl.match.players import PlayerText
from hsctl.match.result import BOT, MACHINE, SlowStart
from hsctl.match.user_agents.spec import UserSpec
from replays.replay import CPU, Failure, Late, Limits, Move, PlayerInfo, Thought
from search import make_agent
from search.agent import Agent, Budget, Decision
from search.spec import Spec

SEATS_KEPT = 16  # agents that stay warm in a process
LONGEST_MESSAGE = 200  # characters
LONG_WAIT, LONG_WAIT_MS = 0.2, 0.5  # for a core: of an agent's time, and at least; less is noise
RECALL_S = 10.0  # for an answer to a recorded turn: no clock runs


class Act(NamedTuple):
    """What a player did, and how many milliseconds it took (a replay omits them where only nodes count).

    They are those of the game's clock for a built-in agent, else of the wall clock.
    """

    move: Move
    ms: float
    cpu_ms: float | None = None  # of an external bot since its last answer
    slow_start: SlowStart | None = None  # of an external bot that needed the time for its start
    is_followed: bool = False  # a ghost's recorded move
    is_waiting: bool = False  # a built-in agent on the wall clock that had to wait for a core for long

    @property
    def is_delayed(self) -> bool:
        """Whether the machine took much of the player's time."""
        return self.is_waiting or (self.move.late is not None and self.move.late.culprit == MACHINE)


class Seat(Protocol):
    """A player in a seat."""

    info: PlayerInfo

    def warm_up(self) -> None: ...
    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None: ...
    def recall(self, earlier: Earlier) -> str | None:
        """Live through a turn that was played before, deciding it again if a budget is given; a bot's answer to it."""

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act: ...
    def end(self) -> None: ...


def make_seat(player: PlayerText, bot_limits: BotLimits = ORDINARY) -> Seat:
    """`bot_limits` are for external bots and for user agents."""
    if player.ghost is not None:
        from hsctl.match.ghosts import GhostSeat

        return GhostSeat(player)
    if isinstance(player.spec, UserSpec):
        from hsctl.match.user_agents.seat import UserSeat

        return UserSeat(player, bot_limits)
    return BotSeat(player, bot_limits) if player.spec is None else AgentSeat(player)


@lru_cache(SEATS_KEPT)
def warm_seat(copy: int, player: PlayerText, bot_limits: BotLimits) -> Seat:
    """A player ready for its first turn. Players of a game never share an agent: if one plays twice, there are two."""
    seat = make_seat(player, bot_limits)
    if player.spec is not None:
        check_sources()
    seat.warm_up()
    return seat


def warm_seats(players: Sequence[PlayerText], bot_limits: BotLimits = ORDINARY) -> list[Seat]:
    """All players of a game, made if they don't exist yet."""
    return [warm_seat(players[:at].count(player), player, bot_limits) for at, player in enumerate(players)]


def sight_of(game: Game, seat: int, limits: Limits) -> Sight | None:
    """What limits a player's view; None if it sees everything."""
    return None if limits.vision is None else Sight(game, seat, limits.vision)


def thought_of(decision: Decision) -> Thought:
    value = None if decision.value is None else float(decision.value)
    return Thought(
        decision.nodes, decision.depth, value, list(decision.plan), dict(decision.stages), list(decision.carried)
    )


def remember(agent: Agent, sent: Game, seat: int, earlier: Earlier) -> None:
    """Let an agent live through a turn again: think as it did (with the nodes it took), or only see it."""
    if earlier.budget is None:
        agent.see(sent.state, seat)
        agent.recall_plan(sent.turn, earlier.plan)
    else:
        agent.decide(sent.state, seat, earlier.budget)


class ThinkingSeat:
    """What seats of agents have in common: where they sit, what they see, and how long they think."""

    agent: Agent
    spec: Spec
    seat = 0
    seed = 0  # of the game
    spread = 0.0  # of the nodes of each decision: see `varied`
    sight: Sight | None = None

    def warm_up(self) -> None:
        self.agent.warm_up()

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.seat, self.seed = seat, seed
        self.sight = sight_of(game, seat, limits)
        self.agent.start_game(self.sight.map if self.sight else game.map, seat, seed, mates_of(game, seat))

    def recall(self, earlier: Earlier) -> str | None:
        remember(self.agent, self.sight.look(earlier.game) if self.sight else earlier.game, self.seat, earlier)
        return None

    def budget_for(self, game: Game, limits: Limits, limit_ms: float | None) -> Budget:
        budget = budget_of(self.spec, thinking_ms(limit_ms), limits.nodes)
        return vary(budget, self.spread, self.seed, self.seat, game.turn)


class AgentSeat(ThinkingSeat):
    """A built-in agent. It keeps its memory from game to game, never its knowledge."""

    def __init__(self, player: PlayerText) -> None:
        assert player.spec is not None
        self.spec = player.spec
        self.agent = make_agent(player.spec)
        self.info = PlayerInfo(player.text, True, self.agent.settings())

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        limit = turn_limit(limits, is_first)
        budget = self.budget_for(game, limits, limit)
        sent = self.sight.look(game) if self.sight else game
        is_cpu = limits.clock == CPU
        self.agent.clock = CLOCKS[limits.clock]
        before, started = read_own(), time.perf_counter()
        decision = self.agent.decide(sent.state, self.seat, budget)
        wall, ran = time.perf_counter() - started, time.thread_time() - before.ran
        seconds = ran if is_cpu else wall
        move = Move(decision.action, message=decision.message, thought=thought_of(decision))
        if budget.ms is not None:
            move.time_ms = to_ms(seconds)
            if limit is not None and seconds * 1000 > (allowed := max(limit, budget.ms)):
                used = Late("bot", to_ms(wall), to_ms(ran))
                move.late = used if is_cpu else judge_own(allowed / 1000, wall, before, read_own())
        is_waiting = budget.ms is not None and not is_cpu and is_long_wait((wall - ran) * 1000, budget.ms)
        return Act(move, seconds * 1000, is_waiting=is_waiting)

    def end(self) -> None:
        pass


class BotSeat:
    """An external bot: one process per game."""

    def __init__(self, player: PlayerText, bot_limits: BotLimits) -> None:
        self.info = PlayerInfo(player.text, False)
        self.bot_limits = bot_limits
        self.core: int | None = None  # to stay on; set before a game begins
        self.bot: Bot | None = None
        self.seat = 0
        self.sight: Sight | None = None

    def warm_up(self) -> None:
        pass  # a process per game: there is nothing to keep warm

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        """Start the process without waiting for it: several start side by side."""
        self.seat = seat
        self.sight = sight_of(game, seat, limits)
        startup_s = (limits.startup_ms or 0) / 1000
        self.bot = Bot(self.info.spec, bot_limits=self.bot_limits, startup_s=startup_s, core=self.core)
        self.bot.start()
        self.bot.send(format_header(self.seat))

    def recall(self, earlier: Earlier) -> str | None:
        assert self.bot is not None
        game = earlier.game
        sent = self.sight.look(game) if self.sight else game
        answer = self.bot.ask(format_position(sent), RECALL_S)
        if answer.failure is not None:
            raise HsctlError(
                f"player {self.seat} ({self.info.spec}) can't play on: given the input of turn {game.turn} again it "
                f"failed ({answer.failure.cause}: {answer.failure.describe()}); use --swap {self.seat}=PLAYER "
                f"(a series with --games plays it unchanged as well), or a folder in which it can start"
            )
        return answer.line

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        assert self.bot is not None
        limit = turn_limit(limits, is_first)
        sent = self.sight.look(game) if self.sight else game
        answer = self.bot.ask(format_position(sent), None if limit is None else limit / 1000)
        move = self.recorded(answer, is_timed=limits.nodes is None)
        if answer.line is not None:
            self.obey(move, game)
        cpu_ms = None if answer.cpu_s is None else answer.cpu_s * 1000
        return Act(move, answer.wall_s * 1000, cpu_ms, slow_start_of(answer.slow_start, limit) if is_first else None)

    def recorded(self, answer: BotAnswer, is_timed: bool) -> Move:
        """The raw answer; where only nodes count no time is kept but that of a late one, so that equal games give equal
        records."""
        move = Move(line=answer.line or "", stderr=answer.stderr)
        move.late, move.ahead = answer.late, answer.is_ahead
        if answer.failure is not None:
            move.failure = failure_of(answer.failure)
        if is_timed:
            move.time_ms = round(answer.wall_s * 1000, 3)
            move.cpu_ms = None if answer.cpu_s is None else round(answer.cpu_s * 1000, 1)
        return move

    def obey(self, move: Move, game: Game) -> None:
        """Turn the line into an action; a line that is not an order eliminates the bot."""
        assert self.bot is not None
        try:
            order = parse_order(move.line)
        except NotationError as error:
            move.failure = failure_of(self.bot.reject(str(error)))
        else:
            move.action, move.message = resolve(game.state, self.seat, order), order.message[:LONGEST_MESSAGE]

    def end(self) -> None:
        if self.bot is not None:
            self.bot.stop()
            self.bot = None


class AbsentSeat:
    """A player that died in the recorded turns: it is never asked."""

    def __init__(self, info: PlayerInfo) -> None:
        self.info = info

    def warm_up(self) -> None:
        pass

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        pass

    def recall(self, earlier: Earlier) -> str | None:
        return None

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        raise AssertionError("the dead are not asked")

    def end(self) -> None:
        pass


@contextmanager
def varied(seats: Sequence[Seat], spread: float) -> Iterator[None]:
    """Games in which agents get up to this share more or fewer nodes in each decision, by the seed of the game."""
    agents = [each for seat in seats for each in (seat, getattr(seat, "agent", None)) if isinstance(each, ThinkingSeat)]
    try:
        for agent in agents:
            agent.spread = spread
        yield
    finally:
        for agent in agents:
            agent.spread = 0.0


def is_long_wait(waited_ms: float, budget_ms: float) -> bool:
    """Whether an agent was without a core for so long that it thought much less than it should, late or not."""
    return HAS_CPU_CLOCK and waited_ms > max(LONG_WAIT * budget_ms, LONG_WAIT_MS)


def slow_start_of(slow: Late | None, limit_ms: float | None) -> SlowStart | None:
    """None unless the bot itself was too slow, as far as is known."""
    if slow is None or limit_ms is None or slow.culprit == MACHINE:
        return None
    return SlowStart(slow.wall_ms, limit_ms, slow.culprit == BOT)


def failure_of(failure: BotFailure) -> Failure:
    return Failure(failure.cause, failure.describe())
