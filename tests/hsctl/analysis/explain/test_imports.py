"""Explaining needs the agents and the engine, not what plays games."""

import subprocess
import sys

from tests.hsctl.run import ROOT

LIST_LOADED = """
import pkgutil, sys, hsctl.analysis.explain
for module in pkgutil.walk_packages(hsctl.analysis.explain.__path__, "hsctl.analysis.explain."):
    __import__(module.name)
print(*sorted(sys.modules))
"""


def test_explain_loads_neither_bots_nor_leagues() -> None:
    done = subprocess.run([sys.executable, "-c", LIST_LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "hsctl.analysis.explain" in loaded
    assert not [
        name for name in loaded if name.startswith(("hsctl.match.bots", "hsctl.league", "hsctl.report", "hsctl.cli"))
    ]
