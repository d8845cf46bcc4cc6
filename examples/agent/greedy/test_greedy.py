"""The contract, and what the agent is about. `check_contract` is a fixture of hsctl's pytest plugin."""

from greedy_agent import Greedy

import hsctl

pytest_plugins = ["hsctl.pytest_plugin"]


def test_it_keeps_the_contract(check_contract):
    check_contract(Greedy)


def test_it_drops_a_bomb_beside_a_box():
    game = hsctl.Game.from_seed(1, players=2)
    agent = Greedy()
    for _ in range(20):
        agent.start_game(game.map, 0, 1)
        decision = agent.decide(game.state, 0, hsctl.Budget(nodes=10))
        if decision.action >= 5:
            return
        game.step([decision.action, 0])
    raise AssertionError("no bomb in 20 turns")
