"""The cost of a fresh process: loading or compiling the engine, and compiling each kernel.

python -m hsctl.research.bench.startup              uses the engine once and prints the CPU seconds this took
python -m hsctl.research.bench.startup PART ...     compiles parts and prints the seconds of each kernel, as JSON
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table

from hsctl.report.tables import new_table

# Start: a process loads the engine and calls each of its helpers once. With an empty compile cache it compiles
# everything (cold); run again, it loads the compiled code (warm).


def use_engine() -> None:
    """Play a round and call each helper once."""
    from engine.notation import parse_position
    from engine.rules import play_round
    from engine.state import new_states
    from engine.survival import KILL_SCRATCH, can_kill, is_survivable, new_forecast, survivable_cells
    from hsctl.behaviour import MIDGAME_2

    game = parse_position(MIDGAME_2)
    play_round(game.state, game.map, 0)
    is_survivable(game.state, game.map, 0)
    survivable_cells(game.state, game.map, new_forecast())
    can_kill(game.state, game.map, 0, 1, new_states(KILL_SCRATCH))


def start_seconds(cache: Path | None = None) -> float:
    """CPU seconds of a fresh process that uses the engine, with the given compile cache or the usual one."""
    from engine.compile.sources import ROOT

    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))  # an empty entry is that folder
    environment = {**os.environ, "PYTHONPATH": path}
    if cache is not None:
        environment["HSCTL_CACHE"] = str(cache)
    command = [sys.executable, "-P", "-m", "hsctl.research.bench.startup"]  # not from the current folder
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return round(float(done.stdout), 2)


# Compiling: the CPU seconds of every kernel, in a fresh process with an empty cache. The seconds of a kernel exclude
# those of the kernels that it calls.


SHOWN = 20  # kernels, the dearest first


class Compiled(NamedTuple):
    """A kernel as some part of the software needs it."""

    part: str
    kernel: str
    compilations: int
    seconds: float


def measure_compiling(parts: Iterable[str]) -> list[Compiled]:
    """Compile these parts, one after the other, in a process with an empty cache."""
    from engine.compile.sources import ROOT

    with tempfile.TemporaryDirectory(prefix="hsctl-cold-") as folder:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "HSCTL_CACHE": folder, "PYTHONPATH": path}
        command = [sys.executable, "-P", "-m", "hsctl.research.bench.startup", *parts]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [Compiled(*row) for row in json.loads(done.stdout)]


def compile_here(parts: Iterable[str]) -> list[Compiled]:
    """Use these parts once, with a listener to numba's compiler."""
    from engine.compile.numba_parts import Event, Listener, install_listener
    from search.warm import compile_part

    class Watch(Listener):
        """Adds up the seconds of each kernel."""

        def __init__(self) -> None:
            self.begun: list[list[float]] = []  # since when, and how much of that went to others
            self.found: dict[str, list[float]] = {}  # compilations, seconds

        def on_start(self, event: Event) -> None:
            self.begun.append([time.process_time(), 0.0])

        def on_end(self, event: Event) -> None:
            since, others = self.begun.pop()
            seconds = time.process_time() - since
            if self.begun:
                self.begun[-1][1] += seconds
            function = event.data["dispatcher"].py_func
            entry = self.found.setdefault(f"{function.__module__}.{function.__qualname__}", [0, 0.0])
            entry[0] += 1
            entry[1] += seconds - others

    rows: list[Compiled] = []
    for part in parts:
        watch = Watch()
        with install_listener("numba:compile", watch):
            compile_part(part)
        rows += [Compiled(part, name, int(count), seconds) for name, (count, seconds) in watch.found.items()]
    return rows


def compiling_view(rows: list[Compiled]) -> RenderableType:
    """A line for each part, then the dearest kernels."""
    parts = table_of("With an empty cache, in this order", "part", "kernels")
    for part in dict.fromkeys(row.part for row in rows):
        own = [row for row in rows if row.part == part]
        parts.add_row(part, str(len(own)), *totals(own))
    parts.add_row("all", str(len(rows)), *totals(rows))
    kernels = table_of(f"The {SHOWN} dearest kernels", "kernel", "part")
    for row in sorted(rows, key=lambda row: row.seconds, reverse=True)[:SHOWN]:
        kernels.add_row(row.kernel, row.part, str(row.compilations), f"{row.seconds:.2f}")
    return Group(parts, "", kernels)


def table_of(title: str, *columns: str) -> Table:
    table = new_table(title)
    table.add_column(columns[0])
    for column in (*columns[1:], "compilations", "CPU s"):
        table.add_column(column, justify="right")
    return table


def totals(rows: list[Compiled]) -> tuple[str, str]:
    return str(sum(row.compilations for row in rows)), f"{sum(row.seconds for row in rows):.1f}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(compile_here(sys.argv[1:])))
    else:
        use_engine()
        print(time.process_time())
