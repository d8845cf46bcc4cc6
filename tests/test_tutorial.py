"""Every command of the tutorial, run as printed, but with time enough for bots on a busy machine; and what it shows.

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
TEXT = (ROOT / "docs/guides/tutorial.md").read_text()
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)).splitlines()
BLOCKS = re.findall(r"^\n((?:    .*\n)+)", TEXT, re.MULTILINE)
PROMISED = ["turn 27, own bomb", *(part for block in BLOCKS[1:] for part in block.split("..."))]  # BLOCKS[0] has times


def plain(text: str) -> str:
    """Without lines of tables, and with single spaces."""
    return " ".join(text.replace("─", " ").split())


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
        shown += plain(done.stdout)
    assert len(BLOCKS) == 5
    assert [text for text in PROMISED if plain(text) not in shown] == []
    assert "FAIL" in shown and not re.search("FAIL[^`]*`must survive", shown)
