"""Every agent is a package of one shape: the idea, the tunables, the agent."""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from search import AGENTS


@pytest.mark.parametrize("name", AGENTS)
def test_an_agents_package_tells_its_idea_and_holds_its_params_and_its_agent(name):
    info = AGENTS[name]
    package = info.module.rpartition(".")[0]
    assert (import_module(package).__doc__ or "").strip()
    assert info.module == f"{package}.agent" and find_spec(info.module)
    assert info.params.__module__ == f"{package}.params"


def test_reading_players_and_their_params_imports_no_compiler():
    code = (
        "import sys; from search import AGENTS, parse_spec; [parse_spec(name) for name in AGENTS];"
        "print(*sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
