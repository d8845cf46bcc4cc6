"""Does `hsctl bot` answer in time beside a busy core? A measurement, not a test:

    python -m tests.hsctl.bots.measure_reserve TURNS [AGENT]

Games against an agent that moves at random, one process of the bot a game as under any referee, with a process beside
them that never rests. Prints how long answers took, and how many passed the clock by whose fault.
"""

import random
import subprocess
import sys
from collections import Counter
from statistics import median, quantiles

from engine.game import Game
from engine.notation import format_header, format_position, parse_order, resolve
from hsctl.bots.bot import Bot
from hsctl.bots.lateness import judge
from tests.hsctl.run import HSCTL

CLOCK_S = 0.1
LONGEST_S = 60.0  # of any turn, however late
HOG = "while True: pass"


def measure(turns: int, agent: str) -> tuple[list[float], Counter[str]]:
    """Seconds of every turn but the first of each game, and the culprits of those past the clock."""
    walls: list[float] = []
    culprits: Counter[str] = Counter()
    seed = 0
    while len(walls) < turns:
        seed += 1
        play(seed, agent, walls, culprits)
        print(f"\r{len(walls)} of {turns} turns", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return walls, culprits


def play(seed: int, agent: str, walls: list[float], culprits: Counter[str]) -> None:
    chance, game = random.Random(seed), Game.start(seed, 2)
    with Bot(" ".join([*HSCTL, "bot", agent]), startup_s=60) as bot:
        bot.send(format_header(0))
        while not game.is_over:
            answer = bot.ask(format_position(game), LONGEST_S if game.turn else None)  # at first it may compile
            assert answer.line is not None, answer.failure
            culprits["seen by the bot itself"] += answer.stderr.count("answered after")
            if game.turn > 0:
                walls.append(answer.wall_s)
                if answer.wall_s > CLOCK_S:
                    counts = bot._process.counts
                    culprits[judge(CLOCK_S, answer.wall_s, counts.marked(), counts.usage()).culprit] += 1
            game.step([resolve(game.state, 0, parse_order(answer.line)), chance.randrange(5)])


def main(words: list[str]) -> None:
    turns, agent = int(words[0]), words[1] if len(words) > 1 else "beam"
    with subprocess.Popen([sys.executable, "-S", "-c", HOG]) as hog:
        try:
            walls, culprits = measure(turns, agent)
        finally:
            hog.kill()
    ms = [1000 * wall for wall in walls]
    cuts = quantiles(ms, n=1000)
    print(f"{len(ms)} turns of {agent}: median {median(ms):.1f} ms, 99 % {cuts[989]:.1f}, worst {max(ms):.1f}")
    passed = ", ".join(f"{culprit} {count}" for culprit, count in sorted(culprits.items())) or "none"
    print(f"past {1000 * CLOCK_S:.0f} ms: {passed}")


if __name__ == "__main__":
    main(sys.argv[1:])
