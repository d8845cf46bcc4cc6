"""The comparison of the engines: its portions, their seeds and their sum."""

import pytest

from engine.spec.twin import Summary
from hsctl.verify import twins
from hsctl.verify.twins import add, compare, portions_of


@pytest.mark.parametrize("steps", [1, 2, 3, 1000, 3 * twins.PORTION, 400_001])
def test_portions_add_up_and_take_turns(steps: int) -> None:
    portions = portions_of(steps)
    assert sum(count for _players, count in portions) == steps
    assert max(count for _players, count in portions) <= twins.PORTION
    shares = [sum(count for players, count in portions if players == wanted) for wanted in (2, 3, 4)]
    assert max(shares) - min(shares) <= 1
    assert [players for players, _count in portions][:3] == [2, 3, 4][: len(portions)]


def test_two_runs_add_up_to_one() -> None:
    one = Summary(
        10, 2, 3, 4, 5, 6, 7, 8, most_bombs=9, most_bombs_of_one=3, largest_range=4, longest_game=10, digest=2
    )
    other = Summary(20, 1, 1, 1, 1, 1, 1, 1, 8, 4, 5, 6, digest=(1 << 64) - 1)
    assert add(one, other) == Summary(30, 3, 4, 5, 6, 7, 8, 9, 9, 4, 5, 10, 1)


def test_every_portion_plays_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def verify(steps: int, seed: int, players: int) -> Summary:
        seeds.append(seed)
        return Summary(steps, *[0] * 12)

    monkeypatch.setattr(twins, "verify", verify)
    done: list[int] = []
    met = compare(10 * twins.PORTION, 3, done.append)
    compare(10 * twins.PORTION, 4, done.append)
    assert sum(summary.steps for summary in met.values()) == sum(done) // 2 == 10 * twins.PORTION
    assert len(set(seeds)) == len(seeds)
