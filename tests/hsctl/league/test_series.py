"""Series: who sits where on which seed, and what the games say of each player."""

import json
from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hsctl.arena.players import names_of, read_players
from hsctl.league.pool import run_games
from hsctl.league.series import GameResult, Match, play_task, tasks_of
from hsctl.stats.score import Score, cause_of
from hsctl.views.report import error_lines, format_json, game_view, replay_lines, series_view
from replays.events import Death
from replays.playback import load
from replays.replay import Limits


def match_of(*texts: str, folder: Path | None = None) -> Match:
    return Match(tuple(read_players(texts)), Limits(nodes=20), folder=folder)


def result(
    ranks: list[int],
    seating: tuple[int, ...] = (0, 1),
    deaths: dict[int, tuple[int, Death]] | None = None,
    number: int = 0,
) -> GameResult:
    count = len(ranks)
    times = [array("f", [1.0, 2.0, 9.0]) for _ in ranks]
    return GameResult(number, 7, seating, ranks, [3] * count, [2] * count, deaths or {}, times, 40, "200 turns", None)


def score_of(*results: GameResult) -> Score:
    score = Score(["beam", "mcts", "rhea", "simple"][: len(results[0].ranks)])
    for each in results:
        score.add(each)
    return score


def shown(view: object, width: int = 80) -> str:
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


# Who sits where


def test_each_seed_is_played_from_every_seat() -> None:
    tasks = tasks_of(match_of("simple", "random", "still"), 100, 7)
    assert [task.seed for task in tasks] == [100, 100, 100, 101, 101, 101, 102]
    assert [task.seating for task in tasks[:4]] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]


def test_player_j_sits_in_seat_j_plus_rotation() -> None:
    for task in tasks_of(match_of("simple", "random", "still", "simple"), 0, 8):
        assert all(task.seating[(player + task.rotation) % 4] == player for player in range(4))


# What is counted


def test_first_alone_wins_first_together_draws() -> None:
    score = score_of(result([1, 2]), result([1, 1]), result([2, 1], seating=(1, 0)))
    beam, mcts = score.players
    assert (beam.wins, beam.draws, beam.losses) == (2, 1, 0)
    assert (mcts.wins, mcts.draws, mcts.losses) == (0, 1, 2)
    assert (beam.ranks, mcts.ranks) == ([1, 1, 1], [2, 1, 2])


def test_of_three_only_the_first_place_counts_as_a_draw() -> None:
    score = score_of(result([1, 2, 2], seating=(0, 1, 2)), result([1, 1, 3], seating=(0, 1, 2)))
    assert [(player.wins, player.draws, player.losses) for player in score.players] == [(1, 1, 0), (0, 1, 1), (0, 0, 2)]


@pytest.mark.parametrize(
    ("owners", "failure", "cause"),
    [((1,), "", "own"), ((0, 2), "", "others"), ((0, 1), "", "both"), ((), "timeout", "error")],
)
def test_deaths_are_told_apart_by_cause(owners: tuple[int, ...], failure: str, cause: str) -> None:
    assert cause_of(Death(0, 0, player=1, owners=owners, own_bomb=1 in owners, failure=failure)) == cause


def test_deaths_are_counted_for_the_player_not_the_seat() -> None:
    death = Death(0, 0, player=0, failure="timeout", detail="no answer within 100 ms")
    score = score_of(result([2, 1], seating=(1, 0), deaths={0: (12, death)}))
    beam, mcts = score.players
    assert (beam.deaths.total(), mcts.deaths["error"], mcts.errors["timeout"]) == (0, 1, 1)
    assert error_lines(score) == ["mcts: timeout: no answer within 100 ms (seed 7, turn 12)"]


def test_the_same_error_is_told_once_and_counted() -> None:
    death = Death(0, 0, player=0, failure="crash", detail="killed by SIGSEGV")
    games = [result([2, 1], deaths={0: (turn, death)}, number=turn) for turn in (3, 4, 5)]
    assert error_lines(score_of(*games)) == ["beam: crash: killed by SIGSEGV (seed 7, turn 3 and 2 more times)"]


# How it looks


def test_a_series_fits_in_80_columns() -> None:
    death = (12, Death(0, 0, player=1, owners=(1,), own_bomb=True))
    games = [replace(result([1, 2, 3, 4], (0, 1, 2, 3), {1: death}, seed), seed=seed) for seed in range(9)]
    text = shown(series_view(score_of(*games)))
    assert max(map(len, text.splitlines())) <= 80
    rows = {line.split("  ")[0].strip(): line for line in text.splitlines()}
    assert "100 % (63–100)" in rows["wins"] and "0 % (0–37)" in rows["wins"]
    assert rows["mean rank"].split()[2:5] == ["1.00", "±", "0.00"]
    assert "by own bomb" in text and "by error" not in text
    assert "9 games, seeds 0 to 8; turns of a game: 40.0 ± 0.0 (40 to 40)" in text


def test_one_game_tells_place_boxes_death_and_time() -> None:
    deaths = {0: (33, Death(0, 0, player=0, owners=(0, 1), own_bomb=True))}
    text = shown(game_view(result([2, 1], deaths=deaths), ["beam", "mcts"]))
    first, second = text.splitlines()[2:4]
    assert first.split() == ["1", "■", "1", "mcts", "3", "2.00", "9.00"]
    assert second.split("  ")[-1].strip() == "9.00" and "turn 33, own and ■ 1 bombs" in second
    assert "seed 7, 40 turns, ended by: 200 turns" in text


def test_json_has_the_promised_names() -> None:
    record = json.loads(format_json(score_of(result([2, 1], seating=(1, 0)), result([1, 1]))))
    assert [list(player)[:8] for player in record["players"]] == [
        ["name", "games", "wins", "draws", "losses", "boxes", "deaths", "timeouts"]
    ] * 2
    assert [player["wins"] for player in record["players"]] == [1, 0]
    assert record["players"][0]["boxes"] == 6
    assert record["games"][0] == {
        "seed": 7,
        "seats": ["mcts", "beam"],
        "ranks": [2, 1],
        "boxes": [3, 3],
        "turns": 40,
        "reason": "200 turns",
        "replay": None,
    }


def test_json_of_nothing_is_still_json() -> None:
    record = json.loads(format_json(Score(["beam", "mcts"])))
    assert record["games"] == [] and record["players"][0]["games"] == 0


# Played


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_series_is_the_same_whoever_plays_it(jobs: int, tmp_path: Path) -> None:
    match = match_of("simple", "random", folder=tmp_path)
    score = Score(names_of(match.players))
    for each in run_games(tasks_of(match, 20, 4), jobs, play_task):
        score.add(each)
    games = score.in_order()
    assert [(game.seed, game.seating) for game in games] == [(20, (0, 1)), (20, (1, 0)), (21, (0, 1)), (21, (1, 0))]
    assert len(list(tmp_path.iterdir())) == 4 and len(replay_lines(score)) == 2
    for game in games:
        assert game.replay is not None
        replay = load(game.replay).replay
        assert [info.spec for info in replay.players] == [("simple", "random")[player] for player in game.seating]
        assert (replay.seed, replay.result.ranks, len(replay.turns)) == (game.seed, game.ranks, game.turns)
        alone = play_task(tasks_of(match_of("simple", "random"), 20, 4)[game.number])
        assert (alone.ranks, alone.boxes, alone.turns) == (game.ranks, game.boxes, game.turns)
