"""One game: who is asked, what is recorded, and that the rules go on whatever a player does."""

import gc
import shlex
import sys
import time

import pytest

from engine.events import Drop
from engine.game import Game
from engine.notation import parse_position
from engine.rules import BOMB
from engine.state import FUSE
from hsctl.match.players import read_player
from hsctl.match.result import GameResult
from hsctl.match.runner import play_game
from hsctl.match.seats import Act, AgentSeat, Seat, make_seat
from replays.playback import Playback
from replays.replay import Limits, Move, PlayerInfo, Replay, encode
from search.agent import Decision
from tests.engine.draw import board

NODES = Limits(nodes=50)
CLOCK = Limits(first_turn_ms=30_000.0, turn_ms=30_000.0, startup_ms=60_000.0)
WALKER = """
import sys
lines = iter(sys.stdin.readline, "")
next(lines)
while True:
    for _ in range(11):
        next(lines)
    for _ in range(int(next(lines))):
        next(lines)
    print("MOVE 3 3", flush=True)
"""


def seats(*texts: str) -> list[Seat]:
    return [make_seat(read_player(text)) for text in texts]


def play(texts: list[str], seed: int = 1, limits: Limits = NODES) -> tuple[Replay, GameResult]:
    return play_game(seats(*texts), Game.start(seed, len(texts)), limits, seed)


def program(code: str) -> str:
    """A bot of one line of Python."""
    return shlex.join([sys.executable, "-S", "-c", code])


def script(*actions: int) -> "Scripted":
    return Scripted(list(actions))


class Scripted:
    """A player who does as told, then stands still."""

    info = PlayerInfo("scripted", True)

    def __init__(self, actions: list[int]) -> None:
        self.actions = actions
        self.asked: list[int] = []
        self.is_gc_on: set[bool] = set()
        self.calls: list[str] = []

    def warm_up(self) -> None: ...

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.calls.append("begin")

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        self.is_gc_on.add(gc.isenabled())
        self.asked.append(game.turn)
        return Act(Move(self.actions.pop(0) if self.actions else 0), 0.5)

    def end(self) -> None:
        self.calls.append("end")


@pytest.mark.parametrize("texts", [["simple", "random"], ["simple"] * 3, ["random", "simple", "still", "simple"]])
def test_a_game_of_agents_plays_again_as_recorded(texts: list[str]) -> None:
    replay, game = play(texts, seed=5)
    playback = Playback(replay)
    deaths = {seat: (fate.turn, fate.owners) for seat, fate in enumerate(game.deaths) if fate is not None}
    assert deaths == {seat: (turn, death.owners) for seat, (turn, death) in playback.deaths().items()}
    turns = range(playback.first_turn, playback.end_turn)
    drops = [event.player for turn in turns for event in playback.events_at(turn) if isinstance(event, Drop)]
    assert game.bombs == [drops.count(seat) for seat in range(len(texts))]
    lived = [sum(turn.moves[seat] is not None for turn in replay.turns) for seat in range(len(texts))]
    assert [thinking.turns for thinking in game.thinking] == lived
    assert [len(thinking.times_ms) for thinking in game.thinking] == lived
    result = replay.result
    assert (game.ranks, game.boxes, game.reason) == (result.ranks, result.boxes, result.reason)
    assert (game.seed, game.turns, game.seating) == (5, len(replay.turns), tuple(range(len(texts))))


def test_with_nodes_the_same_game_gives_the_same_bytes() -> None:
    texts = ["simple", "random:nodes=3", program(WALKER)]
    limits = Limits(30_000.0, 30_000.0, 60_000.0, nodes=50)
    (first, game), (second, _) = play(texts, 7, limits), play(texts, 7, limits)
    assert encode(first) == encode(second)
    assert b"time_ms" not in encode(first) and b"cpu_ms" not in encode(first)
    assert all(thinking.times_ms for thinking in game.thinking)  # which the tables show all the same


def test_on_the_clock_times_are_recorded() -> None:
    replay, _ = play(["simple", "random"], limits=CLOCK)
    moves = [move for turn in replay.turns for move in turn.moves if move is not None]
    assert all(move.time_ms is not None for move in moves)


def test_a_new_game_forgets_the_last() -> None:
    players = seats("simple", "random")
    games = [play_game(players, Game.start(3, 2), NODES, 3) for _ in range(2)]
    assert encode(games[0][0]) == encode(games[1][0])


def test_the_collector_rests_during_turns_and_works_after_the_game() -> None:
    player = script()
    play_game([player, script()], Game.start(1, 2), NODES, 1)
    assert player.is_gc_on == {False}
    assert gc.isenabled()


def test_who_burns_is_asked_no_more_and_ended_at_once() -> None:
    # Player 0 bombs itself, players 1 and 2 go on until nothing has happened for long.
    victim, other = script(BOMB), script()
    _, game = play_game([victim, other, script()], Game.start(1, 3), NODES, 1)
    assert victim.asked == list(range(FUSE + 1))
    fate = game.deaths[0]
    assert fate is not None and (fate.turn, fate.cause, fate.owners, fate.failure) == (FUSE, "own", (0,), "")
    assert len(other.asked) > FUSE + 1
    assert game.ranks == [3, 1, 1]


def test_a_seat_that_is_dead_at_the_start_is_never_asked() -> None:
    game = parse_position(board("0 0 0 0 1 3\n0 2 4 0 1 3"), seats=3)
    absent = script()
    replay, finished = play_game([script(), absent, script()], game, NODES, 0)
    assert absent.asked == [] and "begin" not in absent.calls
    assert finished.ranks == [1, 3, 1]
    assert (finished.deaths[1], finished.thinking[1].turns) == (None, 0)
    Playback(replay)


def test_an_interrupt_ends_every_player() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    players = [script(), script()]
    with pytest.raises(KeyboardInterrupt):
        play_game(players, Game.start(1, 2), NODES, 1, on_turn=interrupt)
    assert [player.calls for player in players] == [["begin", "end"]] * 2
    assert gc.isenabled()


def test_a_slow_agent_is_not_eliminated_but_judged() -> None:
    class Slow:
        def start_game(self, *_: object) -> None: ...

        def decide(self, *_: object) -> Decision:
            end = time.thread_time() + 0.03
            while time.thread_time() < end:
                pass
            return Decision(0)

    seat = AgentSeat(read_player("still"))
    seat.agent = Slow()  # type: ignore[assignment]
    replay, game = play_game([seat, script()], Game.start(1, 2), Limits(1.0, 1.0), 1)
    assert game.deaths == [None, None]
    first = replay.turns[0].moves[0]
    assert first is not None and first.time_ms is not None and first.time_ms >= 30
    assert first.late is not None and first.late.wall_ms == first.time_ms
    assert first.late.cpu_ms >= 30
    kept_ms = first.late.delay_ms or 0.0
    assert first.late.culprit == "bot" or kept_ms > first.late.wall_ms - 2  # by a busy machine


def test_an_agent_with_a_longer_time_of_its_own_is_not_late_for_that() -> None:
    replay, _ = play_game(seats("random:time=200", "still"), Game.start(1, 2), Limits(1e-6, 1e-6), 1)
    moves = [turn.moves for turn in replay.turns]
    assert not any(own.late for own, _ in moves if own is not None and (own.time_ms or 0.0) < 200)
    assert all(other.late for _, other in moves if other is not None)


# External bots


def failure_in(game: GameResult, seat: int) -> tuple[int, str, str]:
    fate = game.deaths[seat]
    assert fate is not None and fate.cause == "error"
    return fate.turn, fate.failure, fate.detail


def test_a_bot_that_dies_is_out_and_the_others_go_on() -> None:
    code = "import sys; print('MOVE 0 0', flush=True); sys.exit('no idea')"
    replay, game = play(["still", program(code), "still"], limits=CLOCK)
    turn, cause, detail = failure_in(game, 1)
    assert (turn, cause) == (1, "crash")
    assert detail == "exited with code 1; last output 'MOVE 0 0'; stderr ends 'no idea'"
    assert replay.result.ranks == [1, 3, 1] and len(replay.turns) > 10
    Playback(replay)


def test_an_answer_that_is_no_action_is_an_error_of_its_own() -> None:
    replay, game = play(["still", program("print('JUMP 3 4')")], limits=CLOCK)
    turn, cause, detail = failure_in(game, 1)
    assert (turn, cause) == (0, "invalid")
    assert detail == "expected `MOVE x y` or `BOMB x y`, found 'JUMP 3 4'"
    move = replay.turns[0].moves[1]
    assert move is not None and move.line == "JUMP 3 4" and move.action is None


def test_a_bot_gets_the_header_once_and_every_position() -> None:
    # It says how many lines came before each answer: the header, then 11 rows, the count and two players.
    code = (
        "import sys\nread = 0\n"
        "while True:\n"
        "    lines = [sys.stdin.readline() for _ in range(14 + (read == 0))]\n"
        "    read += len(lines)\n"
        "    print('MOVE 0 0', read, flush=True)"
    )
    replay, _ = play([program(code), "still"], limits=CLOCK)
    messages = [turn.moves[0].message for turn in replay.turns if turn.moves[0] is not None]
    assert messages == [str(1 + 14 * (turn + 1)) for turn in range(len(messages))]
    assert len(messages) == 20  # idle rounds


def test_a_bot_that_is_late_is_recorded_with_who_is_to_blame() -> None:
    code = "import time; print('MOVE 0 0', flush=True); time.sleep(60)"
    replay, _ = play([program(code), "still"], limits=Limits(30_000.0, 50.0, 30_000.0))
    move = replay.turns[1].moves[0]
    assert move is not None and move.failure is not None and move.failure.cause == "timeout"
    assert move.late is not None and move.late.wall_ms >= 50


def test_what_a_bot_writes_to_stderr_is_kept_by_turn() -> None:
    code = (
        "import sys\n"
        "for turn in range(99):\n"
        "    [sys.stdin.readline() for _ in range(14 + (turn == 0))]\n"
        "    print('turn', turn, file=sys.stderr, flush=True)\n"
        "    print('MOVE 0 0', flush=True)"
    )
    replay, _ = play([program(code), "still"], limits=CLOCK)
    texts = [turn.moves[0].stderr for turn in replay.turns if turn.moves[0] is not None]
    assert texts == [f"turn {turn}\n" for turn in range(20)]
