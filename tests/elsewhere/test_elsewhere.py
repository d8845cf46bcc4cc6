"""hsctl on macOS and Windows, as far as Linux can imitate them (sitecustomize.py): it starts, plays and shows games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.compile.cache import HOME

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
BOT = f"{sys.executable} {ROOT / 'examples' / 'bot.py'}"

pytestmark = [
    pytest.mark.linux,
    pytest.mark.parametrize("system", ["darwin", "win32"]),
]


def run_there(system: str, data: Path, *words: str) -> str:
    """The output of a command; it must end well."""
    environment = os.environ | {
        "PYTHONPATH": str(FOLDER),
        "SYSTEM": system,
        "HSCTL_DATA": str(data),
        "HSCTL_CACHE": str(HOME),  # what is compiled here is good there
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-m", "hsctl", *words], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["agents"]], ids=" ".join)
def test_help_is_given(system: str, words: list[str], tmp_path: Path) -> None:
    assert run_there(system, tmp_path, *words)


@pytest.mark.slow
def test_a_game_of_agents_is_played_and_shown(system: str, tmp_path: Path) -> None:
    assert "seed 3" in run_there(system, tmp_path, "play", "simple", "beam:nodes=1000", "--seed", "3")
    assert "turn 5" in run_there(system, tmp_path, "replay", "--turn", "5")


@pytest.mark.slow
def test_games_are_played_by_workers(system: str, tmp_path: Path) -> None:
    words = ["play", "simple", "simple", "--games", "2", "--jobs", "2", "--no-save", "--seed", "3"]
    assert "2 games" in run_there(system, tmp_path, *words)


@pytest.mark.slow
def test_an_external_bot_plays_without_a_guardian(system: str, tmp_path: Path) -> None:
    said = run_there(system, tmp_path, "play", "simple", BOT, "--seed", "3", "--time", "none")
    assert "ended by" in said and "error" not in said


def test_what_needs_a_guardian_is_refused(system: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"the portable runner .* cannot be combined with --memory"):
        run_there(system, tmp_path, "play", "simple", BOT, "--memory", "100")
