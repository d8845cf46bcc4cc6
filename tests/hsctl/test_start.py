"""The start of hsctl: its packages are its own, whatever modules a bot's author has lying about."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hsctl.__main__ import PACKAGES
from tests.hsctl.run import HSCTL, PLENTY, ROOT

SCRIPT = [sys.executable, "-c", "from hsctl.__main__ import main; main()"]  # what pip's `hsctl` does
STRANGER = "print('the engine of a bot')\nraise SystemExit(7)\n"


@pytest.fixture
def bot_folder(tmp_path: Path) -> Path:
    """A folder with a namesake of each package: files and a package."""
    (tmp_path / "search").mkdir()
    for path in ("engine.py", "search/__init__.py", "replays.py"):
        (tmp_path / path).write_text(STRANGER)
    return tmp_path


def run(words: list[str], cwd: Path, python_path: object = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(python_path)}
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=PLENTY, check=False)


@pytest.mark.slow
def test_modules_of_the_current_folder_are_not_imported(bot_folder: Path) -> None:
    done = run([*HSCTL, "play", "random", "random", "--nodes", "1", "--games", "2", "--out", "games"], bot_folder)
    assert done.returncode == 0, done.stderr
    assert len(list((bot_folder / "games").iterdir())) == 2


def test_nor_when_the_start_is_measured(bot_folder: Path) -> None:
    done = run(
        [sys.executable, "-P", "-c", "from hsctl.research.bench.startup import *; print(start_seconds())"], bot_folder
    )
    assert float(done.stdout) > 0, done.stderr


@pytest.mark.parametrize("words", [HSCTL, SCRIPT])
@pytest.mark.parametrize("name", PACKAGES)
def test_a_namesake_on_the_path_is_refused_with_one_line(tmp_path: Path, name: str, words: list[str]) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(STRANGER)
    done = run([*words, "--version"], ROOT.parent, os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"hsctl: {path} hides a package of hsctl: take its folder off PYTHONPATH or rename it\n")


def test_a_folder_without_code_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "game.json").touch()
    done = run([*HSCTL, "--version"], tmp_path, os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_checkout_runs_where_it_lies() -> None:
    code = "import hsctl.__main__ as start; start.forget_current_folder(); print(start.find_namesake()); import engine"
    done = run([sys.executable, "-S", "-c", code], ROOT, "")
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr
