"""The example bots: real processes on the clock, in C++ where a compiler is there."""

import json
import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import Game
from engine.notation import format_header, format_position
from replays.playback import load
from replays.replay import Replay
from tests.hsctl.run import HSCTL, ROOT, run_here
from tests.replays.recorded import choose_action

PYTHON_BOT = shlex.join([sys.executable, str(ROOT / "examples" / "bot.py")])
RELAXED = ("--time", "2000", "--startup", "60000")  # for busy machines
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture(scope="module")
def cpp_bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    program = tmp_path_factory.mktemp("examples") / "bot"
    source = ROOT / "examples" / "bot.cpp"
    subprocess.run(["g++", "-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return str(program)


def play(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> Replay:
    """A game, played again from its file."""
    code, out, _ = run_here(capsys, "play", *arguments, *RELAXED, "--out", folder, "--json")
    assert code == 0
    (game,) = json.loads(out)["games"]
    return load(Path(game["replay"])).replay


def check_no_failure(replay: Replay) -> None:
    moves = [move for turn in replay.turns for move in turn.moves if move is not None]
    assert not [move.failure for move in moves if move.failure is not None]


def test_the_python_bot_beats_a_random_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    replay = play(capsys, tmp_path, PYTHON_BOT, "random", "--seed", "12")
    check_no_failure(replay)
    assert replay.result.ranks == [1, 2]


@pytest.mark.slow
@needs_compiler
def test_four_real_processes_play_on_the_clock(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, cpp_bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    agent = shlex.join([*HSCTL, "bot", "simple"])
    replay = play(capsys, tmp_path, PYTHON_BOT, cpp_bot, PYTHON_BOT, agent, "--seed", "12")
    check_no_failure(replay)
    assert [info.is_agent for info in replay.players] == [False] * 4
    moves = [move for turn in replay.turns for move in turn.moves if move is not None]
    assert all(move.line and move.time_ms is not None for move in moves)
    assert len(replay.turns) > 20 and min(replay.result.boxes) > 0


@needs_compiler
def test_both_examples_value_positions_alike(cpp_bot: str) -> None:
    """Their answers differ where two actions are equal; what they expect (their message) must not."""
    text = format_header(0) + "".join(format_position(game) for game in some_positions(60))
    answers = [
        subprocess.run(shlex.split(command), input=text, capture_output=True, text=True, check=True).stdout.splitlines()
        for command in (PYTHON_BOT, cpp_bot)
    ]
    assert len(answers[0]) == 60
    values = [[line.split()[3] for line in lines] for lines in answers]
    assert values[0] == values[1]


def some_positions(count: int) -> list[Game]:
    """Positions of careful random games in which player 0 lives."""
    chance = random.Random(5)
    found: list[Game] = []
    game = Game.start(5, 2)
    while len(found) < count:
        if game.is_over or 0 not in game.living:
            game = Game.start(chance.randrange(1000), 2)
        found.append(game.copy())
        game.step([choose_action(game, at, chance, 1.0) for at in range(2)])
    return found
