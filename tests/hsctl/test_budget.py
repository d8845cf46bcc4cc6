"""How much of its time an agent uses."""

import pytest

from hsctl.budget import UNLIMITED_MS, thinking_ms


@pytest.mark.parametrize(
    ("limit", "thinking"), [(5.0, 4.5), (10.0, 9.0), (20.0, 18.0), (30.0, 28.0), (100.0, 95.0), (1000.0, 950.0)]
)
def test_a_twentieth_is_kept_in_reserve_and_two_milliseconds_where_that_is_less(limit: float, thinking: float) -> None:
    assert thinking_ms(limit) == pytest.approx(thinking)


def test_without_a_limit_there_is_a_usual_time() -> None:
    assert thinking_ms(None) == UNLIMITED_MS
