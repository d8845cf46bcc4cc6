"""A league killed again and again ends with the same games and replays as one that was left alone.

    python -m tests.hsctl.league.kill_and_resume 50      # cycles

Each cycle starts the same command and kills -9 its main process at some moment: while it starts, between games, while
games are filed. After each, nothing that the ledger had is lost and no process is left.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

from hsctl.league.ledger import Ledger, Row
from tests.hsctl.run import PLENTY, processes_with, start_marked, wait_for

PLAYERS = ("simple", "random", "still")
GAMES_A_CYCLE = 6
LONGEST_AFTER_S = 0.3  # a kill comes so long after the first new game, at most
SLOWEST_GAME_S = 2.0  # however busy the machine
EARLY = 4  # every so many cycles it comes before the first game


class Trial:
    """One league in a folder of its own."""

    def __init__(self, folder: Path, games: int) -> None:
        self.ledger, self.replays, self.mark = folder / "ledger", folder / "replays", f"mark of {folder}"
        options = ["--players", "mixed", "--games", games, "--nodes", 5, "--jobs", 2, "--json"]
        files = ["--ledger", self.ledger, "--out", self.replays]
        self.longest_s = PLENTY + SLOWEST_GAME_S * games
        self.words = ["league", *PLAYERS, *map(str, [*options, *files])]

    def finish(self) -> None:
        main = start_marked(self.mark, *self.words)
        try:
            out, err = main.communicate(timeout=self.longest_s)
        finally:
            main.kill()
        assert main.returncode == 0, out + err

    def kill(self, moment: random.Random, is_early: bool) -> bool:
        """Start it and kill it; false if it was finished before."""
        before = self.count()
        main = start_marked(self.mark, *self.words)
        if is_early:
            time.sleep(moment.random())
        else:
            wait_for(lambda: self.count() > before or main.poll() is not None)
            time.sleep(moment.random() * LONGEST_AFTER_S)
        is_cut = main.poll() is None
        main.kill()
        main.communicate(timeout=PLENTY)
        wait_for(lambda: not processes_with(self.mark))
        return is_cut

    def count(self) -> int:
        return len(list(self.replays.glob("*.json"))) if self.replays.exists() else 0

    def rows(self) -> dict[str, Row]:
        if not self.ledger.exists():
            return {}
        with Ledger(self.ledger) as ledger:
            return {row.identity.key: row for row in ledger}

    def games(self) -> dict[str, tuple[object, ...]]:
        """What must be equal: who sat where, how it went; not how long it took."""
        return {
            key: (row.identity, row.outcome.ranks, row.outcome.boxes, row.outcome.turns, row.outcome.deaths)
            for key, row in self.rows().items()
        }

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.replays.glob("*.json")}


def run_cycles(folder: Path, cycles: int, seed: int = 0) -> int:
    """So many kills, then the rest; how many of them came while it ran."""
    games, moment = GAMES_A_CYCLE * cycles, random.Random(seed)
    whole, killed = Trial(folder / "whole", games), Trial(folder / "killed", games)
    whole.finish()
    cut = 0
    for cycle in range(cycles):
        before = killed.rows()
        cut += killed.kill(moment, is_early=cycle % EARLY == 0)
        after = killed.rows()
        assert before.items() <= after.items(), f"cycle {cycle}: finished games are lost"
    killed.finish()
    assert killed.games() == whole.games() and len(whole.games()) >= games
    assert killed.files() == whole.files()
    assert {row.replay.name for row in killed.rows().values() if row.replay} == set(killed.files())
    return cut


if __name__ == "__main__":
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        cut = run_cycles(Path(folder), cycles)
    print(f"{cycles} cycles, {cut} of them killed on the way: the same games and the same replays, byte by byte")
