"""Leagues: what the ledger has is not played again, whoever plays; tables say what the games say."""

import json
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from engine.errors import HsctlError
from hsctl.league.identity import Identity, Sitting
from hsctl.league.ledger import Fate, Ledger
from hsctl.league.lineups import Block, league_blocks, pair_blocks
from hsctl.league.runner import (
    Finished,
    League,
    LeagueGame,
    LeagueTask,
    Runner,
    play_here,
    play_league_task,
    read_league,
    run_blocks,
    whole_blocks,
)
from hsctl.stats.comparison import Comparison, points_of
from hsctl.stats.sequential import SequentialTest
from hsctl.stats.standings import Standings
from hsctl.views.league_view import error_lines, format_record, league_record, league_view
from replays.playback import load
from replays.replay import Limits
from tests.hsctl.league.rows import made_game


def league_of(*texts: str, folder: Path | None = None, nodes: int = 5) -> League:
    return League(tuple(read_league(texts)), Limits(nodes=nodes), folder)


def play_and_count(begun: list[LeagueTask]) -> Runner:
    """A runner here that notes which games it began."""

    def run(blocks: Iterator[list[LeagueTask]]) -> Generator[Finished]:
        for block in blocks:
            for task in block:
                begun.append(task)
                yield play_league_task(task)

    return run


def run_all(league: League, blocks: list[Block], ledger: Ledger) -> tuple[list[LeagueGame], list[LeagueTask]]:
    """All games, and those that were played for them."""
    begun: list[LeagueTask] = []
    return list(run_blocks(league, blocks, ledger, play_and_count(begun))), begun


# Running


def test_a_game_is_played_once(tmp_path: Path) -> None:
    league, blocks = league_of("random", "still", "simple"), league_blocks(3, "2", 1, 4)
    with Ledger(tmp_path / "a") as ledger:
        games, begun = run_all(league, blocks[:3], ledger)
        assert len(games) == len(begun) == len(ledger) == 6 and all(game.is_new for game in games)
        games, begun = run_all(league, blocks, ledger)
        assert (len(games), len(begun), len(ledger)) == (12, 6, 12)
        assert [game.is_new for game in sorted(games, key=lambda game: game.number)] == [False] * 6 + [True] * 6


def test_another_order_of_players_means_the_same_games(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a") as ledger:
        first, _ = run_all(league_of("random", "still"), [Block(1, (0, 1))], ledger)
        second, begun = run_all(league_of("still", "simple", "random"), [Block(1, (0, 2))], ledger)
        assert begun == []
        assert {game.row.identity.key for game in first} == {game.row.identity.key for game in second}
        for game in second:
            assert [("still", "simple", "random")[player] for player in game.seating] == [
                sitting.spec for sitting in game.row.identity.seats
            ]


def test_a_player_against_itself_plays_every_rotation(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a") as ledger:
        games, _ = run_all(league_of("random", "random"), [Block(3, (0, 1))], ledger)
        assert len(ledger) == 2 and [game.seating for game in games] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_and_replays_are_the_same_whoever_plays(jobs: int, tmp_path: Path) -> None:
    blocks = league_blocks(3, "mixed", 5, 5)

    def files(name: str, jobs: int) -> dict[str, bytes]:
        league = league_of("simple", "random", "still", folder=tmp_path / name)
        with Ledger(tmp_path / f"{name}.ledger") as ledger:
            games = list(run_blocks(league, blocks, ledger, play_here(league, jobs, print)))
        for game in games:
            assert game.row.replay is not None
            replay = load(game.row.replay).replay
            assert [info.spec for info in replay.players] == [league.names[player] for player in game.seating]
            assert (replay.seed, replay.result.ranks) == (game.block.seed, game.row.outcome.ranks)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert files("one", 1) == files("other", jobs)


def test_what_the_ledger_has_comes_before_any_game_is_begun(tmp_path: Path) -> None:
    league = league_of("random", "still")
    with Ledger(tmp_path / "a") as ledger:
        run_all(league, [Block(1, (0, 1)), Block(2, (0, 1))], ledger)
        begun: list[LeagueTask] = []
        games = run_blocks(league, pair_blocks(1), ledger, play_and_count(begun))
        assert [next(games).is_new for _ in range(4)] == [False] * 4 and begun == []
        assert next(games).is_new and len(begun) == 1
        games.close()


def test_a_hole_in_the_ledger_is_filled(tmp_path: Path) -> None:
    league = league_of("random", "still")
    blocks = [Block(seed, (0, 1)) for seed in (1, 2, 3)]
    with Ledger(tmp_path / "a") as ledger:
        run_all(league, [blocks[0], blocks[2]], ledger)
        games, begun = run_all(league, blocks, ledger)
        assert [task.block.seed for task in begun] == [2, 2] and len(games) == 6


def test_whole_blocks_come_in_their_order_whatever_finished_first() -> None:
    def game(number: int, seating: tuple[int, int]) -> LeagueGame:
        return made_game((1, 2), seating, number=number)

    games = [game(1, (0, 1)), game(0, (0, 1)), game(1, (1, 0)), game(2, (0, 1)), game(0, (1, 0))]
    assert [[one.number for one in block] for block in whole_blocks(games)] == [[0, 0], [1, 1]]


def test_a_bot_rebuilt_on_the_way_ends_the_league(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nwhile read line; do echo BOMB 0 0; done\n")
    bot.chmod(0o755)
    league = League(tuple(read_league(["still", str(bot)])), Limits(1000, 1000, 5000))
    with Ledger(tmp_path / "a") as ledger:
        games = run_blocks(league, pair_blocks(1), ledger, play_here(league, 1, print))
        next(games)
        bot.write_text("#!/bin/sh\nsleep 1\n")
        with pytest.raises(HsctlError, match=r"bot' is not the same as at the start .* one of bot changed"):
            next(games)
        assert len(ledger) == 1


def test_a_worker_with_other_sources_plays_nothing(tmp_path: Path) -> None:
    begun: list[LeagueTask] = []
    with Ledger(tmp_path / "a") as ledger:
        next(run_blocks(league_of("random", "still"), [Block(1, (0, 1))], ledger, play_and_count(begun)))
    seats = tuple(Sitting(sitting.spec, "another") for sitting in begun[0].identity.seats)
    with pytest.raises(HsctlError, match="'random' is not the same as at the start"):
        play_league_task(replace(begun[0], identity=Identity(1, seats, Limits(nodes=5))))


# Standings


def standings_of(*games: LeagueGame, names: tuple[str, ...] = ("beam", "mcts", "rhea")) -> Standings:
    standings = Standings(names)
    for game in games:
        standings.add(game)
    return standings


def shown(standings: Standings, width: int = 80) -> str:
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(league_view(standings))
    return capture.get()


def test_the_table_counts_who_was_ranked_above_whom() -> None:
    standings = standings_of(
        made_game((1, 2), (0, 1), seed=1),
        made_game((1, 1), (1, 0), seed=1),
        made_game((1, 2, 3), (2, 0, 1), seed=2),
    )
    table = league_record(standings)["table"]
    counts = {row: {name: tuple(cell.values())[:3] for name, cell in cells.items()} for row, cells in table.items()}
    assert counts == {
        "beam": {"mcts": (2, 1, 0), "rhea": (0, 0, 1)},
        "mcts": {"beam": (0, 1, 2), "rhea": (0, 0, 1)},
        "rhea": {"beam": (1, 0, 0), "mcts": (1, 0, 0)},
    }


def test_places_are_counted_by_number_of_players() -> None:
    standings = standings_of(
        made_game((1, 2), (0, 1)), made_game((2, 1, 3), (0, 1, 2)), made_game((3, 2, 1), (0, 1, 2))
    )
    places = league_record(standings)["players"][0]["places"]
    assert {size: [place["games"] for place in shares] for size, shares in places.items()} == {2: [1, 0], 3: [0, 1, 1]}
    assert "shares of places" in shown(standings)


def test_deaths_bombs_and_thinking_are_those_of_the_player_not_of_the_seat() -> None:
    deaths = [Fate(12, "error", "timeout", "no answer within 100 ms"), None]
    standings = standings_of(made_game((2, 1), (1, 0), deaths=deaths), made_game((1, 2), (0, 1)))
    beam, mcts, rhea = league_record(standings)["players"]
    assert (beam["deaths"], mcts["deaths_by_cause"]["error"], mcts["errors"]) == (0, 1, {"timeout": 1})
    assert (mcts["bombs_per_turn"], mcts["time_ms"]) == (0.2, {"mean": 2.0, "worst": 9.0})
    assert (rhea["games"], rhea["bombs_per_turn"], rhea["time_ms"], rhea["mean_boxes"]) == (0, None, None, None)
    assert error_lines(standings) == ["mcts: timeout: no answer within 100 ms (seed 7, turn 12, 1 in all)"]


def test_ratings_are_numbers_or_too_few_games_never_nan() -> None:
    games = [made_game((1, 2), seating, seed) for seed in range(4) for seating in ((0, 1), (1, 0))]
    for standings in (standings_of(), standings_of(games[0]), standings_of(*games)):
        text = format_record(league_record(standings)) + shown(standings)
        assert "nan" not in text.lower().replace("mean", "")
        assert json.loads(format_record(league_record(standings)))["ratings"]["rhea"]["elo"] is None
    assert "too few games" in shown(standings_of(games[0]))


def test_the_tables_fit_in_80_columns() -> None:
    names = ("beam", "beam:width=1000,local=20", "rhea", "./mybot --weights=best.bin")
    games = [
        made_game(ranks, (0, 1, 2, 3), seed)
        for seed, ranks in enumerate([(1, 2, 3, 4), (2, 1, 4, 3), (4, 3, 2, 1), (3, 4, 1, 2)] * 3)
    ]
    text = shown(standings_of(*games, names=names))
    assert max(map(len, text.splitlines())) <= 80
    assert "row ranked above column" in text and "12 games on 12 seeds (12 played now, 0 from the ledger)" in text


# Comparisons


@pytest.mark.parametrize(
    ("ranks", "seating", "points"), [((1, 2), (0, 1), 1.0), ((1, 2), (1, 0), 0.0), ((1, 1), (1, 0), 0.5)]
)
def test_points_are_those_of_the_first_player(ranks: tuple[int, int], seating: tuple[int, int], points: float) -> None:
    assert points_of(made_game(ranks, seating)) == points


def test_a_comparison_adds_up_blocks_until_its_test_knows() -> None:
    comparison = Comparison(["new", "old"], SequentialTest(0, 50, 0.05, 0.05), most_blocks=1000)
    assert comparison.record()["score"] is None
    while comparison.test.verdict is None:
        comparison.add([made_game((1, 2), (0, 1)), made_game((1, 1), (1, 0))])
    record = comparison.record()
    assert record["verdict"] == "better" and record["llr"] >= record["upper"]
    assert (record["wins"], record["draws"], record["losses"]) == (record["games"] / 2, record["games"] / 2, 0)
    assert comparison.describe_verdict() == "new is better than old"
