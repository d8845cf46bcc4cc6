"""Games that the machine delayed: told apart, and played again as long as that helps."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hsctl.league.games import Block, League, read_league, tasks_of
from hsctl.league.ledger import Ledger
from hsctl.league.runner import play_here, run_blocks
from hsctl.league.standings import as_teams
from hsctl.match import runner
from hsctl.match.cores import Capacity, Worked, describe_capacity, find_capacity, usual_jobs, work
from hsctl.match.result import MOST_DELAYED, Delays, Fate, GameResult, ThinkingTime, delays_of
from hsctl.match.runner import MOST_RETRIES, play_game
from replays.replay import Limits, Replay
from tests.hsctl.games import made_game

LATE = ThinkingTime(3, 20.0, 12.0, late={"machine": 1, "bot": 2}, delayed=1)
TURNS = 200  # of each player
Played = tuple[Replay, GameResult]
Delay = Callable[..., list[int]]


def league_of(retries_delayed: bool = True) -> League:
    return League(tuple(read_league(["still", "random"])), Limits(nodes=1), retries_delayed=retries_delayed)


def delayed_by(turns: int, game: GameResult) -> GameResult:
    """The game with so many delayed turns of each player."""
    return replace(game, thinking=[ThinkingTime(TURNS, 20.0, 12.0, delayed=turns)] * len(game.seating))


@pytest.fixture
def delay(monkeypatch: pytest.MonkeyPatch) -> Delay:
    """Let the machine delay so many turns in the next games, then none; returns the list of the seeds of all games."""

    def prepare(*turns: int) -> list[int]:
        begun: list[int] = []

        def play(*arguments: object) -> Played:
            replay, game = play_game(*arguments)  # type: ignore[arg-type]
            begun.append(game.seed)
            return replay, delayed_by(turns[len(begun) - 1] if len(begun) <= len(turns) else 0, game)

        monkeypatch.setattr(runner, "play_game", play)
        return begun

    return prepare


@pytest.mark.parametrize(
    ("turns", "tries", "kept"),
    [
        ([0], 1, 0),
        ([4], 1, 4),  # 2 %
        ([5], 2, 0),
        ([50, 20], 3, 0),
        ([50, 50, 50], 2, 50),  # it doesn't help
        ([50, 40, 3], 2, 40),
        ([50, 60, 3], 2, 50),
        ([160, 80, 40, 20, 10], 1 + MOST_RETRIES, 20),
    ],
)
def test_a_delayed_game_is_played_again_while_that_helps(turns: list[int], tries: int, kept: int, delay: Delay) -> None:
    begun = delay(*turns)
    [task, _] = tasks_of(league_of(), 0, Block(7, (0, 1)))
    game = runner.play(task)
    assert (begun, game.retries, game.thinking[0].delayed) == ([7] * tries, tries - 1, kept)
    assert game.is_delayed == (kept > MOST_DELAYED * TURNS)


def test_a_single_game_stands(delay: Delay) -> None:
    begun = delay(50)
    [task, _] = tasks_of(league_of(retries_delayed=False), 0, Block(7, (0, 1)))
    game = runner.play(task)
    assert begun == [7] and game.is_delayed and game.retries == 0


def test_a_game_is_delayed_if_the_machine_eliminated_a_player() -> None:
    fates = [Fate(3, "error", "timeout", "no answer", culprit=culprit) for culprit in ("machine", "bot")]
    ours, theirs = (made_game(deaths=[fate, None]) for fate in fates)
    assert (ours.is_delayed, theirs.is_delayed) == (True, False)
    assert delayed_by(1, theirs).is_less_delayed_than(ours) and not ours.is_less_delayed_than(theirs)


def test_a_delayed_game_of_the_ledger_is_replaced_by_one_that_is_less_delayed(tmp_path: Path, delay: Delay) -> None:
    def run() -> list[int]:
        league = league_of()
        games = run_blocks(league, [Block(7, (0, 1))], ledger, play_here(league, 1, print))
        return sorted(game.thinking[0].delayed for game in games)

    with Ledger(tmp_path / "a") as ledger:
        delay(50, 50)
        assert run() == [0, 50]
        begun = delay(60, 60)
        assert run() == [0, 50] and begun == [7, 7]
        begun = delay()
        assert run() == [0, 0] and begun == [7]
        assert run() == [0, 0] and begun == [7]
        assert len(ledger) == 2
    with Ledger(tmp_path / "a") as ledger:  # sound, its sums too
        assert [row.outcome.thinking[0].delayed for row in ledger] == [0, 0]


def test_a_study_keeps_its_delayed_games(tmp_path: Path, delay: Delay) -> None:
    league = replace(league_of(), replaces_delayed=False)
    with Ledger(tmp_path / "a") as ledger:
        for turns, played in (([50, 50], 3), ([], 0)):
            begun = delay(*turns)
            games = list(run_blocks(league, [Block(7, (0, 1))], ledger, play_here(league, 1, print)))
            assert sorted(game.thinking[0].delayed for game in games) == [0, 50] and len(begun) == played


def test_a_series_is_valid_up_to_two_delayed_turns_in_a_hundred() -> None:
    delays = [delays_of([delayed_by(turns, made_game()), made_game()]) for turns in (0, 4, 5)]
    assert [each.delayed for each in delays] == [0, 8, 10] and {each.turns for each in delays} == {480}
    assert [each.is_valid for each in delays] == [True, True, False]
    assert Delays().is_valid and delays_of([]) == Delays()


# How many at once


def machine(free: float, noise: float = 0.0) -> Callable[[int], list[Worked]]:
    """One with so many free cores, shared evenly."""

    def try_out(processes: int) -> list[Worked]:
        share = min(1.0, free / processes)
        return [Worked(noise if share == 1.0 else 1.0 - share, share)] * processes

    return try_out


@pytest.mark.parametrize(
    ("most", "free", "capacity"),
    [
        (2, 2.0, Capacity(2, True)),
        (2, 1.2, Capacity(1, True)),
        (2, 0.6, Capacity(1, False)),
        (1, 1.0, Capacity(1, True)),
        (64, 50.4, Capacity(50, True)),
        (8, 7.5, Capacity(7, True)),
    ],
)
def test_as_many_games_as_the_machine_holds(most: int, free: float, capacity: Capacity) -> None:
    assert find_capacity(most, machine(free)) == capacity
    assert find_capacity(most, machine(free, noise=MOST_DELAYED / 2)) == capacity
    assert str(capacity.jobs) in describe_capacity(capacity, most)


def test_only_the_wall_clock_is_measured_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsctl.match.cores.core_count", lambda: 4)
    monkeypatch.setattr("hsctl.match.cores.measured", {})
    monkeypatch.setattr("hsctl.match.cores.work", machine(3.0))
    told: list[str] = []
    assert [usual_jobs(clock, told.append) for clock in (None, "cpu")] == [4, 4] and not told
    assert usual_jobs("cpu", told.append, games=3) == 3
    assert usual_jobs("wall", told.append) == usual_jobs("wall", told.append) == 3 and len(told) == 1
    assert usual_jobs("wall", told.append, games=2) == 2 and len(told) == 2


def test_processes_tell_what_they_got_of_the_machine() -> None:
    worked = work(2, turns=2)
    assert len(worked) == 2 and all(0 <= each.delayed <= 1 and 0 < each.core < 1.5 for each in worked)


def test_what_was_late_is_the_teams_together() -> None:
    game = replace(made_game([1, 1, 3, 3]), thinking=[LATE, LATE, LATE, ThinkingTime(1, 1.0, 1.0)], team_size=2)
    first, second = as_teams(game).thinking
    assert (first.late, second.late) == ({"machine": 2, "bot": 4}, {"machine": 1, "bot": 2})
    assert (first.delayed, second.delayed) == (2, 1)


def test_the_culprit_of_a_timeout_is_kept(tmp_path: Path) -> None:
    from tests.hsctl.league.rows import made_row

    row = made_row(deaths=[Fate(3, "error", "timeout", "no answer", culprit="machine"), None])
    with Ledger(tmp_path / "a") as ledger:
        ledger.add(row)
        found = ledger.find(row.identity)
    assert found is not None and found.outcome.deaths[0] == row.outcome.deaths[0]


@pytest.mark.parametrize("program", ["raise SystemExit", "print(flush=True); raise SystemExit"])
def test_a_process_that_was_killed_while_it_measured_had_no_core(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr("hsctl.match.cores.WORK", program)
    assert work(2, turns=1) == [Worked(1.0, 0.0)] * 2
