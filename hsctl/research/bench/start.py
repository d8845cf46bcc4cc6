"""What it costs to start: a fresh process that loads the engine and calls each of its helpers once.

    python -m hsctl.research.bench.start        prints the CPU seconds that this process took

With an empty compile cache it compiles everything (cold); run again, it loads what was compiled (warm).
"""

import os
import subprocess
import sys
import time
from pathlib import Path


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
    command = [sys.executable, "-P", "-m", "hsctl.research.bench.start"]  # not from the current folder
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return round(float(done.stdout), 2)


if __name__ == "__main__":
    use_engine()
    print(time.process_time())
