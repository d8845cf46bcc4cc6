"""Every command of the tutorial, run as printed, but with time enough for bots on a busy machine.

One that the next repeats, with an option more, is left out.
"""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/tutorial.md").read_text()
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)).splitlines()
PROMISED = [
    "turn 27, own bomb",
    "in a chain that was not seen (stay; safe: up), dead on turn 27",
    "played: stay (can't be survived; dies on turn 27). beam: up (MOVE 2 1)",
    "chain not seen",
    "python3 examples/bot.py is better than python3 examples/buggy.py",
]


@pytest.mark.slow
@pytest.mark.linux
def test_the_commands_run_and_show_what_is_promised(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    told = {**os.environ, "PATH": path, "HSCTL_DATA": str(tmp_path / "data"), "COLUMNS": "80"}
    shown = ""
    for printed, following in pairwise([*COMMANDS, ""]):
        if following.startswith(printed):
            continue
        command = re.sub(r"^hsctl (play|compare) (?=\")", r"hsctl \1 --time 10000 ", printed)  # for busy machines
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=told, capture_output=True, text=True)
        assert done.returncode in (0, 1 if " check " in command else 0), (command, done.stderr)
        shown += " ".join(done.stdout.split())
    assert [text for text in PROMISED if text not in shown] == []
    assert "FAIL" in shown and not re.search("FAIL[^`]*`must survive", shown)
