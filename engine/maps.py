"""Seeded boards by the arena's generator: a seed gives the same board as in the arena.

The generator draws from Java's `java.util.Random`, copied here bit for bit.
"""

import re
from typing import NamedTuple

from engine.board import HEIGHT, WIDTH, is_wall
from engine.errors import EngineError
from engine.position import BOMB_ITEM, RANGE_ITEM
from engine.state import FUSE

CORNERS = ((0, 0), (WIDTH - 1, HEIGHT - 1), (WIDTH - 1, 0), (0, HEIGHT - 1))  # by player
MAX_TRIES = 1000
START_RANGE = 3
START_BOMBS = 1


# The arena's other options, each with the only value that these rules support.
FIXED_OPTIONS = {
    "GAME_VERSION": 4,
    "WIDTH": WIDTH,
    "HEIGHT": HEIGHT,
    "BOMB_FUSE": FUSE,
    "DEFAULT_BOMB_POWER": START_RANGE,
    "DEFAULT_BOMBS_PER_PLAYER": START_BOMBS,
}
SEED_RANGE = range(-(1 << 63), 1 << 63)
MOST_BOXES = 113  # a box on every open cell


class Options(NamedTuple):
    """The arena's options for drawing a board."""

    seed: int
    boxes: int | None = None  # as the arena reports it; None: not given


def parse_options(text: str) -> Options:
    """The arena's options, `seed=1 boxes=34`, on one line or several; the seed must be there."""
    numbers: dict[str, int] = {}
    for word in re.sub(r"\s*=\s*", "=", text).split():
        name, _, value = word.partition("=")
        if not re.fullmatch(r"-?\d{1,19}", value, re.ASCII) or name in numbers:
            raise EngineError(f"options {text[:60]!r}: can't read {word[:40]!r}; write `seed=N` or `seed=N boxes=N`")
        numbers[name] = int(value)
    seed, boxes = numbers.pop("seed", None), numbers.pop("boxes", None)
    if seed is None or seed not in SEED_RANGE:
        raise EngineError(f"options {text[:60]!r}: write `seed=N` with a 64-bit number")
    if boxes is not None and boxes not in range(MOST_BOXES + 1):
        raise EngineError(f"options {text[:60]!r}: boxes={boxes} is not between 0 and {MOST_BOXES}")
    for name, number in numbers.items():
        if number != FIXED_OPTIONS.get(name):
            wanted = FIXED_OPTIONS.get(name, "seed or boxes")
            raise EngineError(f"options {text[:60]!r}: {name[:40]}={number} is not supported; use {wanted}")
    return Options(seed, boxes)


class JavaRandom:
    """java.util.Random: a 48-bit linear congruential generator."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def next(self, bits: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - bits)

    def next_int(self, bound: int) -> int:
        """Uniform in 0 .. bound - 1, by rejection as Java does it."""
        if bound & (bound - 1) == 0:
            return bound * self.next(31) >> 31
        while True:
            bits = self.next(31)
            value = bits % bound
            if bits - value + (bound - 1) < 1 << 31:
                return value


def mirrors(x: int, y: int) -> list[tuple[int, int]]:
    """The cell and its mirror images: four cells, or two or one on an axis."""
    right, down = WIDTH - 1 - x, HEIGHT - 1 - y
    return list(dict.fromkeys([(x, y), (right, y), (right, down), (x, down)]))


def is_near_corner(x: int, y: int) -> bool:
    return any(abs(x - corner_x) + abs(y - corner_y) < 2 for corner_x, corner_y in CORNERS)


def draw_boxes(seed: int, count: int | None = None) -> dict[tuple[int, int], int]:
    """The boxes of a seed: (x, y) -> content (0, RANGE_ITEM or BOMB_ITEM).

    `count` is the arena's option `boxes`: with it a third of `count`, not of the drawn target, gets each kind of item.
    """
    random = JavaRandom(seed)
    target = 30 + random.next_int(36)
    quota = dict.fromkeys((RANGE_ITEM, BOMB_ITEM), (target if count is None else count) // 3)
    boxes: dict[tuple[int, int], int] = {}
    for _ in range(MAX_TRIES):
        if len(boxes) >= target:
            break
        x, y = random.next_int(WIDTH), random.next_int(HEIGHT)
        if is_near_corner(x, y) or is_wall(x, y) or (x, y) in boxes:
            continue
        content = next((kind for kind in (RANGE_ITEM, BOMB_ITEM) if quota[kind] > 0), 0)
        for cell in mirrors(x, y):
            boxes[cell] = content
            if content:
                quota[content] -= 1
    return boxes
