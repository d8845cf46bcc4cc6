"""The confirmation: what it counts is the goal, however many opponents a board meets."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from hsctl.league.games import League
from hsctl.match.players import read_player
from hsctl.research.tune.study import NEW, OLD, Confirmation, confirm, new_confirmation, plan_boards
from hsctl.research.tune.view import confirmation_lines, confirmation_record
from replays.replay import Limits
from tests.hsctl.games import made_game
from tests.hsctl.research.tune.made_study import made_study, open_ledger

WORST = 0  # the number of that opponent
FIRST = 2  # the number of the first opponent in a confirmation


class Stopped(Exception):
    """What a test stops a confirmation with."""


def nothing(games: int) -> None:
    pass


def made_confirmation(opponents: int) -> Confirmation:
    players = ("simple:box=2", "simple", *["random"] * opponents)
    return Confirmation(League(tuple(map(read_player, players)), Limits(nodes=1)), WORST)


def add_board(confirmation: Confirmation, seed: int, won: Sequence[dict[int, bool]]) -> None:
    """One game of the new player and one of the old: whom of the opponents on the board each of them beats."""
    confirmation.add(
        [
            made_game(
                [2, *(3 if is_won else 1 for is_won in met.values())], (player, *(FIRST + each for each in met)), seed
            )
            for player, met in zip((NEW, OLD), won, strict=True)
        ]
    )


def test_opponents_count_as_in_the_goal_wherever_they_are_met() -> None:
    confirmation = made_confirmation(4)
    add_board(confirmation, 1, [{WORST: False, 1: True}, {WORST: True, 1: False}])
    assert (confirmation.boards, confirmation.games, confirmation.test.blocks) == (1, 2, 0)
    add_board(confirmation, 2, [{2: True, 3: True}, {2: False, 3: False}])
    assert (confirmation.boards, confirmation.games, confirmation.test.blocks) == (2, 4, 1)
    assert list(confirmation.test.scores)[-1] == pytest.approx((1 - 0.625 + 0.375) / 2)


def test_whoever_is_met_twice_before_the_last_one_counts_by_the_mean() -> None:
    confirmation = made_confirmation(3)
    add_board(confirmation, 1, [{WORST: True, 1: True}, {WORST: False, 1: True}])
    add_board(confirmation, 2, [{WORST: True, 2: True}, {WORST: True, 2: True}])
    assert list(confirmation.test.scores)[-1] == pytest.approx((1 + 2 / 3 / 2) / 2)


@pytest.mark.parametrize("opponents", [1, 6, 9, 10, 20])
@pytest.mark.parametrize("is_better", [False, True])
def test_all_won_or_all_lost_can_be_counted_however_weights_are_rounded(opponents: int, is_better: bool) -> None:
    confirmation = made_confirmation(opponents)
    add_board(confirmation, 1, [dict.fromkeys(range(opponents), won) for won in (is_better, not is_better)])
    assert confirmation.test.blocks == 1 and all(0 <= score <= 1 for score in confirmation.test.scores)


def test_the_goal_is_unknown_until_every_opponent_was_met() -> None:
    confirmation = made_confirmation(3)
    add_board(confirmation, 1, [{WORST: True, 1: True}, {WORST: False, 1: False}])
    assert confirmation.goal(NEW) is None and confirmation.goal(OLD) is None
    record = confirmation_record(confirmation)
    assert (record["boards"], record["games"], record["new"], record["old"]) == (1, 2, None, None)
    assert confirmation_lines(confirmation)[0].endswith("2 games: goal …, before …")
    add_board(confirmation, 2, [{WORST: True, 2: True}, {WORST: False, 2: False}])
    record = confirmation_record(confirmation)
    assert (record["new"]["goal"], record["old"]["goal"]) == (1.0, 0.0)


def test_a_player_is_not_better_for_beating_all_but_the_worst_more_often() -> None:
    """6 opponents, 3 players in a game: 40 points less against the worst, 40 more against the others."""
    confirmation, random = made_confirmation(6), Random(1)
    boards = plan_boards(6, "3", 9, seed=1)
    for seed, groups in boards.of_confirmation(6000):
        chances = [{each: 0.5 + sign * (-0.2 if each == WORST else 0.2) for each in groups[0]} for sign in (1, -1)]
        won = [{each: random.random() < chance for each, chance in some.items()} for some in chances]
        add_board(confirmation, seed, won)
        if confirmation.test.verdict is not None:
            break
    assert confirmation.test.verdict == "not better"


def test_a_confirmation_stopped_before_all_were_met_ends_as_one_that_was_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("cmaes", reason="needs the extra [tune]")

    def stop(games: int) -> None:
        if games == 40:  # two laps are 36
            raise Stopped

    records = []
    for name, stops in (("whole", [nothing]), ("stopped", [stop, nothing])):
        with open_ledger(tmp_path, name) as ledger:
            study = made_study(ledger, 9, opponents=["random"] * 6, size="3")
            study.run(12, nothing)
            for on_game in stops:
                confirmation = new_confirmation(study)
                try:
                    confirm(study, confirmation, 100, on_game)
                except Stopped:
                    assert (confirmation.boards, confirmation.test.blocks) == (6, 2)
            records.append(confirmation_record(confirmation))
    assert records[0] == records[1] and records[0]["boards"] == 15 and records[0]["games"] == 90
