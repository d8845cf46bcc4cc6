"""How means are written: an interval never says what can't be."""

from hsctl.league.intervals import mean_interval
from hsctl.report.tables import format_mean


def test_an_interval_is_cut_where_nothing_can_be() -> None:
    boxes, seeds = [1, 0, 30, 2], [1, 2, 3, 4]
    low, _ = mean_interval(boxes, seeds) or (0, 0)
    assert low < 0
    interval = mean_interval(boxes, seeds, 0.0)
    assert interval is not None and interval.low == 0.0
    assert format_mean(boxes, seeds) == f"8.2 (0.0–{interval.high:.1f})"
    assert format_mean([1, 1, 2, 1], seeds, 2, least=1.0).startswith("1.25 (1.00–")
    assert format_mean([1, 2, 2], [1, 2, 2], 2, least=1.0, most=2.0) == "1.67 (1.00–2.00)"
    assert format_mean([40, 200, 198], [1, 2, 3], most=200.0) == "146.0 (0.0–200.0)"


def test_others_are_told_as_before() -> None:
    assert format_mean([30, 31, 32, 31], [1, 2, 3, 4]) == "31.0 ± 1.3"
    assert format_mean([0, 0], [1, 2]) == "0.0 ± 0.0"
    assert format_mean([5], [1]) == "5.0" and format_mean([], []) == ""
