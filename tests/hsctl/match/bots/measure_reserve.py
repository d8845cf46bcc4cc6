"""Does `hsctl bot` answer in time beside a busy core? A measurement, not a test:

    python -m tests.hsctl.match.bots.measure_reserve TURNS [AGENT]

Games against a player that moves at random, one process of the bot a game as under any referee, with a process beside
them that never rests. Prints how long answers took, and every one that passed the clock with whose fault it was.
Ctrl-C ends it with what was measured so far.
"""

import random
import sys
from collections import Counter
from contextlib import suppress
from statistics import median, quantiles
from typing import NamedTuple

from engine.game import Game
from engine.notation import format_header, format_position, parse_order, resolve
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.lateness import Hindrance, culprit_of, hindrance, read_own
from hsctl.stopping import leave_orderly
from tests.hsctl.match.bots.busy import hogs
from tests.hsctl.run import HSCTL

CLOCK_S = 0.1
LONGEST_S = 60.0  # of any turn, however late


class Asked(NamedTuple):
    """A turn, in seconds."""

    wall: float
    hindered: Hindrance  # the bot by the machine
    runner_waited: float  # for a core, mostly when the answer had come

    @property
    def culprit(self) -> str:
        surely, at_most = self.hindered
        whole = Hindrance(max(surely, self.runner_waited), at_most + self.runner_waited)
        return culprit_of(self.wall - CLOCK_S, whole)

    def describe(self) -> str:
        words = (
            f"{ms(self.wall)} ms, the bot waited {ms(self.hindered.surely)} to {ms(self.hindered.at_most)} for a core"
        )
        return f"{words}, this process {ms(self.runner_waited)}: {self.culprit}"


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"


def measure(turns: int, agent: str, asked: list[Asked]) -> None:
    """Adds every turn but the first of each game."""
    seed = 0
    while len(asked) < turns:
        seed += 1
        play(seed, agent, asked)
        print(f"{len(asked)} of {turns} turns", file=sys.stderr, flush=True)


def play(seed: int, agent: str, asked: list[Asked]) -> None:
    chance, game = random.Random(seed), Game.start(seed, 2)
    with Bot(" ".join([*HSCTL, "bot", agent]), startup_s=60) as bot:
        bot.send(format_header(0))
        while not game.is_over:
            own = read_own()
            answer = bot.ask(format_position(game), LONGEST_S if game.turn else None)  # at first it may compile
            assert answer.line is not None, answer.failure
            if game.turn > 0:
                asked.append(Asked(answer.wall_s, Hindrance(0.0, 0.0), read_own().waited - own.waited))
                if answer.wall_s > CLOCK_S:
                    before = bot._process.counts.marked()
                    assert before is not None
                    late = asked[-1]._replace(hindered=hindrance(before, bot._process.counts.usage()))
                    asked[-1] = late
                    print(f"seed {seed}, turn {game.turn}: {late.describe()}", flush=True)
            game.step([resolve(game.state, 0, parse_order(answer.line)), chance.randrange(5)])


def main(words: list[str]) -> None:
    turns, agent = int(words[0]), words[1] if len(words) > 1 else "beam"
    asked: list[Asked] = []
    leave_orderly()
    with suppress(KeyboardInterrupt, SystemExit), hogs(1):
        measure(turns, agent, asked)
    walls = [1000 * turn.wall for turn in asked]
    cuts = quantiles(walls, n=1000)
    print(f"{len(walls)} turns of {agent}: median {median(walls):.1f} ms, 99 % {cuts[989]:.1f}, worst {max(walls):.1f}")
    culprits = Counter(turn.culprit for turn in asked if turn.wall > CLOCK_S)
    passed = ", ".join(f"{culprit} {count}" for culprit, count in sorted(culprits.items())) or "none"
    print(f"past {1000 * CLOCK_S:.0f} ms: {passed}")


if __name__ == "__main__":
    main(sys.argv[1:])
