"""`hsctl agents`."""

import json

import pytest

from search.spec import AGENTS
from tests.hsctl.run import refusal, run_here


def test_every_agent_is_told_with_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_here(capsys, "agents").out
    for name, info in AGENTS.items():
        assert f"{name}  {info.idea}"[:70] in out
    assert "decay" in out and "factor per step of the way" in out and "guess" in out


def test_only_the_agents_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_here(capsys, "agents", "still").out
    assert "never does anything" in out and "factor per step" not in out
    assert "'nobody' is not an agent; the agents are:" in refusal(capsys, "agents", "nobody")


def test_json_tells_all(capsys: pytest.CaptureFixture[str]) -> None:
    agents = {agent["name"]: agent for agent in json.loads(run_here(capsys, "agents", "--json").out)["agents"]}
    assert list(agents) == list(AGENTS)
    decay = next(param for param in agents["simple"]["params"] if param["name"] == "decay")
    assert decay == {
        "name": "decay",
        "type": "float",
        "default": 0.9,
        "meaning": "factor per step of the way",
        "source": "guess",
        "least": 0,
        "most": 1,
    }
    assert agents["random"]["params"] == [] and agents["random"]["presets"] == {}
