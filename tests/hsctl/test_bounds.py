"""Options and files out of bounds are refused in one line, before anything is made for them."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.state import MAX_TURNS
from hsctl.league.games import read_seeds
from replays.inputs import parse_log
from replays.replay import encode
from tests.engine.draw import board
from tests.hsctl.run import refusal, run_here
from tests.replays.recorded import record_game

POSITION = board("0 0 0 0 1 3")
PLAY = ("play", "random", "simple", "--no-save")


@pytest.mark.parametrize(
    "words",
    [
        (*PLAY, "--games", "1000000000"),
        (*PLAY, "--games", "2", "--jobs", "100000"),
        (*PLAY, "--nodes", "10000000000000000000000000"),
        (*PLAY, "--time", "inf"),
        (*PLAY, "--time", "nan"),
        (*PLAY, "--time", "3e9"),
        (*PLAY, "--first-turn", "1e300"),
        (*PLAY, "--startup", "1e12"),
        ("league", "random", "simple", "--games", "1000000000"),
        ("compare", "random", "simple", "--games", "1000000000"),
        ("play", "beam:width=1000000000", "random"),
        ("play", "beam:box=1e300", "random"),
        ("play", "beam:nodes=10000000000000000000000000", "random"),
        ("play", "beam:time=1e300", "random"),
        ("play", "mcts:capacity=16777216", "random", "--no-save", "--nodes", "10"),
        (*PLAY, "--memory", "10000000000000000000000000"),
        ("explain", "x.json@1", "--time", "inf"),
        ("explain", "x.json@1", "--time", "nan"),
        ("explain", "x.json@1", "--nodes", "10000000000000000000000000"),
        ("explain", "--state", "/dev/zero"),
        ("play", "random", "simple", "--state", "/dev/zero"),
        ("league", "random", "simple", "--seeds", "/dev/zero"),
        ("replay", "/dev/zero"),
        ("import", "/dev/zero"),
        ("bot", "beam", "--time", "nan"),
        ("bot", "beam", "--first-turn", "inf"),
        ("scale", "beam", "--time", "inf"),
        ("scale", "beam", "--nodes", "10000000000000000000000000"),
        ("paper", "table3", "--time", "nan"),
    ],
)
def test_what_no_machine_can_do_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert refusal(capsys, *words)


def test_a_million_seeds_are_read_at_once(tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("\n".join(map(str, range(1_000_000))))
    assert read_seeds(tmp_path / "seeds") == list(range(1_000_000))


def test_a_picture_never_replaces_its_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game, link = tmp_path / "game.json", tmp_path / "link.html"
    game.write_bytes(encode(record_game(3, 2)))
    link.symlink_to(game)
    before = game.read_bytes()
    for option in (("--html", game), ("--html", link), ("--turn", "0", "--svg", game), ("--gif", game)):
        assert "is the game itself" in refusal(capsys, "replay", game, *option)
    assert game.read_bytes() == before


@pytest.mark.parametrize("words", [("explain", "--state", "-"), ("replay", "-"), ("import", "-")])
def test_bytes_that_are_no_text_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\xff\xfe13 11 0\n\xff")))
    assert refusal(capsys, *words).startswith("-: ")


def test_a_line_of_a_million_numbers_is_looked_at_once() -> None:
    assert not parse_log(" ".join(["1"] * 1_000_000)).found
    assert not parse_log("............. " + " ".join(["1"] * 1_000_000)).found


def test_a_log_of_many_games_has_agents_think_within_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, turn = tmp_path / "log.txt", MAX_TURNS + 50
    log.write_text(POSITION * (turn + 1))
    code, out, _ = run_here(capsys, "explain", f"{log}@{turn}", "--agent", "hybrid", "--nodes", "50")
    assert code == 0 and f"input {turn}" in out


def test_a_turn_that_no_game_has_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    position = tmp_path / "position.txt"
    position.write_text(POSITION)
    words = ("explain", "--state", position, "--agent", "hybrid", "--nodes", "50", "--turn")
    assert "turn 201: expected 0 to 200" in refusal(capsys, *words, "201")
    assert run_here(capsys, *words, "200").code == 0
