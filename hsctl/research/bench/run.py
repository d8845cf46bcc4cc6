"""The whole measurement: all tasks together, taking turns, then the starts."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from hsctl.research.bench.batches import batch_tasks, make_batches
from hsctl.research.bench.costs import cost_tasks, growth_tasks, make_growth, mean_costs
from hsctl.research.bench.engines import engine_tasks, make_steps
from hsctl.research.bench.measure import measure
from hsctl.research.bench.positions import Measured
from hsctl.research.bench.report import PaperSteps, Report
from hsctl.research.bench.start import start_seconds

ROUNDS = 120  # slices of every task
QUICK_ROUNDS = 30

Progress = Callable[[float], None]  # told which share more is done


def measure_all(positions: Sequence[Measured], paper: PaperSteps, rounds: int, on_progress: Progress) -> Report:
    """Steps of both engines beside the paper's, costs, growth and batches."""
    steps, costs = engine_tasks(positions), cost_tasks(positions)
    growth, batches = growth_tasks(), batch_tasks(positions)
    measure([task for _, task in [*steps, *costs, *growth, *batches]], rounds, lambda: on_progress(1 / rounds))
    return Report(make_steps(steps), mean_costs(costs), make_growth(growth), make_batches(batches), paper)


def measure_start(is_quick: bool) -> dict[str, float]:
    """CPU seconds to start with an empty compile cache (unless quick) and with a filled one."""
    if is_quick:
        start_seconds()  # fills the usual cache if necessary
        return {"warm": start_seconds()}
    with tempfile.TemporaryDirectory(prefix="hsctl-cold-") as folder:
        return {"cold": start_seconds(Path(folder)), "warm": start_seconds(Path(folder))}
