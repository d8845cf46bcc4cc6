"""Commands killed again and again lose nothing, leave no half file, and end with what one that was left alone has.

    python -m tests.hsctl.kills 30                 # kills of each command
    python -m tests.hsctl.kills 50 league tune     # of these

Each cycle starts the same command and kills -9 its main process at some moment: while it starts, between games, while
something is written. After each, whatever was there before is there still, every file is whole, and no process is left.
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hsctl.analysis.suite import read_entry
from hsctl.league.ledger import Ledger
from replays.playback import load
from replays.replay import write
from tests.hsctl.run import PLENTY, processes_with, start_marked, wait_for
from tests.replays.recorded import record_game

GAMES_A_CYCLE = 6
LONGEST_AFTER_S = 0.3  # a kill comes so long after something new, at most
SLOWEST_GAME_S = 2.0  # however busy the machine
EARLY = 4  # every so many cycles it comes before anything new

Kept = dict[str, Any]  # what may never be lost, by name


class Trial:
    """A command that works in a folder of its own."""

    codes = (0,)
    early_s = 1.0  # before which an early kill comes

    def __init__(self, folder: Path, cycles: int) -> None:
        folder.mkdir()
        self.folder, self.games = folder, GAMES_A_CYCLE * cycles
        self.ledger, self.files = folder / "ledger", folder / "files"
        self.mark = f"mark of {folder}"
        self.longest_s = PLENTY + SLOWEST_GAME_S * self.games

    def words(self) -> list[object]:
        raise NotImplementedError

    def kept(self) -> Kept:
        """Everything that was finished, each read and checked."""
        raise NotImplementedError

    def result(self, out: str) -> Any:
        """What must be the same if it was killed on the way."""
        raise NotImplementedError

    def finish(self) -> Any:
        main = start_marked(self.mark, *map(str, self.words()))
        try:
            out, err = main.communicate(timeout=self.longest_s)
        finally:
            main.kill()
        assert main.returncode in self.codes, out + err
        return self.result(out)

    def kill(self, moment: random.Random, is_early: bool) -> bool:
        """Start it and kill it; false if it was finished before."""
        before = self.progress()
        main = start_marked(self.mark, *map(str, self.words()))
        if is_early:
            time.sleep(moment.random() * self.early_s)
        else:
            wait_for(lambda: self.progress() != before or main.poll() is not None)
            time.sleep(moment.random() * LONGEST_AFTER_S)
        is_cut = main.poll() is None
        if not is_cut:
            self.early_s /= 2  # a fast machine needs an earlier kill
        main.kill()
        main.communicate(timeout=PLENTY)
        wait_for(lambda: not processes_with(self.mark))
        return is_cut

    def progress(self) -> object:
        """What changes when something is written."""
        places = [self.files, self.ledger.with_name("ledger-wal")]
        return [
            len(os.listdir(place)) if place.is_dir() else place.stat().st_size for place in places if place.exists()
        ]

    def rows(self) -> Kept:
        """Who sat where and how it went, not how long it took."""
        if not self.ledger.exists():
            return {}
        with Ledger(self.ledger) as ledger:
            outcomes = {row.identity.key: (row.identity, row.outcome) for row in ledger}
        return {
            key: (identity, outcome.ranks, outcome.boxes, outcome.turns, outcome.deaths)
            for key, (identity, outcome) in outcomes.items()
        }

    def whole_files(self, check: Callable[[Path], object]) -> Kept:
        found = sorted(self.files.glob("[!.]*")) if self.files.exists() else []
        for path in found:
            check(path)
        return {path.name: path.read_bytes() for path in found}


class LeagueTrial(Trial):
    def words(self) -> list[object]:
        options = ["--players", "mixed", "--games", self.games, "--nodes", 5, "--jobs", 2, "--json"]
        return ["league", "simple", "random", "still", *options, "--ledger", self.ledger, "--out", self.files]

    def kept(self) -> Kept:
        return {**self.rows(), **self.whole_files(load)}

    def result(self, out: str) -> Any:
        assert len(self.rows()) >= self.games
        return self.kept()


class CompareTrial(LeagueTrial):
    codes = (0, 1, 3)

    def words(self) -> list[object]:
        options = ["--elo0", -1, "--elo1", 1, "--games", self.games, "--nodes", 5, "--jobs", 2, "--json"]
        return ["compare", "simple", "simple:decay=0.8", *options, "--ledger", self.ledger, "--out", self.files]


class TuneTrial(Trial):
    codes = (0, 1, 3)

    def words(self) -> list[object]:
        options = [
            "--games",
            2,
            "--trials",
            max(12, self.games // 2),
            "--confirm",
            0,
            "--nodes",
            5,
            "--jobs",
            2,
            "--json",
        ]
        params = ["--params", "box=0..3,decay", "--against", "random"]
        return ["tune", "simple", *params, *options, "--study", self.ledger]

    def kept(self) -> Kept:
        return self.rows()

    def result(self, out: str) -> Any:
        told = json.loads(out)
        return {name: value for name, value in told.items() if name not in ("played_now", "study")}


class PlayTrial(Trial):
    """A series doesn't resume: what a killed one saved stays, whole."""

    def words(self) -> list[object]:
        options = ["--seed", 1, "--games", self.games, "--nodes", 5, "--jobs", 2]
        return ["play", "simple", "random", *options, "--out", self.files]

    def kept(self) -> Kept:
        return self.whole_files(load)

    def result(self, out: str) -> Any:
        return set(self.kept().values())


class ReviewTrial(Trial):
    """Proofs and entries of a suite, in one folder."""

    def __init__(self, folder: Path, cycles: int) -> None:
        super().__init__(folder, cycles)
        for seed in range(self.games):
            write(folder / "games" / f"{seed}.json", record_game(seed, 2, care=0.9))

    def words(self) -> list[object]:
        written = ["--proof", self.files, "--write-suite", self.files]
        return ["review", self.folder / "games", "--player", "e", "--deaths", *written]

    def kept(self) -> Kept:
        return self.whole_files(lambda path: load(path) if "-lives-" in path.name else read_entry(path))

    def result(self, out: str) -> Any:
        return self.kept()


class PageTrial(Trial):
    """A page that is written over and over in place of another: always one of them, whole."""

    def __init__(self, folder: Path, cycles: int) -> None:
        super().__init__(folder, cycles)
        for seed in (1, 2):
            write(folder / f"{seed}.json", record_game(seed, 4, care=0.95))
        self.files.mkdir()
        self.turn = 0
        self.pages = set[bytes]()
        for _ in (1, 2):
            begun = time.monotonic()
            super().finish()
            self.early_s = time.monotonic() - begun
            self.pages.add((self.files / "page.html").read_bytes())
        assert len(self.pages) == 2

    def words(self) -> list[object]:
        self.turn = 3 - self.turn if self.turn else 1
        return ["replay", self.folder / f"{self.turn}.json", "--html", self.files / "page.html"]

    def kill(self, moment: random.Random, is_early: bool) -> bool:
        return super().kill(moment, is_early=True)  # there is but one thing new, at the end

    def kept(self) -> Kept:
        assert len(self.pages) < 2 or (self.files / "page.html").read_bytes() in self.pages
        return {}

    def result(self, out: str) -> Any:
        return self.kept()


TRIALS: dict[str, type[Trial]] = {
    "league": LeagueTrial,
    "tune": TuneTrial,
    "compare": CompareTrial,
    "play": PlayTrial,
    "review": ReviewTrial,
    "page": PageTrial,
}


def run_cycles(name: str, folder: Path, cycles: int, seed: int = 0) -> int:
    """Kill it in so many cycles, and in more until one kill came while it ran; count those, then let it finish."""
    moment, trial = random.Random(seed), TRIALS[name]
    expected, killed = trial(folder / "whole", cycles).finish(), trial(folder / "killed", cycles)
    cut = cycle = 0
    while cycle < cycles or not cut:
        before = killed.kept()
        cut += killed.kill(moment, is_early=cycle % EARLY == 0 or cycle >= cycles)
        after = killed.kept()
        assert before.items() <= after.items(), f"{name}, cycle {cycle}: something is lost"
        cycle += 1
    assert killed.finish() == expected, f"{name}: killed on the way it ends with something else"
    return cut


def main(words: list[str]) -> None:
    cycles = int(words[0]) if words else 30
    for name in words[1:] or TRIALS:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HSCTL_DATA"] = f"{folder}/data"
            cut = run_cycles(name, Path(folder), cycles)
        print(f"{name}: {cycles} cycles, {cut} of them killed on the way, nothing lost", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
