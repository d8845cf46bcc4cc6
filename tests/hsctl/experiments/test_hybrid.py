"""`hsctl paper hybrid`: every variant against three simple, by wins and by places."""

from dataclasses import replace

from hsctl.experiments import find_experiment
from hsctl.experiments.agents.hybrid import OPPONENTS, VARIANTS, Budgets, by_place
from hsctl.experiments.variants import Claim, Result, Variants
from search.spec import parse_spec

LINEUP = " ".join(OPPONENTS)


def answer_of(ranks: dict[str, list[list[int]]]) -> Variants:
    """Variants with these ranks, [seed][seat]."""
    results = {
        (variant, LINEUP): {
            seed: Result([float(rank == 1) for rank in seats], seats) for seed, seats in enumerate(seeds)
        }
        for variant, seeds in ranks.items()
    }
    return Variants("drawn", tuple(ranks), (LINEUP,), results, "33 nodes a turn")


def test_every_variant_is_a_preset_with_a_budget():
    for variant in VARIANTS:
        assert parse_spec(f"hybrid:{variant},nodes=33").nodes == 33


def test_places_tell_more_than_wins():
    answer = answer_of({"a": [[2, 2], [2, 3], [1, 4]], "b": [[3, 2], [2, 4], [1, 4]]})
    assert (answer.split("a", "b").better, answer.split("a", "b").worse) == (0, 0)
    assert (by_place(answer).split("a", "b").better, by_place(answer).split("a", "b").worse) == (2, 0)


def test_both_budgets_and_both_comparisons_are_told():
    answer = answer_of({"a": [[2, 2]], "b": [[3, 2]]})
    told = Budgets({"10 ms": answer, "33 nodes": answer}).as_dict()
    assert set(told) == {"10 ms", "33 nodes"}
    assert told["10 ms"]["where_places_differ"]["a"]["b"]["better"] == 1
    assert told["10 ms"]["where_they_differ"]["a"]["b"]["better"] == 0


def test_it_takes_300_seeds_from_every_seat():
    assert find_experiment("hybrid").games == 4 * 300


def test_variants_can_be_named_by_what_they_differ_in():
    answer = replace(answer_of({"x:a,n=1": [[1, 2]], "x:b,n=1": [[2, 2]]}), claims=(Claim("c", "x:a,n=1", "x:b,n=1"),))
    named = answer.named({"x:a,n=1": "a", "x:b,n=1": "b"})
    assert named.variants == ("a", "b")
    assert named.claims == (Claim("c", "a", "b"),)
    assert named.split("a", "b") == answer.split("x:a,n=1", "x:b,n=1")
