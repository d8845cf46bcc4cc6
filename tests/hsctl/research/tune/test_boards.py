"""Boards: fresh for every generation, equal for all its candidates, other ones for the confirmation."""

from collections import Counter
from itertools import islice

import pytest

from engine.errors import HsctlError
from hsctl.research.tune.study import APART, blocks_of, check_confirmation, groups_in_turn, plan_boards


def test_a_board_is_played_against_every_opponent_if_two_play() -> None:
    boards = plan_boards(3, "2", 5, seed=10)
    assert (boards.trial_boards, boards.trial_games) == (3, 18)
    blocks = blocks_of(boards.of_generation(0), candidates=2)
    met = Counter((block.lineup[0], block.lineup[1]) for block in blocks)
    assert met == {(candidate, opponent): 3 for candidate in (0, 1) for opponent in (2, 3, 4)}
    assert {block.seed for block in blocks} == {10, 11, 12}


def test_no_board_is_used_in_two_generations_or_confirms_what_it_found() -> None:
    boards = plan_boards(2, "2", 4, seed=1)
    seeds = [seed for generation in range(50) for seed, _ in boards.of_generation(generation)]
    assert len(set(seeds)) == len(seeds) == 100
    assert [seed for seed, _ in boards.of_confirmation(20)] == [1 + APART, 2 + APART] and max(seeds) < APART


def test_candidates_of_a_generation_have_the_same_boards_and_opponents() -> None:
    boards = plan_boards(5, "4", 24, seed=3)
    blocks = blocks_of(boards.of_generation(2), candidates=3)
    lineups = [{(block.seed, block.lineup[1:]) for block in blocks if block.lineup[0] == number} for number in range(3)]
    assert lineups[0] == lineups[1] == lineups[2] and len(lineups[0]) == 6


@pytest.mark.parametrize(("size", "needed", "lap"), [("2", 28, 1), ("3", 24, 4), ("4", 24, 3), ("mixed", 22, 4)])
def test_a_confirmation_ends_with_a_board_on_which_the_last_opponent_was_met(size: str, needed: int, lap: int) -> None:
    boards = plan_boards(7, size, 30, seed=1)
    for games, laps in ((needed - 1, 0), (needed, 1), (needed + 5, 1)):
        assert len(list(boards.of_confirmation(games))) == laps * lap
    met = {each for _, groups in boards.of_confirmation(needed) for group in groups for each in group}
    assert met == set(range(7))


@pytest.mark.parametrize("sizes", [(3,), (4,), (2, 3, 4)])
def test_opponents_are_met_equally_often(sizes: tuple[int, ...]) -> None:
    met = Counter(each for groups in islice(groups_in_turn(7, sizes, 1), 70) for group in groups for each in group)
    assert len(met) == 7 and max(met.values()) - min(met.values()) <= 1


def test_games_are_counted_in_all_if_more_than_two_play() -> None:
    boards = plan_boards(4, "mixed", 18, seed=1)
    assert (boards.trial_boards, boards.trial_games) == (6, 18)


def test_too_few_games_or_opponents_are_refused() -> None:
    with pytest.raises(HsctlError, match="too few to meet each of 7 opponents"):
        plan_boards(7, "4", 8, seed=1)
    with pytest.raises(HsctlError, match="--players 4: 3 players are named"):
        plan_boards(2, "4", 8, seed=1)
    with pytest.raises(HsctlError, match="--confirm 7: a board takes 8 games, expected that many or more, or 0"):
        check_confirmation(plan_boards(2, "2", 2, seed=1), 7)
    with pytest.raises(HsctlError, match="--confirm 11: to meet every opponent takes 12 games, expected that many or"):
        check_confirmation(plan_boards(4, "3", 6, seed=1), 11)
    for enough in (0, 12):
        check_confirmation(plan_boards(4, "3", 6, seed=1), enough)
