"""Games whose time was stolen: told apart, and played again if that is wanted."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hsctl.arena.finished import Fate, FinishedGame, Thinking
from hsctl.arena.match import play_game
from hsctl.league import games
from hsctl.league.games import MOST_RETRIES, League, play_task, read_league, tasks_of
from hsctl.league.ledger import Ledger
from hsctl.league.lineups import Block
from hsctl.league.runner import play_here, run_blocks
from hsctl.league.team_games import as_teams
from replays.replay import Limits, Replay
from tests.hsctl.games import made_game

LATE = Thinking(3, 20.0, 12.0, late={"machine": 1, "bot": 2})
Played = tuple[Replay, FinishedGame]


def league_of(replays_stolen: bool) -> League:
    return League(tuple(read_league(["still", "random"])), Limits(nodes=1), replays_stolen=replays_stolen)


@pytest.fixture
def steal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Let the machine steal time in the next so many games; returns the list that counts all games begun."""

    def prepare(stolen: int) -> list[int]:
        begun: list[int] = []

        def play(*arguments: object) -> Played:
            replay, game = play_game(*arguments)  # type: ignore[arg-type]
            begun.append(game.seed)
            return replay, replace(game, thinking=[LATE, LATE]) if len(begun) <= stolen else game

        monkeypatch.setattr(games, "play_game", play)
        return begun

    return prepare


@pytest.mark.parametrize("stolen", [0, 2, 99])
def test_a_stolen_game_is_begun_again_but_not_for_ever(stolen: int, steal: Callable[[int], list[int]]) -> None:
    begun = steal(stolen)
    [task, _] = tasks_of(league_of(replays_stolen=True), 0, Block(7, (0, 1)))
    _, game, _ = play_task(task)
    expected = min(stolen, MOST_RETRIES)
    assert (len(begun), game.retries) == (expected + 1, expected)
    assert game.is_stolen == (stolen > MOST_RETRIES)


def test_unless_wanted_it_stands(steal: Callable[[int], list[int]]) -> None:
    begun = steal(1)
    [task, _] = tasks_of(league_of(replays_stolen=False), 0, Block(7, (0, 1)))
    _, game, _ = play_task(task)
    assert begun == [7] and game.is_stolen and game.retries == 0


def test_a_stolen_game_of_the_ledger_is_replaced(tmp_path: Path, steal: Callable[[int], list[int]]) -> None:
    def run(replays_stolen: bool) -> list[FinishedGame]:
        league = league_of(replays_stolen)
        return list(run_blocks(league, [Block(7, (0, 1))], ledger, play_here(league, 1, print)))

    with Ledger(tmp_path / "a") as ledger:
        steal(1)
        assert sorted(game.is_stolen for game in run(False)) == [False, True]
        begun = steal(0)
        assert sorted(game.is_stolen for game in run(False)) == [False, True] and not begun
        assert not any(game.is_stolen for game in run(True)) and len(begun) == 1
        assert not any(game.is_stolen for game in run(True)) and len(begun) == 1
        assert len(ledger) == 2
    with Ledger(tmp_path / "a") as ledger:  # sound, its sums too
        assert [row.outcome.thinking[0].late for row in ledger] == [{}, {}]


def test_what_was_late_is_the_teams_together() -> None:
    game = replace(made_game([1, 1, 3, 3]), thinking=[LATE, LATE, LATE, Thinking(1, 1.0, 1.0)], team_size=2)
    first, second = as_teams(game).thinking
    assert (first.late, second.late) == ({"machine": 2, "bot": 4}, {"machine": 1, "bot": 2})


def test_the_culprit_of_a_timeout_is_kept(tmp_path: Path) -> None:
    from tests.hsctl.league.rows import made_row

    row = made_row(deaths=[Fate(3, "error", "timeout", "no answer", culprit="machine"), None])
    with Ledger(tmp_path / "a") as ledger:
        ledger.add(row)
        found = ledger.find(row.identity)
    assert found is not None and found.outcome.deaths[0] == row.outcome.deaths[0]
