"""The same death has the same number wherever it is told: the turn whose actions were played when it happened."""

import json
import re
from pathlib import Path

import pytest

from hsctl.analysis.review.deaths import deaths_of
from replays.landmarks import Landmarks
from replays.playback import load
from replays.replay import write
from replays.viewer.app import Stepper
from tests.hsctl.run import refusal, run_here
from tests.replays.recorded import record_game
from tests.replays.viewer.driving import SMALL, drive, shown

PLAYERS = ("random", "random", "random")
OPTIONS = ("--seed", "3", "--nodes", "5")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


def test_a_death_is_one_turn_in_all_views(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = run_here(capsys, "play", *PLAYERS, *OPTIONS, "--out", folder)
    (path,) = folder.iterdir()
    playback = load(path)
    (seat, (turn, death)) = next(iter(playback.deaths().items()))
    assert not death.failure

    # the table and the JSON of the game
    assert re.search(rf"turn {turn}, .*bomb", played.out)
    record = json.loads(run_here(capsys, "play", *PLAYERS, *OPTIONS, "--no-save", "--json").out)
    assert record["games"][0]["death_turns"][seat] == turn

    # the replay: summary, events, panel, page
    assert f"died on turn {turn} by" in run_here(capsys, "replay", path).out
    report = json.loads(run_here(capsys, "replay", path, "--json").out)
    told = [each["turn"] for each in report["turns"] for event in each["events"] if event["event"] == "death"]
    assert told[0] == turn
    assert report["result"]["death_turns"][seat] == turn
    board = run_here(capsys, "replay", f"{path}@{turn + 1}").out
    assert re.search(rf"^on turn {turn}\b", board, re.MULTILINE)
    assert f"died on turn {turn}" in board
    page = folder / "page.html"
    run_here(capsys, "replay", path, "--html", page)
    assert f"died on turn {turn}" in page.read_text()

    # what is asked about it
    assert Landmarks(playback).tell_way_out(seat)[1].endswith(f"died on turn {turn}")
    assert [each.turn for each in deaths_of(playback, seat)] == [turn]
    refused = refusal(capsys, "explain", f"{path}@{turn + 1}", "--player", str(seat))
    assert f"player {seat} died on turn {turn}" in refused


def test_the_stepper_tells_that_turn_too(folder: Path) -> None:
    playback = load(next(folder.glob("*.json")))
    (seat, (turn, _)) = next(iter(playback.deaths().items()))

    async def look(pilot) -> None:
        await pilot.press("d")
        screen = "\n".join(shown(pilot.app))
        assert pilot.app.turn == turn + 1
        assert f"on turn {turn}" in screen and f"died on turn {turn}" in screen
        await pilot.press(str(seat), "w")
        assert f"died on turn {turn}" in "\n".join(shown(pilot.app))

    drive(Stepper(playback), SMALL, look)


def test_the_last_turn_is_one_number_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game of N turns has turns 0 to N - 1; N is the position at its end."""
    path = tmp_path / "game.json"
    write(path, record_game(3, 3))
    end = load(path).end_turn
    last, beyond = end - 1, f"{path}@{end + 1}"
    assert f"end after turn {last}" in run_here(capsys, "replay", f"{path}@{end}").out
    assert f"turn {last} of {last}" in run_here(capsys, "replay", f"{path}@{last}").out
    assert f"turn {last} of {last}" in run_here(capsys, "explain", f"{path}@{last}", "--agent", "simple").out
    assert f"{end} turns" in run_here(capsys, "review", path, "--deaths").out
    assert refusal(capsys, "replay", beyond).endswith(f"has turns 0 to {last}, and {end} is its end")
    assert refusal(capsys, "explain", beyond).endswith(f"has turns 0 to {last}")
    assert refusal(capsys, "explain", f"{path}@{end}").endswith(f"from 0 to {last}")
    assert refusal(capsys, "explain", path).endswith(f"0 to {last}")
    for players in ((), PLAYERS):
        assert f"0 to {last}" in refusal(capsys, "play", *players, "--from", beyond, "--no-save")
