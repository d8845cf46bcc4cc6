"""A stranger's replay: nothing in it reaches a kernel unchecked."""

from typing import Any

import pytest

from engine.errors import MOST_NODES, HsctlError
from hsctl.match.past import recorded_budget, recorded_spec
from replays.replay import Move, PlayerInfo, Thought
from search.spec import parse_spec


@pytest.mark.parametrize(
    ("spec", "key", "value"),
    [
        ("beam", "horizon", -1),
        ("beam", "threats", 64),
        ("beam", "width", 10**9),
        ("beam", "box", "x"),
        ("beam", "local", 10**12),
        ("beam", "start", -5),
        ("beam", "zh", 1),
        ("beam", "width", 2.5),
        ("beam", "width", True),
        ("beam", "gamma", float("nan")),
        ("beam", "many_boxes", 10**30),
        ("mcts", "capacity", 0),
        ("mcts", "bombs", 10**12),
        ("rhea", "length", 10**6),
    ],
)
def test_a_recorded_parameter_passes_the_checks_of_the_command_line(spec: str, key: str, value: Any) -> None:
    with pytest.raises(HsctlError, match=f"recorded with parameter {key}: expected"):
        recorded_spec(PlayerInfo(spec, True, {key: value}), 0)


@pytest.mark.parametrize("name", ["beam", "mcts", "rhea", "bias", "duel", "negamax", "hybrid", "simple", "osla"])
def test_what_hsctl_records_is_taken_back(name: str) -> None:
    spec = parse_spec(name)
    assert recorded_spec(PlayerInfo(name, True, spec.params.as_dict()), 0) == spec


@pytest.mark.parametrize("thought", [Thought(nodes=10**15), Thought(stages={"own": 10**15}), Thought(nodes=-1)])
def test_a_decision_that_nobody_can_have_made_is_refused(thought: Thought) -> None:
    with pytest.raises(HsctlError, match=f"0 to {MOST_NODES}"):
        recorded_budget(Move(action=0, thought=thought))
