"""Explaining needs the agents and the engine, not what plays games."""

import subprocess
import sys

from tests.hsctl.run import ROOT

LIST_LOADED = """
import pkgutil, sys, hsctl.explain
for module in pkgutil.walk_packages(hsctl.explain.__path__, "hsctl.explain."):
    __import__(module.name)
print(*sorted(sys.modules))
"""


def test_explain_loads_neither_bots_nor_leagues() -> None:
    done = subprocess.run([sys.executable, "-c", LIST_LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    rooms = {".".join(name.split(".")[:2]) for name in done.stdout.split() if name.startswith("hsctl.")}
    assert "hsctl.explain" in rooms
    assert not rooms & {"hsctl.bots", "hsctl.league", "hsctl.stats", "hsctl.views", "hsctl.commands"}
