"""How much of its time an agent uses, and by which clock."""

import pickle

import msgspec
import pytest

from engine.errors import MOST_NODES, HsctlError
from hsctl import budget
from hsctl.budget import CLOCK_OF_A_SERIES, UNLIMITED_MS, choose_clock, clock_of, thinking_ms, vary
from hsctl.match.players import read_player
from hsctl.match.user_agents.spec import Target, UserSpec
from replays.replay import CPU, WALL, Limits
from search.agent import Budget
from search.params import Params
from search.spec import Spec

ARENA = Limits(1000.0, 100.0, 5000.0)
NODES = Limits(nodes=1000)
OWN = UserSpec("mine.py:Mine", "mine", Params(), target=Target("mine.py", "Mine"))


@pytest.mark.parametrize(
    ("limit", "thinking"), [(5.0, 4.5), (10.0, 9.0), (20.0, 18.0), (30.0, 28.0), (100.0, 95.0), (1000.0, 950.0)]
)
def test_a_twentieth_is_kept_in_reserve_and_two_milliseconds_where_that_is_less(limit: float, thinking: float) -> None:
    assert thinking_ms(limit) == pytest.approx(thinking)


def test_without_a_limit_there_is_a_usual_time() -> None:
    assert thinking_ms(None) == UNLIMITED_MS


def specs(*texts: str) -> list[Spec | None]:
    return [None if text == "./bot" else read_player(text).spec for text in texts]


@pytest.mark.parametrize(
    ("players", "limits", "clock"),
    [
        (("beam", "mcts"), ARENA, WALL),
        (("beam", "./bot"), ARENA, WALL),
        (("beam", "mcts"), NODES, None),
        (("beam", "mcts:time=5"), NODES, WALL),
        (("beam:nodes=5", "mcts:nodes=9"), ARENA, None),
        (("beam:nodes=5", "mcts"), ARENA, WALL),
        (("beam", "./bot"), Limits(1000.0, 100.0, 5000.0, 1000), WALL),
    ],
)
def test_players_have_a_clock_unless_nodes_limit_all_of_them(
    players: tuple[str, ...], limits: Limits, clock: str | None
) -> None:
    assert clock_of(specs(*players), limits) == clock


def test_the_cpu_clock_is_the_usual_one_of_a_series_of_built_in_agents_alone() -> None:
    both = specs("beam", "mcts")
    assert choose_clock(both, ARENA, is_series=True).clock == CLOCK_OF_A_SERIES
    assert choose_clock(both, ARENA, is_series=False).clock == WALL
    assert choose_clock(specs("beam", "./bot"), ARENA, is_series=True).clock == WALL
    assert choose_clock([*both, OWN], ARENA, is_series=True).clock == WALL
    assert choose_clock(both, NODES, is_series=True) == NODES
    assert ARENA.clock == WALL  # what was given is not changed


@pytest.mark.skipif(not budget.HAS_CPU_CLOCK, reason="the CPU clock of this system is too coarse")
def test_either_clock_can_be_wanted() -> None:
    both = specs("beam", "mcts")
    assert choose_clock(both, ARENA, True, WALL).clock == WALL
    assert choose_clock(both, ARENA, False, CPU).clock == CPU
    assert choose_clock(specs("beam", "./bot"), ARENA, True, CPU).clock == CPU  # of beam


@pytest.mark.parametrize(
    ("players", "limits", "wanted"),
    [
        (("beam", "mcts"), ARENA, "sun"),
        (("beam", "mcts"), NODES, "wall"),
        (("beam", "mcts"), NODES, "cpu"),
        (("./bot", "./bot"), ARENA, "cpu"),
    ],
)
def test_a_clock_that_would_change_nothing_is_refused(players: tuple[str, ...], limits: Limits, wanted: str) -> None:
    with pytest.raises(HsctlError, match="--clock"):
        choose_clock(specs(*players), limits, True, wanted)


def test_a_coarse_cpu_clock_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "HAS_CPU_CLOCK", False)
    with pytest.raises(HsctlError, match="--clock cpu"):
        choose_clock(specs("beam", "mcts"), ARENA, True, CPU)


def test_the_wall_clock_leaves_no_trace_in_a_record() -> None:
    """So older files mean it, and games of older ledgers are still found."""
    for limits in (
        ARENA,
        pickle.loads(pickle.dumps(ARENA)),
        msgspec.json.decode(msgspec.json.encode(ARENA), type=Limits),
    ):
        assert "clock" not in msgspec.to_builtins(limits) and limits.clock == WALL
    assert msgspec.to_builtins(Limits(clock="cpu")) == {"clock": "cpu"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"clock": "sun"}', type=Limits)


def test_nodes_vary_with_seed_seat_and_turn_by_no_more_than_the_spread_and_around_the_same_mean() -> None:
    drawn = [
        vary(Budget(nodes=10_000), 0.5, seed, seat, turn).nodes or 0
        for seed in range(10)
        for seat in range(4)
        for turn in range(100)
    ]
    assert 5_000 <= min(drawn) < 5_020 and 14_980 < max(drawn) <= 15_000
    assert sum(drawn) / len(drawn) == pytest.approx(10_000, rel=0.01)
    assert len({tuple(drawn[at : at + 100]) for at in range(0, len(drawn), 100)}) == 40  # no seat, no seed like another
    assert drawn[:2] == [vary(Budget(nodes=10_000), 0.5, 0, 0, turn).nodes for turn in (0, 1)]


def test_what_does_not_vary_stays_as_it_is() -> None:
    assert vary(Budget(nodes=100), 0.0, 1, 2, 3) == Budget(nodes=100)
    assert vary(Budget(ms=5.0), 0.5, 1, 2, 3) == Budget(ms=5.0)
    assert {vary(Budget(nodes=1), 1.0, seed, 0, 0).nodes for seed in range(50)} == {1, 2}
    assert max(vary(Budget(nodes=MOST_NODES), 0.5, seed, 0, 0).nodes or 0 for seed in range(50)) == MOST_NODES
