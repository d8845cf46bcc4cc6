"""The example agents keep the contract, and their own tests pass from their own folders."""

import os
import subprocess
import sys
import tomllib

import pytest

from tests.hsctl.run import PLENTY, ROOT

EXAMPLES = ROOT / "examples" / "agent"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["greedy", "rollouts"])
def test_the_tests_of_an_example_pass(name: str) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "."]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES / name)}
    done = subprocess.run(
        words, cwd=EXAMPLES / name, env=environment, capture_output=True, text=True, check=False, timeout=4 * PLENTY
    )
    assert done.returncode == 0, done.stdout


def test_pytest_loads_the_plugin_only_where_it_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "pytest11" not in project.get("entry-points", {})
    for file in EXAMPLES.glob("*/test_*.py"):
        assert 'pytest_plugins = ["hsctl.pytest_plugin"]' in file.read_text(), file
