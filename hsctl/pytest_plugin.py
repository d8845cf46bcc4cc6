"""The contract of agents as a fixture of pytest. Test files opt in:

pytest_plugins = ["hsctl.pytest_plugin"]

def test_it_keeps_the_contract(check_contract):
    check_contract(MyAgent)
"""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def check_contract() -> Callable[..., None]:
    """A function that fails with all breaches of the contract, a line each. It takes what makes an agent: a class."""

    def check(make: Callable[[], Any]) -> None:
        from hsctl.match.user_agents.contract import check_contract

        if found := check_contract(make):
            pytest.fail("\n".join(map(str, found)), pytrace=False)

    return check
