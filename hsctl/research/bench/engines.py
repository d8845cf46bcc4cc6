"""Both engines on this machine: steps in 500 ms of random games, as in Table 1 of the paper.

The paper counts the actions of a random agent "during 500ms starting from example midgame situation with 2, 3, and 4
players, resetting every 15 actions or death". Here the others stand still (`one`) or are random too (`all`). Both
engines are compiled by the same compiler and play the same games.
"""

from collections import defaultdict
from collections.abc import Sequence

from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import new_states
from hsctl.research.bench.kernels import play_bitwise, play_naive
from hsctl.research.bench.measure import Task, mean
from hsctl.research.bench.positions import Measured

NAIVE, BITWISE = "naive", "bitwise"
ONE, ALL = "one", "all"
NS_PER_ENTRY = 500_000_000  # the paper counts what is done in 500 ms

Key = tuple[str, int, str]  # engine, players, who acts
Steps = dict[str, dict[int, dict[str, int]]]  # [engine][players][who acts]


def engine_tasks(positions: Sequence[Measured]) -> list[tuple[Key, Task]]:
    """What to measure: both engines and both settings for each position."""
    tasks = []
    for position in positions:
        for who in (ONE, ALL):
            tasks.append(((BITWISE, position.players, who), bitwise_task(position, who == ALL)))
            tasks.append(((NAIVE, position.players, who), naive_task(position, who == ALL)))
    return tasks


def bitwise_task(position: Measured, everybody: bool) -> Task:
    states = new_states(2)
    states[0] = position.state
    return Task(lambda count: play_bitwise(states, position.map, everybody, count))


def naive_task(position: Measured, everybody: bool) -> Task:
    naives = new_naives(2)
    naives[0] = from_state(position.state, position.map)
    return Task(lambda count: play_naive(naives, everybody, count))


def make_steps(measured: Sequence[tuple[Key, Task]]) -> Steps:
    """Steps in 500 ms; several positions with the same number of players give their mean."""
    measurements = defaultdict(list)
    for key, task in measured:
        measurements[key].append(NS_PER_ENTRY / task.best_ns)
    steps: Steps = {NAIVE: defaultdict(dict), BITWISE: defaultdict(dict)}
    for (engine, players, who), counts in sorted(measurements.items(), key=lambda entry: entry[0][1]):
        steps[engine][players][who] = round(mean(counts))
    return steps


def ratio_of(steps: Steps, players: int, who: str) -> float:
    """How many times faster the bitwise engine is."""
    return steps[BITWISE][players][who] / steps[NAIVE][players][who]
