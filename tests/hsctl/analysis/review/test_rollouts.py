"""Games played on from mistakes."""

import pytest

from engine.game import Game
from engine.state import MAX_TURNS
from hsctl.analysis.review import mistakes as rollouts
from hsctl.analysis.review.document import FAILED, VALUE, Chance, Mistake
from hsctl.analysis.review.run import ReviewRequest, review_game
from replays.playback import Playback
from replays.replay import Limits
from tests.hsctl.analysis.review.test_deaths import FAR_RIVAL, played, replay_of
from tests.hsctl.match.test_play_on import play

POSITION = f"""
    ...
    0 0 0 0 1 3
    {FAR_RIVAL}
    """


def test_no_game_is_played_on_from_an_error() -> None:
    review = review_game(
        played(POSITION, [0, None], []), 0, "game.json", None, ReviewRequest(rollouts=2), lambda _: None
    )
    (mistake,) = review.mistakes
    assert (mistake.kind, mistake.chance_played, mistake.chance_better) == (FAILED, None, None)


def test_an_error_takes_no_place_of_the_largest_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "chance_of", lambda *_: Chance(1, 2, 0.0, 1.0, 2))
    playback = played(POSITION, [0, None], [])
    review = review_game(playback, 0, "game.json", None, ReviewRequest(), lambda _: None)
    review.mistakes += [Mistake(0, VALUE, "stay", "right", 3.0, "") for _ in range(rollouts.ROLLOUT_MISTAKES + 1)]
    rollouts.add_chances(playback, review, 2)
    looked_at = [mistake.chance_better is not None for mistake in review.mistakes]
    assert looked_at == [False, *[True] * rollouts.ROLLOUT_MISTAKES, False]


@pytest.mark.parametrize("turns_left", [1, 3])
def test_a_shared_first_place_counts_half_also_where_the_move_ends_the_game(turns_left: int) -> None:
    start = Game.start(3, 2)
    start.state.turn = MAX_TURNS - turns_left  # no bomb explodes in time
    playback = Playback(replay_of(start, ([], [])))
    chance = rollouts.chance_of(playback, 0, playback.first_turn, 0, 4)
    assert (playback.end_turn, chance.wins, chance.games) == (MAX_TURNS, 2.0, 4)


def test_games_from_one_move_differ_and_are_counted() -> None:
    playback = Playback(play(["beam", "beam"], Limits(nodes=40)))
    chances = [rollouts.chance_of(playback, 0, 20, 0, games) for games in (1, 4)]
    assert [chance.distinct for chance in chances] == [1, 4]
    assert (chances[0].low, chances[0].high) == (0, 1)
