"""One game: players are asked turn by turn, the rules go on whatever they answer, everything is kept as a Replay.

Players think one after the other, never at the same time, and the garbage collector works only between turns.
"""

import gc
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from engine.errors import MOST_NODES
from engine.events import Death
from engine.game import Game
from engine.notation import digest
from engine.state import FUSE
from engine.variants import MATES, TeamGame
from hsctl import __version__
from hsctl.match.finished import Fate, FaultCount, FinishedGame, Foresight, Misdrawn, SlowStart, fate_of, thinking_of
from hsctl.match.past import Past
from hsctl.match.pinning import cores_apart
from hsctl.match.players import names_person
from hsctl.match.seats import Act, BotSeat, Seat
from replays.annotations import Predictions, read_drawing
from replays.events import events_of
from replays.faults import faults_of
from replays.playback import play_moves, result_of, start_of, stderr_of
from replays.replay import FORMAT, VERSION, Limits, Move, Replay, Turn

OnTurn = Callable[[Replay, Game], None]  # the record so far, and the game that it has led to


def play_game(
    seats: Sequence[Seat],
    game: Game,
    limits: Limits,
    seed: int,
    on_turn: OnTurn | None = None,
    past: Past | None = None,
) -> tuple[Replay, FinishedGame]:
    """Play a game to its end, or on from where its `past` ends. `game`, its start, is changed; `seed` is that of all
    decisions; `on_turn` is called before the first turn, and after each, when no player's clock runs."""
    start, notes = start_of(game), Notes(len(seats))
    turns: list[Turn] = []
    replay = Replay(FORMAT, VERSION, __version__, seed, start, [], limits, turns, result_of(game))
    started = time.perf_counter()
    with all_seated(seats), collector_at_rest():
        for at in game.living:
            seats[at].begin(game, at, seed, limits)
        turns += past.lead(seats, game, notes.follow) if past else []
        replay.players, replay.result = [seat.info for seat in seats], result_of(game)
        if on_turn is not None:
            on_turn(replay, game)
        while not game.is_over:
            before = game.copy()
            turns.append(play_turn(seats, game, limits, notes, is_first=not turns, past=past))
            notes.follow(before, turns[-1].moves, game)
            if on_turn is not None:
                replay.result = result_of(game)
                on_turn(replay, game)
            gc.collect(1)
    replay.players, replay.result = [seat.info for seat in seats], result_of(game)
    finished = notes.finish(game, seed, len(turns), round(time.perf_counter() - started, 6))
    faithful = [info.faithful_turns for info in replay.players]
    return replay, finished if faithful.count(None) == len(faithful) else replace(finished, faithful_turns=faithful)


@contextmanager
def all_seated(seats: Sequence[Seat]) -> Iterator[None]:
    """Bots on cores of their own, where there are enough; every player ended when it is over."""
    bots = [seat for seat in seats if isinstance(seat, BotSeat)]
    with cores_apart(len(bots)) as cores:
        for bot, core in zip(bots, cores, strict=True):
            bot.core = core
        try:
            yield
        finally:
            for seat in seats:
                seat.end()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def play_turn(
    seats: Sequence[Seat], game: Game, limits: Limits, notes: "Notes", is_first: bool, past: Past | None = None
) -> Turn:
    """Ask every living player, people last so that nobody else's thinking follows theirs; then play the round."""
    sent = digest(game)
    moves: list[Move | None] = [None] * len(seats)
    living = game.living
    for at in sorted(living, key=lambda at: names_person(seats[at].info.spec)):
        act = seats[at].act(game, limits, is_first)
        moves[at] = act.move
        if past is not None:
            past.overrule(game, at, act.move)
        notes.take(at, act, is_first)
    play_moves(game, moves)
    for at in set(living) - set(game.living):
        seats[at].end()
    return Turn(sent, moves)


class Notes:
    """What is noted by seat while a game is played, because its last position doesn't tell."""

    def __init__(self, seats: int) -> None:
        self.fates: list[Fate | None] = [None] * seats
        self.bombs = [0] * seats
        self.times_ms = [array("d") for _ in range(seats)]  # of every turn, also where the replay has none
        self.late: list[Counter[str]] = [Counter() for _ in range(seats)]  # turns, by culprit
        self.beyond_ms = [0.0] * seats  # CPU time above the time of the turns
        self.depths = [0] * seats  # of the searches of all turns, added up
        self.nodes = [0] * seats  # of all turns
        self.delayed = [0] * seats  # turns, by the machine
        self.has_first = [False] * seats  # whether the first turn was played here
        self.faults: list[dict[str, FaultCount]] = [{} for _ in range(seats)]
        self.slow_starts: list[SlowStart | None] = [None] * seats
        self.predictions = Predictions()
        self.misdrawn: list[Misdrawn | None] = [None] * seats

    @property
    def thinking(self) -> tuple[Sequence[Any], ...]:
        """By seat, in the order of what `thinking_of` takes."""
        return self.times_ms, self.late, self.beyond_ms, self.has_first, self.depths, self.nodes, self.delayed

    def take(self, seat: int, act: Act, is_first: bool) -> None:
        """Note what a turn took; in the CPU time of the first is that of the start."""
        self.times_ms[seat].append(act.ms)
        self.has_first[seat] |= is_first
        self.slow_starts[seat] = self.slow_starts[seat] or act.slow_start
        if act.move.thought is not None:
            self.depths[seat] += act.move.thought.depth
            self.nodes[seat] += min(max(0, act.move.thought.nodes), MOST_NODES)  # agents of one's own may say anything
        self.delayed[seat] += act.is_delayed
        if act.move.late is not None:
            self.late[seat][act.move.late.culprit] += 1
        if act.cpu_ms is not None and not is_first:
            self.beyond_ms[seat] += act.cpu_ms - act.ms

    def follow(self, before: Game, moves: Sequence[Move | None], after: Game) -> None:
        """Note bombs dropped, silent faults and deaths of a turn."""
        for seat, move in enumerate(moves):
            for name in faults_of(before, seat, move):
                assert move is not None
                first = self.faults[seat].get(name, FaultCount(0, before.turn, move.line))
                self.faults[seat][name] = replace(first, count=first.count + 1)
        said = stderr_of(moves)
        self.predictions.follow(said, after)
        self.misdrawn = [add_drawing(*each, before.turn) for each in zip(self.misdrawn, said, strict=True)]
        for bomb in after.bombs:
            self.bombs[bomb.owner] += bomb.timer == FUSE
        if before.living != after.living:
            for event in events_of(before, moves):
                if isinstance(event, Death):
                    move = moves[event.player]
                    culprit = move.late.culprit if move and move.late and move.failure else ""
                    self.fates[event.player] = fate_of(before.turn, event, culprit)

    def finish(self, game: Game, seed: int, turns: int, seconds: float) -> FinishedGame:
        """The game with the players numbered by their seats."""
        return FinishedGame(
            seed,
            tuple(range(game.seats)),
            game.ranks(),
            game.boxes,
            self.bombs,
            self.fates,
            list(map(thinking_of, *self.thinking)),
            turns,
            game.reason or "",
            seconds,
            team_size_of(game),
            faults=self.faults,
            foresight=[foresight_of(self.predictions, seat) for seat in range(game.seats)],
            misdrawn=self.misdrawn,
            slow_starts=self.slow_starts,
        )


def team_size_of(game: Game) -> int:
    return MATES if isinstance(game, TeamGame) else 1


def foresight_of(predictions: Predictions, seat: int) -> Foresight | None:
    """None of who predicted nothing."""
    checked, wrong = predictions.checked.get(seat, 0), predictions.count_wrong(seat)
    first = predictions.first_wrong(seat)
    return Foresight(checked, wrong, first.describe() if first else "") if checked or wrong else None


def add_drawing(so_far: Misdrawn | None, stderr: str, turn: int) -> Misdrawn | None:
    """What a bot couldn't draw, with that of one more turn."""
    drawing = read_drawing(stderr)
    if not drawing.wrong:
        return so_far
    if so_far is None:
        return Misdrawn(drawing.wrong, f"turn {turn}: {drawing.first_wrong}")
    return replace(so_far, count=so_far.count + drawing.wrong)
