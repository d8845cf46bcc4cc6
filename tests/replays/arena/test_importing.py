"""Games in the arena's dress come back turn by turn, and what was changed in them is named."""

import json
from functools import cache

import pytest

from engine.game import Game
from engine.maps import draw_boxes
from replays.arena.formats import ArenaError
from replays.arena.importing import Imported, import_game
from replays.arena.rebuild import format_number
from replays.playback import Playback
from replays.replay import Failure, Move, Replay, decode, encode
from tests.replays.arena.many import NAMES, SHAPES, dress, is_same, random_game
from tests.replays.arena.recorded_files import RECORDED, needs_recorded
from tests.replays.arena.writer import write_console, write_frames, write_json, write_options
from tests.replays.recorded import record_game

CHANGED_ITEMS = next(seed for seed in range(100) if draw_boxes(seed, len(draw_boxes(seed))) != draw_boxes(seed))


kept_game = cache(random_game)


@pytest.fixture(scope="module")
def replay() -> Replay:
    """Three players; one is lost for an error, one dies."""
    return record_game(3, 3, failures=0.01, care=0.95)


@pytest.fixture
def result(replay: Replay) -> dict:
    return write_json(replay, write_frames(replay, own=0), NAMES[:3])


def load(result: object, seed: int | None = None) -> Imported:
    return import_game(json.dumps(result).encode(), seed, "test")


def mismatch(result: object) -> str:
    """The line about a game that differs."""
    difference = load(result).difference
    assert difference is not None
    return difference.describe()


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("number", range(3))
def test_a_game_comes_back_whatever_its_dress(shape: str, number: int) -> None:
    replay = kept_game(number)
    imported = import_game(*dress(replay, shape, number), "test")
    assert imported.difference is None
    assert is_same(imported, replay)
    assert imported.replay is not None
    Playback(imported.replay)


def test_names_answers_messages_and_stderr_are_in_the_replay(replay: Replay, result: dict) -> None:
    imported = load(result)
    assert imported.replay is not None
    assert [info.spec for info in imported.replay.players] == NAMES[:3]
    first = imported.replay.turns[0].moves
    assert first[1] is not None and first[1].message == "catch me"
    assert first[1].line.lower().startswith(("move", "bomb"))
    assert first[0] is not None and ".X" in first[0].stderr
    assert imported.replay.seed == 3


@pytest.mark.parametrize(("in_editor", "own"), [([2], 2), ([], None), ([0, 1], None)])
def test_the_code_in_the_editor_is_ones_own(result: dict, in_editor: list[int], own: int | None) -> None:
    for seat in in_editor:
        result["agents"][seat]["agentId"] = -1
    result["agents"].reverse()
    imported = load(result).replay
    assert imported is not None
    kept = decode(encode(imported))
    assert [info.is_own for info in kept.players] == [seat in in_editor for seat in range(3)]
    assert Playback(kept).own_seat == own


def test_everything_that_was_recorded_is_compared(result: dict) -> None:
    compared = load(result).compared
    assert compared.frames == len(result["frames"]) - 1
    assert compared.summary_lines == sum(frame.get("summary", "").count("\n") for frame in result["frames"])
    assert compared.inputs == sum("stderr" in frame for frame in result["frames"])
    assert compared.has_first_board and compared.has_scores and compared.has_ranks


def test_the_board_of_seed_and_boxes_is_taken_where_that_of_the_seed_does_not_fit() -> None:
    count = len(draw_boxes(CHANGED_ITEMS))
    replay = record_game(CHANGED_ITEMS, 2, game=Game.start(CHANGED_ITEMS, 2, count))
    imported = load(write_json(replay, write_frames(replay), NAMES[:2]))
    assert imported.difference is None
    assert imported.options == (CHANGED_ITEMS, count)


def test_a_console_needs_its_seed_or_an_echoed_first_input(replay: Replay) -> None:
    text = write_console(write_frames(replay), NAMES[:3]).encode()
    with pytest.raises(ArenaError, match=r"no seed and no echoed first input: expected --seed N"):
        import_game(text, None, "test")
    assert is_same(import_game(text, 3, "test"), replay)
    assert is_same(import_game(write_options(replay).encode() + text, None, "test"), replay)
    assert is_same(import_game(write_console(write_frames(replay, own=2), NAMES[:3]).encode(), None, "test"), replay)


def test_a_console_tells_names_by_its_summaries(replay: Replay) -> None:
    assert import_game(write_console(write_frames(replay), NAMES[:3]).encode(), 3, "test").names == NAMES[:3]


def test_a_seed_beside_that_of_the_record_is_refused(result: dict) -> None:
    with pytest.raises(ArenaError, match="seed 4: the record has seed=3"):
        load(result, seed=4)


# Failures


def drawn_timeout(seats: int = 2, lost: int = 1) -> Replay:
    """One player, 1 of 2 unless told, sends nothing on turn 2; the others stand still to the end."""
    from engine.notation import digest
    from replays.playback import play_moves, result_of, start_of
    from replays.replay import FORMAT, VERSION, Limits, PlayerInfo, Turn

    game = Game.start(7, seats)
    start, turns = start_of(game), []
    while not game.is_over:
        moves: list[Move | None] = [Move(0) if seat in game.living else None for seat in range(seats)]
        if game.turn == 2:
            moves[lost] = Move(failure=Failure("timeout"))
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(name, False) for name in NAMES[:seats]]
    return Replay(FORMAT, VERSION, "test", 7, start, players, Limits(), turns, result_of(game))


def test_a_timeout_is_kept_as_the_arena_recorded_it() -> None:
    replay = drawn_timeout()
    imported = load(write_json(replay, write_frames(replay), ["ann", "bob"]))
    assert imported.difference is None and imported.replay is not None
    assert imported.replay.result.death_rounds == [None, 2]
    move = imported.replay.turns[2].moves[1]
    assert move is not None and move.action is None and move.failure is not None
    assert move.failure.cause == "timeout"
    assert "did not provide 1 input lines in due time" in move.failure.detail


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("has_counters", [True, False])
def test_a_timeout_of_any_player_is_a_frame_of_its_own_in_a_console(seat: int, has_counters: bool) -> None:
    """Without counters only what the arena says tells that the next output is another player's."""
    replay = drawn_timeout(3, seat)
    text = write_console(write_frames(replay), NAMES[:3], has_counters)
    assert is_same(import_game(text.encode(), 7, "test"), replay)


def test_a_player_who_goes_on_after_a_timeout_is_a_mismatch() -> None:
    replay = drawn_timeout()
    result = write_json(replay, write_frames(replay), ["ann", "bob"])
    extra = [dict(result["frames"][1], agentId=seat, keyframe=seat == 1) for seat in (0, 1)]
    result["frames"] += extra
    assert mismatch(result) == (
        "frame 7, turn 3: the arena goes on with player 0's answer, "
        "the rules end the game after turn 2 (one player left)"
    )


def test_who_is_out_for_no_answer_is_not_quoted() -> None:
    replay = drawn_timeout(3, 1)
    result = write_json(replay, write_frames(replay), ["ann", "bob", "eve"])
    result["frames"].insert(11, dict(result["frames"][1], agentId=1))
    assert mismatch(result) == (
        "frame 11, turn 3: the arena has player 1's answer, "
        "the rules eliminated that player for no answer in frame 8 and expect player 2's answer"
    )


# Changed records


def frame_of(result: dict, at_least: int) -> int:
    """A frame of player 1 who moves, with the others alive."""
    return next(
        number
        for number, frame in enumerate(result["frames"])
        if number >= at_least and frame["agentId"] == 1 and "stdout" in frame
    )


def test_a_missing_frame_is_named(result: dict) -> None:
    number = frame_of(result, 10)
    del result["frames"][number]
    assert mismatch(result) == (
        f"frame {number}, turn {(number - 1) // 3}: the arena has player 2's answer, the rules expect player 1's answer"
    )


def test_a_changed_answer_is_found_in_the_summary_of_its_round(result: dict) -> None:
    number = next(at for at, frame in enumerate(result["frames"]) if "$1 moves" in frame.get("summary", "")) - 1
    result["frames"][number]["stdout"] = "MOVE 12 10\n"
    line = mismatch(result)
    assert f"frame {number + 1}, turn {(number - 1) // 3}, cell " in line
    assert "$1 moves to" in line


def test_an_answer_that_became_nonsense_is_named(result: dict) -> None:
    number = frame_of(result, 4)
    result["frames"][number]["stdout"] = "WAIT\n"
    for frame in result["frames"]:
        frame.pop("summary", None)
        frame.pop("stderr", None)
    assert mismatch(result) == (
        f"frame {number + 3}, turn {(number + 2) // 3}: the arena has player 1's answer, "
        f"the rules eliminated that player for the answer 'WAIT' in frame {number} and expect player 2's answer"
    )


def test_swapped_ranks_are_named(result: dict) -> None:
    ranks = result["ranks"]
    result["ranks"] = ranks[1:] + ranks[:1]
    assert "the arena has ranks " in mismatch(result)
    assert f"frame {len(result['frames']) - 1}, turn " in mismatch(result)


def test_a_score_that_differs_is_named(result: dict) -> None:
    result["scores"] = [1_000_010.0, 1_000_009.0, 1_000_008.0]
    assert "the arena has scores 1000010, 1000009, 1000008, the rules scores " in mismatch(result)


def test_numbers_that_differ_are_written_differently() -> None:
    numbers = [0.0, 2e-9, 17.0, 17.25, -1.0, 1000009.0, 1000010.0, 1000010.25, 999999998.0, 999999999.0]
    assert len(set(map(format_number, numbers))) == len(numbers)
    assert [format_number(number) for number in (17.0, 17.25, 3, 1000010.0)] == ["17", "17.25", "3", "1000010"]


def test_a_record_that_ends_early_is_named(result: dict) -> None:
    del result["frames"][20:]
    assert (
        mismatch(result)
        == "frame 19, turn 6: the arena has no frame after this one, the rules expect player 1's answer"
    )


def test_a_box_of_the_first_picture_that_differs_is_named(result: dict) -> None:
    view = result["frames"][0]["view"].split("\n")
    _, x, y, content = view[5].split()
    view[5] = f"0 {x} {y} {(int(content) + 1) % 3}"
    result["frames"][0]["view"] = "\n".join(view)
    assert mismatch(result).startswith(f"frame 0, turn 0, cell {x},{y}: the arena has a box with content")


def test_an_entity_of_an_echoed_input_that_differs_is_named(result: dict) -> None:
    result["frames"][4]["stderr"] = result["frames"][4]["stderr"].replace("0 1 ", "0 1 0", 1)
    frame = next(frame for frame in result["frames"][5:] if "\n1 " in frame.get("stderr", ""))
    head, _, tail = frame["stderr"].rpartition("\n1 ")
    owner, x, y, timer, *rest = tail.split(" ")
    frame["stderr"] = f"{head}\n1 {' '.join([owner, x, y, str(int(timer) % 8 + 1), *rest])}"
    assert f"cell {x},{y}: the arena has '1 {owner} {x} {y} " in mismatch(result)


def test_items_in_another_order_are_counted_and_no_mismatch() -> None:
    replay = next(replay for seed in range(20) if has_two_items(replay := record_game(seed, 2)))
    result = write_json(replay, write_frames(replay, own=0), NAMES[:2])
    frame = next(frame for frame in result["frames"] if frame.get("stderr", "").count("\n2 0 ") > 1)
    *lines, one, other = frame["stderr"].splitlines()
    frame["stderr"] = "\n".join([*lines, other, one]) + "\n"
    imported = load(result)
    assert imported.difference is None
    assert imported.compared.inputs_in_other_order == 1


def has_two_items(replay: Replay) -> bool:
    playback = Playback(replay)
    turns = range(playback.first_turn, playback.end_turn)
    return any(len(playback.game_at(turn).items) > 1 and 0 in playback.game_at(turn).living for turn in turns)


# What is no game


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no game of the arena: expected its JSON, or a console's text"),
        (b"\x7fELF\x00\xff", "no game of the arena"),
        (b"{}", "no frames: expected the JSON of a game of the arena"),
        (b'{"message": "no such game"}', "no frames, but the message 'no such game'"),
        (b'{"frames": [1]}', "frame 0: expected an object with agentId and stdout, found '1'"),
        (b'{"frames": [{"agentId": 9}]}', "frame 0: agentId '9'"),
        (b'{"frames": [{"agentId": 0}]}', "arena JSON without an answer of any player"),
        (b'{"frames": [{"agentId": 0, "stdout": "WAIT\\n"}]}', "frame 0: the answer 'WAIT'"),
        (b'{"a": ' + b"[" * 100_000, "no JSON: maximum recursion depth"),
        (b"{" + b"1" * 10_000, "no JSON: Expecting property name"),
        (b'{"frames": [], "scores": "x"}', "scores x: expected a list of numbers"),
        (b'{"frames": [], "agents": [1]}', "1 agents: a game of Hypersonic has 2 to 4"),
        (b'{"frames": [{}' + b", {}" * 900 + b"]}", "901 frames: a game of Hypersonic has 801 at most"),
        (b'{"results": {"history": {"data": [1]}}}', "frame 0: expected an object"),
        (b'{"results": {"history": {"data": [{"stdout": 1}]}}}', "entry 0: its stdout 1"),
        (b"Standard Output Stream:\nWAIT\n", "frame 2: the answer 'WAIT'"),
        (b"Standard Output Stream:\n", "console text without an answer of any player"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(ArenaError) as error:
        import_game(data, 1, "test")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_file_that_is_cut_off_names_the_frame(result: dict) -> None:
    data = json.dumps(result).encode()
    with pytest.raises(ArenaError, match=r"^cut off in frame \d+: expected the rest of its JSON after \d+ characters$"):
        import_game(data[: len(data) // 2], None, "test")


def test_texts_may_hold_any_character(replay: Replay) -> None:
    names = ["\x1b[31mred\n", "half \ud83d", "a\u2028b"]
    result = write_json(replay, write_frames(replay), names)
    result["frames"][2]["stdout"] = result["frames"][2]["stdout"].rstrip("\n") + "\x0b\x1b[2J\x00 \ud83d"
    imported = load(result)
    assert imported.difference is None and imported.replay is not None
    assert imported.names == ["\x1b[31mred\n", "half ?", "a\u2028b"]
    move = imported.replay.turns[0].moves[1]
    assert move is not None and move.message.endswith("\x1b[2J\x00 ?")


# The arena's own


@needs_recorded
@pytest.mark.parametrize(("name", "turns"), [("game0.json", 75), ("game3.json", 68), ("console0.txt", 75)])
def test_recorded_games_of_the_arena_are_equal_to_their_record(name: str, turns: int) -> None:
    imported = import_game((RECORDED / name).read_bytes(), None, "test")
    assert imported.difference is None
    assert imported.turns == turns
    assert imported.compared.inputs_in_other_order == 0
    assert imported.names == [f"player{seat}" for seat in range(4)]


@needs_recorded
def test_json_and_console_of_a_recorded_game_give_the_same_game() -> None:
    one = import_game((RECORDED / "game0.json").read_bytes(), None, "test").replay
    other = import_game((RECORDED / "console0.txt").read_bytes(), 795417439, "test").replay
    assert one is not None and other is not None
    assert [turn.hash for turn in one.turns] == [turn.hash for turn in other.turns]
    assert one.result == other.result


# A text that was copied in part


@pytest.mark.parametrize("share", [0.3, 0.7])
@pytest.mark.parametrize("has_counters", [True, False])
def test_a_console_that_ends_early_is_an_unfinished_game(replay: Replay, share: float, has_counters: bool) -> None:
    text = write_console(write_frames(replay), NAMES[:3], has_counters)
    imported = import_game(text[: round(share * len(text))].encode(), 3, "test")
    assert imported.difference is None and imported.replay is not None
    found = imported.replay
    assert not found.result.is_finished and 0 < len(found.turns) < len(replay.turns)
    assert [turn.hash for turn in found.turns] == [turn.hash for turn in replay.turns[: len(found.turns)]]
    assert Playback(found).title_at(len(found.turns)).endswith(": unfinished")


def test_a_console_whose_beginning_is_missing_says_so(replay: Replay) -> None:
    frames = write_frames(replay, own=0)
    text, counter = write_console(frames, NAMES[:3]), f"\n10\n{len(frames) + 1}\n"
    rest = text.partition(counter)[2]
    assert rest
    with pytest.raises(ArenaError, match="the beginning is missing: its first frame is 11"):
        import_game(rest.encode(), None, "test")
