"""Models of the others: what a game tells about them, and that it follows from the turns alone."""

import numpy as np
import pytest

from engine.game import Game
from engine.rules import ACTION_BITS, legal_actions, play_round
from engine.spec.wild import below, new_random
from engine.state import MAX_PLAYERS, copy_state
from search.agent import Budget, Decision
from search.beam.agent import MODEL_SHARE, BeamAgent
from search.beam.models import HEAD_START, MODELS, NODES, OWN, Models, action_between
from search.clock import Timer
from search.common.first_moves import members
from tests.search.beam.beams import beam_agent, new_beam
from tests.search.clocks import ScriptedClock, counting_nodes
from tests.search.positions import agent, random_positions

ENOUGH = int(NODES * len(MODELS) / MODEL_SHARE) + 1  # nodes from which on models are asked about one other


def play(beam: BeamAgent, rival: str, turns: int, nodes: int = ENOUGH, seed: int = 1) -> tuple[Game, list[Decision]]:
    """A game against an opponent, begun; what beam decided."""
    game, other, decisions = Game.start(seed, 2), agent(rival), []
    beam.start_game(game.map, 0, seed)
    other.start_game(game.map, 1, seed)
    while len(decisions) < turns and not game.is_over:
        decisions.append(beam.decide(game.state, 0, Budget(nodes=nodes)))
        game.step([decisions[-1].action, other.decide(game.state, 1, Budget(nodes=5000)).action])
    return game, decisions


def test_what_a_player_did_is_read_off_two_turns():
    random, compared = new_random(5), 0
    for position in random_positions(60, seed=5):
        after, actions = copy_state(position.state), {}
        for player in range(MAX_PLAYERS):
            if choices := members(int(legal_actions(position.state, player))):
                actions[player] = choices[below(random, len(choices))]
        packed = sum(action << int(ACTION_BITS) * player for player, action in actions.items())
        play_round(after, position.map, np.uint64(packed))
        for player, action in actions.items():
            if position.state.players[player] and after.players[player]:
                compared += 1
                assert action_between(position.state, after, player) == action
    assert compared > 60


def test_an_opponent_is_foreseen_by_the_weights_that_are_theirs():
    beam = beam_agent("beam")
    for rival in ("scaled", "eighth"):
        right = dict.fromkeys(MODELS, 0.0)
        for seed in range(3):
            play(beam, f"beam:{rival}", 70, seed=seed)
            for name in MODELS:
                right[name] += beam.models.right[1][name]
        assert max(MODELS, key=lambda name: right[name]) == rival


@pytest.mark.parametrize("width", [1, 19])
def test_a_narrow_beam_asks_models_within_its_memory(width):
    beam = beam_agent(f"beam:width={width}")
    play(beam, "still", 4)
    assert beam.models.asked[1] > 2
    for other in beam.models.asked:
        beam.ask_about(beam.models.turns[-1], other, 0, Timer(Budget()).stage("models", 1.0, 0), 0)
        assert 1 <= beam.search.layer_size <= width


def test_nothing_is_known_of_a_new_game():
    beam = beam_agent("beam")
    play(beam, "beam:scaled", 5)
    assert beam.models.right
    play(beam, "beam:scaled", 0)
    assert beam.models.best_for(1) == OWN and beam.models.share_right(1) is None


def test_a_model_must_be_right_more_often_than_our_own_by_its_head_start():
    models = Models()
    models.add(1, {name: name == "scaled" for name in MODELS})
    assert HEAD_START == 1.0 and models.best_for(1) == OWN
    models.add(1, {name: name == "scaled" for name in MODELS})
    assert models.best_for(1) == "scaled" and models.best_for(2) == OWN


def test_turns_that_were_only_seen_lead_to_the_same_decision():
    beam = beam_agent("beam")
    for seed in range(10):
        _, decisions = play(beam, "beam:scaled", 40, seed=seed)
        if beam.models.best_for(1) != OWN:
            break
    known = beam.models.right
    assert beam.models.best_for(1) != OWN and decisions[-1].stages["models"] > 0
    again, other = BeamAgent(beam.params), agent("beam:scaled")
    game = Game.start(seed, 2)
    again.start_game(game.map, 0, seed)
    other.start_game(game.map, 1, seed)
    for decision in decisions[:-1]:
        again.see(game.state, 0)
        game.step([decision.action, other.decide(game.state, 1, Budget(nodes=5000)).action])
    assert again.decide(game.state, 0, decisions[-1].budget()) == decisions[-1]
    assert again.models.right == known


def see_turns(beam: BeamAgent, turns: int) -> Game:
    """A game that beam has only seen so far."""
    simple, game = agent("simple"), Game.start(1, 2)
    beam.start_game(game.map, 0, 1)
    for _ in range(turns):
        beam.see(game.state, 0)
        game.step([0, simple.decide(game.state, 1, Budget(nodes=100)).action])
    return game


@pytest.mark.parametrize(
    ("budget", "node_ns", "least", "most"),
    [
        (Budget(ms=20), 100, 10, 29),
        (Budget(ms=20), 1000, 1, 2),
        (Budget(ms=20), 5000, 0, 0),
        (Budget(nodes=ENOUGH), 5000, 30, 30),
    ],
)
def test_on_the_clock_no_more_rounds_are_caught_up_with_than_there_is_time_for(budget, node_ns, least, most):
    beam = new_beam("beam")
    beam.clock = ScriptedClock(node_ns)
    with counting_nodes(beam.clock):
        game = see_turns(beam, 30)
        decision = beam.decide(game.state, 0, budget)
    assert least <= beam.models.known <= most
    again = new_beam("beam")
    assert again.decide(see_turns(again, 30).state, 0, decision.budget()) == decision
    assert (again.models.known, again.models.right) == (beam.models.known, beam.models.right)


def test_rounds_for_which_there_was_no_time_are_asked_about_later():
    beam = new_beam("beam")
    beam.clock = clock = ScriptedClock(100)
    with counting_nodes(clock):
        game = see_turns(beam, 3)
        clock.script(2, 50.0)
        decision = beam.decide(game.state, 0, Budget(ms=10))
        assert beam.models.known == 0 and "models" not in decision.stages
        game.step([decision.action, 0])
        clock.script(None, 0.0)
        decision = beam.decide(game.state, 0, Budget(ms=20))
    assert beam.models.known == 4 and decision.stages["models"] > 2 * NODES


def test_models_are_asked_on_every_turn_or_on_none():
    beam = beam_agent("beam")
    _, decisions = play(beam, "simple", 12)
    assert all(decision.stages.get("models") for decision in decisions[1:])
    _, decisions = play(beam, "simple", 12, nodes=ENOUGH - 100)
    assert not any("models" in decision.stages for decision in decisions) and not beam.models.right


def test_with_more_players_no_model_is_asked():
    beam, game = beam_agent("beam"), Game.start(2, 3)
    beam.start_game(game.map, 0, 2)
    for _ in range(3):
        decision = beam.decide(game.state, 0, Budget(nodes=5 * ENOUGH))
        assert "models" not in decision.stages
        game.step([decision.action, 0, 0])


def test_a_beam_without_models_sees_nothing():
    beam = beam_agent("beam:models=0")
    play(beam, "simple", 3)
    assert not beam.models.turns
