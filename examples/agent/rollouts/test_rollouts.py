"""The contract, and what the agent is about. `check_contract` is a fixture of hsctl's pytest plugin."""

from rollouts_agent import Rollouts

import hsctl

pytest_plugins = ["hsctl.pytest_plugin"]


def test_it_keeps_the_contract(check_contract):
    check_contract(Rollouts)


def test_more_nodes_are_more_rollouts():
    game = hsctl.Game.from_seed(1, players=2)
    agent = Rollouts()
    agent.start_game(game.map, 0, 1)
    few = agent.decide(game.state, 0, hsctl.Budget(nodes=100)).nodes
    many = agent.decide(game.state, 0, hsctl.Budget(nodes=10_000)).nodes
    assert (few, many) == (100, 10_000)
