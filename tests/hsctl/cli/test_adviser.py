"""The stepper asks agents: arrows, the whole explanation, and the game played on."""

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.rules import ACTION_NAMES
from hsctl.cli import adviser as advising
from hsctl.cli.adviser import StepperAdviser
from replays.playback import Playback
from replays.viewer.app import Stepper
from replays.viewer.dialogs import AdviceScreen
from tests.replays.recorded import record_game
from tests.replays.viewer.driving import SIZES, drive, has, shown

PATIENCE = 600  # times a tenth of a second, for agents that are compiled first


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "NODES", 200)
    monkeypatch.setattr(advising, "NODES_PLAYED", 20)


async def answered(app: Stepper) -> None:
    for _ in range(PATIENCE):
        if "..." not in app.word:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"no answer: {shown(app)}")


@pytest.mark.slow
@SIZES
def test_an_agent_is_asked_about_the_position_on_the_screen(size: tuple[int, int]) -> None:
    playback = Playback(record_game(6, 2))
    adviser = StepperAdviser()
    adviser.agents = ["simple", "osla"]

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("a")
        await answered(app)
        assert app.asked is not None and app.asked.agent == "simple"
        name = ACTION_NAMES[app.asked.advised.action]
        assert has(f"simple: {name}")(app)
        move = playback.moves_at(app.turn)[app.seat]
        assert move is not None and move.action is not None
        assert has(f"; played: {ACTION_NAMES[move.action]}")(app) == (move.action != app.asked.advised.action)
        await pilot.press("A")
        await answered(app)
        assert has("osla: ")(app)
        await pilot.press("m")
        await answered(app)
        await pilot.pause()
        assert isinstance(app.screen, AdviceScreen)
        await pilot.press("q", "right")
        assert not isinstance(app.screen, AdviceScreen) and not has("osla: ")(app)
        await pilot.press("c")
        await answered(app)
        assert app.record.specs == ["osla:nodes=20"] * 2 and has("recorded, turn 21 of")(app)
        await pilot.press("end", "1", "a")
        await answered(app)
        assert app.word and app.asked is None

    drive(Stepper(playback, 20, Path("game.json"), (), adviser), size, play)
