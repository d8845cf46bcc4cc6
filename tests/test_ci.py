"""The workflows do nothing that can't be run here, and the README's commands are those that are tested."""

import os
import re
from pathlib import Path

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
