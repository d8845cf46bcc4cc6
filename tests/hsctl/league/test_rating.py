"""Ratings: by hand where that can be done, then what nobody may be told."""

import math

import numpy as np
import pytest

from hsctl.league.rating import (
    APART,
    NEVER_BEATEN,
    NEVER_WON,
    NO_LOSSES_LEAD_ON,
    NO_WINS_LEAD_ON,
    NOTHING_LEADS_ON,
    TOO_FEW,
    Rating,
    rate,
)


def blocks_of(count: int, results: dict[tuple[int, int], tuple[float, ...]], games: int = 2) -> list[np.ndarray]:
    """Blocks of two players: for each pair the points of the first in each block."""
    blocks = []
    for (first, second), scores in results.items():
        for score in scores:
            block = np.zeros((count, count))
            block[first, second], block[second, first] = score, games - score
            blocks.append(block)
    return blocks


def test_equal_players_are_rated_equal() -> None:
    one, other = rate(["a", "b"], blocks_of(2, {(0, 1): (1.0, 2.0, 0.0, 1.0)}))
    assert (one.name, one.games, one.note) == ("a", 8, "")
    assert one.elo == pytest.approx(0.0) and other.elo == pytest.approx(0.0)
    assert one.low is not None and one.high is not None and one.low < 0 < one.high


def test_the_difference_of_two_players_is_the_log_odds_with_one_block_added() -> None:
    scores = (2.0, 1.0, 1.5, 2.0, 0.5, 2.0)  # 9 of 12, and 1 of 2 added
    one, other = rate(["a", "b"], blocks_of(2, {(0, 1): scores}))
    assert one.elo is not None and other.elo is not None
    assert one.elo - other.elo == pytest.approx(400 * math.log10(10 / 4))


def test_many_blocks_give_a_narrow_interval_around_the_truth() -> None:
    one, _ = rate(["a", "b"], blocks_of(2, {(0, 1): (2.0, 1.0) * 500}))
    assert one.low is not None and one.elo is not None and one.high is not None
    assert one.elo == pytest.approx(200 * math.log10(3), abs=1)
    assert 5 < one.high - one.low < 40


def test_games_that_only_repeat_each_other_add_no_certainty() -> None:
    def width(games: int) -> float:
        rating, _ = rate(["a", "b"], blocks_of(2, {(0, 1): (games, 0.0, games, games) * 10}, games))
        assert rating.low is not None and rating.high is not None
        return rating.high - rating.low

    assert width(4) == pytest.approx(width(1), rel=0.02)


def test_seats_that_balance_each_other_in_every_block_leave_little_doubt() -> None:
    def width(scores: tuple[float, ...]) -> float:
        rating, _ = rate(["a", "b"], blocks_of(2, {(0, 1): scores * 20}))
        assert rating.low is not None and rating.high is not None
        return rating.high - rating.low

    assert width((1.0, 1.0)) < width((2.0, 0.0)) / 3


@pytest.mark.parametrize("boards", [3, 12, 20])
def test_a_player_that_always_won_has_a_finite_rating_and_a_note(boards: int) -> None:
    best, worst = rate(["a", "b"], blocks_of(2, {(0, 1): (2.0,) * boards}))
    assert (best.note, worst.note) == (NEVER_BEATEN, NEVER_WON)
    assert best.low is not None and best.elo is not None and best.high is not None
    assert -200 < best.low < best.elo < best.high < 1000 and (boards < 12 or best.low > 0)
    assert (worst.low, worst.high) == pytest.approx((-best.high, -best.low))


def test_players_beyond_reach_do_not_move_the_others() -> None:
    even = blocks_of(3, {(0, 1): (1.0, 2.0, 0.0, 1.0) * 5})
    hopeless = blocks_of(3, {(0, 2): (2.0,) * 9, (1, 2): (2.0,) * 9})
    one, other, last = rate(["a", "b", "c"], even + hopeless)
    assert one.elo == pytest.approx(0.0, abs=1e-6) and other.elo == pytest.approx(0.0, abs=1e-6)
    assert None not in (one.low, one.high)
    assert last.low is not None and last.high is not None and -2000 < last.low < last.high < 0


def test_both_ends_of_one_between_two_extremes_are_guesses() -> None:
    ratings = rate(["a", "b", "c"], blocks_of(3, {(0, 1): (2.0,) * 5, (1, 2): (2.0,) * 5}))
    assert [rating.note for rating in ratings] == [NEVER_BEATEN, NOTHING_LEADS_ON, NEVER_WON]
    assert ratings[1].elo == pytest.approx(0.0, abs=1e-6)
    assert ratings[1].low is not None and ratings[1].high is not None and -800 < ratings[1].low < ratings[1].high < 800


def test_nobody_that_won_is_said_to_have_never_won() -> None:
    """a and b beat each other and everybody else; c beat d all the same."""
    even, won = (1.0, 2.0, 0.0, 1.0), (2.0,) * 5
    games = {(0, 1): even, (0, 2): won, (1, 2): won, (0, 3): won, (2, 3): won}
    ratings = rate(["a", "b", "c", "d"], blocks_of(4, games))
    assert [rating.note for rating in ratings] == ["", "", NO_WINS_LEAD_ON, NEVER_WON]
    upside_down = {pair: tuple(2.0 - score for score in scores) for pair, scores in games.items()}
    ratings = rate(["a", "b", "c", "d"], blocks_of(4, upside_down))
    assert [rating.note for rating in ratings] == ["", "", NO_LOSSES_LEAD_ON, NEVER_BEATEN]


def test_one_block_is_too_few() -> None:
    for rating in rate(["a", "b"], blocks_of(2, {(0, 1): (1.0,)})):
        assert rating == Rating(rating.name, 2, None, None, None, TOO_FEW)


def test_no_game_at_all_is_too_few() -> None:
    assert [rating.note for rating in rate(["a", "b", "c"], [])] == [TOO_FEW] * 3


def test_groups_that_never_met_are_told_apart() -> None:
    even = (1.0, 2.0, 0.0, 1.0)
    ratings = rate(["a", "x", "b", "y", "c", "idle"], blocks_of(6, {(0, 2): even, (2, 4): even, (1, 3): even}))
    assert [rating.group for rating in ratings] == [0, 1, 0, 1, 0, 2]
    assert [rating.note for rating in ratings] == ["", APART, "", APART, "", TOO_FEW]


def test_nothing_is_ever_nan() -> None:
    rng = np.random.default_rng(5)
    for _ in range(150):
        count = int(rng.integers(2, 6))
        results: dict[tuple[int, int], tuple[float, ...]] = {}
        for _ in range(int(rng.integers(0, 8))):
            first, second = sorted(rng.choice(count, 2, replace=False).tolist())
            results[first, second] = tuple(rng.choice([0.0, 1.0, 2.0], int(rng.integers(1, 4))).tolist())
        for rating in rate([str(i) for i in range(count)], blocks_of(count, results)):
            numbers = [value for value in (rating.low, rating.elo, rating.high) if value is not None]
            assert all(map(math.isfinite, numbers)) and numbers == sorted(numbers)
            assert len(numbers) == (0 if rating.note == TOO_FEW else 3)
