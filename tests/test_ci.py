"""The workflows do nothing that can't be run here, and the README's commands are those that are tested."""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import pytest_configure

ROOT = Path(__file__).parents[1]
SCRIPTS = {path.relative_to(ROOT).as_posix() for path in (ROOT / ".ci").iterdir()}


def test_workflows_only_call_scripts() -> None:
    text = "\n".join(path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    commands = re.findall(r"run: *(.*)", text)
    assert commands and set(commands) <= SCRIPTS
    assert all(os.access(ROOT / script, os.X_OK) for script in SCRIPTS)


def test_the_test_command_is_the_readme_s() -> None:
    command = (ROOT / ".ci" / "test").read_text().splitlines()[-1]
    assert f"Run the tests:\n\n```sh\n{command}\n```" in (ROOT / "README.md").read_text()


def test_what_the_test_command_leaves_out_is_run_by_ci() -> None:
    assert ".ci/test\n.ci/slow\n" in (ROOT / ".ci" / "run").read_text()
    assert (ROOT / ".ci" / "slow").read_text().endswith("pytest -m slow\n")


@pytest.mark.parametrize(
    ("source", "markers", "keyword", "chosen"),
    [
        ("TESTPATHS", "", "", "not slow"),
        ("TESTPATHS", "slow", "", "slow"),
        ("TESTPATHS", "", "cluster", ""),
        ("ARGS", "", "", ""),
    ],
)
def test_slow_tests_are_left_out_unless_some_are_asked_for(
    source: str, markers: str, keyword: str, chosen: str
) -> None:
    option = SimpleNamespace(markexpr=markers, keyword=keyword)
    config = SimpleNamespace(args_source=getattr(pytest.Config.ArgsSource, source), option=option)
    pytest_configure(config)  # type: ignore[arg-type]
    assert option.markexpr == chosen
