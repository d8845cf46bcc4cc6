"""Shares beside the paper's."""

from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.league.intervals import Interval, Share
from hsctl.report.plots import PlottedNumber, bars, save
from hsctl.report.tables import to_markdown
from hsctl.research.experiments.tables import (
    ComparedCell,
    PaperTable,
    format_agreement,
    is_above,
    published,
    warn_shallow,
)


def share(value: float, low: float, high: float) -> Share:
    return Share(100 * value, 100, Interval(low, high))


def test_shares_agree_where_intervals_overlap() -> None:
    paper = published(0.5, 400)  # 45.1 to 54.9 %
    assert ComparedCell("a", "b", share(0.6, 0.54, 0.66), paper).agrees is True
    assert ComparedCell("a", "b", share(0.6, 0.56, 0.64), paper).agrees is False
    assert ComparedCell("a", "b", share(0.4, 0.36, 0.44), paper).agrees is False
    assert ComparedCell("a", "b", None, paper).agrees is None


def test_a_published_share_stays_as_it_was_printed() -> None:
    assert published(0.489, 300).value == pytest.approx(0.489)  # of 300 games it would be 48.7 or 49.0
    assert published(0.0, 50).interval.low == 0.0


def test_a_table_is_drawn_with_both() -> None:
    cells = [
        ComparedCell("a", "b", share(0.6, 0.5, 0.7), published(0.5, 400)),
        ComparedCell("b", "a", None, published(0.1, 9)),
    ]
    table = PaperTable("Table", ("row", "over"), "win rate", cells, "")
    figure = table.draw()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ours", "the paper"]
    assert table.as_dict()["cells"][1]["ours"] is None


def test_the_same_plot_is_the_same_file(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.svg", "b.svg")]
    for path in paths:
        save(bars("Table", ["a"], {"ours": [PlottedNumber(0.5, 0.4, 0.6)]}, "win rate"), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsctl.report.plots.find_spec", lambda name: None)
    with pytest.raises(HsctlError, match=r"pip install 'hsctl\[plot\]'"):
        bars("", [], {"a": []}, "")


def test_too_few_games_agree_with_nothing() -> None:
    paper = published(0.5, 1000)
    wide, narrow = Share(5, 10, Interval(0.24, 0.76)), Share(500, 1000, Interval(0.47, 0.53))
    assert (ComparedCell("a", "b", wide, paper).agrees, ComparedCell("a", "b", narrow, paper).agrees) == (None, True)
    far = Share(0, 10, Interval(0.0, 0.3))
    assert ComparedCell("a", "b", far, paper).agrees is False  # however wide
    assert format_agreement(None).plain == "too few games"


def test_an_interval_is_above_a_bound_below_it_or_neither() -> None:
    found = [is_above(interval, 0.5) for interval in (Interval(0.6, 0.7), Interval(0.1, 0.4), Interval(0.4, 0.6), None)]
    assert found == [True, False, None, None]


def test_agreement_is_told_in_words() -> None:
    assert [format_agreement(agrees).plain for agrees in (True, False)] == ["agrees", "differs"]


def test_a_beam_that_sees_less_than_two_fuses_is_warned_of() -> None:
    cells = [ComparedCell(row, "win", None, published(0.5, 9), depth) for row, depth in (("zh", 9.0), ("all", 16.0))]
    (warning,) = warn_shallow({cell.row: cell.depth for cell in cells})
    assert warning.plain == "warning: zh searched less than 16 turns deep: too few nodes"
    assert warn_shallow({"mcts": 9.0, "beam:paper": None}) == []


def test_a_table_becomes_markdown() -> None:
    cells = [ComparedCell("a|b", "win", share(0.6, 0.5, 0.7), published(0.5, 400), 17.25)]
    lines = to_markdown(PaperTable("Table", ("row", ""), "win rate", cells, "notes").view()).splitlines()
    assert lines[:4] == [
        "**Table**",
        "",
        "| row |  | depth | ours (95 %) | the paper (95 %) |  |",
        "| --- | --- | ---: | ---: | ---: | --- |",
    ]
    assert lines[4:] == ["| a\\|b | win | 17.2 | 60.0 % (50.0–70.0) | 50.0 % (45.1–54.9) | agrees |", "", "notes"]
