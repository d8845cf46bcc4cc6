"""`@predict` in a game: the first wrong prediction is told at the end, and is a note in the record."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from replays.playback import load
from tests.hsctl.run import run_here

# Stays where it is, and predicts that; on turn 3 it thinks that it will be somewhere else.
BOT = """
import sys
input()
for turn in range(999):
    rows = [input() for _ in range(11)]
    me = [line for line in (input() for _ in range(int(input()))) if line.startswith("0 0")][0].split()
    x, y = me[2:4]
    print("@predict", *me, file=sys.stderr)
    print("@predict row 0", rows[0], file=sys.stderr)
    if turn == 3:
        print("@predict 0 0 5 6", file=sys.stderr)
    print("MOVE", x, y, flush=True)
"""
RELAXED = ("--time", "none", "--first-turn", "none", "--seed", "1")


@pytest.fixture
def bot(tmp_path: Path) -> str:
    (tmp_path / "bot.py").write_text(BOT)
    return shlex.join([sys.executable, str(tmp_path / "bot.py")])


def test_the_first_wrong_prediction_is_told_at_the_end(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bot: str
) -> None:
    run = run_here(capsys, "play", bot, "still", *RELAXED, "--out", tmp_path / "games")
    assert run.code == 0
    (line,) = [line for line in run.out.splitlines() if "predictions" in line]
    first = "turn 4, cell 5,6: predicted `0 0 5 6`, found `0 0 0 0 1 3`"
    assert line == f"{bot}: 41 predictions checked, 1 wrong; the first: {first} (seed 1)"


def test_json_and_notes_have_it_too(capsys: pytest.CaptureFixture[str], tmp_path: Path, bot: str) -> None:
    run = run_here(capsys, "play", bot, "still", *RELAXED, "--out", tmp_path / "games", "--json")
    (game,) = json.loads(run.out)["games"]
    first = "turn 4, cell 5,6: predicted `0 0 5 6`, found `0 0 0 0 1 3`"
    assert game["predictions"] == [{"checked": 41, "wrong": 1, "first": first}, None]
    playback = load(Path(game["replay"]))
    notes = {turn: playback.notes_before(turn) for turn in range(playback.first_turn, playback.end_turn + 1)}
    told = "player 0, cell 5,6: predicted `0 0 5 6`, found `0 0 0 0 1 3`"
    assert {turn: each for turn, each in notes.items() if each} == {4: [told]}
    shown = run_here(capsys, "replay", game["replay"], "--turn", "4").out
    assert told in " ".join(shown.replace("│", " ").split())


def test_a_bot_that_predicts_nothing_is_not_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_here(capsys, "play", "still", "still", "--nodes", "1", "--seed", "1", "--no-save", "--json")
    (game,) = json.loads(run.out)["games"]
    assert game["predictions"] is None
