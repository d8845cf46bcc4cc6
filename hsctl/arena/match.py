"""One game: players are asked turn by turn, the rules go on whatever they answer, all is kept as a Replay.

Built-in agents think in this process, one after the other, with the garbage collector held back during a turn;
external bots are processes of their own (see bot.py).
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from engine.game import Game
from engine.notation import NotationError, digest, format_header, format_position, parse_order, resolve
from hsctl import __version__
from hsctl.arena.bot import Bot
from hsctl.arena.players import PlayerText
from replays.playback import start_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Result, Thought, Turn
from search import make_agent
from search.agent import Agent, Budget, Decision

SHARE_OF_TURN = 0.95  # of the arena's clock: what a built-in agent thinks, the rest is reserve
UNLIMITED_MS = 100.0  # what a built-in agent thinks when the clock is off
OnTurn = Callable[[Game, list[Move | None]], None]


class Seat(Protocol):
    """A player in a seat of a running game."""

    info: PlayerInfo

    def begin(self, game: Game, seat: int, seed: int) -> None: ...
    def act(self, game: Game, limits: Limits, is_first: bool) -> Move: ...
    def end(self) -> None: ...


class AgentSeat:
    """A built-in agent. It keeps its memory from game to game, never its knowledge."""

    def __init__(self, player: PlayerText) -> None:
        assert player.spec is not None
        self.spec = player.spec
        self.agent: Agent = make_agent(player.spec)
        self.info = PlayerInfo(player.text, True, self.agent.settings())
        self.seat = 0

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.seat = seat
        self.agent.start_game(game.map, seat, seed)

    def budget(self, limits: Limits, is_first: bool) -> Budget:
        if self.spec.nodes is not None or self.spec.ms is not None:
            return Budget(self.spec.ms, self.spec.nodes)
        if limits.nodes is not None:
            return Budget(nodes=limits.nodes)
        limit = limits.first_turn_ms if is_first else limits.turn_ms
        return Budget(ms=SHARE_OF_TURN * limit if limit is not None else UNLIMITED_MS)

    def act(self, game: Game, limits: Limits, is_first: bool) -> Move:
        budget = self.budget(limits, is_first)
        started = time.perf_counter()
        decision = self.agent.decide(game.state, self.seat, budget)
        elapsed = (time.perf_counter() - started) * 1000
        timed = budget.nodes is None
        return Move(
            decision.action,
            message=decision.message,
            time_ms=round(elapsed, 3) if timed else None,
            thought=thought_of(decision),
        )

    def end(self) -> None:
        pass


def thought_of(decision: Decision) -> Thought:
    value = None if decision.value is None else float(decision.value)
    return Thought(
        decision.nodes, decision.depth, value, list(decision.plan), dict(decision.stages), list(decision.carried)
    )


class BotSeat:
    """An external bot: one process per game."""

    def __init__(self, player: PlayerText, memory_mb: int | None) -> None:
        self.info = PlayerInfo(player.text, False)
        self.memory_mb = memory_mb
        self.bot: Bot | None = None
        self.seat = 0

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.seat = seat

    def act(self, game: Game, limits: Limits, is_first: bool) -> Move:
        text = format_position(game)
        if self.bot is None:
            text = format_header(self.seat) + text
            self.bot = Bot(self.info.spec, memory_mb=self.memory_mb, startup_s=(limits.startup_ms or 0) / 1000)
            self.bot.start()
        limit = limits.first_turn_ms if is_first else limits.turn_ms
        answer = self.bot.ask(text, None if limit is None else limit / 1000)
        move = Move(
            line=answer.line or "",
            time_ms=round(answer.wall_s * 1000, 3),
            cpu_ms=round(answer.cpu_s * 1000, 1),
            stderr=answer.stderr,
        )
        if answer.failure is not None or answer.line is None:
            failure = answer.failure
            move.failure = Failure(failure.cause, failure.describe()) if failure else Failure("closed")
            return move
        try:
            order = parse_order(answer.line)
        except NotationError as error:
            move.failure = Failure("invalid", str(error))
            return move
        move.action, move.message = resolve(game.state, self.seat, order), order.message[:200]
        return move

    def end(self) -> None:
        if self.bot is not None:
            self.bot.stop()
            self.bot = None


def make_seat(player: PlayerText, memory_mb: int | None = None) -> Seat:
    return BotSeat(player, memory_mb) if player.spec is None else AgentSeat(player)


def play_game(
    seats: Sequence[Seat], game: Game, limits: Limits, seed: int | None, on_turn: OnTurn | None = None
) -> Replay:
    """Play a game to its end and return its record. `game` is changed."""
    start = start_of(game)
    decision_seed = 0 if seed is None else seed
    turns: list[Turn] = []
    gc.disable()
    try:
        for at, seat in enumerate(seats):
            seat.begin(game, at, decision_seed)
        while not game.is_over:
            turns.append(play_turn(seats, game, limits, is_first=not turns))
            if on_turn is not None:
                on_turn(game, turns[-1].moves)
            gc.collect(1)
    finally:
        gc.enable()
        for seat in seats:
            seat.end()
    result = Result(game.reason or "", game.ranks(), game.boxes, list(game.death_rounds), digest(game))
    return Replay(FORMAT, VERSION, __version__, seed, start, [seat.info for seat in seats], limits, turns, result)


def play_turn(seats: Sequence[Seat], game: Game, limits: Limits, is_first: bool) -> Turn:
    """Ask everybody who lives, then play the round."""
    before = digest(game)
    living = set(game.living)
    moves = [seat.act(game, limits, is_first) if at in living else None for at, seat in enumerate(seats)]
    for at, move in enumerate(moves):
        if move is not None and move.action is None:
            game.eliminate(at)
            seats[at].end()
    died_before = set(game.living)
    game.step([0 if move is None or move.action is None else move.action for move in moves])
    for at in died_before - set(game.living):
        seats[at].end()
    return Turn(before, moves)
