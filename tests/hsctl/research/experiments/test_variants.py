"""Variants on the same seeds: compared where they differ."""

import pytest

from hsctl.report.tables import to_markdown
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.variants import SeedResult, Split, Variants, result_of, tell_apart
from search.spec import parse_spec
from tests.hsctl.games import made_game


def variants_of(scores: dict[str, dict[int, float]]) -> Variants:
    """Variant -> seed -> score of its one game against one opponent."""
    results = {
        (name, "x"): {seed: SeedResult([score], [1 if score else 2]) for seed, score in seeds.items()}
        for name, seeds in scores.items()
    }
    return Variants("Variants", tuple(scores), ("x",), results, "5 nodes a turn")


def test_variants_are_compared_where_they_differ() -> None:
    answer = variants_of({"a": {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.5}, "b": {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0, 5: 1.0}})
    assert answer.split("a", "b") == Split(2, 1)
    assert answer.split("b", "a") == Split(1, 2)


def test_a_seed_counts_once_however_many_opponents_it_was_played_against() -> None:
    results = {
        ("a", "x"): {1: SeedResult([1.0], [1])},
        ("a", "y"): {1: SeedResult([1.0], [1])},
        ("b", "x"): {1: SeedResult([0.0], [2])},
        ("b", "y"): {1: SeedResult([0.5], [1])},
    }
    assert Variants("", ("a", "b"), ("x", "y"), results, "").split("a", "b") == Split(1, 0)


def test_stars_tell_what_chance_hardly_does() -> None:
    assert str(Split(0, 0)) == "equal"
    assert str(Split(5, 5)) == "50 %"
    assert str(Split(9, 1)) == "90 %*"
    assert str(Split(1, 19)) == "5 %**"


def test_a_single_variant_is_compared_with_nobody() -> None:
    said = to_markdown(variants_of({"a": {1: 1.0, 2: 0.0}}).view())
    assert "50.0 %" in said and "where they differ" not in said
    assert "where they differ" in to_markdown(variants_of({"a": {1: 1.0}, "b": {1: 0.0}}).view())


def test_a_shared_first_place_is_shared() -> None:
    block = [made_game([1, 2], (0, 1)), made_game([1, 1], (1, 0)), made_game([2, 1], (0, 1))]
    assert result_of(block, 0) == SeedResult([1.0, 0.5, 0.0], [1, 1, 2])


# Against itself

BY_NODES, BY_TIME = Effort(2, None, 1000), Effort(2, 20.0)


@pytest.mark.parametrize("player", ["beam:zh", "beam", "negamax", "negamax:strategy=nuke"])
def test_a_player_that_meets_itself_by_nodes_has_a_tenth_less_of_one_thing(player: str) -> None:
    itself, other = parse_spec(player), parse_spec(tell_apart(player, BY_NODES))
    mine, theirs = itself.params.as_dict(), other.params.as_dict()
    changed = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
    if itself.name == "beam":
        assert changed == {"width": (mine["width"], mine["width"] * 9 // 10)} and other.nodes is None
    else:
        assert changed == {} and other.nodes == 900
    assert tell_apart(player, BY_TIME) == player  # the clock tells them apart


def test_no_side_is_left_with_nothing() -> None:
    assert tell_apart("negamax", Effort(2, None, 1)) == "negamax:nodes=1"
    assert tell_apart("beam:width=1", BY_NODES) == "beam:width=1,width=1"
