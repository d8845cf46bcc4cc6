"""Somebody else's move: what was played comes first, with whether it could be survived."""

import json
from functools import cache
from pathlib import Path

import pytest

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.question import played_at
from replays.landmarks import Landmarks
from replays.playback import Playback
from replays.replay import write
from tests.hsctl.run import run_here
from tests.replays.recorded import record_game

Capture = pytest.CaptureFixture[str]
SEEDS = range(3, 14)


@cache
def games_with_a_death() -> list[tuple[Playback, int, int]]:
    """Games in which a bot, seat 1, dies by bombs: with the last turn to escape, and that of the death."""
    found = []
    for seed in SEEDS:
        playback = Playback(record_game(seed, 2, care=0.9))
        death = playback.deaths().get(1)
        last = Landmarks(playback).last_way_out(1)
        if death is not None and not death[1].failure and last is not None:
            found.append((playback, last, death[0]))
    return found


@pytest.mark.slow
def test_the_last_way_out_is_left_by_a_move_that_cannot_be_survived() -> None:
    games = games_with_a_death()
    assert len(games) > 1
    for playback, last, died in games:
        played = played_at(playback, last, 1)
        assert played is not None and played.action is not None
        now = "dies now" if died == last else f"dies on turn {died}"
        assert played.words == f"{ACTION_NAMES[played.action]} (can't be survived; {now})"
        if last > 0 and (before := played_at(playback, last - 1, 1)):
            assert "survived" not in before.words


def test_a_failure_is_told_by_its_name() -> None:
    for seed in SEEDS:
        playback = Playback(record_game(seed, 2, failures=0.05))
        for seat, (turn, death) in playback.deaths().items():
            if death.failure:
                played = played_at(playback, turn, seat)
                assert played is not None and (played.action, played.words) == (None, f"nothing ({death.failure})")
                return
    raise AssertionError("nobody failed")


@pytest.mark.slow
def test_explain_begins_with_it_and_says_why_not(capsys: Capture, tmp_path: Path) -> None:
    playback, last, _ = games_with_a_death()[0]
    write(tmp_path / "game.json", playback.replay)
    asked = ("explain", f"{tmp_path / 'game.json'}@{last}", "--player", "1", "--agent", "beam", "--nodes", "500")
    out = run_here(capsys, *asked).out
    played = played_at(playback, last, 1)
    assert played is not None and out.startswith(f"played: {played.words}. beam: ")
    record = json.loads(run_here(capsys, *asked, "--json").out)
    assert (record["recorded"], record["reproduced"]) == (played.action, None)
    if record["action"] != played.action:
        assert "why not" in out and record["why_not"]["line"] == [played.action]
    other = json.loads(run_here(capsys, *asked[:-4], "--agent", "still", "--json").out)
    assert other["recorded"] == played.action and other["why_not"] is None  # it compares nothing
