"""What compiling costs, measured in a process of its own."""

import pytest
from rich.console import Console

from engine.compile.cache import JIT_DISABLED
from hsctl.research.bench.startup import SHOWN, Compiled, compiling_view, measure_compiling

ROWS = [Compiled("the game", "engine.rules.step", 1, 0.5), Compiled("mcts", "search.mcts.tree.advance", 2, 1.25)]


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_every_kernel_is_measured_though_this_process_has_it_compiled():
    rows = measure_compiling(["random"])
    assert "search.basic.agent.random_action" in {row.kernel for row in rows}
    assert all(row.part == "random" and row.compilations >= 1 and row.seconds > 0 for row in rows)


def test_the_view_adds_up_parts_and_names_the_dearest_kernels():
    many = [*ROWS, *(Compiled("mcts", f"kernel_{number}", 1, 0.001) for number in range(SHOWN))]
    console = Console(width=100)
    with console.capture() as captured:
        console.print(compiling_view(many))
    lines = [line.split() for line in captured.get().splitlines()]
    cells = [[word for word in line if word != "│"] for line in lines]
    assert ["the", "game", "1", "1", "0.5"] in cells
    assert ["mcts", "21", "22", "1.3"] in cells
    assert ["all", "22", "23", "1.8"] in cells
    dearest = [line for line in cells if len(line) >= 4 and line[-1].count(".") == 1 and len(line[-1]) == 4]
    assert dearest[0] == ["search.mcts.tree.advance", "mcts", "2", "1.25"]
    assert len(dearest) == SHOWN
