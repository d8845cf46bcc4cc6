"""What is measured of batches: legal rounds from the positions, again and again the same."""

import numpy as np
import pytest

from engine.batch import Batch
from engine.state import MAX_PLAYERS
from hsctl.research.bench import speed
from hsctl.research.bench.kernels import ACTIONS_A_GAME
from hsctl.research.bench.measure import Task, midgames
from hsctl.research.bench.speed import batch_task, draw_rounds, make_batches, thread_counts


def new_batch(games: int) -> Batch:
    positions = midgames()
    states = np.array([positions[k % len(positions)].state for k in range(games)])
    return Batch(states, np.array([positions[k % len(positions)].map for k in range(games)]))


def test_rounds_are_drawn_of_legal_actions() -> None:
    drawn, played = draw_rounds(new_batch(30)), new_batch(30)
    assert drawn.shape == (ACTIONS_A_GAME, 30)
    for joints in drawn:
        legal = played.legal()
        for game, joint in enumerate(joints):
            for player in range(MAX_PLAYERS):
                if legal[game, player]:
                    assert legal[game, player] >> (int(joint) >> 4 * player & 15) & 1
        played.step(joints)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_slice_ends_where_its_last_game_stands(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Batch] = []

    class Kept(Batch):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(speed, "Batch", Kept)
    task = batch_task(midgames(), 9, threads)
    measured = made[0]
    task.run(ACTIONS_A_GAME + 4)
    assert {int(state.turn) for state in measured.states} == {4}
    ends = measured.states.copy()
    task.run(4)
    assert all(measured.states[game] == ends[game] for game in range(9))


def test_steps_are_told_by_threads_and_games() -> None:
    tasks = [((16, 1), Task(lambda count: None, best_ns=1600.0)), ((1, 2), Task(lambda count: None, best_ns=500.0))]
    assert make_batches(tasks) == {1: {16: 10_000_000}, 2: {1: 2_000_000}}


@pytest.mark.parametrize(("cores", "counts"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_threads_double_up_to_the_cores_at_hand(cores: int, counts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert thread_counts() == counts
