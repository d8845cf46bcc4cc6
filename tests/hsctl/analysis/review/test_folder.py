"""Many games of one player: what they were lost by, in drawn games."""

import json

from rich.console import Console

from engine.board import RIGHT, UP
from engine.notation import parse_position
from engine.rules import BOMB
from engine.variants import in_teams
from hsctl.analysis.review.document import DeathCount, FolderReview, Review, encode
from hsctl.analysis.review.run import (
    LONG,
    ReviewRequest,
    cause_of_loss,
    default_seat,
    folder_of,
    review_game,
    verdict_of,
)
from hsctl.analysis.review.view import death_lines, fault_lines, folder_view, habit_lines, summary_of
from hsctl.league.intervals import share_of
from replays.playback import Playback
from replays.replay import Failure, Move
from tests.engine.draw import board
from tests.hsctl.analysis.review.test_deaths import FAR_RIVAL, SHARED, played, replay_of

ALONE = f"""
    ..0
    0X0
    0 0 0 0 1 3
    {FAR_RIVAL}
    """
FOUR = f"""
    ...
    0 0 0 0 1 3
    {FAR_RIVAL}
    0 2 12 0 1 3
    0 3 0 10 1 3
    """


def reviewed(playback: Playback, seat: int = 0) -> Review:
    return review_game(playback, seat, "game.json", None, ReviewRequest(), lambda _: None)


def folder(reviews: list[Review]) -> FolderReview:
    return folder_of(reviews, reviews[0].name)


def failed(kind: str) -> Review:
    """Eliminated on turn 1 for an error of this kind."""
    replay = played(ALONE, [0, None], []).replay
    replay.turns[1].moves[0] = Move(failure=Failure(kind))
    return reviewed(Playback(replay))


def test_a_shared_first_place_is_a_draw() -> None:
    drawn, lost = reviewed(played(ALONE, [], [])), reviewed(played(ALONE, [BOMB], []))
    assert (drawn.is_drawn, cause_of_loss(drawn)) == (True, "drawn") and " drew 0:0" in drawn.verdict
    assert cause_of_loss(reviewed(played(ALONE, [BOMB], []), 1)) == "won"
    assert [cause.cause for cause in folder([drawn, drawn, lost]).causes] == ["own bomb", "drawn"]
    console = Console(width=80)
    with console.capture() as capture:
        console.print(folder_view(folder([drawn, lost])))
    assert "not lost (drawn)" in capture.get()


def test_mates_who_win_do_not_draw() -> None:
    game = in_teams(parse_position(board(FOUR)))
    review = reviewed(Playback(replay_of(game, ([], [], [None], [None]))))
    assert review.firsts == 2 and cause_of_loss(review) == "won" and " won 0:0" in review.verdict


def test_errors_are_told_by_their_kind() -> None:
    reviews = [failed("crash"), failed("timeout"), failed("crash")]
    assert [(each.cause, each.games) for each in folder(reviews).causes] == [("error: crash", 2), ("error: timeout", 1)]
    assert reviews[0].deaths[0].failure == "crash"


def test_certain_death_is_a_fault_where_no_move_held() -> None:
    review = reviewed(played(SHARED, [UP], [RIGHT]))
    left = ", ".join(review.deaths[0].open_moves)
    assert fault_lines(folder([review])) == [f"  game.json@0: player 0 chose up; {left} survived the known bombs"]
    assert f"  the known bombs alone made up hopeless, but not {left}: avoidable" in death_lines(review.deaths[0])


def answering(line: str) -> Review:
    """Player 0 stands in its corner with this answer on every turn; player 1 takes a box."""
    far = ALONE.replace(FAR_RIVAL, "0 1 4 0 1 3")
    replay = played(far, [], [BOMB + RIGHT, RIGHT, RIGHT]).replay
    for turn in replay.turns:
        turn.moves[0] = Move(0, line)
    return reviewed(Playback(replay))


def test_who_does_nothing_is_told_so_and_what_is_wrong_with_its_answers() -> None:
    review = answering("MOVE -1 0")
    turns = review.turns
    assert review.verdict.startswith("player0 lost 0:1 on boxes: it never moved and dropped no bomb; ")
    assert f"; {turns} answers had a target off the board (first on turn 0: 'MOVE -1 0')" in review.verdict
    assert cause_of_loss(review) == "dropped no bomb"
    assert answering("MOVE 0 0").verdict == "player0 lost 0:1 on boxes: it never moved and dropped no bomb"


def test_who_was_gone_at_once_is_not_called_idle() -> None:
    assert "dropped no bomb" not in failed("crash").verdict


def test_who_was_dead_from_the_start_did_nothing_wrong() -> None:
    playback = Playback(replay_of(parse_position(board(ALONE), 30, (0, 1, 5), 3), ([], [], [])))
    review = reviewed(playback, 2)
    assert review.turns >= LONG and review.verdict == "player2 came third of three, 5:1 in boxes: dead from the start"
    assert review.is_dead_from_start and cause_of_loss(review) == "dead from the start"
    assert summary_of(folder([review])) == "1 game: player2 never died, but was dead from the start in 1"
    assert default_seat(playback) == 0 and reviewed(playback).verdict.endswith("it never moved and dropped no bomb")


def test_faults_of_answers_stand_below_what_lost_the_game() -> None:
    replay = played(ALONE, [BOMB], []).replay
    replay.turns[0].moves[0] = Move(BOMB, "bomb 0 0")
    review = reviewed(Playback(replay))
    assert review.faults == ["1 answer was in lower case (first on turn 0: 'bomb 0 0')"]
    assert review.faults[0] not in review.verdict and review.faults[0] in habit_lines(review)


def test_the_summary_is_plain_english() -> None:
    lived, died = reviewed(played(ALONE, [], [])), reviewed(played(ALONE, [BOMB], []))
    assert summary_of(folder([lived, lived])) == "2 games: player0 never died"
    assert summary_of(folder([died])).startswith("1 game: player0 died once, still came first in 0 of ")


def test_an_avoidable_death_in_a_game_that_was_won_is_counted_as_such() -> None:
    won, lost = reviewed(played(ALONE, [BOMB], [BOMB])), reviewed(played(ALONE, [BOMB], []))
    assert [(review.rank, review.deaths[0].is_avoidable) for review in (won, lost)] == [(1, True), (2, True)]
    assert summary_of(folder([won])).endswith(
        " died once, still came first in 1 of these games, and could have avoided 1, of which 0 cost the first place"
    )
    assert folder([won, lost]).deaths == DeathCount(all=2, won=1, avoidable=2, faults=1)
    doomed = reviewed(played(SHARED, [UP], [RIGHT]))
    doomed.deaths[0].is_avoidable = False
    assert summary_of(folder([doomed])).endswith("and could have avoided none")


def test_a_verdict_shows_that_it_names_only_some_of_the_safe_moves() -> None:
    review = reviewed(played(ALONE, [BOMB], []))
    death = review.deaths[0]
    for moves, told in ((["stay", "up", "down"], "stay, up, down"), ([*"abcd"], "a, b, c, ...")):
        death.safe = moves
        assert f"({death.played}; safe: {told}), dead on turn 8" in verdict_of(review)


def test_what_is_better_than_an_error_fits_its_kind() -> None:
    kinds = {"timeout": "an order in time", "invalid": "a valid order", "crash": "no crash", "closed": "an order"}
    assert {kind: failed(kind).mistakes[0].better for kind in kinds} == kinds


def test_games_of_one_board_count_as_a_block() -> None:
    reviews = [reviewed(played(ALONE, actions, [])) for actions in ([], [BOMB], [], [BOMB])]
    for review, seed in zip(reviews, (1, 1, 2, 2), strict=True):
        review.seed = seed
    share = share_of([1, 1], [2, 2])
    assert share is not None
    interval = [round(share.interval.low, 4), round(share.interval.high, 4)]
    assert [cause.interval for cause in folder(reviews).causes] == [interval] * 2


def test_json_holds_plain_characters_only() -> None:
    text = encode({"name": "\x9b31m\u2028"})
    assert text.isascii() and json.loads(text) == {"name": "\x9b31m\u2028"}
