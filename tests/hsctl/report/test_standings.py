"""Standings on the screen: all that the games say, in 80 columns."""

from dataclasses import replace

import msgspec
import pytest

from hsctl.league.standings import as_teams
from hsctl.match.result import Fate, GameResult, SlowStart, ThinkingTime, thinking_of
from hsctl.report.game import game_view
from hsctl.report.records import intervals_record, league_record, series_record
from hsctl.report.standings import error_lines, league_view, series_view, time_lines
from hsctl.report.tables import warning_lines
from tests.hsctl.games import NAMES, made_game, shown, standings_of


def test_one_game_tells_place_boxes_death_and_time() -> None:
    text = shown(game_view(made_game([2, 1], deaths=[Fate(33, "both", owners=(0, 1)), None]), ["beam", "mcts"]))
    first, second = text.splitlines()[2:4]
    assert first.split() == ["1", "■", "1", "mcts", "3", "2.00", "9.00"]
    assert second.split("  ")[-1].strip() == "9.00" and "turn 33, own and ■ 1 bombs" in second
    assert "seed 7, 40 turns, ended by: 200 turns" in text


def test_a_series_fits_in_80_columns() -> None:
    deaths = [None, Fate(12, "own", owners=(1,)), None, None]
    games = [made_game([1, 2, 3, 4], seed=seed, deaths=deaths) for seed in range(9)]
    text = shown(series_view(standings_of(*games, names=NAMES)))
    assert max(map(len, text.splitlines())) <= 80
    rows = {line.split("  ")[0].strip(): line for line in text.splitlines()}
    assert "100 % (65–100)" in rows["wins"] and "0 % (0–35)" in rows["wins"]
    assert rows["mean place"].split()[2:5] == ["1.00", "±", "0.00"]
    assert rows["ms a turn"].split()[3:] == ["2.00"] * 4
    assert "  by own bomb" in text and "by error" not in text
    assert "9 games on 9 seeds (0 to 8); turns of a game: 40.0 ± 0.0 (40 to 40)" in text


def test_a_league_fits_in_80_columns() -> None:
    names = ("beam", "beam:width=1000,local=20", "rhea", "./mybot --weights=best.bin")
    orders = [(1, 2, 3, 4), (2, 1, 4, 3), (4, 3, 2, 1), (3, 4, 1, 2)] * 3
    games = [made_game(ranks, seed=seed) for seed, ranks in enumerate(orders)]
    text = shown(league_view(standings_of(*games, names=names)))
    assert max(map(len, text.splitlines())) <= 80
    assert "row ranked above column" in text and "shares of places" in text
    assert "12 games on 12 seeds (0 to 11); turns of a game: 40.0 ± 0.0 (40 to 40)\n" in text
    assert "12 played now, 0 from the ledger\n" in text


def test_a_league_of_two_has_no_places() -> None:
    text = shown(league_view(standings_of(made_game(), made_game((1, 2), (1, 0)))))
    assert "win rate of row over column" in text and "shares of places" not in text
    assert "too few games" in text and "2 games on seed 7" in text


def test_an_error_is_told_with_where_it_was_first() -> None:
    fate = Fate(12, "error", "timeout", "no answer within 100 ms")
    standings = standings_of(made_game([2, 1], (1, 0), deaths=[fate, None]))
    assert error_lines(standings) == ["mcts: timeout: no answer within 100 ms (seed 7, turn 12)"]


def test_the_same_error_is_told_once_and_counted() -> None:
    fates = [Fate(turn, "error", "crash", "killed by SIGSEGV") for turn in (3, 4, 5)]
    games = [made_game([2, 1], deaths=[fate, None], block_number=at) for at, fate in enumerate(fates)]
    expected = ["beam: crash: killed by SIGSEGV (seed 7, turn 3 and 2 more times)"]
    assert error_lines(standings_of(*reversed(games))) == expected


def test_one_of_a_thing_is_told_as_one() -> None:
    fates = [Fate(3, "error", "crash", f"exited with code {code}") for code in range(6)]
    assert error_lines(standings_of(*(made_game([2, 1], deaths=[fate, None]) for fate in fates)))[-1] == (
        "and 1 other error"
    )
    assert "1 game on seed 7" in shown(series_view(standings_of(made_game())))


def test_of_many_errors_only_the_first_are_told() -> None:
    fates = [Fate(3, "error", "crash", f"exited with code {code}") for code in range(7)]
    lines = error_lines(standings_of(*(made_game([2, 1], deaths=[fate, None]) for fate in fates)))
    assert len(lines) == 6 and lines[-1] == "and 2 other errors"


# Time that was lost, or taken


def late_game(by_machine: int, fate: Fate | None = None, beyond_ms: float = 0.0, retries: int = 0) -> GameResult:
    """One in which the first player was late twice, so often by the machine's fault."""
    late = ThinkingTime(40, 4000.0, 140.0, (1.0,), {"machine": by_machine, "bot": 2 - by_machine}, beyond_ms)
    return replace(
        made_game([2, 1], deaths=[fate, None]), thinking=[late, ThinkingTime(40, 80.0, 9.0, (1.0,))], retries=retries
    )


def test_turns_made_late_by_the_machine_are_told_apart_in_every_table() -> None:
    fate = Fate(12, "error", "timeout", "no answer within 100 ms", culprit="machine")
    standings = standings_of(late_game(1, fate), late_game(2), names=("beam", "mcts"))
    series, league = shown(series_view(standings)), shown(league_view(standings))
    rows = {line.split("  ")[0].strip() or line.split("  ")[1].strip(): line for line in series.splitlines()}
    assert "1, 1 by the machine" in rows["timeouts"]
    assert rows["late turns"].split() == ["late", "turns", "4"]
    assert rows["by the machine"].split() == ["by", "the", "machine", "3"]
    assert "late turns" in " ".join(league.split()) and "1, 1 by the machine" in " ".join(league.split())
    assert "turn 12, timeout by the machine" in shown(game_view(standings.games[0], standings.names))


@pytest.mark.parametrize("is_kept", [True, False])
def test_no_mean_of_times_is_above_the_worst(is_kept: bool) -> None:
    """The first turn has a clock of its own, and counts for neither; older ledgers don't tell its time."""
    taken = thinking_of([900.0, 4.0, 6.0])
    filed = msgspec.structs.replace(taken, times_ms=(), later=taken.later if is_kept else None)
    (of_a_series, of_a_league) = (
        standings_of(replace(made_game(), thinking=[each, each]), names=("beam", "mcts")) for each in (taken, filed)
    )
    assert series_record(of_a_series)["players"][0]["time_ms"] == {"median": 5.0, "worst": 6.0}
    mean = league_record(of_a_league)["players"][0]["time_ms"]
    assert mean == {"mean": 5.0 if is_kept else 6.0, "worst": 6.0}
    together_ms = as_teams(replace(made_game([1, 1, 3, 3]), thinking=[filed] * 4, team_size=2)).thinking[0].usual
    assert together_ms == ((4, 20.0) if is_kept else (6, 36.0))


def test_no_mean_place_is_beyond_the_last_one() -> None:
    games = [made_game((1, 2), seed=1), made_game((1, 2), seed=2), made_game((2, 1), seed=2)]
    standings = standings_of(*games)
    assert "1.33 (1–2)" in shown(series_view(standings))
    assert intervals_record(standings.players[0])["rank"] == [1.0, 2.0]


def test_first_answers_that_would_be_late_on_the_arena_are_told() -> None:
    sure, unsure = SlowStart(3012.0, 1000.0, True), SlowStart(1249.0, 1000.0, False)
    slow, slower = [replace(made_game(), slow_starts=[start, None]) for start in (unsure, sure)]
    beam = "beam: its first answer took"
    assert time_lines(standings_of(slow)) == [
        f"{beam} 1.2 s, perhaps by the machine's fault; the first turn has 1 s, on the arena including the start"
    ]
    assert time_lines(standings_of(slow, made_game(), slower)) == [
        f"{beam} 3.0 s; the first turn has 1 s, on the arena including the start (too long in 2 of 3 games)"
    ]


def test_delays_come_first_if_there_are_many_and_last_if_there_are_few() -> None:
    """Of 80 turns a game."""
    names = ("beam", "mcts")
    for delayed, retries, first, last in ((0, 0, 0, 0), (1, 0, 0, 1), (1, 3, 0, 2), (2, 0, 2, 0), (2, 1, 2, 1)):
        thinking = [ThinkingTime(40, 400.0, 14.0, delayed=delayed), ThinkingTime(40, 80.0, 9.0)]
        standings = standings_of(replace(made_game(), thinking=thinking, retries=retries), names=names)
        assert (len(warning_lines(standings.delays)), len(time_lines(standings))) == (first, last)
    assert "2.5 %" in warning_lines(standings.delays)[0] and "2 of 80" in warning_lines(standings.delays)[1]


def test_cpu_time_above_that_of_the_turns_is_told() -> None:
    [line] = time_lines(standings_of(late_game(0, beyond_ms=1400.0), names=("./mybot", "mcts")))
    assert line.startswith("./mybot: 35 % more CPU time than its turns lasted: several threads")
    assert time_lines(standings_of(late_game(0, beyond_ms=300.0), names=("./mybot", "mcts"))) == []
