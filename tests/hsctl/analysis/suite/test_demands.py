"""The grammar of demands: what is read is written again, what is wrong gets one line."""

import pytest

from engine.errors import HsctlError
from engine.notation import Order
from hsctl.analysis.suite.demands import Avoid, Demand, Play, Survive, Within, parse_demand

BOMB_3_4, MOVE_0_1 = Order(True, 3, 4, ""), Order(False, 0, 1, "")


@pytest.mark.parametrize(
    ("text", "demand"),
    [
        ("must survive", Survive()),
        ("must survive 9", Survive(9)),
        ("must not BOMB 3 4", Avoid(BOMB_3_4)),
        ("must play one of MOVE 0 1", Play((MOVE_0_1,))),
        ("must play one of BOMB 3 4, MOVE 0 1", Play((BOMB_3_4, MOVE_0_1))),
        ("within 80 ms", Within(80.0)),
        ("within 0.5 ms", Within(0.5)),
    ],
)
def test_a_demand_is_read_and_written(text: str, demand: Demand) -> None:
    assert parse_demand(text) == demand and str(demand) == text
    assert parse_demand(f"  {text.replace(' ', '  ')} ") == demand


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("survive", "expected `must survive`, `must survive N`"),
        ("must survive long", "expected `must survive`"),
        ("must survive 0", "expected a number above 0, at most 200"),
        ("must survive 201", "expected a number above 0, at most 200"),
        ("must not JUMP 3 4", "expected `MOVE x y` or `BOMB x y`"),
        ("must not BOMB 3 4 or else", "expected an order without a message, found 'or else'"),
        ("must play one of MOVE 0 1,", "expected `MOVE x y` or `BOMB x y`, found ''"),
        ("within 0 ms", "expected a number above 0"),
        ("within 9999999999 ms", "at most 8.64e+07"),
        ("within 80", "or `within N ms`"),
    ],
)
def test_what_is_none_gets_one_line(text: str, message: str) -> None:
    with pytest.raises(HsctlError, match=r"^demand ") as error:
        parse_demand(text)
    assert message in str(error.value)
