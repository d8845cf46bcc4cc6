"""Seeded boards by the arena's own generator: the same seed gives the same board as there.

The generator draws from Java's `java.util.Random`, so that is here too, bit for bit.
"""

from engine.board import HEIGHT, WIDTH, is_wall
from engine.position import BOMB_ITEM, RANGE_ITEM

CORNERS = ((0, 0), (WIDTH - 1, HEIGHT - 1), (WIDTH - 1, 0), (0, HEIGHT - 1))  # by player
MAX_TRIES = 1000


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


def draw_boxes(seed: int) -> dict[tuple[int, int], int]:
    """The boxes of a seed: (x, y) -> content (0, RANGE_ITEM or BOMB_ITEM)."""
    random = JavaRandom(seed)
    target = 30 + random.next_int(36)
    quota = {RANGE_ITEM: target // 3, BOMB_ITEM: target // 3}
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
