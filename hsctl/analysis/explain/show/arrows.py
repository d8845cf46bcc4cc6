"""Plans as arrows: `●→` drops a bomb and goes right, `·` stays."""

from collections.abc import Sequence

from engine.board import MOVES
from engine.rules import BOMB

ARROWS = dict(zip(MOVES, "·←→↑↓", strict=True))


def format_plan(plan: Sequence[int], most: int | None = None) -> str:
    """The actions as arrows, not more than so many."""
    arrows = "".join(format_arrow(action) for action in plan[:most])
    return arrows + (f" … {len(plan)} turns" if most is not None and len(plan) > most else "")


def format_arrow(action: int) -> str:
    return ("●" if action >= BOMB else "") + ARROWS[MOVES[action % BOMB]]
