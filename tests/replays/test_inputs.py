"""Logs as people paste them: positions found among noise, actions inferred, breaks told in words."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.notation import format_action, format_header, format_position
from engine.rules import BOMB
from replays.annotations import own_words
from replays.arena.importing import game_of
from replays.inputs import ANOTHER_GAME, Inputs, classify, parse_log
from replays.landmarks import Landmarks
from replays.opening import open_record
from replays.playback import Playback
from replays.replay import Move, ReplayError
from tests.replays.recorded import record_game

RECORDED = Path(os.environ.get("HSCTL_RECORDED", Path(__file__).parents[3] / "shared" / "recorded"))
STATES = RECORDED / "states.jsonl"
BOARD = [".............", ".X.X.X.X.X.X."] * 5 + ["............."]


@pytest.fixture(scope="module")
def playback() -> Playback:
    return Playback(record_game(3, 4, failures=0.003))


def frames(playback: Playback, turns: range) -> list[str]:
    return [format_position(playback.game_at(turn)) for turn in turns]


def whole(playback: Playback) -> range:
    return range(playback.first_turn, playback.end_turn + 1)


def log_of(*positions: list[str]) -> str:
    """Positions of an otherwise empty board, each given by its entities."""
    return "".join("\n".join([*BOARD, str(len(entities)), *entities]) + "\n" for entities in positions)


def notes_between(*positions: list[str]) -> list[list[str]]:
    record = Inputs(parse_log(log_of(*positions)))
    return [record.notes_before(turn) for turn in range(1, record.end_turn + 1)]


def texts(record: Inputs) -> list[str]:
    return [format_position(record.game_at(turn)) for turn in whole_of(record)]


def whole_of(record: Inputs) -> range:
    return range(record.first_turn, record.end_turn + 1)


# Finding positions


def test_a_whole_game_comes_back_as_it_was_sent(playback: Playback) -> None:
    sent = frames(playback, whole(playback))
    record = Inputs(parse_log(format_header(1) + "".join(sent)))
    assert texts(record) == sent
    assert (record.seats, record.own_seat) == (4, 1)
    assert not any(record.notes_before(turn) for turn in whole_of(record))


def test_a_whole_game_gives_back_actions_deaths_and_scores(playback: Playback) -> None:
    record = Inputs(parse_log("".join(frames(playback, whole(playback)))))
    for turn in whole(playback):
        assert record.game_at(turn).boxes == playback.game_at(turn).boxes
        assert record.game_at(turn).death_rounds == playback.game_at(turn).death_rounds
        assert record.events_before(turn) == [
            event if not getattr(event, "failure", "") else record.events_before(turn)[at]
            for at, event in enumerate(playback.events_before(turn))
        ]


def test_a_few_turns_without_the_first_line(playback: Playback) -> None:
    sent = frames(playback, range(20, 24))
    record = Inputs(parse_log("".join(sent)))
    assert texts(record) == sent
    assert record.own_seat is None
    assert record.title_at(2).startswith("input 2 of 3, line ")


@pytest.mark.parametrize("turn", [-1, 4, 1000])
def test_only_turns_of_the_inputs_have_a_position(playback: Playback, turn: int) -> None:
    record = Inputs(parse_log("".join(frames(playback, range(20, 24)))))
    with pytest.raises(ReplayError, match=f"turn {turn}: expected 0 to 3"):
        record.game_at(turn)


@pytest.mark.parametrize("prefix", ["", "> ", "[12:01:33] ", "ERR: ", "\t"])
def test_noise_around_and_before_the_lines_is_left_out(playback: Playback, prefix: str) -> None:
    sent = frames(playback, range(20, 23))
    noise = ["thinking 12 ms", "", "MOVE 3 4 hello", "best 0.731 depth 8", "..... done", "Standard Output Stream:"]
    lines = [line for frame in sent for line in [*noise, *(prefix + line for line in frame.splitlines()), *noise]]
    assert texts(Inputs(parse_log("\r\n".join(lines)))) == sent


def test_noise_between_the_lines_of_a_position_is_left_out(playback: Playback) -> None:
    (frame,) = frames(playback, range(20, 21))
    lines = [part for line in frame.splitlines() for part in (line, "debug: reading ...")]
    assert texts(Inputs(parse_log("\n".join(lines)))) == [frame]


def test_the_number_of_entities_may_be_missing(playback: Playback) -> None:
    sent = frames(playback, range(20, 22))
    lines = [line for frame in sent for at, line in enumerate(frame.splitlines()) if at != 11]
    assert texts(Inputs(parse_log("\n".join(lines)))) == sent


def test_a_position_cut_off_is_skipped_with_a_word(playback: Playback) -> None:
    first, second, third = frames(playback, range(20, 23))
    text = "\n".join(first.splitlines()[4:]) + "\n" + second + "\n".join(third.splitlines()[:-1])
    log = parse_log(text)
    assert [format_position(found.game) for found in log.found] == [second]
    assert log.skipped[0].startswith("board at line 1 skipped: line 8: expected row 7 of 11 rows")
    assert "entity lines to follow" in log.skipped[1]


def test_boards_of_another_game_are_named_by_line() -> None:
    wrong_wall = ["X" + "." * 12, *BOARD[1:], "1", "0 0 6 6 1 3"]
    narrow = ["......."] * 7
    text = "\n".join([*narrow, *wrong_wall]) + "\n" + log_of(["0 0 6 6 1 3"])
    log = parse_log(text)
    assert [found.line for found in log.found] == [21]
    assert log.skipped == [
        "board at line 8 skipped: line 8: expected no wall (x or y is even) at x=0, y=0, found 'X'",
        "board at line 1 skipped: expected rows of 13 characters, found 7",
    ]


def test_lines_are_told_apart_by_their_form() -> None:
    kinds = {
        "13 11 2": "header",
        "> 13 11 2": "header",
        "12 11 2": "noise",
        "0.1.2.1.0...X": "row",
        '"0.1.2.1.0...X",': "row",
        "0000000000000": "row",
        ".......": "other row",
        "4": "count",
        "0 1 12 10 1 3": "entity",
        "0 1 12 10 1 3 4": "noise",
        "MOVE 1 2": "noise",
        "# 0 1 12 10 1 3": "noise",
        "": "noise",
    }
    assert {line: classify(line).kind for line in kinds} == kinds


def test_a_file_without_positions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("hello\n")
    with pytest.raises(ReplayError, match=r"log.txt: no game found"):
        open_record(tmp_path / "log.txt")
    with pytest.raises(ReplayError, match=r"no.txt: No such file or directory"):
        open_record(tmp_path / "no.txt")


# From one input to the next


def test_moves_and_bombs_are_inferred() -> None:
    record = Inputs(
        parse_log(log_of(["0 0 0 0 1 3", "0 1 12 10 1 3"], ["0 0 1 0 0 3", "0 1 12 10 1 3", "1 0 0 0 8 3"]))
    )
    assert record.moves_at(0) == [Move(7), Move(0)]
    assert record.notes_before(1) == []


def test_who_is_gone_without_a_blast_made_an_error() -> None:
    record = Inputs(parse_log(log_of(["0 0 0 0 1 3", "0 1 12 10 1 3"], ["0 0 0 0 1 3"])))
    move = record.moves_at(0)[1]
    assert move is not None and move.failure is not None and move.failure.detail == "no blast reached the player"
    assert record.notes_before(1) == []


def test_a_jump_is_told() -> None:
    assert notes_between(["0 0 0 0 1 3"], ["0 0 4 0 1 3"]) == [
        ["does not follow from the rules: player 0 went from 0,0 to 4,0"]
    ]


def test_what_should_have_exploded_is_told() -> None:
    ((note,),) = notes_between(["0 0 6 6 0 3", "1 0 0 0 1 3"], ["0 0 6 6 0 3"])
    assert note.startswith("does not follow from the rules: player 0 has 0 bombs and range 3")
    ((note,),) = notes_between(["0 0 1 0 0 3", "1 0 0 0 1 3"], ["0 0 1 0 1 3"])
    assert note.endswith("player 0 is alive after standing in a blast")


def test_an_item_out_of_nothing_is_told() -> None:
    ((note,),) = notes_between(["0 0 6 6 1 3"], ["0 0 6 6 1 3", "2 0 3 0 1 1"])
    assert note == "does not follow from the rules: an item of kind 1 at 3,0 is there"


def test_missing_inputs_are_counted_by_the_fuses() -> None:
    bombs = ["0 0 6 6 0 3", "1 0 0 0 {} 3"]
    at = [[bombs[0], bombs[1].format(timer)] for timer in (7, 6, 3, 3)]
    assert notes_between(*at) == [
        [],
        ["2 inputs are missing: the fuses are 3 rounds further"],
        ["the fuses stand still: the same turn again"],
    ]


def test_another_game_starts_scores_anew(playback: Playback) -> None:
    late, start = frames(playback, range(40, 42)), frames(playback, range(2))
    record = Inputs(parse_log("".join(late) + "".join(start)))
    assert record.notes_before(2) == [ANOTHER_GAME]
    assert record.game_at(2).boxes == [0, 0, 0, 0]
    again = Inputs(parse_log("".join(start) + format_header(2) + "".join(start)))
    assert again.notes_before(2) == [ANOTHER_GAME]


# ArenaRecord games


@pytest.fixture(scope="module")
def states() -> list[dict[str, Any]]:
    if not STATES.is_file():
        pytest.skip(f"no recorded inputs at {STATES}")
    return [json.loads(line) for line in STATES.read_text().splitlines()]


def format_state(state: dict[str, Any]) -> list[str]:
    header = [f"13 11 {state['my_id']}"] if state["index"] == 0 and state["my_id"] is not None else []
    entities = [" ".join(map(str, entity)) for entity in state["entities"]]
    return [*header, *state["grid"], str(len(entities)), *entities]


def test_recorded_inputs_open_when_written_out_as_text(states: list[dict[str, Any]]) -> None:
    log = parse_log("\n".join(line for state in states for line in format_state(state)))
    assert len(log.found) + len(log.skipped) == len(states) == 265
    assert len(log.found) == 237
    shown = iter(states)
    for found in log.found:  # in order, each as it came
        assert any(entities(state["entities"]) == entities(entities_of(found.game)) for state in shown)
    record = Inputs(log)
    follows = [turn for turn in whole_of(record)[1:] if not record.notes_before(turn)]
    assert len(follows) == 149


def entities(rows: list[list[int]]) -> list[list[int]]:
    """In one order, without the fields of an item that mean nothing."""
    return sorted([kind, 0, *rest[:3], 0] if kind == 2 else [kind, owner, *rest] for kind, owner, *rest in rows)


def entities_of(game: Any) -> list[list[int]]:
    return [[int(field) for field in line.split()] for line in format_position(game).splitlines()[12:]]


# What stands beside the inputs


def spoken(playback: Playback, turns: range, seat: int, header: bool = True) -> str:
    """A log with a line of stderr and the output after each input, the last one too."""
    parts = [format_header(seat) if header else ""]
    for turn in turns:
        move = playback.moves_at(turn)[seat]
        assert move is not None and move.action is not None
        order = format_action(playback.game_at(turn).state, seat, move.action, "hello")
        parts += [format_position(playback.game_at(turn)), f"value {turn}.5\n{order}\n"]
    return "".join(parts)


@pytest.mark.parametrize("header", [True, False], ids=["with the first line", "told by its outputs"])
def test_outputs_and_stderr_are_kept_with_their_player(playback: Playback, header: bool) -> None:
    turns = range(12, 30)
    record = Inputs(parse_log(spoken(playback, turns, 1, header)))
    assert record.own_seat == 1
    for at, turn in enumerate(turns):
        move, recorded = record.moves_at(at)[1], playback.moves_at(turn)[1]
        assert move is not None and recorded is not None
        assert (move.stderr, move.message) == (f"value {turn}.5\n", "hello")
        assert (move.action or 0) % BOMB == (recorded.action or 0) % BOMB  # a bomb that nobody has is not seen
        assert move.line.endswith(" hello")
    assert record.moves_at(0)[0].stderr == ""  # type: ignore[union-attr]


def test_of_a_console_the_output_under_its_header_is_the_own_one() -> None:
    said = ["thinking", "MOVE 9 9", "Standard Output Stream:", "MOVE 1 0", "002", "301", "Standard Output Stream:"]
    assert own_words([*said, "BOMB 12 10"]) == ("MOVE 1 0", "thinking\nMOVE 9 9\n")
    assert own_words(["Standard Error Stream:", "thinking"]) == ("", "thinking\n")


def test_whose_log_it_is_stays_open_where_nothing_tells(playback: Playback) -> None:
    record = Inputs(parse_log("".join(f"{frame}a word\n" for frame in frames(playback, range(5)))))
    assert record.own_seat is None
    assert all(move is None or not move.stderr for move in record.moves_at(2))


# As a game


def test_a_log_is_a_game_that_says_it_is_unfinished(playback: Playback) -> None:
    game = game_of(Inputs(parse_log(spoken(playback, range(12, 30), 1))))
    assert (game.is_finished, game.own_seat, game.first_turn, game.end_turn) == (False, 1, 0, 17)
    expected = [format_position(playback.game_at(turn)) for turn in range(12, 30)]
    assert [format_position(game.game_at(turn)) for turn in range(18)] == expected
    assert game.moves_at(3)[1].stderr == "value 15.5\n"  # type: ignore[union-attr]


def test_of_a_log_with_a_gap_the_longer_part_is_the_game(playback: Playback) -> None:
    sent = frames(playback, whole(playback))
    game = game_of(Inputs(parse_log("".join(sent[:20] + sent[24:]))))
    assert game.first_turn == 20 and game.is_finished
    with pytest.raises(ReplayError, match="no input follows from the one before"):
        game_of(Inputs(parse_log(sent[0])))


def test_no_way_out_any_more_is_found_before_the_death() -> None:
    playback = Playback(record_game(3, 2))
    seat, (died, _) = next(iter(playback.deaths().items()))
    sent = frames(playback, range(died + 1))  # the last input on which the player is alive
    known = Landmarks(playback).last_way_out(seat)
    assert known is not None and known < died
    told = Landmarks(Inputs(parse_log("".join(sent)))).tell_way_out(seat)
    assert told == (known, f"player {seat} has no way out after turn {known}; what is known ends before the death")
    saved = Landmarks(Inputs(parse_log("".join(sent[: known + 1]))))
    assert saved.tell_way_out(seat) == (None, f"player {seat} was not seen dying")
