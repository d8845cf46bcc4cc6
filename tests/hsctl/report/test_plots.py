"""Plots: what is drawn is what was measured."""

import pytest

from hsctl.report.plots import PlottedNumber, bars, lines

MANY = [PlottedNumber(0.5, 0.4, 0.7), PlottedNumber(None), PlottedNumber(0.9, None, 1.0)]


def test_bars_are_as_long_as_the_numbers_with_their_intervals() -> None:
    (axes,) = bars("title", ["a", "b", "c"], {"ours": MANY}, "win rate").axes
    assert [bar.get_width() for bar in axes.patches] == [0.5, 0.0, 0.9]  # type: ignore[attr-defined]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert axes.get_title(loc="left") == "title" and axes.get_xlabel() == "win rate"


def test_an_interval_never_reaches_backwards() -> None:
    assert PlottedNumber(0.5, 0.4, 0.7).arms == pytest.approx((0.1, 0.2))
    assert PlottedNumber(0.5, 0.6, 0.7).arms == pytest.approx((0.0, 0.2))
    assert PlottedNumber(0.9, None, 1.0).arms == pytest.approx((0.0, 0.1))
    assert PlottedNumber(None, 0.0, 1.0).arms == (0.0, 0.0)


def test_a_line_leaves_out_what_is_unknown() -> None:
    points = list(zip([2.0, 5.0, 10.0], MANY, strict=True))
    (axes,) = lines("title", "ms", "score", {"beam": points}, is_log=True).axes
    assert list(axes.lines[0].get_xdata()) == [2.0, 10.0]  # type: ignore[arg-type]
    assert list(axes.lines[0].get_ydata()) == [0.5, 0.9]  # type: ignore[arg-type]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "5", "10"]
