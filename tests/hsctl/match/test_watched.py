"""Games that another process plays while this one looks on."""

import sys
from pathlib import Path
from typing import Any

import pytest

from engine.errors import HsctlError
from hsctl.league.games import League, series_tasks
from hsctl.match.players import read_players
from hsctl.match.result import GameResult
from hsctl.match.watched import WatchedGames
from replays.playback import Playback
from replays.replay import Limits, decode
from tests.hsctl.run import wait_for

pytestmark = pytest.mark.linux
BOT = f"{sys.executable} {Path(__file__).parents[3] / 'examples' / 'bot.py'}"


@pytest.fixture(autouse=True)
def impolite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or all tests after this one would run last."""
    monkeypatch.setattr("hsctl.match.watched.POLITE", 0)


def watched(tmp_path: Path, games: int, *players: str) -> tuple[WatchedGames, list[GameResult]]:
    league = League(tuple(read_players(list(players))), Limits(5000.0, 5000.0, 60_000.0, nodes=1), tmp_path)
    kept: list[GameResult] = []

    def keep(result: GameResult) -> Path:
        kept.append(result)
        return tmp_path / f"{len(kept)}.json"

    return WatchedGames(series_tasks(league, 1, games), keep), kept


def test_the_record_grows_to_the_replay_that_the_worker_delivers(tmp_path: Path) -> None:
    feed, kept = watched(tmp_path, 2, "random", "still")
    seen: list[Any] = [feed.record]
    assert feed.place == "game 1 of 2" and not feed.is_over

    def is_over() -> bool:
        feed.read()
        if feed.record is not seen[-1]:
            seen.append(feed.record)
        return feed.is_over

    wait_for(is_over)
    assert feed.stop() is None
    assert [record.replay for record in seen] == [decode(game.encoded or b"") for game in kept]
    assert feed.path == tmp_path / "2.json"


def test_a_game_that_is_stopped_is_kept_as_far_as_it_went(tmp_path: Path) -> None:
    feed, kept = watched(tmp_path, 1, "still", BOT)
    wait_for(lambda: feed.read() and feed.record.end_turn > 2)
    stopped = feed.stop()
    if stopped is None:  # it was over before it could be stopped
        assert feed.record.is_finished
        return
    assert kept == [] and not feed.is_over
    playback = Playback(stopped)
    assert not playback.is_finished and playback.end_turn > 2 and playback.specs == ["still", BOT]


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    feed, _ = watched(tmp_path, 1, "still", f"{sys.executable} -c 'import time; time.sleep(60)'")
    feed.worker.process.kill()
    with pytest.raises(HsctlError, match="the process that played the game ended"):
        wait_for(feed.read)
    assert feed.stop() is not None
