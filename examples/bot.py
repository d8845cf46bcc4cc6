#!/usr/bin/env python3
"""A small Hypersonic bot: walks to where bombs hit boxes, drops them, and never stands in a blast.

Needs nothing but Python 3.8. Play it with:   hsctl play simple "python3 examples/bot.py"

Every turn it looks at its ten actions (five moves, with or without a bomb). Those that the known bombs would punish
with death are out; of the rest it takes the one with the most boxes bombed now plus the best spot to walk to.

With --draw it draws what it thinks: hsctl shows it on the board (docs/reference/protocol.md).
"""

import sys
from functools import lru_cache

WIDTH, HEIGHT = 13, 11
MOVES = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
ARMS = MOVES[1:]
FUSE = 8
DECAY = 0.9  # what a box is worth less for each step of the way
ITEM = 1.2  # an item's worth, in boxes


def is_floor(cell):
    x, y = cell
    return 0 <= x < WIDTH and 0 <= y < HEIGHT and not (x % 2 and y % 2)


class Board:
    def __init__(self, boxes, items, bombs):
        self.boxes = set(boxes)
        self.items = set(items)
        self.bombs = list(bombs)  # (cell, timer, range); a timer of 1 explodes in this round
        self.blocked = self.boxes.union(cell for cell, _, _ in self.bombs)

    def is_free(self, cell):
        return is_floor(cell) and cell not in self.blocked

    def with_bomb(self, cell, bomb_range):
        return Board(self.boxes, self.items, [*self.bombs, (cell, FUSE, bomb_range)])

    def without_item(self, cell):
        """The board when somebody walked onto the cell: an item taken no longer stops blasts."""
        return Board(self.boxes, self.items - {cell}, self.bombs)

    def blast(self, cell, bomb_range):
        """The cells that a bomb covers: arms end at walls, and on the first box, item or bomb."""
        covered = {cell}
        for dx, dy in ARMS:
            for distance in range(1, bomb_range):
                at = (cell[0] + dx * distance, cell[1] + dy * distance)
                if not is_floor(at):
                    break
                covered.add(at)
                if at in self.blocked or at in self.items:
                    break
        return covered

    def fire(self):
        """The cells that burn in this round, bombs lit by others included."""
        burning = set()
        lit = [bomb for bomb in self.bombs if bomb[1] == 1]
        waiting = [bomb for bomb in self.bombs if bomb[1] > 1]
        while lit:
            for cell, _, bomb_range in lit:
                burning |= self.blast(cell, bomb_range)
            lit = [bomb for bomb in waiting if bomb[0] in burning]
            waiting = [bomb for bomb in waiting if bomb[0] not in burning]
        return burning

    def after(self, burning):
        """The board after this round, if nobody drops a bomb. What the burnt boxes held is left out."""
        bombs = [(cell, timer - 1, reach) for cell, timer, reach in self.bombs if cell not in burning]
        return Board(self.boxes - burning, self.items - burning, bombs)


def can_survive(board, cell):
    """Whether somebody on the cell can get away from all known bombs."""
    reach = {cell}
    while board.bombs:
        burning = board.fire()
        reach -= burning
        if not reach:
            return False
        steps = {(x + dx, y + dy) for x, y in reach for dx, dy in ARMS}
        reach |= {step for step in steps if board.is_free(step)}
        board = board.after(burning)
    return True


def doomed_boxes(board):
    """Boxes that the bombs on the board will destroy."""
    doomed = set()
    while board.bombs:
        burning = board.fire()
        doomed |= board.boxes & burning
        board = board.after(burning)
    return doomed


def best_spot(board, start, worth):
    """The best worth that can be walked to, discounted per step, and the way there."""
    best, spot, factor = 0.0, start, 1.0
    before, edge = {start: None}, [start]  # each cell that is reached, with the one before it
    while edge:
        for cell in edge:
            if factor * worth(cell) > best:
                best, spot = factor * worth(cell), cell
        steps = [((x + dx, y + dy), (x, y)) for x, y in edge for dx, dy in ARMS]
        edge = []
        for step, cell in steps:
            if step not in before and board.is_free(step):
                before[step] = cell
                edge.append(step)
        factor *= DECAY
    way = [spot]
    while before[way[-1]] is not None:
        way.append(before[way[-1]])
    return best, way[::-1]


def choose(board, me, bombs_left, my_range):
    """The best action: its value, whether to drop a bomb, the way from the next cell on, and what cells are worth."""
    burning = board.fire()
    later = board.after(burning)
    fair = board.boxes - doomed_boxes(board)

    def hits(cell):
        return len(board.blast(cell, my_range) & fair)

    @lru_cache(None)
    def worth(cell):
        """Of a cell to go to: an item, or a spot for a bomb that one can get away from."""
        boxes = hits(cell)
        is_trap = boxes > 0 and not can_survive(later.with_bomb(cell, my_range), cell)
        return max(0 if is_trap else boxes, ITEM if cell in later.items else 0)

    options = []
    for dx, dy in MOVES:
        target = (me[0] + dx, me[1] + dy)
        if target != me and not board.is_free(target):
            continue
        for drops in (False, True):
            if drops and (not bombs_left or me in board.blocked or not hits(me)):
                continue
            after = later.without_item(target)
            if drops:
                after = after.with_bomb(me, my_range)
            if not can_survive(after, target):
                continue
            spot, way = best_spot(after, target, worth)
            value = DECAY * spot + (hits(me) if drops else 0)
            value += ITEM if target in later.items and target != me else 0
            options.append((value, drops, target, way))
    value, drops, _, way = max(options, default=(0.0, False, me, [me]))
    return value, drops, way, worth


def draw(board, me, value, way, worth):
    """What the bot thinks, for hsctl: the worth of cells, the way to the best of them, the value of the action."""
    spots = {(x, y): worth((x, y)) for y in range(HEIGHT) for x in range(WIDTH) if board.is_free((x, y))}
    lines = [
        f"@cell {x} {y} {spots[x, y]:g} {'yellow' if spots[x, y] < 2 else 'green'}" for x, y in spots if spots[x, y]
    ]
    path = [me] + [cell for cell in way if cell != me]
    if len(path) > 1:
        lines.append("@path " + " ".join(f"{x},{y}" for x, y in path))
    lines += [f"@value {value:.2f}", f"@text worth {worth(way[-1]):g} at {way[-1][0]},{way[-1][1]}"]
    print("\n".join(lines), file=sys.stderr, flush=True)


def read_turn():
    """The board and the players of one turn; None at the end of the game."""
    rows = [sys.stdin.readline() for _ in range(HEIGHT)]
    if not rows[-1]:
        return None
    boxes = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark in "012"]
    players, bombs, items = {}, [], []
    for _ in range(int(sys.stdin.readline())):
        kind, owner, x, y, first, second = map(int, sys.stdin.readline().split())
        if kind == 0:
            players[owner] = (x, y), first, second
        elif kind == 1:
            bombs.append(((x, y), first, second))
        else:
            items.append((x, y))
    return Board(boxes, items, bombs), players


def main():
    my_id = int(sys.stdin.readline().split()[2])
    turn = read_turn()
    while turn is not None:
        board, players = turn
        me, bombs_left, my_range = players[my_id]
        value, drops, way, worth = choose(board, me, bombs_left, my_range)
        if "--draw" in sys.argv:
            draw(board, me, value, way, worth)
        x, y = way[0]
        print(f"{'BOMB' if drops else 'MOVE'} {x} {y} {value:.1f}", flush=True)
        turn = read_turn()


if __name__ == "__main__":
    main()
