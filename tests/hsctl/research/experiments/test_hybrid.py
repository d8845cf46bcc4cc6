"""`hsctl paper hybrid`: every variant against three pommer, and Table 1 of Zhou et al. beside it."""

from dataclasses import replace

import pytest

from hsctl.league.intervals import share_interval
from hsctl.research.experiments import find_experiment
from hsctl.research.experiments.agents.hybrid import OPPONENT, TABLE_1, VARIANTS, Outcomes, TwoBudgets, specs_of
from hsctl.research.experiments.variants import Claim, SeedResult, Variants
from search.spec import parse_spec

SEEDS = range(20)


def outcomes(**scores: list[float]) -> Outcomes:
    """Variants with these scores on each of `SEEDS`; the others lost all."""
    lost = {name: [0.0] * 4 for name in (*VARIANTS, OPPONENT)}
    results = {name: dict.fromkeys(SEEDS, SeedResult(each, [])) for name, each in {**lost, **scores}.items()}
    return Outcomes(results, "33 nodes a turn")


def test_every_variant_is_an_agent_with_a_budget():
    specs = specs_of(",nodes=33")
    assert all(parse_spec(text).nodes == 33 for name, text in specs.items() if name != OPPONENT)
    assert [len(row) for row in TABLE_1.values()] == [7, 6, 5, 4, 3, 2, 1]


def test_a_shared_first_place_is_a_tie():
    found = outcomes(exploit=[1.0, 0.5, 0.25, 0.0])
    shares = {outcome: found.share("exploit", outcome) for outcome in ("win", "tie", "loss")}
    assert {outcome: share and share.count for outcome, share in shares.items()} == {"win": 20, "tie": 40, "loss": 20}


def test_two_variants_are_compared_on_the_games_that_only_one_won():
    found = outcomes(exploit=[1.0, 1.0, 0.5, 0.0], explore=[1.0, 0.0, 1.0, 0.0])
    share = found.over("exploit", "explore")
    assert share is not None and (share.count, share.total) == (20, 40)
    assert found.over("bfs", "mcts") is None
    cells = {(cell.row, cell.column): cell.paper.value for cell in found.cells()}
    assert len(cells) == 28 and (cells["exploit", "mcts"], cells["mcts", OPPONENT]) == pytest.approx((0.763, 0.875))


def test_the_seats_of_a_board_are_not_games_of_their_own():
    won = outcomes(exploit=[1.0] * 4).over("exploit", "bfs")
    assert won is not None and (won.count, won.total) == (80, 80)
    assert won.interval.low < 0.9 < share_interval(80, 80).low  # twenty boards, not eighty games


def test_both_budgets_are_told():
    found = outcomes(exploit=[1.0, 1.0, 1.0, 1.0])
    told = TwoBudgets([found, replace(found, budget="10 ms a turn")]).as_dict()
    assert set(told) == {"33 nodes a turn", "10 ms a turn"}
    assert told["10 ms a turn"]["outcomes"]["exploit"]["win"]["share"] == 1.0


def test_it_takes_300_seeds_from_every_seat():
    assert find_experiment("hybrid").games == 4 * 300


def test_variants_can_be_named_by_what_they_differ_in():
    results = {("x:a,n=1", "z"): {1: SeedResult([1.0], [1])}, ("x:b,n=1", "z"): {1: SeedResult([0.0], [2])}}
    claims = (Claim("c", "x:a,n=1", "x:b,n=1"),)
    answer = Variants("drawn", ("x:a,n=1", "x:b,n=1"), ("z",), results, "33 nodes a turn", claims=claims)
    named = answer.named({"x:a,n=1": "a", "x:b,n=1": "b"})
    assert named.variants == ("a", "b")
    assert named.claims == (Claim("c", "a", "b"),)
    assert named.split("a", "b") == answer.split("x:a,n=1", "x:b,n=1")


def test_what_the_paper_says_in_words_is_judged():
    found = outcomes(exploit=[1.0] * 4)
    said = {each.words: each.agrees for each in found.statements()}
    assert said["exploit wins more than that bot"] is True
    assert said["bfs wins more than that bot"] is None  # both lost all
    assert found.as_dict()["claims"][1]["claim"] == "exploit wins more than that bot"
