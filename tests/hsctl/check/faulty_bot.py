"""The example bot with one planted fault: `faulty_bot.py FAULT`; with `none` it is sound."""

import os
import random
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples" / "bot.py"
FAULT = sys.argv[1]
SLEEP_S = 3.0
LATE_S = 1.0
BYTES = 900 * 2**20


def load_example():
    spec = spec_from_file_location("example", EXAMPLE)
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


example = load_example()


def read_turn():
    """As the example, but for faults of reading; None at the end of the game."""
    if FAULT == "reads too little":
        rows = [sys.stdin.readline() for _ in range(example.HEIGHT + 1)]
        if not rows[-1]:
            return None
        own = [list(map(int, sys.stdin.readline().split())) for _ in range(min(2, int(rows[-1])))]
        sys.stdin.flush()
        return example.Board([], [], []), {row[1]: ((row[2], row[3]), *row[4:]) for row in own}
    if FAULT == "CRLF":
        rows = [sys.stdin.buffer.readline() for _ in range(example.HEIGHT)]
        if not rows[-1]:
            return None
        if any(len(row) != example.WIDTH + 1 for row in rows):
            raise ValueError(f"a row of {len(rows[0])} characters")
        return read_entities(rows)
    return example.read_turn()


def read_entities(rows):
    boxes = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row.decode()) if mark in "012"]
    players, bombs, items = {}, [], []
    for _ in range(int(sys.stdin.buffer.readline())):
        kind, owner, x, y, first, second = map(int, sys.stdin.buffer.readline().split())
        if kind == 0:
            players[owner] = (x, y), first, second
        elif kind == 1:
            bombs.append(((x, y), first, second))
        else:
            items.append((x, y))
    return example.Board(boxes, items, bombs), players


def distort(number, order, x, y):
    """The line of an answer, with faults of writing."""
    if FAULT == "lower case":
        return f"{order.lower()} {x} {y}"
    if FAULT == "off the board":
        return f"{order} {x - 13 if x == 0 else x} {y}" if number % 2 else f"{order} 13 {y}"
    if FAULT == "no bomb":
        return f"BOMB {x} {y}"
    if FAULT == "no effect":
        return f"{order} 1 1"
    if FAULT == "two lines":
        return f"{order} {x} {y}\n{order} {x} {y}"
    if FAULT == "nonsense":
        return "WAIT"
    if FAULT == "not deterministic":
        return f"{order} {x} {y} {random.random()}" if number < 3 else f"MOVE {random.randrange(13)} 0"
    return f"{order} {x} {y}"


def act_up(number, players):
    """Whatever else goes wrong on a turn."""
    if FAULT == "late on turn 1" and number == 1:
        time.sleep(LATE_S)
    if FAULT == "missing player" and len(players) < number_of_players(players):
        raise KeyError("a player")
    if FAULT == "memory" and number == 2:
        kept.append(bytearray(os.urandom(1024)) * (BYTES // 1024))
    if FAULT == "stderr" and number > 0:
        print("x" * 8000, file=sys.stderr, flush=True)
    if FAULT == "closed stderr":
        os.write(2, b"thinking\n")
    if FAULT == "dies" and number == 5:
        sys.exit(3)


kept: list[bytearray] = []
most_players = 0


def number_of_players(players):
    return max(players) + 1


def main():
    if FAULT == "silent":
        time.sleep(60)
    if FAULT == "slow start":
        time.sleep(SLEEP_S)
    header = sys.stdin.buffer.readline() if FAULT == "CRLF" else sys.stdin.readline()
    my_id = 0 if FAULT == "wrong seat" else int(header.split()[2])
    number, last = 0, None
    turn = read_turn()
    while turn is not None:
        board, players = turn
        act_up(number, players)
        if FAULT == "stale input":
            (board, players), last = last or turn, turn
        me, bombs_left, my_range = players.get(my_id) or next(iter(players.values()))
        _, drops, (x, y) = example.choose(board, me, bombs_left, my_range)
        print(distort(number, "BOMB" if drops else "MOVE", x, y), flush=True)
        number += 1
        turn = read_turn()


if __name__ == "__main__":
    main()
