"""Attackers in a league: each is out for its exact cause or gets nowhere, and all other games go as without them."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hsctl.match.bots import confine
from tests.hsctl.league.evil_league import play_league, story_of
from tests.hsctl.match.bots.asking import ATTACKING, EVIL, command, processes
from tests.hsctl.match.bots.unprivileged import python_for_all, run_and_give_up

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or confine.landlock_version() < confine.FIRST_VERSION_WITH_SCOPES,
        reason="the fence around bots needs Landlock with scopes",
    ),
]
PROGRAM = "from tests.hsctl.league.evil_league import main; main()"
NOWHERE = ""
CAUSES = {  # of an attacker's end, with a part of the sentence
    "forges_reports": NOWHERE,
    "answers_for_others": NOWHERE,
    "kills_its_guardian": NOWHERE,
    "ponders": NOWHERE,
    "dumps_core": "crash: killed by SIGABRT",
    "fills_the_disk": "crash: killed by SIGXFSZ, for a file of more than 1024 MB",
    "fork_bomb": "processes: ",
}


def in_game(mode: str, python: str = sys.executable) -> str:
    return command(mode, EVIL if mode in ("answer", "kills_its_guardian") else ATTACKING, python) + " game"


def check_stories(stories: Sequence[Sequence[object]], alone: Sequence[Sequence[object]], modes: Sequence[str]) -> None:
    """The sound bot fares against the agent as it does alone, and no worse against attackers than against nobody."""
    assert list(stories[:2]) == list(alone)
    for mode, pair in zip(modes, zip(stories[2::2], stories[3::2], strict=True), strict=True):
        for seating, ranks, turns, deaths in pair:
            sound = seating.index(0)
            expected = CAUSES[mode]
            fate = deaths[1 - sound]
            assert deaths[sound] is None and ranks[sound] == 1, mode
            if expected == NOWHERE:
                assert fate is None and turns == 200, (mode, fate)
            else:
                assert fate[:2] == [1, "error"] and f"{fate[2]}: {fate[3]}".startswith(expected), (mode, fate)


def test_attackers_harm_nobody_but_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alone", "league", "bots"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "bots")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    alone = play_league(in_game("answer"), [], tmp_path / "alone", jobs=1)
    games = play_league(in_game("answer"), [in_game(mode) for mode in CAUSES], tmp_path / "league", jobs=2)
    check_stories([story_of(game) for game in games], [story_of(game) for game in alone], list(CAUSES))
    assert not processes()
    assert not os.listdir(), "a core file, or the disk filler's"


def test_nor_do_they_as_a_user_without_privileges() -> None:
    python, modes = python_for_all(), ["forges_reports", "fork_bomb"]
    alone, stories = (
        json.loads(run_and_give_up(PROGRAM, python, *(in_game(mode, python) for mode in ("answer", *attackers))))
        for attackers in ([], modes)
    )
    check_stories(stories, alone, modes)
    assert not processes()
