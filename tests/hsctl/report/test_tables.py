"""How means are written: an interval never says what can't be."""

import pytest

from hsctl.league.intervals import mean_interval
from hsctl.league.standings import Standings
from hsctl.report.standings import OF_A_LEAGUE, cross_table, manner_table, rating_table
from hsctl.report.tables import format_mean
from tests.hsctl.games import made_game, shown


def test_an_interval_is_cut_where_nothing_can_be() -> None:
    boxes, seeds = [1, 0, 30, 2], [1, 2, 3, 4]
    low, _ = mean_interval(boxes, seeds) or (0, 0)
    assert low < 0
    interval = mean_interval(boxes, seeds, 0.0)
    assert interval is not None and interval.low == 0.0
    assert format_mean(boxes, seeds) == f"8.2 (0–{interval.high:.1f})"
    assert format_mean([1, 1, 2, 1], seeds, 2, least=1.0).startswith("1.25 (1–")
    assert format_mean([1, 2, 2], [1, 2, 2], 2, least=1.0, most=2.0) == "1.67 (1–2)"
    assert format_mean([40, 200, 198], [1, 2, 3], most=200.0) == "146.0 (0–200)"


def test_others_are_told_as_before() -> None:
    assert format_mean([30, 31, 32, 31], [1, 2, 3, 4]) == "31.0 ± 1.3"
    assert format_mean([0, 0], [1, 2]) == "0.0 ± 0.0"
    assert format_mean([5], [1]) == "5.0" and format_mean([], []) == ""


@pytest.mark.parametrize("players", [2, 4, 8, 12])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_tables_never_break_words_and_names_stay_different(players: int, width: int) -> None:
    names = tuple(f"./bots/player-{number} --with options" for number in range(players))
    standings = Standings(list(names))
    for seed, pair in enumerate((one, other) for one in range(players) for other in range(one)):
        standings.add(made_game((1, 2), pair, seed=seed))
    for view in (cross_table(standings, True), rating_table(standings), manner_table(standings, OF_A_LEAGUE)):
        lines = shown(view, width).splitlines()
        assert max(map(len, lines)) <= width
        heads = [line.split("  ")[0] for line in lines[2:] if line[:1].strip()][:players]
        assert len(set(heads)) == players and not any(line.rstrip().endswith(("(", "–")) for line in lines)
