"""The example agents keep the contract, and their own tests pass from their own folders."""

import os
import subprocess
import sys

import pytest

from tests.hsctl.run import PLENTY, ROOT

EXAMPLES = ROOT / "examples" / "agent"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["greedy", "rollouts"])
def test_the_tests_of_an_example_pass(name: str) -> None:
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-p",
        "hsctl.pytest_plugin",
        ".",
    ]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES / name)}
    done = subprocess.run(
        words, cwd=EXAMPLES / name, env=environment, capture_output=True, text=True, check=False, timeout=4 * PLENTY
    )
    assert done.returncode == 0, done.stdout
