"""Readings of the papers as switches: each changes decisions, and none changes the identity of games without it."""

import pytest

from engine.notation import parse_position
from hsctl.behaviour import LATE, MIDGAME_2, digest_agent
from search import make_agent
from search.agent import Budget, Decision
from search.bias.tree import ALGORITHM_4, EQUATION_2, bonus_of
from search.spec import parse_spec
from tests.kernels import entries_in


def decide(spec: str, text: str) -> Decision:
    game = parse_position(text, 60)
    agent = make_agent(spec)
    agent.start_game(game.map, 0, 1)
    return agent.decide(game.state, 0, Budget(nodes=3000))


@pytest.mark.parametrize(
    ("spec", "reading", "text"),
    [
        ("bias", "bias:bonus=eq2", MIDGAME_2),
        ("bias", "bias:bonus=alg4", MIDGAME_2),
        ("negamax:paper", "negamax:paper,potential=1", MIDGAME_2),
        ("duel:paper", "duel:health", LATE),
    ],
)
def test_a_reading_changes_what_a_search_finds(spec: str, reading: str, text: str) -> None:
    one, other = decide(spec, text), decide(reading, text)
    assert (one.plan, one.value) != (other.plan, other.value)


def test_hybrid_by_the_best_score_takes_no_less_than_by_the_mean() -> None:
    by_mean, by_best = decide("hybrid", LATE), decide("hybrid:choose=best", LATE)
    assert by_mean.value is not None and by_best.value is not None and by_best.value >= by_mean.value


def test_the_reports_three_formulas_of_exploration() -> None:
    bonus = entries_in({"bonus": bonus_of})["bonus"]
    c, log, parent, visits = 2.0, 3.0, 16, 4
    assert bonus(c, log, parent, visits, 0) == pytest.approx(c * (log / visits) ** 0.5)
    assert bonus(c, log, parent, visits, EQUATION_2) == pytest.approx(c * parent**0.5 / visits)
    assert bonus(c, log, parent, visits, ALGORITHM_4) == pytest.approx(c * (2 * log / visits) ** 0.5)


def test_a_parameter_added_later_leaves_filed_games_alone_unless_it_is_changed() -> None:
    assert "bonus" not in parse_spec("bias").params.identity()
    assert parse_spec("bias:bonus=eq2").params.identity()["bonus"] == "eq2"
    assert digest_agent(parse_spec("bias:bonus=eq3")) == digest_agent(parse_spec("bias"))
    assert digest_agent(parse_spec("bias:bonus=eq2")) != digest_agent(parse_spec("bias"))
