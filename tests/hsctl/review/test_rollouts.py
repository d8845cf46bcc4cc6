"""Games played on from mistakes."""

import pytest

from hsctl.review import rollouts
from hsctl.review.report import FAILED, VALUE, Chance, Mistake
from hsctl.review.run import Wish, review_game
from tests.hsctl.review.test_deaths import FAR_RIVAL, played

POSITION = f"""
    ...
    0 0 0 0 1 3
    {FAR_RIVAL}
    """


def test_no_game_is_played_on_from_an_error() -> None:
    review = review_game(played(POSITION, [0, None], []), 0, "game.json", None, Wish(rollouts=2), lambda _: None)
    (mistake,) = review.mistakes
    assert (mistake.kind, mistake.chance_played, mistake.chance_better) == (FAILED, None, None)


def test_an_error_takes_no_place_of_the_largest_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "chance_of", lambda *_: Chance(1, 2, 0.0, 1.0))
    playback = played(POSITION, [0, None], [])
    review = review_game(playback, 0, "game.json", None, Wish(), lambda _: None)
    review.mistakes += [Mistake(0, VALUE, "stay", "right", 3.0, "") for _ in range(rollouts.MISTAKES + 1)]
    rollouts.add_chances(playback, review, 2)
    looked_at = [mistake.chance_better is not None for mistake in review.mistakes]
    assert looked_at == [False, *[True] * rollouts.MISTAKES, False]
