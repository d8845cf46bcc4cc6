"""Finished games: whose bombs killed a player."""

import pytest

from engine.events import Death
from hsctl.match.result import fate_of, thinking_of


@pytest.mark.parametrize(
    ("owners", "failure", "cause"),
    [((1,), "", "own"), ((0, 2), "", "others"), ((0, 1), "", "both"), ((), "timeout", "error")],
)
def test_deaths_are_told_apart_by_cause(owners: tuple[int, ...], failure: str, cause: str) -> None:
    fate = fate_of(12, Death(0, 0, player=1, owners=owners, own_bomb=1 in owners, failure=failure))
    assert (fate.turn, fate.cause, fate.owners, fate.failure) == (12, cause, owners, failure)


def test_a_player_that_never_answered_took_no_time() -> None:
    assert thinking_of([248.0, 60.0, 80.0]).worst_ms == 80.0  # the first turn has a clock of its own
    assert thinking_of([248.0, 60.0], has_first=False).worst_ms == thinking_of([248.0]).worst_ms == 248.0
    thinking = thinking_of([])
    assert (thinking.turns, thinking.total_ms, thinking.worst_ms) == (0, 0, 0.0)
