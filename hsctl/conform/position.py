"""What is compared: a position as plain sets, however its text orders it, and in which words two of them differ.

What a simulator prints may be any position at all, also one that the engine could not hold: a timer of 0, two bombs of
one player with the same timer.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine.notation import BOMB_TYPE, EMPTY_ROWS, ITEM_TYPE, PLAYER_TYPE
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Cell, Item, Player

CONTENTS = {0: "an empty box", RANGE_ITEM: "a box with a range item", BOMB_ITEM: "a box with a bomb item"}
KINDS = {RANGE_ITEM: "range item", BOMB_ITEM: "bomb item"}


class Position(NamedTuple):
    """Two are equal if everything is that can be seen. `players` are the living; `scored` is None if nobody told."""

    boxes: dict[Cell, int]  # with their contents
    players: tuple[Player, ...] = ()
    bombs: tuple[Bomb, ...] = ()
    items: tuple[Item, ...] = ()
    scored: tuple[int, ...] | None = None

    def sorted(self) -> "Position":
        """The same in one order."""
        return Position(
            dict(sorted(self.boxes.items())),
            tuple(sorted(self.players)),
            tuple(sorted(self.bombs)),
            tuple(sorted(self.items)),
            self.scored,
        )

    @property
    def entity_count(self) -> int:
        return len(self.players) + len(self.bombs) + len(self.items)

    @property
    def cells(self) -> set[Cell]:
        """Where anything is."""
        things: list[Player | Bomb | Item] = [*self.players, *self.bombs, *self.items]
        return {*self.boxes, *(thing.cell for thing in things)}


def format_position(position: Position) -> str:
    """The arena's text, without its first line and without scores."""
    rows = [list(row) for row in EMPTY_ROWS]
    for (x, y), content in position.boxes.items():
        rows[y][x] = str(content)
    entities = entity_lines(position)
    return "\n".join([*map("".join, rows), str(len(entities)), *entities]) + "\n"


def entity_lines(position: Position) -> list[str]:
    return [
        *(f"{PLAYER_TYPE} {p.id} {p.x} {p.y} {p.bombs_left} {p.range}" for p in position.players),
        *(f"{BOMB_TYPE} {b.owner} {b.x} {b.y} {b.timer} {b.range}" for b in position.bombs),
        *(f"{ITEM_TYPE} 0 {i.x} {i.y} {i.kind} {i.kind}" for i in position.items),
    ]


# Comparing


class Difference(NamedTuple):
    """One thing that two positions don't have in common; the cell is where to look, if there is one."""

    words: str
    cell: Cell | None = None


def differences(ours: Position, theirs: Position) -> list[Difference]:
    """All that differs, boxes first; told as what theirs has and what was expected."""
    return [
        *box_differences(ours, theirs),
        *item_differences(ours, theirs),
        *bomb_differences(ours, theirs),
        *player_differences(ours, theirs),
        *score_differences(ours, theirs),
    ]


def box_differences(ours: Position, theirs: Position) -> Iterator[Difference]:
    for cell in sorted({*ours.boxes, *theirs.boxes}, key=row_first):
        mine, other = (position.boxes.get(cell) for position in (ours, theirs))
        if mine != other:
            expected = "no box" if mine is None else CONTENTS[mine]
            found = "no box" if other is None else CONTENTS[other]
            yield Difference(f"{at(cell)}: {found}, expected {expected}", cell)


def item_differences(ours: Position, theirs: Position) -> Iterator[Difference]:
    for cell in sorted({item.cell for item in (*ours.items, *theirs.items)}, key=row_first):
        mine, other = ([item.kind for item in position.items if item.cell == cell] for position in (ours, theirs))
        if sorted(mine) != sorted(other):
            expected, found = (join(f"a {KINDS[kind]}" for kind in kinds) or "no item" for kinds in (mine, other))
            yield Difference(f"{at(cell)}: {found}, expected {expected}", cell)


def bomb_differences(ours: Position, theirs: Position) -> Iterator[Difference]:
    missing, added = Counter(ours.bombs) - Counter(theirs.bombs), Counter(theirs.bombs) - Counter(ours.bombs)
    for cell in sorted({bomb.cell for bomb in (*missing, *added)}, key=row_first):
        expected, found = (
            join(name_bomb(bomb) for bomb in sorted(bombs.elements()) if bomb.cell == cell)
            for bombs in (missing, added)
        )
        yield Difference(f"{at(cell)}: {found or 'no bomb'}, expected {expected or 'no bomb'}", cell)


def name_bomb(bomb: Bomb) -> str:
    return f"a bomb of player {bomb.owner} with timer {bomb.timer} and range {bomb.range}"


def player_differences(ours: Position, theirs: Position) -> Iterator[Difference]:
    living, others = ({player.id: player for player in position.players} for position in (ours, theirs))
    for seat in sorted({*living, *others}):
        mine, other = living.get(seat), others.get(seat)
        if mine is None or other is None:
            seen = mine or other
            assert seen is not None
            found, expected = ("alive", "dead") if mine is None else ("dead", "alive")
            yield Difference(f"player {seat} is {found}, expected {expected} ({at(seen.cell)})", seen.cell)
            continue
        if mine.cell != other.cell:
            yield Difference(f"player {seat} is at {at(other.cell)}, expected {at(mine.cell)}", other.cell)
        for words, found_number, number in (
            ("bombs left", other.bombs_left, mine.bombs_left),
            ("range", other.range, mine.range),
        ):
            if found_number != number:
                yield Difference(f"player {seat} has {words} {found_number}, expected {number}", other.cell)


def score_differences(ours: Position, theirs: Position) -> Iterator[Difference]:
    if ours.scored is not None and theirs.scored is not None:
        for seat, (mine, other) in enumerate(zip(ours.scored, theirs.scored, strict=True)):
            if mine != other:
                yield Difference(f"player {seat} scored {other} boxes, expected {mine}")


def at(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def row_first(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def join(words: "Iterator[str]") -> str:
    return " and ".join(words)
