"""Many games of one player: what they were lost by, in drawn games."""

import json
from pathlib import Path

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
    describe_count,
    folder_of,
    review_game,
    verdict_of,
)
from hsctl.analysis.review.view import death_lines, fault_lines, folder_view, habit_lines, summary_of
from hsctl.analysis.suite import read_suite
from hsctl.league.intervals import share_of
from replays.faults import AHEAD, NO_EFFECT, OFF_BOARD
from replays.playback import Playback
from replays.replay import Failure, FaultCount, Move
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


def test_an_idle_player_is_called_idle_after_the_faults_of_its_answers() -> None:
    review = answering("MOVE -1 0")
    assert list(review.silent_faults) == [NO_EFFECT, OFF_BOARD]
    assert review.silent_faults[OFF_BOARD] == FaultCount(review.turns, 0, "MOVE -1 0")
    first = review.verdict.index(describe_count(NO_EFFECT, review.silent_faults[NO_EFFECT]))
    assert first < review.verdict.index("it never moved and dropped no bomb")
    assert cause_of_loss(review) == "blocked moves"
    idle = answering("MOVE 0 0")
    assert idle.verdict.endswith(": it never moved and dropped no bomb") and cause_of_loss(idle) == "dropped no bomb"


def late_from(turn: int) -> Playback:
    """Player 0 dies by a bomb of its own that it drops on turn 3; from a turn on it is out of step."""
    replay = played(ALONE, [0, 0, 0, BOMB], []).replay
    for number, each in enumerate(replay.turns):
        if (move := each.moves[0]) is not None:
            each.moves[0] = Move(move.action, "BOMB 0 0" if move.action == BOMB else "MOVE 0 0", ahead=number == turn)
    return Playback(replay)


def test_a_player_out_of_step_lost_by_that_not_by_the_death_that_followed(tmp_path: Path) -> None:
    playback = late_from(2)
    review = review_game(playback, 0, "game.json", None, ReviewRequest(suite=tmp_path), lambda _: None)
    assert (review.deaths[0].cause, review.deaths[0].fault) == ("own bomb", AHEAD)
    first, second = review.mistakes
    assert (first.kind, first.turn, second.kind, second.turn) == ("fault", 2, "death", 3)
    assert review.verdict.index("out of step from turn 2 on") < review.verdict.index("a bomb of its own")
    assert cause_of_loss(review) == folder([review]).causes[0].cause == "out of step"
    assert folder([review]).causes[0].worst == ["game.json@2"]
    entries = read_suite(tmp_path).values()
    assert [(entry.turn, entry.demands[0]) for entry in entries] == [(2, "must answer in step"), (3, "must survive")]


def test_a_fault_after_the_move_that_lost_is_not_the_cause() -> None:
    review = reviewed(late_from(6))
    assert (review.deaths[0].fault, cause_of_loss(review)) == ("", "own bomb")


def test_a_blocked_move_that_leaves_the_player_in_a_blast_is_the_cause() -> None:
    position = f"""
        .....
        .X.X.
        .....
        0 0 0 0 1 3
        {FAR_RIVAL}
        1 1 2 0 1 3
        """
    replay = played(position, [], []).replay
    for turn in replay.turns:
        if turn.moves[0] is not None:
            turn.moves[0] = Move(0, "MOVE 0 -1")
    review = reviewed(Playback(replay))
    assert review.deaths[0].last_turn is None and review.deaths[0].fault == ""  # nothing could be done
    replay = played(position.replace("1 1 2 0 1 3", "1 1 2 0 2 3"), [], []).replay
    replay.turns[0].moves[0] = Move(0, "MOVE 1 1")
    review = reviewed(Playback(replay))
    assert (review.deaths[0].fault, cause_of_loss(review)) == (NO_EFFECT, "blocked moves")


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


def test_the_summary_counts_deaths() -> None:
    lived, died = reviewed(played(ALONE, [], [])), reviewed(played(ALONE, [BOMB], []))
    won = reviewed(played(ALONE, [BOMB], [BOMB]))
    assert [(review.rank, review.deaths[0].is_avoidable) for review in (won, died)] == [(1, True), (2, True)]
    assert folder([won, died]).deaths == DeathCount(all=2, won=1, avoidable=2, faults=1)
    summaries = {
        "2 games: player0 never died": [lived, lived],
        "1 game: player0 died once. 1 avoidable death, which cost the win.": [died],
        "2 games: player0 died 2 times. 2 avoidable deaths, all of them cost the win.": [died, died],
        "1 game: player0 died once and came first nevertheless in 1 game. "
        "1 avoidable death, which did not cost the win.": [won],
    }
    assert {summary_of(folder(reviews)): reviews for reviews in summaries.values()} == summaries


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
