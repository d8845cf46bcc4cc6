"""Many games of one player: what they were lost by, in drawn games."""

from rich.console import Console

from engine.around.teams import in_teams
from engine.board import RIGHT, UP
from engine.notation import parse_position
from engine.rules import BOMB
from hsctl.review.folder import cause_of, causes_of, fault_lines, folder_record, folder_view
from hsctl.review.report import Review
from hsctl.review.run import Wish, review_game
from hsctl.review.view import death_lines
from replays.playback import Playback
from replays.replay import Failure, Move
from tests.engine.draw import board
from tests.hsctl.review.test_deaths import FAR_RIVAL, SHARED, played, replay_of

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
    return review_game(playback, seat, "game.json", None, Wish(), lambda _: None)


def failed(kind: str) -> Review:
    """Eliminated on turn 1 for an error of this kind."""
    replay = played(ALONE, [0, None], []).replay
    replay.turns[1].moves[0] = Move(failure=Failure(kind))
    return reviewed(Playback(replay))


def test_a_shared_first_place_is_a_draw() -> None:
    drawn, lost = reviewed(played(ALONE, [], [])), reviewed(played(ALONE, [BOMB], []))
    assert (drawn.is_drawn, cause_of(drawn)) == (True, "drawn") and " drew 0:0" in drawn.verdict
    assert cause_of(reviewed(played(ALONE, [BOMB], []), 1)) == "won"
    assert [cause.name for cause in causes_of([drawn, drawn, lost])] == ["own bomb", "drawn"]
    console = Console(width=80)
    with console.capture() as capture:
        console.print(folder_view([drawn, lost], "player0"))
    assert "not lost (drawn)" in capture.get()


def test_mates_who_win_do_not_draw() -> None:
    game = in_teams(parse_position(board(FOUR)))
    review = reviewed(Playback(replay_of(game, ([], [], [None], [None]))))
    assert review.firsts == 2 and cause_of(review) == "won" and " won 0:0" in review.verdict


def test_errors_are_told_by_their_kind() -> None:
    reviews = [failed("crash"), failed("timeout"), failed("crash")]
    record = folder_record(reviews, "player0")
    assert [(each["cause"], each["games"]) for each in record["causes"]] == [("error: crash", 2), ("error: timeout", 1)]
    assert reviews[0].deaths[0].failure == "crash"


def test_certain_death_is_a_fault_where_no_move_held() -> None:
    review = reviewed(played(SHARED, [UP], [RIGHT]))
    left = ", ".join(review.deaths[0].open_moves)
    assert fault_lines([review]) == [f"  game.json@0: player 0 chose up; {left} survived the known bombs"]
    assert f"  the known bombs alone made up hopeless, but not {left}: avoidable" in death_lines(review.deaths[0])
