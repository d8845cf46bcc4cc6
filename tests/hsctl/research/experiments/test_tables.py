"""Shares beside the paper's, and the verdict: a test of the difference."""

from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.league.intervals import Interval, Share, share_of
from hsctl.report.plots import PlottedNumber, bars, save
from hsctl.report.tables import to_markdown
from hsctl.research.experiments.tables import (
    ComparedCell,
    PaperTable,
    closest,
    compare_shares,
    is_above,
    is_less,
    paper_steps,
    paper_table,
    published,
    warn_shallow,
)


def share(value: float, games: int) -> Share:
    """Of games that are each a block."""
    won = round(value * games)
    found = share_of([1] * won + [0] * (games - won), [1] * games)
    assert found is not None
    return found


def cell(ours: Share | None, paper: Share, row: str = "a", depth: float | None = None) -> ComparedCell:
    return ComparedCell(row, "win", ours, paper, depth)


@pytest.mark.parametrize(
    ("ours", "games", "paper", "agrees"),
    [
        (0.776, 200, 0.687, False),  # their intervals overlap, and yet p is 0.01
        (0.70, 1000, 0.687, True),
        (0.70, 100, 0.687, None),  # the interval of the difference is wider than 10 points
        (0.5, 4, 0.687, None),
        (0.2, 10, 0.687, False),
    ],
)
def test_the_verdict_is_a_test_of_the_difference(ours: float, games: int, paper: float, agrees: bool | None) -> None:
    found = compare_shares(share(ours, games), published(paper, 1000))
    assert found.agrees is agrees
    assert (found.chance < 0.05) is (agrees is False)


def test_the_p_value_is_that_of_the_difference() -> None:
    assert compare_shares(share(0.5, 1000), published(0.5, 1000)).chance == 1.0
    by_hand = 0.0253  # z = 0.05 / sqrt(2 * 0.25 / 1000) = 2.236
    assert compare_shares(share(0.55, 1000), published(0.5, 1000)).chance == pytest.approx(by_hand, abs=0.002)


def test_a_cell_without_games_has_no_verdict() -> None:
    found = cell(None, published(0.1, 9))
    assert found.agrees is None and found.as_dict()["difference"] is None


def test_a_table_counts_its_verdicts_and_what_chance_alone_would_do() -> None:
    paper = published(0.5, 1000)
    cells = [cell(share(each, 2000), paper, str(each)) for each in (0.5, 0.51, 0.9)] + [cell(share(0.6, 10), paper)]
    table = PaperTable("Table", ("row", ""), "win rate", cells, "notes")
    assert table.tally == "2 agree, 1 differ, 1 are undecided of 4; chance alone makes 0.2 differ"
    assert [text.get_text() for text in table.draw().legends[0].get_texts()] == ["ours", "the paper"]
    lines = to_markdown(table.view()).splitlines()
    assert lines[2] == "| row |  | ours | paper | difference | p |  |"
    assert lines[6] == "| 0.9 | win | 90.0 (89–91) | 50.0 | +40.0 (+37 to +43) | <0.001 | differs |"


def test_a_published_share_stays_as_it_was_printed() -> None:
    assert published(0.489, 300).value == pytest.approx(0.489)  # of 300 games it would be 48.7 or 49.0
    assert published(0.0, 50).interval.low == 0.0


def test_the_paper_is_quoted_right() -> None:
    assert paper_steps() == {
        "naive": {2: 90_000, 3: 79_000, 4: 80_000},
        "bitwise": {2: 1_450_000, 3: 1_300_000, 4: 1_280_000},
    }
    assert paper_table("table2")["all+sc"] == {"win": 0.594, "lose": 0.234}
    for table in map(paper_table, ("table3", "table4")):
        for row in ("mcts", "rhea", "beam"):
            for column in {"mcts", "rhea", "beam"} - {row}:
                assert table[row][column] + table[column][row] <= 1


def test_the_closest_row_is_the_one_with_all_shares_near() -> None:
    rows = {"a": ((0.5, 0.678), (0.2, 0.224)), "b": ((0.66, 0.678), (0.1, 0.224))}
    cells = [cell(share(ours, 100), published(paper, 500), row) for row, both in rows.items() for ours, paper in both]
    assert closest(cells) == "closest to the paper: b" and closest([]) == "no games"


def test_intervals_are_compared_with_a_bound_and_with_each_other() -> None:
    found = [is_above(interval, 0.5) for interval in (Interval(0.6, 0.7), Interval(0.1, 0.4), Interval(0.4, 0.6), None)]
    assert found == [True, False, None, None]
    low, high = share(0.1, 100), share(0.9, 100)
    assert [is_less(low, high), is_less(high, low), is_less(low, low), is_less(None, low)] == [True, False, None, None]


def test_a_beam_that_sees_less_than_two_fuses_is_warned_of() -> None:
    (warning,) = warn_shallow({"zh": 9.0, "all": 16.0, "mcts": 9.0, "beam:paper": None})
    assert "zh" in warning.plain and "all" not in warning.plain


def test_the_same_plot_is_the_same_file(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.svg", "b.svg")]
    for path in paths:
        save(bars("Table", ["a"], {"ours": [PlottedNumber(0.5, 0.4, 0.6)]}, "win rate"), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsctl.report.plots.find_spec", lambda name: None)
    with pytest.raises(HsctlError, match=r"pip install 'hsctl\[plot\]'"):
        bars("", [], {"a": []}, "")
