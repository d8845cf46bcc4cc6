"""How often a stage looks at the clock: as seldom as it can, as often as it must, whatever a node takes."""

import pytest

from search.agent import Budget
from search.clock import LEAST_SLICE, SLICE, SLICE_NS, SLICE_SHARE, Timer


class Worker:
    """Does what the stage allows, `node_ns` a node, as the clock sees it; remembers its slices."""

    def __init__(self, node_ns: int) -> None:
        self.node_ns = node_ns
        self.now = 0
        self.nodes = 0
        self.slices: list[int] = []  # nodes

    def work(self, ms: float) -> None:
        stage = Timer(Budget(ms=ms), lambda: self.now).stage("own", 1.0, 0)
        while (limit := stage.next_limit(self.nodes)) is not None:
            self.slices.append(limit - self.nodes)
            self.now += self.slices[-1] * self.node_ns
            self.nodes = limit


@pytest.mark.parametrize("node_ns", [20, 70, 150, 900, 5000])
def test_the_end_is_overstepped_by_the_least_slice_at_most(node_ns):
    worker = Worker(node_ns)
    worker.work(100.0)
    assert 0 <= worker.now - 100_000_000 < LEAST_SLICE * node_ns


@pytest.mark.parametrize("node_ns", [70, 150, 900])
def test_slices_grow_with_the_speed_of_the_nodes_and_shrink_towards_the_end(node_ns):
    worker = Worker(node_ns)
    worker.work(100.0)
    first, second, *_, last = worker.slices
    assert first == last == LEAST_SLICE
    assert second == min(SLICE, SLICE_NS // node_ns)
    assert len(worker.slices) < 110


def test_no_slice_takes_more_than_its_share_of_what_is_left():
    worker = Worker(150)
    worker.work(20.0)
    left = 20_000_000
    for nodes in worker.slices:
        assert nodes == LEAST_SLICE or nodes * 150 <= left / SLICE_SHARE
        left -= nodes * 150


def test_a_machine_that_becomes_slow_is_asked_more_often():
    worker = Worker(100)
    stage = Timer(Budget(ms=100.0), lambda: worker.now).stage("own", 1.0, 0)
    assert stage.next_limit(0) == LEAST_SLICE
    worker.now += 100 * LEAST_SLICE
    assert stage.next_limit(LEAST_SLICE) == LEAST_SLICE + SLICE_NS // 100
    worker.now += 30_000_000
    assert stage.next_limit(2 * LEAST_SLICE) == 2 * LEAST_SLICE + LEAST_SLICE
