"""The agent hybrid: its clock, its parameters, the states it is met in."""

from collections import Counter
from itertools import count, pairwise

from engine.rules import ACTIONS
from search import make_agent
from search.agent import Budget
from search.clock import LEAST_SLICE, SLICE
from search.hybrid.machine import STATES
from search.hybrid.params import HybridParams
from tests.search.hybrid.hybrids import DUEL, FAR, NODES, hybrid
from tests.search.positions import decide, drawn, random_positions


def test_the_search_looks_at_the_clock_often_enough():
    made = make_agent("hybrid")
    seen: list[int] = []
    ticks = count(0, 1_000_000)

    def clock() -> int:
        seen.append(int(made.search.nodes))
        return next(ticks)

    made.clock = clock
    decision = decide(made, drawn(DUEL), Budget(ms=6))
    assert decision.nodes == seen[-1] > LEAST_SLICE
    assert all(later - before <= SLICE + ACTIONS - 1 for before, later in pairwise(seen[1:]))
    assert decide(hybrid(), drawn(DUEL), decision.budget()) == decision


def test_rules_need_no_nodes():
    assert decide(hybrid(), drawn(f"..0\n0 0 0 0 1 3\n{FAR}"), Budget(nodes=NODES)).nodes == 0


def test_every_state_is_met_in_random_positions():
    states: Counter[str] = Counter()
    for position in random_positions(60, seed=4):
        decide(hybrid("hybrid:heuristic"), position, Budget(nodes=1))
        states[STATES[hybrid("hybrid:heuristic").machine.state]] += 1
    assert set(states) == set(STATES)


def test_the_papers_numbers():
    params = HybridParams()
    assert (params.search, params.select, params.c, params.least, params.most) == ("fmcs", "exploit", 25.0, 1, 3)
    assert (params.around, params.attack, params.close, params.danger, params.danger_each) == (5, 6, 4, 5.0, 2.0)
