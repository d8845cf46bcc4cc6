"""The example bot with one planted fault: `faulty_bot.py FAULT`; with `none` it is sound."""

import os
import random
import stat
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

EXAMPLE = Path(__file__).parents[4] / "examples" / "bot.py"
FAULT = sys.argv[1]
START_S = 3.0
LATE_S = 1.5
LARGE = 200 * 2**20

spec = spec_from_file_location("example", EXAMPLE)
example = module_from_spec(spec)
spec.loader.exec_module(example)

kept = []


def read_turn():
    """As the example, but for a fault of reading; None at the end of the game."""
    return read_beginning() if FAULT == "reads too little" else example.read_turn()


def read_beginning():
    """Nothing but the first two entities."""
    rows = [sys.stdin.readline() for _ in range(example.HEIGHT + 1)]
    if not rows[-1]:
        return None
    own = [list(map(int, sys.stdin.readline().split())) for _ in range(2)]
    return example.Board([], [], []), {row[1]: ((row[2], row[3]), *row[4:]) for row in own}


def format_answer(number, order, x, y):
    """The line, or lines, of an answer, with faults of writing."""
    return {
        "lower case": f"{order.lower()} {x} {y}",
        "off the board": f"{order} 13 {y}",
        "no bomb": f"BOMB {x} {y}",
        "no effect": f"{order} 1 1",
        "two lines": f"{order} {x} {y}\n{order} {x} {y}",
        "nonsense": "WAIT",
        "not deterministic": f"MOVE {random.randrange(13)} {random.randrange(11)}",
    }.get(FAULT, f"{order} {x} {y}")


def act_up(number, players):
    """Whatever else goes wrong on a turn."""
    if FAULT == "late on turn 1" and number == 1:
        time.sleep(LATE_S)
    if FAULT == "stays on its bomb" and number == 40:
        raise KeyError(number)
    if FAULT == "missing player" and len(players) <= max(players):
        raise KeyError(min(set(range(max(players))) - set(players)))
    if FAULT == "memory" and number == 2:
        kept.append(b"x" * LARGE)
        time.sleep(1)
    if FAULT == "much stderr":
        print("x" * 8000, file=sys.stderr, flush=True)
    if FAULT == "needs stderr":
        assert stat.S_ISFIFO(os.fstat(2).st_mode)


def main():
    if FAULT == "dies at once":
        sys.exit("no weights found")
    if FAULT == "slow start":
        time.sleep(START_S)
    if FAULT == "CRLF":
        sys.stdin.reconfigure(newline="\n")
    last_word = sys.stdin.readline().split(" ")[2]
    my_id = 0 if FAULT == "wrong seat" else {f"{seat}\n": seat for seat in range(4)}[last_word]
    number, last = 0, None
    turn = read_turn()
    while turn is not None:
        act_up(number, turn[1])
        (board, players), last = (last or turn) if FAULT == "stale input" else turn, turn
        me, bombs_left, my_range = players.get(my_id) or next(iter(players.values()))
        _, drops, way, _ = example.choose(board, me, bombs_left, my_range)
        x, y = me if FAULT == "stays on its bomb" else way[0]
        drops = drops or FAULT == "stays on its bomb"
        print(format_answer(number, "BOMB" if drops else "MOVE", x, y), flush=True)
        number += 1
        turn = read_turn()


if __name__ == "__main__":
    main()
