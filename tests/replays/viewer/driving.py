"""What the tests of the stepper share: a terminal that Textual's pilot drives, and what it shows."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from replays.viewer.app import Stepper

SMALL, LARGE = (80, 24), (160, 50)
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "160x50"])
TURN = 41  # where the keys are tried: player 2 fails on turn 63, players 0 and 3 die on turn 82

Seen = Callable[[Stepper], object]


def drive(app: Stepper, size: tuple[int, int], play: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(pilot)

    asyncio.run(run())


def shown(app: Stepper) -> list[str]:
    """The lines of the whole screen."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def has(text: str) -> Seen:
    return lambda app: text in "\n".join(shown(app))


def board_lines(app: Stepper) -> list[str]:
    """The board as it stands on the screen, cut to its place there."""
    board = app.canvas("#board")
    strips = board.render_lines(Region(0, 0, *board.size))
    return [strip.text.rstrip() for strip in strips]
