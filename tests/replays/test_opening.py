"""A file is known by its content: a replay, a game of the arena in any dress, or inputs."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from replays.export.text import format_input
from replays.files import MOST_FILE
from replays.inputs import Inputs
from replays.opening import open_game, open_record
from replays.playback import Playback
from replays.replay import Replay, ReplayError, encode
from tests.replays.arena.writer import marked, write_console, write_frames, write_json, write_options
from tests.replays.recorded import record_game

NAMES = ["ann", "bob"]


@pytest.fixture(scope="module")
def replay() -> Replay:
    return record_game(12, 2, care=0.9)


def dressed(replay: Replay) -> dict[str, bytes]:
    frames = write_frames(replay, own=1, dress=marked)
    console = write_console(frames, NAMES)
    return {
        "replay": encode(replay),
        "arena JSON": json.dumps(write_json(replay, frames, NAMES)).encode(),
        "console with its seed": (write_options(replay) + write_console(write_frames(replay), NAMES)).encode(),
        "console with its inputs": console.encode(),
    }


@pytest.mark.parametrize("dress", ["replay", "arena JSON", "console with its seed", "console with its inputs"])
def test_a_whole_game_is_opened_exactly(replay: Replay, dress: str, tmp_path: Path) -> None:
    (tmp_path / "game").write_bytes(dressed(replay)[dress])
    playback, notes = open_game(tmp_path / "game")
    assert notes == []
    assert [turn.hash for turn in playback.replay.turns] == [turn.hash for turn in replay.turns]


def test_inputs_alone_are_opened_with_inferred_actions(replay: Replay, tmp_path: Path) -> None:
    playback = Playback(replay)
    (tmp_path / "log").write_text(format_input(playback, range(playback.end_turn), 1))
    record, notes = open_record(tmp_path / "log")
    assert isinstance(record, Inputs) and notes == []
    assert "actions inferred" in record.title_at(3)
    game, _ = open_game(tmp_path / "log")
    assert not game.is_finished and game.own_seat == 1 and game.end_turn == playback.end_turn - 1


def test_a_console_that_cannot_be_rebuilt_is_opened_by_its_inputs(replay: Replay, tmp_path: Path) -> None:
    lines = dressed(replay)["console with its inputs"].decode().split("Standard Error Stream:")
    text = "Standard Error Stream:".join([lines[0], *lines[5:]])
    (tmp_path / "cut").write_text(text)
    record, notes = open_record(tmp_path / "cut")
    assert isinstance(record, Inputs)
    assert notes[0].startswith("MISMATCH frame 3, turn 0: the arena goes on with frame 11, ")
    assert notes[0].endswith("its inputs alone are shown")


def test_a_difference_is_told_where_the_game_can_be_shown(replay: Replay, tmp_path: Path) -> None:
    result = json.loads(dressed(replay)["arena JSON"])
    result["ranks"] = [3, 3]
    (tmp_path / "game.json").write_text(json.dumps(result))
    playback, (note,) = open_game(tmp_path / "game.json")
    assert note.startswith("MISMATCH frame ") and "the arena has ranks 3, 3" in note
    assert playback.specs == NAMES
    del result["frames"][9]
    (tmp_path / "game.json").write_text(json.dumps(result))
    with pytest.raises(ReplayError, match=r"MISMATCH frame 9, turn 4: .* the rules expect player 0's answer"):
        open_game(tmp_path / "game.json")


def test_stdin_is_a_file_too(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(dressed(replay)["arena JSON"])))
    assert open_game(Path("-"))[0].specs == NAMES


def test_a_file_larger_than_any_game_is_refused_unread(tmp_path: Path) -> None:
    with open(tmp_path / "large", "wb") as file:
        file.truncate(MOST_FILE + 1)
    with pytest.raises(ReplayError, match="large: larger than 64 MB; name a file with a game"):
        open_record(tmp_path / "large")


@pytest.mark.parametrize("data", [b"", b"\x00" * 100, b"hello\n", b"\xff\xfe{"])
def test_what_is_no_game_is_refused_with_what_can_be_one(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ReplayError, match=r"file: no game found: "):
        open_record(tmp_path / "file")
