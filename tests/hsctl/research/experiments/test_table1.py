"""Table 1: how many times faster bits are than a grid, with an interval, beside the paper."""

from io import StringIO
from types import SimpleNamespace
from typing import cast

import pytest
from rich.console import Console

from hsctl.report.tables import to_markdown
from hsctl.research.bench.speed import BITWISE, NAIVE, ONE, Steps
from hsctl.research.experiments.frame import ExperimentStage
from hsctl.research.experiments.paper import table1
from hsctl.research.experiments.paper.table1 import RATIO, Speeds, paper_speedup


def speeds(*ratios: float) -> Speeds:
    """Measured as often as there are ratios: two players, a naive engine of 100,000 steps."""
    times = [{NAIVE: {2: {ONE: 100_000}}, BITWISE: {2: {ONE: round(100_000 * ratio)}}} for ratio in ratios]
    return Speeds(cast(list[Steps], times))


def test_the_paper_s_ratio_is_as_certain_as_its_rounding() -> None:
    found = paper_speedup(2)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (1_445_000 / 90_500, 1_455_000 / 89_500)
    assert str(found) == "16.1 (16.0–16.3)"


@pytest.mark.parametrize(
    ("ratios", "agrees"),
    [
        ((16.0, 16.2, 16.1, 15.9), True),
        ((8.0, 9.0, 8.5, 8.4), False),
        ((10.0, 22.0, 13.0, 19.0), None),  # overlaps, but says nothing
        ((16.1,), None),  # measured once
    ],
)
def test_a_ratio_agrees_where_the_intervals_overlap(ratios: tuple[float, ...], agrees: bool | None) -> None:
    assert speeds(*ratios).agrees(2) is agrees
    assert speeds(*ratios).as_dict()[RATIO][2]["agrees"] is agrees


def test_the_interval_is_student_s_over_the_times_measured() -> None:
    found = speeds(8.0, 9.0, 10.0).speedup(2)
    assert found.ratio == 9.0 and found.interval is not None
    assert found.interval.high - found.ratio == pytest.approx(4.302653 / 3**0.5)


def test_speeds_have_no_verdict_and_ratios_have_one() -> None:
    lines = to_markdown(speeds(8.0, 9.0, 8.5, 8.4).view()).splitlines()
    rows = [line for line in lines if line.startswith(("| naive", "| bitwise"))]
    assert [row.split("|")[-2].strip() for row in rows] == ["", "", "differs"]
    assert "| 900 k |" in lines[5]  # the best of all times
    assert "machines differ" in lines[-1]


def test_every_row_fits_into_a_line_of_80_columns() -> None:
    console = Console(width=80, file=StringIO())
    console.print(speeds(9.0, 12.9, 10.2, 11.7).view())
    out = cast(StringIO, console.file).getvalue()
    assert [line.split()[-1] for line in out.splitlines() if line.startswith(RATIO)] == ["differs"]
    assert "(16.0–16.3)" in next(line for line in out.splitlines() if line.startswith(RATIO))


def test_it_is_measured_several_times_over(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def measure(tasks: list, count: int, on_round: object) -> None:
        rounds.append((len(tasks), count))
        for task in tasks:
            task.best_ns = 100.0

    monkeypatch.setattr(table1, "measure", measure)
    found = table1.run(cast(ExperimentStage, SimpleNamespace(console=Console(file=StringIO()))))
    assert isinstance(found, Speeds) and len(found.times) == len(rounds) == table1.TIMES
    assert set(rounds) == {(2 * len(found.players), table1.ROUNDS)}
    assert found.speedup(2).ratio == 1.0
