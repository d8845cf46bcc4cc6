"""The contract as a check: of agents in this process, and of one of the user's own by `hsctl check`."""

import json
import time
from pathlib import Path

import pytest

import hsctl
from hsctl.match.user_agents.contract import check_contract
from tests.hsctl.match.user_agents import agents
from tests.hsctl.run import refusal, run_here

FILE = Path(agents.__file__)


class Slow(agents.Still):
    """Thinks for twice its time."""

    def decide(self, state: object, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        end = time.thread_time() + 2 * (budget.ms or 0) / 1000
        while time.thread_time() < end:
            pass
        return hsctl.Decision(0)


def test_a_good_agent_keeps_the_contract() -> None:
    assert check_contract(agents.Good) == []


@pytest.mark.parametrize(
    ("made", "rule", "said"),
    [
        (agents.Raises, "legal", "raised ValueError: no idea (turn 0 of seed 0"),
        (agents.Illegal, "legal", "which is not legal there; legal are stay, "),
        (agents.Chance, "repeatable", "not deterministic: stay after "),
        (agents.Forger, "untouched", "changed the state that it was given"),
        (agents.NoDecision, "legal", "decide returned int"),
        (Slow, "in time", "late 5 times out of 5, by its own fault"),
    ],
)
def test_every_breach_is_found(made: type[hsctl.Agent], rule: str, said: str) -> None:
    found = check_contract(made)
    assert rule in {finding.rule for finding in found}
    assert said in " ".join(map(str, found))


def test_hsctl_check_tells_the_contract_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "check", f"{FILE}:Chance", "--quick", "--json")
    lines = {line["name"]: line for line in json.loads(done.out)["lines"]}
    assert done.code == 1
    assert {name: line["verdict"] for name, line in lines.items()} == {
        "legal": "pass",
        "repeatable": "fail",
        "in time": "pass",
    }
    assert {line["chapter"] for line in lines.values()} == {"contract"}
    assert "seed_of" in lines["repeatable"]["advice"]


def test_what_is_for_bots_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{FILE}:Good"
    assert "an agent in Python cannot be combined with --suite" in refusal(capsys, "check", text, "--suite", ".")
    assert "contract, strength" in refusal(capsys, "check", text, "--only", "protocol")
