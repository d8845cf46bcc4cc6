"""Inputs that a player's program wrote on its stderr, against the position that it was sent by the rules."""

from itertools import zip_longest

from engine.board import HEIGHT
from engine.game import Game
from engine.notation import format_position
from engine.position import Cell
from replays.arena.mismatch import Difference
from replays.log import Found, parse_log

SAME, OTHER_ORDER = "same", "other order"


def echoes_in(stderr: str) -> list[Found]:
    """The positions in a player's stderr; usually one or none."""
    return parse_log(stderr).found if stderr else []


def is_whole(found: Found) -> bool:
    """Whether the players are in it, not the board alone."""
    return bool(found.game.living)


def compare_echo(found: Found, game: Game, frame: int) -> str | Difference:
    """SAME, OTHER_ORDER (of items only), or where both differ."""
    echoed, expected = format_position(found.game).splitlines(), format_position(game).splitlines()
    if difference := first_other_cell(echoed, expected, game.turn, frame):
        return difference
    if not is_whole(found) or echoed == expected:
        return SAME
    there, here = echoed[HEIGHT + 1 :], expected[HEIGHT + 1 :]
    if sorted(there) == sorted(here):
        return (
            OTHER_ORDER if without_items(there) == without_items(here) else first_other_line(there, here, game, frame)
        )
    more = [line for line in there if line not in here]
    less = [line for line in here if line not in there]
    return first_other_line(more, less, game, frame)


def first_other_cell(echoed: list[str], expected: list[str], turn: int, frame: int) -> Difference | None:
    """A cell of the board on which a box, or its content, is another."""
    for y, (there, here) in enumerate(zip(echoed[:HEIGHT], expected[:HEIGHT], strict=True)):
        for x, (one, other) in enumerate(zip(there, here, strict=True)):
            if one != other:
                return Difference(f"shows {one!r}", f"show {other!r}", frame, turn, (x, y))
    return None


def first_other_line(echoed: list[str], expected: list[str], game: Game, frame: int) -> Difference:
    """The first entity that differs, as the text of the input has it."""
    pairs = zip_longest(echoed, expected, fillvalue="")
    there, here = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    sides = [f"{line!r} in the input" if line else "no such line" for line in (there, here)]
    return Difference(f"has {sides[0]}", f"have {sides[1]}", frame, game.turn, cell_of(there or here))


def cell_of(line: str) -> Cell:
    x, y = line.split()[2:4]
    return int(x), int(y)


def without_items(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("2 ")]
