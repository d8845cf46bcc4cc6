"""Variants on the same seeds: compared where they differ, and the variants that the experiments name."""

from hsctl.report.tables import to_markdown
from hsctl.research.experiments.paper.rhea import CROSSOVERS, REPLACEMENTS, variant
from hsctl.research.experiments.paper.terms import COMPLETE, TERMS, variants
from hsctl.research.experiments.variants import Claim, SeedResult, Split, Variants, result_of
from search.common.params import EvaluationParams
from search.spec import parse_spec
from tests.hsctl.games import made_game

BEYOND_THE_PAPER = {"first", "sum_boxes", "out"}  # how bombs are counted, and terms of public bots


def variants_of(scores: dict[str, dict[int, float]], claims: tuple[Claim, ...] = ()) -> Variants:
    """Variant -> seed -> score of its one game against one opponent."""
    results = {
        (name, "x"): {seed: SeedResult([score], [1 if score else 2]) for seed, score in seeds.items()}
        for name, seeds in scores.items()
    }
    return Variants("Variants", tuple(scores), ("x",), results, "5 nodes a turn", claims=claims)


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


def test_a_claim_is_judged_by_seeds() -> None:
    always, never = dict.fromkeys(range(10), 1.0), dict.fromkeys(range(10), 0.0)
    claims = tuple(Claim("", *pair) for pair in (("a", "b"), ("b", "a"), ("a", "c")))
    answer = variants_of({"a": always, "b": never, "c": {**always, 0: 0.0}}, claims)
    assert [answer.judge(claim).agrees for claim in claims] == [True, False, None]


def test_a_single_variant_is_compared_with_nobody() -> None:
    said = to_markdown(variants_of({"a": {1: 1.0, 2: 0.0}}).view())
    assert "50.0 %" in said and "where they differ" not in said
    assert "where they differ" in to_markdown(variants_of({"a": {1: 1.0}, "b": {1: 0.0}}).view())


def test_a_shared_first_place_is_shared() -> None:
    block = [made_game([1, 2], (0, 1)), made_game([1, 1], (1, 0)), made_game([2, 1], (0, 1))]
    assert result_of(block, 0) == SeedResult([1.0, 0.5, 0.0], [1, 1, 2])


def test_every_weight_of_the_evaluation_is_left_out_once_with_its_term_and_once_alone() -> None:
    weights = {weight for term in TERMS for weight in term}
    assert weights == set(EvaluationParams().as_dict()) - {"many_boxes", *BEYOND_THE_PAPER}
    specs = [parse_spec(text).params.as_dict() for text in variants()]
    complete = parse_spec(COMPLETE).params.as_dict()
    changed = [{name for name in complete if spec[name] != complete[name]} for spec in specs]
    assert changed[0] == set() and all(
        spec[name] == 0 for spec, names in zip(specs, changed, strict=True) for name in names
    )
    assert all({weight} in changed for weight in weights)
    assert len(set(variants())) == len(variants()) == 14


def test_every_evolution_can_be_made() -> None:
    found = {
        (params["crossover"], params["replacement"])
        for crossover in CROSSOVERS
        for replacement in REPLACEMENTS
        for params in [parse_spec(variant(crossover, replacement)).params.as_dict()]
    }
    assert len(found) == 4
