"""Explaining and reviewing import the agent, the engine and the replays, not what plays games."""

import subprocess
import sys
from pathlib import Path

import pytest

from hsctl.match.compiling import compile_for
from replays.replay import write
from tests.hsctl.run import ROOT
from tests.replays.recorded import record_game

MOST_MODULES = 110
LIST_LOADED = """
import sys
from hsctl.__main__ import main
try:
    main()
except SystemExit as ended:
    assert not ended.code
print(*sorted(name for name in sys.modules if name.split(".")[0] in ("engine", "search", "replays", "hsctl")))
"""


@pytest.mark.parametrize(
    "words", [["explain", "--turn", "3", "--agent", "beam", "--nodes", "50"], ["review", "--quick"]]
)
def test_a_command_loads_no_more_than_it_needs(tmp_path: Path, words: list[str]) -> None:
    compile_for(["beam"], lambda _: None)  # or the command does, and loads more for that
    path = tmp_path / "game.json"
    write(path, record_game(0, 2, care=0.9))
    command = [sys.executable, "-c", LIST_LOADED, words[0], str(path), *words[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert f"hsctl.analysis.{words[0]}" in loaded and len(loaded) <= MOST_MODULES
    assert not [name for name in loaded if name.startswith(("hsctl.match.bots", "hsctl.league"))]
