"""`hsctl agents`."""

import json
from dataclasses import fields

import pytest

from search.spec import AGENTS
from tests.hsctl.run import refusal, run_here


def test_the_list_has_a_line_for_each_agent(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_here(capsys, "agents").out.splitlines()
    for name, info in AGENTS.items():
        [line] = [line for line in lines if line.split()[:1] == [name]]
        assert info.source in line and info.idea[:30] in line
    assert len(lines) < 30 and max(map(len, lines)) <= 80
    assert any(line.startswith("beam:paper") and "the paper's" in line for line in lines)


def test_an_agent_is_shown_with_its_parameters_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_here(capsys, "agents", "beam").out
    assert all(f" {each.name}=" in out for each in fields(AGENTS["beam"].params))
    assert out.index(" width=") < out.index(" fmp=") < out.index(" box=")
    assert "beam:paper" in out
    assert "'nobody' is not an agent" in refusal(capsys, "agents", "nobody")


def test_an_unknown_parameter_gets_the_five_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(capsys, "play", "beam:widht=3", "random")
    assert "the nearest are width," in message and len(message) < 160


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
