"""Rule faults planted into the example simulator: each is found under its own name, on a small board."""

from pathlib import Path

import pytest

from hsctl.testing.conform.run import ConformReport, Finding, check_rules, check_stream, shrunk, stream
from hsctl.testing.conform.simulator import Simulator
from tests.hsctl.testing.conform.planted import EXAMPLES, FAULTS, command_of, plant

SECONDS = 60.0  # for an answer, on however busy a machine


def is_small(finding: Finding) -> bool:
    return finding.case.start.entity_count <= 4 and len(finding.case.rounds) <= 2


def test_the_example_follows_all_rules() -> None:
    report = ConformReport({})
    with Simulator(command_of(EXAMPLES), SECONDS) as simulator:
        check_rules(simulator, report, is_whole=True, on_rule=lambda _: None)
        check_stream(simulator, report, stream(0), 300, lambda _: None)
    assert report.is_equal and set(report.verdicts.values()) == {"pass"}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_under_the_name_of_its_rule(fault: str, tmp_path: Path) -> None:
    report = ConformReport({})
    with Simulator(plant(fault, tmp_path), SECONDS) as simulator:
        check_rules(simulator, report, is_whole=False, on_rule=lambda _: None)
        assert report.finding and report.finding.rule
        small = shrunk(simulator, report.finding)
    assert report.finding.rule.name == FAULTS[fault].rule
    assert is_small(small) and small.outcome.differences


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(FAULTS)[::4])
def test_the_stream_alone_finds_and_shrinks_a_fault(fault: str, tmp_path: Path) -> None:
    report = ConformReport({})
    with Simulator(plant(fault, tmp_path), SECONDS) as simulator:
        check_stream(simulator, report, stream(0), 3000, lambda _: None)
        assert report.finding
        small = shrunk(simulator, report.finding)
    assert is_small(small) and small.outcome.differences
    assert len(small.case.start.boxes) <= 2
