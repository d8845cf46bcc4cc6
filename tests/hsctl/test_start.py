"""The start of hsctl: its packages are its own, whatever modules a bot's author has lying about."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hsctl import PACKAGES
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
    [line] = done.stderr.splitlines()
    assert line.startswith(f"hsctl: {path} hides the package `{name}` of hsctl: rename it")


def test_a_folder_without_code_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "game.json").touch()
    done = run([*HSCTL, "--version"], tmp_path, os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_checkout_runs_where_it_lies() -> None:
    code = "import hsctl.__main__ as start; start.forget_current_folder(); print(start.check_packages()); import engine"
    done = run([sys.executable, "-S", "-c", code], ROOT, "")
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr


# Whoever imports hsctl: scripts, notebooks, pytest


USE = "import hsctl\nprint(hsctl.Budget(nodes=1))\n"


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_script_beside_a_namesake_is_told_which_file_to_rename(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("VALUE = 1\n")
    (tmp_path / "script.py").write_text(f"import hsctl\nimport {name}\n")
    done = run([sys.executable, "script.py"], tmp_path)
    assert done.returncode == 1
    assert last_line(done.stderr).startswith(f"ImportError: {tmp_path / name}.py hides the package `{name}` of hsctl")


def test_it_does_not_matter_who_imports_first(tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text("VALUE = 1\n")
    (tmp_path / "own_first.py").write_text(f"import search\n{USE}")
    (tmp_path / "hsctl_first.py").write_text(USE)
    for script in ("own_first.py", "hsctl_first.py"):
        done = run([sys.executable, script], tmp_path)
        assert f"{tmp_path / 'search.py'} hides" in last_line(done.stderr)


def test_the_remedies_work(tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text("VALUE = 1\n")
    (tmp_path / "script.py").write_text(USE)
    assert run([sys.executable, "-P", "script.py"], tmp_path).returncode == 0
    (tmp_path / "search.py").rename(tmp_path / "my_search.py")
    assert run([sys.executable, "script.py"], tmp_path).returncode == 0


def test_a_notebook_beside_a_namesake_is_told_too(tmp_path: Path) -> None:
    """Its folder is on the path as the empty string."""
    (tmp_path / "search.py").write_text("VALUE = 1\n")
    done = run([sys.executable, "-c", USE], tmp_path)
    assert "search.py hides the package `search` of hsctl" in last_line(done.stderr)


def test_pytest_beside_a_namesake_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text("VALUE = 1\n")
    (tmp_path / "test_agent.py").write_text(f"{USE}\ndef test_nothing() -> None: ...\n")
    done = run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "."], tmp_path)
    assert done.returncode != 0 and "search.py hides the package `search` of hsctl" in done.stdout


def test_hsctl_can_be_loaded_again() -> None:
    code = "import importlib, hsctl; importlib.reload(hsctl); import search; print(hsctl.Budget(nodes=1))"
    assert run([sys.executable, "-c", code], ROOT).returncode == 0
