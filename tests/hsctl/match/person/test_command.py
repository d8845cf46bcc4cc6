"""`hsctl play me ...`: who is refused, what is kept, and that it can be looked at like any game."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rules import BOMB
from replays.playback import load
from tests.hsctl.match.person.playing import press
from tests.hsctl.run import refusal, run_here

STEPS = [BOMB] + [0] * 8  # a bomb, and waiting for it


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[int]], None]:
    """A terminal at which somebody sits who will do this."""

    def sit_down(actions: list[int]) -> None:
        monkeypatch.setattr("hsctl.cli.playing.is_on_terminal", lambda: True)
        monkeypatch.setattr(
            "hsctl.match.person_screen.play_on_screen", lambda session, adviser: press(session, *actions)
        )

    return sit_down


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("play me beam", "me needs a terminal: stdin and stderr must be one"),
        ("play beam me:Anna", "me:Anna needs a terminal"),
        ("play me: beam", "me:NAME"),
        ("play me beam --games 4", "me cannot be combined with --games"),
        ("play me beam --jobs 2", "me cannot be combined with --jobs"),
        ("play me beam --watch", "me cannot be combined with --watch"),
        ("play me beam --vision 3", "me cannot be combined with --vision"),
        ("play me me me", "3 people: a keyboard is for 2"),
        ("play me beam --pace 0", "--pace 0: "),
        ("play me beam --pace nan", "--pace nan: "),
        ("play beam mcts --pace 500", "--pace needs a person, such as: hsctl play me beam --pace 500"),
        ("play beam mcts --practice", "--practice needs a person, such as: hsctl play me beam --practice"),
        ("league me beam", "'me' is a person at the keyboard, who can only play a game of `hsctl play`"),
        ("compare beam me", "'me' is a person"),
        ("scale me beam", "'me' is a person"),
        ("tune beam --params early=0..1 --against me", "'me' is a person"),
        ("check me", "'me' is a person"),
    ],
)
def test_where_people_make_no_sense_they_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: str, line: str
) -> None:
    assert line in refusal(capsys, *arguments.split())


def test_a_finished_game_is_kept_and_can_be_looked_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, keyboard: Callable[[list[int]], None]
) -> None:
    keyboard(STEPS)
    code, out, _ = run_here(capsys, "play", "me", "still", "--seed", "1", "--nodes", "100", "--out", tmp_path)
    assert code == 0
    assert "own bomb" in out and "hsctl replay" in out
    [path] = tmp_path.glob("*.json")
    assert load(path).is_finished
    assert "me" in run_here(capsys, "replay", path).out
    told = json.loads(
        run_here(capsys, "explain", path, "--turn", "4", "--player", "me", "--agent", "simple", "--json").out
    )
    assert told["player"] == 0
    assert "player 0 is a person (me)" in refusal(capsys, "explain", path, "--turn", "4", "--player", "me")
    assert "player 0, me: a person" in run_here(capsys, "play", "--from", f"{path}@4", "--no-save").err


def test_what_killed_a_person_is_reviewed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, keyboard: Callable[[list[int]], None]
) -> None:
    keyboard(STEPS)
    run_here(capsys, "play", "me", "still", "--seed", "1", "--nodes", "100", "--out", tmp_path)
    [path] = tmp_path.glob("*.json")
    assert "me lost" in run_here(capsys, "review", path, "--player", "me").out


def test_a_game_that_is_left_is_kept_as_far_as_it_went(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, keyboard: Callable[[list[int]], None]
) -> None:
    keyboard(STEPS[:3])
    code, _, err = run_here(capsys, "play", "me", "still", "--seed", "1", "--nodes", "100", "--out", tmp_path)
    assert code == 130
    [path] = tmp_path.glob("*.json")
    assert f"the unfinished game, 3 turns: {path}" in err
    assert load(path).end_turn == 3 and not load(path).is_finished
    assert err.endswith("the game was stopped before its end\n")


@pytest.mark.parametrize(
    ("steps", "words"),
    [(STEPS[:1], "the unfinished game, 1 turn (not saved)"), ([], "no turn was played, so nothing is saved")],
)
def test_it_is_told_that_a_game_that_is_left_is_not_kept(
    capsys: pytest.CaptureFixture[str], keyboard: Callable[[list[int]], None], steps: list[int], words: str
) -> None:
    keyboard(steps)
    _, _, err = run_here(capsys, "play", "me", "still", "--seed", "1", "--nodes", "100", "--no-save")
    assert err.endswith(f"{words}\nthe game was stopped before its end\n")
