"""What a turn of an external bot costs, here and in another version of hsctl. A measurement, not a test:

    python -m tests.hsctl.match.bots.measure_cost FOLDER [MODULE]

FOLDER is the other version with its .venv, MODULE where its Bot is. Both ask a bot that answers at once, in turns of
a hundred questions, so that whatever else the machine does hits both alike.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles

from tests.hsctl.run import ROOT

ROUNDS, QUESTIONS = 60, 100
ASKING = """
import sys, time
from MODULE import Bot
text = "." * 13 + "\\n"
text = text * 11 + "2\\n" + "0 0 0 0 1 3\\n" * 2 + "end\\n"
with Bot("sed -u -n 's/^end/MOVE 0 0/p'", startup_s=60) as bot:
    assert bot.ask(text, 60).line == "MOVE 0 0"
    for order in sys.stdin:
        taken = []
        for _ in range(int(order)):
            begun = time.perf_counter()
            bot.ask(text, 1.0)
            taken.append(time.perf_counter() - begun)
        print(*taken, flush=True)
"""


class Asker:
    """A version of hsctl that asks when told to."""

    def __init__(self, folder: Path, python: Path, module: str) -> None:
        words = [str(python), "-c", ASKING.replace("MODULE", module)]
        self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.taken_us: list[float] = []

    def ask(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{QUESTIONS}\n")
        self.process.stdin.flush()
        self.taken_us += [1e6 * float(word) for word in self.process.stdout.readline().split()]

    def describe(self) -> str:
        low, middle, high = quantiles(self.taken_us, n=4)
        return f"{middle:.0f} µs (quartiles {low:.0f} and {high:.0f}) over {len(self.taken_us)} turns"

    def end(self) -> None:
        self.process.communicate()


def main(words: list[str]) -> None:
    folder, module = Path(words[0]).resolve(), words[1] if len(words) > 1 else "hsctl.match.bots.bot"
    here, there = (
        Asker(ROOT, Path(sys.executable), "hsctl.match.bots.bot"),
        Asker(folder, folder / ".venv/bin/python", module),
    )
    for _ in range(ROUNDS):
        here.ask()
        there.ask()
    here.end()
    there.end()
    print(f"here:  {here.describe()}")
    print(f"there: {there.describe()}")
    print(f"ratio of the medians: {median(here.taken_us) / median(there.taken_us):.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
