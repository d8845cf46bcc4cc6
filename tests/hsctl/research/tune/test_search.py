"""The search: it finds a planted optimum through noise, and the same seed takes the same way."""

import sys
from random import Random

import pytest

from engine.errors import HsctlError
from hsctl.research.tune.study import Search
from hsctl.research.tune.subject import TunedParameter, Value, new_tunable

pytest.importorskip("cmaes", reason="needs the extra [tune]")
BOX = new_tunable("box", 0, 10, 2, float, has_range=True)
WIDTH = new_tunable("width", 1, 40, 5, int, has_range=True)
SWITCH = new_tunable("op", 0, 1, False, bool, has_range=True)
GAMES = 20  # of a trial: what makes it noisy


def goal(values: dict[str, Value], random: Random) -> float:
    """The score of games that are won most often at box 6 and width 30, with the switch on."""
    far = ((values.get("box", 6) - 6) / 10) ** 2 + ((values.get("width", 30) - 30) / 40) ** 2
    chance = 0.75 - 1.2 * far - (0.15 if values.get("op") is False else 0)
    return sum(random.random() < chance for _ in range(GAMES)) / GAMES


def found(space: list[TunedParameter], seed: int, generations: int) -> dict[str, Value]:
    search, random = Search(space, seed), Random(seed)
    for _ in range(generations):
        search.tell([goal(values, random) for values in search.ask()])
    return search.centre


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_optimum_is_found_through_noise(seed: int) -> None:
    best = found([BOX, WIDTH, SWITCH], seed, generations=20)
    assert abs(best["box"] - 6) < 2 and abs(best["width"] - 30) < 8 and best["op"] is True


def test_a_single_parameter_is_found_too() -> None:
    assert abs(found([BOX], 1, generations=15)["box"] - 6) < 2


def test_the_same_seed_takes_the_same_way() -> None:
    assert found([BOX, WIDTH], 7, 4) == found([BOX, WIDTH], 7, 4) != found([BOX, WIDTH], 8, 4)


def test_a_switch_is_tried_both_ways_from_the_beginning() -> None:
    asked = Search([BOX, SWITCH], 1).ask()
    assert 2 <= sum(values["op"] is True for values in asked) <= len(asked) - 2


def test_all_that_is_asked_lies_in_the_space() -> None:
    search = Search([BOX, WIDTH, SWITCH], 1)
    asked = []
    for _ in range(5):
        asked += (generation := search.ask())
        search.tell([-float(values["box"]) for values in generation])  # towards the end of the range
    assert all(0 <= values["box"] <= 10 and 1 <= values["width"] <= 40 for values in asked)
    assert {values["op"] for values in asked} == {True, False}


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(HsctlError, match=r"tune needs cmaes: pip install 'hsctl\[tune\]'"):
        Search([BOX], 1)
