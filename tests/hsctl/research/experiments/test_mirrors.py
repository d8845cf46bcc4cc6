"""An agent against itself by nodes: told apart, so that its games aren't all mirrored."""

from pathlib import Path

import pytest

from hsctl.league.ledger import Ledger
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.mirrors import tell_apart
from hsctl.research.experiments.paper import table2, terms
from search.spec import parse_spec
from tests.hsctl.run import run_here

BY_NODES, BY_TIME = Effort(2, None, 1000), Effort(2, 20.0)


@pytest.mark.parametrize("player", [table2.OPPONENT, terms.COMPLETE, "beam", "negamax", "negamax:strategy=nuke"])
def test_who_meets_itself_by_nodes_has_a_tenth_less_of_one_thing(player: str) -> None:
    itself, other = parse_spec(player), parse_spec(tell_apart(player, BY_NODES))
    mine, theirs = itself.params.as_dict(), other.params.as_dict()
    changed = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
    if itself.name == "beam":
        assert changed == {"width": (mine["width"], mine["width"] * 9 // 10)} and other.nodes is None
    else:
        assert changed == {} and other.nodes == 900


def test_the_clock_tells_them_apart_by_itself() -> None:
    assert tell_apart("beam:zh", BY_TIME) == "beam:zh"


def test_nobody_is_left_with_nothing() -> None:
    assert tell_apart("negamax", Effort(2, None, 1)) == "negamax:nodes=1"
    assert tell_apart("beam:width=1", BY_NODES) == "beam:width=1,width=1"


def test_in_table_2_zh_alone_has_another_opponent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    monkeypatch.setattr(table2, "VARIANTS", ("zh", "zh+op"))
    out = run_here(capsys, "paper", "table2", "--games", "2", "--nodes", "60", "--jobs", "1").out
    assert "the other side has a tenth less" in " ".join(out.split())
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        seats = {tuple(sitting.spec for sitting in row.identity.seats) for row in ledger}
    pairs = {frozenset(each) for each in seats}
    assert pairs == {frozenset(("beam:zh", "beam:zh,width=900")), frozenset(("beam:zh+op", "beam:zh"))}
