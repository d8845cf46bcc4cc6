"""Leagues: what the ledger has is not played again, whoever plays."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Thread

import pytest

from engine.errors import HsctlError
from hsctl.league import runner
from hsctl.league.games import (
    Block,
    League,
    league_blocks,
    pair_blocks,
    read_league,
    tasks_of,
)
from hsctl.league.ledger import LEASE_S, Ledger
from hsctl.league.runner import Runner, file_game, look_up, play_here, run_blocks, whole_blocks
from hsctl.match import compiling
from hsctl.match.result import GameResult, SlowStart
from hsctl.match.runner import GameTask, play
from replays.playback import load
from replays.replay import Limits
from tests.hsctl.games import made_game


def league_of(*texts: str, folder: Path | None = None, nodes: int = 5) -> League:
    return League(tuple(read_league(texts)), Limits(nodes=nodes), folder)


def play_and_count(begun: list[GameTask]) -> Runner:
    """A runner here that notes which games it began."""

    def run(blocks: Iterator[list[GameTask]]) -> Generator[GameResult]:
        for block in blocks:
            for task in block:
                begun.append(task)
                yield play(task)

    return run


def run_all(league: League, blocks: list[Block], ledger: Ledger) -> tuple[list[GameResult], list[GameTask]]:
    """All games, and those that were played for them."""
    begun: list[GameTask] = []
    return list(run_blocks(league, blocks, ledger, play_and_count(begun))), begun


# Running


def test_a_game_is_played_once(tmp_path: Path) -> None:
    league, blocks = league_of("random", "still", "simple"), league_blocks(3, "2", 1, 4)
    with Ledger(tmp_path / "a") as ledger:
        games, begun = run_all(league, blocks[:3], ledger)
        assert len(games) == len(begun) == len(ledger) == 6 and all(game.is_new for game in games)
        games, begun = run_all(league, blocks, ledger)
        assert (len(games), len(begun), len(ledger)) == (12, 6, 12)
        assert [game.is_new for game in sorted(games, key=lambda game: game.block_number)] == [False] * 6 + [True] * 6


def test_another_order_of_players_means_the_same_games(tmp_path: Path) -> None:
    def by_seats(texts: tuple[str, ...], games: list[GameResult]) -> dict[tuple[str, ...], list[int]]:
        return {tuple(texts[player] for player in game.seating): game.ranks for game in games}

    pair, three = ("random", "still"), ("still", "simple", "random")
    with Ledger(tmp_path / "a") as ledger:
        first, _ = run_all(league_of(*pair), [Block(1, (0, 1))], ledger)
        second, begun = run_all(league_of(*three), [Block(1, (0, 2))], ledger)
        assert begun == []
        assert by_seats(pair, first) == by_seats(three, second) and len(second) == 2


def test_a_player_against_itself_plays_every_rotation(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a") as ledger:
        games, _ = run_all(league_of("random", "random"), [Block(3, (0, 1))], ledger)
        assert len(ledger) == 2 and [game.seating for game in games] == [(0, 1), (1, 0)]


def test_row_and_replay_are_of_one_game_when_two_processes_file_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, path = league_of("still", "still", folder=tmp_path / "replays"), tmp_path / "a"
    with Ledger(path) as ledger:
        _, [task, _] = look_up(league, ledger, 0, Block(1, (0, 1)))
    game = play(task)
    others: list[GameResult] = []

    def file_slower_one() -> None:
        with Ledger(path) as ledger:
            others.append(file_game(ledger, replace(game, seconds=9.0, encoded=b"the other's")))

    other = Thread(target=file_slower_one)

    def save(folder: Path | None, name: str, replay: bytes | None) -> Path | None:
        saved = save_as_ever(folder, name, replay)
        if replay == b"ours":  # the row is not filed yet
            other.start()
            other.join(0.3)
        return saved

    save_as_ever = runner.store_replay
    monkeypatch.setattr(runner, "store_replay", save)
    with Ledger(path) as ledger:
        ours = file_game(ledger, replace(game, encoded=b"ours"))
    other.join()
    assert ours.replay is not None and ours.replay.read_bytes() == b"ours"
    assert [each.seconds for each in others] == [ours.seconds] == [game.seconds]


def test_what_a_ledger_does_not_keep_of_slow_starts_is_told_of_new_games(tmp_path: Path) -> None:
    league, slow = league_of("still", "still"), [SlowStart(1600.0, 1000.0, True), None]
    with Ledger(tmp_path / "a") as ledger:
        _, [task, _] = look_up(league, ledger, 0, Block(1, (0, 1)))
        game = play(task)
        assert file_game(ledger, replace(game, slow_starts=slow)).slow_starts == slow
        [known], _ = look_up(league, ledger, 0, Block(1, (0, 1)))
        assert known.slow_starts == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_games_and_replays_are_the_same_whoever_plays(jobs: int, tmp_path: Path) -> None:
    blocks = league_blocks(3, "mixed", 5, 5)

    def files(name: str, jobs: int) -> dict[str, bytes]:
        league = league_of("simple", "random", "still", folder=tmp_path / name)
        with Ledger(tmp_path / f"{name}.ledger") as ledger:
            games = list(run_blocks(league, blocks, ledger, play_here(league, jobs, print)))
        for game in games:
            assert game.replay is not None
            replay = load(game.replay).replay
            assert [info.spec for info in replay.players] == [league.names[player] for player in game.seating]
            assert (replay.seed, replay.result.ranks) == (game.seed, game.ranks)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert files("one", 1) == files("other", jobs)


def test_what_the_ledger_has_comes_before_any_game_is_begun(tmp_path: Path) -> None:
    league = league_of("random", "still")
    with Ledger(tmp_path / "a") as ledger:
        run_all(league, [Block(1, (0, 1)), Block(2, (0, 1))], ledger)
        begun: list[GameTask] = []
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
        assert [task.seed for task in begun] == [2, 2] and len(games) == 6


def test_whole_blocks_come_in_their_order_whatever_finished_first() -> None:
    def game(block: int, seating: tuple[int, int]) -> GameResult:
        return made_game((1, 2), seating, block_number=block)

    games = [game(1, (0, 1)), game(0, (0, 1)), game(1, (1, 0)), game(2, (0, 1)), game(0, (1, 0))]
    assert [[game.block_number for game in block] for block in whole_blocks(games)] == [[0, 0], [1, 1]]


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


# Compiling beforehand, or meanwhile


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is compiled and played in which order by two workers that never run; mcts and negamax are not compiled."""
    happened: list[str] = []

    def hand_out(tasks: Iterator[str | GameTask], jobs: int, work: object) -> Generator[None]:
        assert jobs == 2
        for task in tasks:
            happened.append(task if isinstance(task, str) else " ".join(task.agents))
        yield from ()

    def missing(agents: Iterable[str]) -> list[str]:
        return [agent for agent in ("mcts", "negamax") if agent in agents and agent not in happened]

    monkeypatch.setattr(runner, "run_games", hand_out)
    for module in (runner, compiling):
        monkeypatch.setattr(module, "missing_parts", missing)
    monkeypatch.setattr(runner, "warm_up", lambda *_, **__: happened.append("all compiled"))
    return happened


def play_blocks(*texts: str, limits: Limits) -> list[str]:
    """Hand out all games of a league of pairs; returns what was announced."""
    league, said = League(tuple(read_league(texts)), limits), []
    blocks = (tasks_of(league, number, block) for number, block in enumerate(league_blocks(len(texts), "2", 1, 1)))
    assert not list(play_here(league, 2, said.append)(blocks))
    return said


def test_without_a_clock_games_begin_while_others_are_compiled(order: list[str]) -> None:
    [line] = play_blocks("mcts", "negamax", "simple", limits=Limits(nodes=5))
    assert line.startswith("compiling mcts, negamax (once per version, about ")
    assert order[:2] == ["mcts", "negamax"] and len(order) == 2 + 6


def test_on_the_clock_nobody_plays_before_all_is_compiled(order: list[str]) -> None:
    assert not play_blocks("mcts", "negamax", "simple", limits=Limits(turn_ms=100))
    assert order[0] == "all compiled" and len(order) == 1 + 6


def test_beside_a_bot_nobody_plays_before_all_is_compiled(order: list[str]) -> None:
    assert not play_blocks("mcts", "negamax", "true", limits=Limits(nodes=5))
    assert order[0] == "all compiled" and len(order) == 1 + 6


# Two leagues on one ledger


@pytest.mark.parametrize("lead", [0, 1, 3])
def test_two_leagues_on_one_ledger_play_each_game_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lead: int
) -> None:
    league, blocks = league_of("random", "still", "simple"), league_blocks(3, "2", 1, 4)
    begun: tuple[list[GameTask], list[GameTask]] = ([], [])
    with Ledger(tmp_path / "a") as ours, Ledger(tmp_path / "a") as theirs:
        theirs.holder = "elsewhere 1 2"
        first = run_blocks(league, blocks, ours, play_and_count(begun[0]))
        second = run_blocks(league, blocks, theirs, play_and_count(begun[1]))
        games: tuple[list[GameResult], list[GameResult]] = (list(islice(first, lead)), [])

        def sleep(_: float) -> None:
            """Meanwhile the other one goes on."""
            at = 1 if first.gi_running else 0
            games[at].extend(islice((first, second)[at], 1))

        monkeypatch.setattr(runner.time, "sleep", sleep)
        while game := next(second, None):
            games[1].append(game)
            games[0].extend(islice(first, 1))
        games[0].extend(first)
    keys = [task.key for each in begun for task in each]
    assert len(keys) == len(set(keys)) == 12 and (lead > 1 or all(begun))
    assert [len({(game.seed, game.seating) for game in each}) for each in games] == [12, 12]


def test_games_of_a_league_that_is_gone_are_played_when_its_lease_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, blocks, now = league_of("random", "still"), list(islice(pair_blocks(1), 3)), [1000.0]
    with Ledger(tmp_path / "a", clock=lambda: now[0]) as ours, Ledger(tmp_path / "a", clock=lambda: now[0]) as theirs:
        theirs.holder = "elsewhere 1 2"
        _, lacking = look_up(league, ours, 1, blocks[1])
        theirs.claim([task.key for task in lacking])

        def sleep(seconds: float) -> None:
            assert len(ours) == 4
            now[0] += LEASE_S / 3

        monkeypatch.setattr(runner.time, "sleep", sleep)
        games, begun = run_all(league, blocks, ours)
        assert [task.block_number for task in begun] == [0, 0, 2, 2, 1, 1]
        assert len(games) == len(ours) == 6
        assert now[0] > 1000 + LEASE_S
        assert theirs.claim([lacking[0].key])  # all claims were released
