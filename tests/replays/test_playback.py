"""Playback: a recorded game plays again, any position can be had, and a record that can't be is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.game import Game
from engine.notation import digest, format_position, parse_position
from replays.playback import Playback, game_from, load, read, start_of
from replays.replay import Failure, Move, Replay, ReplayError, Start, Thought, decode, encode
from tests.replays.recorded import play_moves, record_game

GOLDEN = Path(__file__).with_name("golden.json")
GAMES = [(1, 2, 0.0), (2, 2, 0.02), (3, 3, 0.01), (4, 4, 0.0), (5, 4, 0.01), (6, 4, 0.05)]  # seed, seats, failures


def memory_of(game: Game) -> tuple:
    """All that a game knows."""
    counters = game.idle_rounds, game.last_box_counter, game.reason
    return digest(game), game.turn, game.boxes, game.death_rounds, game.item_order, game.bomb_order, counters


@pytest.mark.parametrize(("seed", "seats", "failures"), GAMES)
def test_a_recorded_game_plays_again_turn_by_turn(seed: int, seats: int, failures: float) -> None:
    replay = record_game(seed, seats, failures)
    playback = Playback(decode(encode(replay)))
    game = Game.start(seed, seats)
    for turn, recorded in enumerate(replay.turns):
        assert memory_of(playback.game_at(turn)) == memory_of(game)
        assert playback.moves_at(turn) == recorded.moves
        play_moves(game, recorded.moves)
    assert memory_of(playback.game_at(playback.end_turn)) == memory_of(game)
    assert playback.moves_at(playback.end_turn) == [None] * seats
    assert game.is_over


def test_failures_are_among_the_played_games() -> None:
    causes = {
        move.failure.cause
        for seed, seats, failures in GAMES
        for turn in record_game(seed, seats, failures).turns
        for move in turn.moves
        if move and move.failure
    }
    assert len(causes) > 1


def test_the_kept_game_still_plays_as_it_was_recorded() -> None:
    playback = load(GOLDEN)
    assert (playback.first_turn, playback.end_turn) == (0, 83)
    deaths = {seat: (turn, death.owners, death.failure) for seat, (turn, death) in playback.deaths().items()}
    assert deaths == {2: (63, (), "timeout"), 0: (82, (0, 3), ""), 3: (82, (3,), "")}


def test_a_replay_of_version_1_lists_items_freed_together_as_it_did() -> None:
    replay = read(GOLDEN)
    assert replay.version == 1
    replay.version = 2
    with pytest.raises(ReplayError, match="turn 50: hash"):
        Playback(replay)


def test_a_given_position_may_be_stepped_without_harm() -> None:
    playback = load(GOLDEN)
    before = memory_of(playback.game_at(10))
    playback.game_at(10).step([5, 5, 5, 5])
    assert memory_of(playback.game_at(10)) == before


def test_a_game_goes_on_from_any_turn_exactly() -> None:
    playback = load(GOLDEN)
    for turn in range(playback.first_turn, playback.end_turn):
        game = playback.game_at(turn)
        start = start_of(game)
        again = game_from(start)
        assert memory_of(again) == memory_of(game)
        assert start_of(again) == start


def test_a_game_from_turn_42_has_turns_from_42_on_and_plays_again() -> None:
    middle = load(GOLDEN).game_at(70)  # one is dead, boxes are scored
    replay = record_game(9, 4, game=middle)
    playback = Playback(decode(encode(replay)))
    assert playback.first_turn == 70
    assert format_position(playback.game_at(70)) == format_position(middle)
    assert playback.end_turn == 70 + len(replay.turns)
    with pytest.raises(ReplayError, match=r"turn 69: .* 70 to"):
        playback.game_at(69)


def test_idle_rounds_and_the_last_box_counter_go_on() -> None:
    rows = "\n".join(["............." if y % 2 == 0 else ".X.X.X.X.X.X." for y in range(11)])
    game = parse_position(f"{rows}\n2\n0 0 0 0 1 3\n0 2 12 0 1 3\n", turn=50, seats=3)
    game.death_rounds[1] = 17
    for _ in range(7):
        game.step([0, 0, 0])
    start = start_of(game)
    assert (start.turn, start.idle_rounds, start.last_box_counter) == (57, 7, 13)
    assert start.death_rounds == [None, 17, None]
    assert memory_of(game_from(start)) == memory_of(game)


def test_the_end_is_no_start() -> None:
    playback = load(GOLDEN)
    with pytest.raises(ReplayError, match=r"turn 83: the game is over \(one player left\)"):
        start_of(playback.game_at(83))


# Records that can't be


def tampered() -> Replay:
    """The kept game, to be changed."""
    return decode(GOLDEN.read_bytes())


def refusal(replay: Replay) -> str:
    with pytest.raises(ReplayError) as error:
        Playback(replay)
    assert "\n" not in str(error.value)
    return str(error.value)


def move_of(replay: Replay, turn: int, seat: int) -> Move:
    move = replay.turns[turn].moves[seat]
    assert move is not None
    return move


def test_a_bomb_that_cannot_be_dropped_is_no_error() -> None:
    replay = tampered()
    playback = Playback(replay)
    moves = [move_of(replay, turn, 1) for turn in range(83) if playback.game_at(turn).players()[1].bombs_left == 0]
    assert moves
    for move in moves:
        move.action = (move.action or 0) % 5 + 5
    Playback(replay)


def change(**fields: object) -> Callable[[Replay], None]:
    """A change of the result."""
    return lambda replay: [setattr(replay.result, name, value) for name, value in fields.items()] and None


def set_move(turn: int, seat: int, move: Move | None) -> Callable[[Replay], None]:
    return lambda replay: replay.turns[turn].moves.__setitem__(seat, move)


def set_hash(replay: Replay) -> None:
    replay.turns[40].hash = "0123456789abcdef"


def break_wall(replay: Replay) -> None:
    replay.start.position = replay.start.position.replace("X", ".", 1)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (set_move(17, 1, Move(10)), "turn 17, player 1: action 10"),
        (set_move(17, 1, Move(0, thought=Thought(plan=[99]))), "turn 17, player 1: planned action 99"),
        (set_move(0, 0, Move(3)), "turn 0, player 0: action 3 moves up from 0 0 where it is blocked"),
        (set_move(64, 2, Move(0)), "turn 64, player 2: a dead player moves"),
        (set_move(64, 1, None), "turn 64, player 1: no move"),
        (set_move(5, 1, Move()), "turn 5, player 1: neither action nor failure"),
        (set_move(5, 1, Move(0, failure=Failure("crash"))), "turn 5, player 1: an action and a failure"),
        (set_hash, "turn 40: hash 0123456789abcdef"),
        (lambda replay: replay.turns[5].moves.pop(), "turn 5: 3 moves"),
        (lambda replay: replay.players.pop(), "3 players"),
        (lambda replay: replay.turns.pop(), "turn 82: "),
        (lambda replay: replay.turns.append(replay.turns[-1]), "turn 83: "),
        (change(reason="200 turns"), "result: reason 200 turns"),
        (change(ranks=[1, 1, 1, 1]), "result: ranks [1, 1, 1, 1]"),
        (change(boxes=[1, 2, 3, 4]), "result: boxes [1, 2, 3, 4]"),
        (change(death_rounds=[None] * 4), "result: death rounds [None, None, None, None]"),
        (change(hash="0" * 16), "result: hash 0000000000000000"),
        (break_wall, "start: line 2: "),
    ],
)
def test_a_record_that_cannot_be_is_refused(tamper: Callable[[Replay], object], message: str) -> None:
    replay = tampered()
    tamper(replay)
    assert refusal(replay).startswith(message)


def test_another_action_shows_in_the_hash_of_the_next_turn() -> None:
    replay = tampered()
    action = move_of(replay, 30, 3).action or 0
    move_of(replay, 30, 3).action = 0 if action else 5
    assert refusal(replay).startswith(f"turn 31: hash {replay.turns[31].hash}")


def test_death_rounds_belong_to_the_dead() -> None:
    position = format_position(Game.start(1, 2))
    with pytest.raises(ReplayError, match=r"start: death rounds \[3, None\]"):
        game_from(Start(position, 2, death_rounds=[3, None]))


def test_errors_of_a_file_name_it(tmp_path: Path) -> None:
    replay = tampered()
    replay.turns.pop()
    (tmp_path / "short.json").write_bytes(encode(replay))
    with pytest.raises(ReplayError, match=r"short\.json: turn 82: the file ends before"):
        load(tmp_path / "short.json")
