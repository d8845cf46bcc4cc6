"""`hsctl import`: what it prints, saves and returns for a file, for stdin and for a folder."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from hsctl.report.import_view import describe_compared
from replays.arena.importing import Imported
from replays.arena.rebuild import ComparedCount
from replays.playback import load
from replays.replay import Replay, write
from tests.hsctl.run import refusal, run_here
from tests.replays.arena.recorded_files import RECORDED, needs_recorded
from tests.replays.arena.writer import write_console, write_frames, write_json
from tests.replays.recorded import record_game

NAMES = ["ann", "\x1b[31mbob"]


@pytest.fixture(scope="module")
def replay() -> Replay:
    return record_game(11, 2, care=0.9)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, so that nothing is saved elsewhere."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def write_file(path: Path, replay: Replay, **changes: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**write_json(replay, write_frames(replay, own=0), NAMES), **changes}))
    return path


def test_an_equal_game_is_saved_and_can_be_stepped(replay: Replay, tmp_path: Path, data: Path, capsys) -> None:
    file = write_file(tmp_path / "game.json", replay)
    code, out, err = run_here(capsys, "import", file)
    assert (code, err) == (0, "")
    assert "equal to the record" in out and "\x1b" not in out
    (saved,) = (data / "replays").iterdir()
    assert out.endswith(f"replay: {saved}\n")
    assert load(saved).specs == NAMES
    assert run_here(capsys, "import", file).code == 0
    assert list((data / "replays").iterdir()) == [saved]
    assert run_here(capsys, "replay", "--turn", "3").code == 0


def test_one_of_a_thing_is_told_as_one() -> None:
    imported = Imported("console text", [], None, 1, ComparedCount(1, 1, 0, 1), None, None)
    told = "1 frame, 1 summary line, 1 echoed input (0 with items in another order)"
    assert describe_compared(imported) == told


def test_a_difference_is_one_line_and_exit_code_1(replay: Replay, tmp_path: Path, capsys) -> None:
    file = write_file(tmp_path / "game.json", replay, ranks=[5, 5])
    code, out, err = run_here(capsys, "import", file)
    assert code == 1
    assert out.startswith(f"{file}: MISMATCH frame ") and out.count("\n") == 1
    assert "the arena has ranks 5, 5, the rules ranks " in out
    assert err.startswith("the game as the rules play it: ")


def test_a_name_too_long_for_a_file_is_refused(capsys) -> None:
    assert "File name too long" in refusal(capsys, "import", "a" * 5000)


def test_what_is_no_game_is_refused(tmp_path: Path, capsys) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    assert refusal(capsys, "import", file).startswith(f"{file}: no game of the arena: expected its JSON")
    assert refusal(capsys, "import", tmp_path / "gone") == f"{tmp_path / 'gone'}: No such file or directory; " + (
        "name a file with a game"
    )


def test_a_replay_is_no_game_of_the_arena(replay: Replay, tmp_path: Path, capsys) -> None:
    write(tmp_path / "replay.json", replay)
    told = "a replay of hsctl, not a game of the arena: `hsctl replay` opens it as it is"
    assert refusal(capsys, "import", tmp_path / "replay.json") == f"{tmp_path / 'replay.json'}: {told}"


def test_a_console_text_without_a_seed_asks_for_it(replay: Replay, tmp_path: Path, capsys) -> None:
    file = tmp_path / "console.txt"
    file.write_text(write_console(write_frames(replay), NAMES))
    assert "no seed and no echoed first input: expected --seed N" in refusal(capsys, "import", file)
    assert run_here(capsys, "import", file, "--seed", "11", "--out", tmp_path / "out").code == 0
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_a_game_may_come_on_stdin(replay: Replay, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    text = json.dumps(write_json(replay, write_frames(replay), NAMES)).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    code, out, _ = run_here(capsys, "import", "-", "--json")
    record = json.loads(out)
    assert code == 0
    assert (record["verdict"], record["seed"], record["players"]) == ("equal", 11, NAMES)
    assert record["ranks"] == replay.result.ranks
    assert record["compared"]["frames"] == len(write_frames(replay))


def test_a_folder_is_told_in_a_table(replay: Replay, tmp_path: Path, capsys) -> None:
    folder = tmp_path / "games"
    write_file(folder / "a.json", replay)
    assert run_here(capsys, "import", folder).code == 0
    (folder / "b.txt").write_text("hello\n")
    assert run_here(capsys, "import", folder).code == 2
    write_file(folder / "c.json", replay, scores=[1, 2])
    code, out, _ = run_here(capsys, "import", folder)
    assert code == 1
    assert "1 equal, 1 not readable, 1 MISMATCH" in out
    assert f"{folder / 'c.json'}: MISMATCH frame " in out
    records = json.loads(run_here(capsys, "import", folder, "--json").out)
    assert [record["verdict"] for record in records] == ["equal", "not readable", "MISMATCH"]
    assert "cannot be combined with --seed" in refusal(capsys, "import", folder, "--seed", "1")


@needs_recorded
def test_the_recorded_folder_is_equal(capsys) -> None:
    code, out, _ = run_here(capsys, "import", RECORDED)
    assert code == 0
    assert "3 equal" in out
