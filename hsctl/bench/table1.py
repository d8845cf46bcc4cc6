"""Table 1 of the paper on this machine: steps per 500 ms on the naive and on the bitwise engine.

The paper's figures are the actions of a random agent "during 500ms starting from example midgame situation with
2, 3, and 4 players, resetting every 15 actions or death". Here the others stand still (`one`) or are random too
(`all`). Both engines are compiled by the same compiler and play the same games.
"""

from collections import defaultdict
from collections.abc import Sequence

from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import new_states
from hsctl.bench.kernels import play_bitwise, play_naive
from hsctl.bench.measure import Task, mean
from hsctl.bench.positions import Measured
from hsctl.experiments.paper.published import paper_table

NAIVE, BITWISE = "naive", "bitwise"
ONE, ALL = "one", "all"
NS_PER_ENTRY = 500_000_000  # the paper counts what is done in 500 ms
PAPER = {
    engine: {int(players): steps for players, steps in row.items()} for engine, row in paper_table("table1").items()
}

Key = tuple[str, int, str]  # engine, players, who acts
Table = dict[str, dict[int, dict[str, int]]]  # [engine][players][who acts]


def table_tasks(positions: Sequence[Measured]) -> list[tuple[Key, Task]]:
    """What to measure, both engines and both settings for each position."""
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


def make_table(measured: Sequence[tuple[Key, Task]]) -> Table:
    """Steps per 500 ms; several positions with equally many players give their mean."""
    steps = defaultdict(list)
    for key, task in measured:
        steps[key].append(NS_PER_ENTRY / task.best_ns)
    table: Table = {NAIVE: defaultdict(dict), BITWISE: defaultdict(dict)}
    for (engine, players, who), counts in sorted(steps.items(), key=lambda entry: entry[0][1]):
        table[engine][players][who] = round(mean(counts))
    return table
