"""The format: what is written is read again, and what is not a replay is refused in one line."""

import json
import os
from pathlib import Path

import pytest

from engine.errors import HsctlError
from replays.playback import read
from replays.replay import Replay, ReplayError, decode, encode, write
from replays.schema import format_schema
from tests.replays.recorded import record_game

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def replay() -> Replay:
    return record_game(5, 2)


@pytest.fixture(scope="module")
def fields(replay: Replay) -> dict:
    return json.loads(encode(replay))


def test_a_replay_comes_back_as_it_was_written(replay: Replay, tmp_path: Path) -> None:
    write(tmp_path / "new" / "game.json", replay)
    assert read(tmp_path / "new" / "game.json") == replay
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["game.json"]


def test_the_same_game_gives_the_same_bytes(replay: Replay) -> None:
    assert encode(record_game(5, 2)) == encode(replay) == encode(decode(encode(replay)))


def test_every_turn_stands_on_a_line_of_its_own(replay: Replay) -> None:
    lines = encode(replay).decode().splitlines()
    rows = [json.loads(line.rstrip(",")) for line in lines if line.startswith('{"hash"')]
    assert rows == json.loads(encode(replay))["turns"]


def test_a_text_of_a_bot_comes_back_whatever_it_holds(replay: Replay) -> None:
    changed = decode(encode(replay))
    assert changed.turns[0].moves[1] is not None
    changed.turns[0].moves[1].line = 'MOVE 1 1 "\\\u2028\x00\x1b[31mé\U0001f4a3\n'
    assert decode(encode(changed)) == changed


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "truncated: the file ends after 0 bytes"),
        (b"MOVE 1 1\n", "not JSON: invalid character (byte 0)"),
        (b"\x7fELF\x00\xff", "not JSON: invalid character (byte 0)"),
        (b'{"format": "\xff"}', "not JSON: 'utf-8' codec can't decode"),
        (b'{"format": "hsctl-replay"} {}', "not JSON: trailing characters"),
        (b'{"format": ' + b"[" * 100_000, "not JSON: maximum recursion depth"),
        (b"[1, 2]", "not a replay: expected `object`, got `array`"),
        (b"{}", "not a replay: it has no format"),
        (b'{"format": "chess", "version": 1}', "not a replay: it has format 'chess'"),
        (b'{"format": "hsctl-replay", "version": 3}', "replay of format version 3"),
        (b'{"format": "hsctl-replay"}', "replay of format version None"),
        (b'{"format": "hsctl-replay", "version": 1}', "not a replay: object missing required field `hsctl`"),
    ],
)
def test_what_is_no_replay_is_refused_in_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(data)
    with pytest.raises(ReplayError) as error:
        read(tmp_path / "bad.json")
    assert str(error.value).startswith(f"{tmp_path / 'bad.json'}: {message}")
    assert "\n" not in str(error.value)


def test_a_replay_cut_anywhere_is_refused(replay: Replay) -> None:
    data = encode(replay).rstrip()
    for length in range(0, len(data), 97):
        with pytest.raises(ReplayError, match=f"truncated: the file ends after {length} bytes"):
            decode(data[:length])


def change(fields: dict, path: str, value: object) -> bytes:
    """The replay with one field changed; the path is written with dots."""
    changed = json.loads(json.dumps(fields))
    *parents, last = [int(name) if name.isdigit() else name for name in path.split(".")]
    target = changed
    for name in parents:
        target = target[name]
    target[last] = value
    return json.dumps(changed).encode()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("turns.3.moves.1.action", "left", "turns[3].moves[1].action: expected `int | null`, got `str`"),
        ("turns.3.hash", "12", "turns[3].hash: expected `str` matching regex"),
        ("turns.0.moves", {}, "turns[0].moves: expected `array`, got `object`"),
        ("start.seats", 5, "start.seats: expected `int` <= 4"),
        ("start.turn", -1, "start.turn: expected `int` >= 0"),
        ("start.colour", 1, "start: object contains unknown field `colour`"),
        ("extra", 1, "not a replay: object contains unknown field `extra`"),
        ("players", None, "players: expected `array`, got `null`"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(fields: dict, path: str, value: object, message: str) -> None:
    with pytest.raises(ReplayError) as error:
        decode(change(fields, path, value))
    assert str(error.value).startswith(message)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=r"nothing\.json: No such file or directory; name a replay file"):
        read(tmp_path / "nothing.json")
    with pytest.raises(ReplayError, match="Is a directory; name a replay file"):
        read(tmp_path)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(HsctlError, match="No space left on device"):
        write(path, replay)
    assert [found.name for found in tmp_path.iterdir()] == ["game.json"]
    assert path.read_text() == "old"


def test_a_new_file_may_be_read_by_whom_the_umask_lets(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write(tmp_path / "game.json", replay)
    assert (tmp_path / "game.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_the_schema_in_docs_is_the_schema_of_the_format() -> None:
    kept = (ROOT / "docs" / "reference" / "schemas" / "replay.schema.json").read_bytes()
    assert kept == format_schema(), (
        "write it anew: python -m replays.schema > docs/reference/schemas/replay.schema.json"
    )


def test_the_schema_tells_the_bounds_of_an_action() -> None:
    moves = json.loads(format_schema())["$defs"]["Move"]
    assert {"type": "integer", "minimum": 0, "maximum": 9} in moves["properties"]["action"]["anyOf"]
    assert moves["additionalProperties"] is False
