"""Known strengths: the model, and what intervals and tests make of it (large: `hsctl.research.verify`)."""

import numpy as np
import pytest

from hsctl.league.intervals import Share, share_interval
from hsctl.league.rating import rate
from hsctl.research.simulation import (
    BLOCKS,
    BRANCHINGS,
    GAMES,
    RATING,
    SETTINGS,
    TRIALS,
    Branching,
    Coverage,
    Errors,
    Rolled,
    Setting,
    World,
    block_scores,
    chance_of,
    check_intervals,
    check_rollouts,
    check_test,
    is_honest,
)

LEAGUES = 100
TESTS = 60


def nobody(done: int) -> None:
    pass


def test_without_favours_the_model_is_bradley_and_terrys() -> None:
    setting = Setting("exact", (120, 0, -120), 3, 0, World())
    points = setting.play(np.random.default_rng(1), 8000)
    elos = [rating.elo for rating in rate(["a", "b", "c"], list(points))]
    assert elos == pytest.approx([120, 0, -120], abs=6)


def test_every_pair_meets_from_all_seats() -> None:
    points = SETTINGS[-1].play(np.random.default_rng(1), 15)  # six players, every line-up of four once
    met = points.sum(axis=0) + points.sum(axis=0).T
    assert (met[~np.eye(6, dtype=bool)] == 6 * 4).all()


def test_boards_that_decide_make_games_of_a_block_alike() -> None:
    alike, free = (np.var(block_scores(World(board), 0, np.random.default_rng(2))) for board in (3.0, 0.0))
    assert free == pytest.approx(0.125, abs=0.005)
    assert alike > 1.5 * free


def test_blocks_score_in_the_mean_what_their_elo_says() -> None:
    assert block_scores(World(1.0, 0.5, 0.3), 191, np.random.default_rng(3)).mean() == pytest.approx(0.75, abs=1e-3)


@pytest.mark.parametrize(
    "setting", [SETTINGS[0], SETTINGS[1], SETTINGS[3], SETTINGS[4], SETTINGS[8]], ids=lambda setting: setting.name
)
def test_intervals_hold_the_truth(setting: Setting) -> None:
    coverage = check_intervals(setting, LEAGUES, seed=11, tell=nobody)
    assert coverage.total[BLOCKS] == LEAGUES
    assert coverage.share(RATING).value >= 0.92
    assert coverage.share(BLOCKS).value >= 0.88


def test_games_counted_one_by_one_would_deceive() -> None:
    coverage = check_intervals(SETTINGS[-1], LEAGUES, seed=11, tell=nobody)
    assert coverage.share(GAMES).value < coverage.share(BLOCKS).value


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    errors = check_test(TRIALS[1], TESTS, seed=11, tell=nobody)
    assert errors.better_at_elo0.value <= 0.12
    assert errors.not_better_at_elo1.value <= 0.12
    assert 20 < errors.blocks[0] < 200
    assert errors.held.total == 2 * TESTS and 0.8 <= errors.held.value < 1.0


@pytest.mark.parametrize("branching", BRANCHINGS[1:4], ids=lambda branching: branching.name)
def test_intervals_of_games_from_one_position_hold_the_long_run_value(branching: Branching) -> None:
    found = check_rollouts(branching, 300, seed=11, tell=nobody)
    assert found.series == 300 and min(share.value for share in found.shares()) >= 0.93
    assert 1 < found.distinct <= branching.games


def test_positions_whose_intervals_miss_too_often_are_worse_than_promised() -> None:
    assert is_honest([], [], [Rolled(BRANCHINGS[0], 1000, 950, 950)])
    assert not is_honest([], [], [Rolled(BRANCHINGS[0], 1000, 900, 950)])
    assert not is_honest([], [], [Rolled(BRANCHINGS[0], 1000, 950, 900)])


def test_what_is_clearly_worse_than_promised_is_called_so() -> None:
    def share(count: int) -> Share:
        return Share(count, 1000, share_interval(count, 1000))

    coverage = Coverage(SETTINGS[0])
    for is_held in [True] * 95 + [False] * 5:
        coverage.count(RATING, is_held)
        coverage.count(BLOCKS, is_held)
    assert is_honest([coverage], [Errors(TRIALS[0], share(50), share(50), (1, 1), share(900))], [])
    assert not is_honest([coverage], [Errors(TRIALS[0], share(90), share(50), (1, 1), share(900))], [])
    for _ in range(20):
        coverage.count(RATING, False)
    assert not is_honest([coverage], [], [])


@pytest.mark.parametrize("total", [1, 3, 12, 400, 100_000])
def test_the_chance_of_a_count_is_that_of_the_binomial_distribution(total: int) -> None:
    counts = np.random.default_rng(1).binomial(total, 0.06, 20_000)
    for count in {0, 1, total // 16, total // 15}:
        assert chance_of(count, total, 0.06) == pytest.approx(np.mean(counts >= count), abs=0.015)


def test_a_few_runs_raise_no_alarm() -> None:
    few = Coverage(SETTINGS[0])
    for kind in (RATING, BLOCKS):
        for is_held in (True, True, False):
            few.count(kind, is_held)
    one_of_three = Share(1, 3, share_interval(1, 3))
    assert is_honest([few], [Errors(TRIALS[0], one_of_three, one_of_three, (1, 1), one_of_three)], [])
