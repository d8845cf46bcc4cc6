"""The games of a league: who sits where on which seed, and that it doesn't matter where they are played."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.league.games import Block, League, series_tasks, tasks_of
from hsctl.match.identity import SeatIdentity
from hsctl.match.players import read_players
from hsctl.match.pool import run_games
from hsctl.match.runner import play, save_replay
from replays.playback import load
from replays.replay import Limits


def league_of(*texts: str, folder: Path | None = None) -> League:
    return League(tuple(read_players(texts)), Limits(nodes=20), folder)


def test_each_seed_is_played_from_every_seat() -> None:
    tasks = series_tasks(league_of("simple", "random", "still"), 100, 7)
    assert [task.seed for task in tasks] == [100, 100, 100, 101, 101, 101, 102]
    assert [task.seating for task in tasks[:4]] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]


def test_player_j_of_the_line_up_sits_in_seat_j_plus_rotation() -> None:
    league = league_of("simple", "random", "still", "simple")
    lineup = (3, 0, 2)
    for task in tasks_of(league, 0, Block(1, lineup)):
        assert all(task.seating[(at + task.rotation) % 3] == player for at, player in enumerate(lineup))
        assert [player.text for player in task.living] == [league.players[at].text for at in task.seating]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_series_is_the_same_whoever_plays_it(jobs: int, tmp_path: Path) -> None:
    league = league_of("simple", "random", folder=tmp_path)
    results = run_games(series_tasks(league, 20, 4), jobs, play)
    games = sorted(map(save_replay, results), key=lambda game: (game.block_number, game.rotation))
    assert [(game.seed, game.seating) for game in games] == [(20, (0, 1)), (20, (1, 0)), (21, (0, 1)), (21, (1, 0))]
    assert len(list(tmp_path.iterdir())) == 4
    for game, task in zip(games, series_tasks(league_of("simple", "random"), 20, 4), strict=True):
        assert game.replay is not None
        replay = load(game.replay).replay
        assert [info.spec for info in replay.players] == [("simple", "random")[player] for player in game.seating]
        assert (replay.seed, replay.result.ranks, len(replay.turns)) == (game.seed, game.ranks, game.turns)
        alone = play(task)
        assert (alone.ranks, alone.boxes, alone.turns, alone.encoded) == (game.ranks, game.boxes, game.turns, None)


def test_players_that_are_not_those_of_the_game_play_nothing() -> None:
    (task, _) = tasks_of(league_of("random", "still"), 0, Block(1, (0, 1)))
    seat_identities = (SeatIdentity("random", "another"), SeatIdentity("still", "another"))
    with pytest.raises(HsctlError, match="'random' is not the same as at the start"):
        play(replace(task, seat_identities=seat_identities))
