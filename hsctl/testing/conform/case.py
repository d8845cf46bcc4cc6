"""A case: a position and the actions of one or more rounds, and what the specification makes of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.board import DELTAS, HEIGHT, WIDTH, is_on_board, is_wall
from engine.game import Game, pack_actions
from engine.notation import BOMB_TYPE, CONTENT_OF, EMPTY_ROWS, ITEM_TYPE, PLAYER_TYPE, NotationError, Order, parse_order
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Cell, Item, Player
from engine.rules import BOMB
from engine.spec.bridge import from_state
from engine.spec.naive import EMPTY_BOX, step
from engine.state import MAX_PLAYERS

# What is compared: a position as plain sets, however its text orders it, and in which words two of them differ.
#
# What a simulator prints may be any position at all, also one that the engine could not hold: a timer of 0, two bombs
# of one player with the same timer.


CONTENTS = {0: "an empty box", RANGE_ITEM: "a box with a range item", BOMB_ITEM: "a box with a bomb item"}
KINDS = {RANGE_ITEM: "range item", BOMB_ITEM: "bomb item"}


class Position(NamedTuple):
    """Two are equal if everything is that can be seen. `players` are the living; `scored` is None if unknown."""

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


class PositionDifference(NamedTuple):
    """One thing that two positions don't have in common; the cell is where to look, if there is one."""

    words: str
    cell: Cell | None = None


def differences(ours: Position, theirs: Position) -> list[PositionDifference]:
    """All that differs, boxes first: what theirs has, and what it should have."""
    return [
        *box_differences(ours, theirs),
        *item_differences(ours, theirs),
        *bomb_differences(ours, theirs),
        *player_differences(ours, theirs),
        *score_differences(ours, theirs),
    ]


def box_differences(ours: Position, theirs: Position) -> Iterator[PositionDifference]:
    for cell in sorted({*ours.boxes, *theirs.boxes}, key=row_first):
        mine, other = (position.boxes.get(cell) for position in (ours, theirs))
        if mine != other:
            expected = "no box" if mine is None else CONTENTS[mine]
            found = "no box" if other is None else CONTENTS[other]
            yield PositionDifference(f"{at(cell)}: {found}, expected {expected}", cell)


def item_differences(ours: Position, theirs: Position) -> Iterator[PositionDifference]:
    for cell in sorted({item.cell for item in (*ours.items, *theirs.items)}, key=row_first):
        mine, other = ([item.kind for item in position.items if item.cell == cell] for position in (ours, theirs))
        if sorted(mine) != sorted(other):
            expected, found = (join(f"a {KINDS[kind]}" for kind in kinds) or "no item" for kinds in (mine, other))
            yield PositionDifference(f"{at(cell)}: {found}, expected {expected}", cell)


def bomb_differences(ours: Position, theirs: Position) -> Iterator[PositionDifference]:
    missing, added = Counter(ours.bombs) - Counter(theirs.bombs), Counter(theirs.bombs) - Counter(ours.bombs)
    for cell in sorted({bomb.cell for bomb in (*missing, *added)}, key=row_first):
        expected, found = (
            join(name_bomb(bomb) for bomb in sorted(bombs.elements()) if bomb.cell == cell)
            for bombs in (missing, added)
        )
        yield PositionDifference(f"{at(cell)}: {found or 'no bomb'}, expected {expected or 'no bomb'}", cell)


def name_bomb(bomb: Bomb) -> str:
    return f"a bomb of player {bomb.owner} with timer {bomb.timer} and range {bomb.range}"


def player_differences(ours: Position, theirs: Position) -> Iterator[PositionDifference]:
    living, others = ({player.id: player for player in position.players} for position in (ours, theirs))
    for seat in sorted({*living, *others}):
        mine, other = living.get(seat), others.get(seat)
        if mine is None or other is None:
            seen = mine or other
            assert seen is not None
            found, expected = ("alive", "dead") if mine is None else ("dead", "alive")
            yield PositionDifference(f"player {seat} is {found}, expected {expected} ({at(seen.cell)})", seen.cell)
            continue
        if mine.cell != other.cell:
            yield PositionDifference(f"player {seat} is at {at(other.cell)}, expected {at(mine.cell)}", other.cell)
        for words, found_number, number in (
            ("bombs left", other.bombs_left, mine.bombs_left),
            ("range", other.range, mine.range),
        ):
            if found_number != number:
                yield PositionDifference(f"player {seat} has {words} {found_number}, expected {number}", other.cell)


def score_differences(ours: Position, theirs: Position) -> Iterator[PositionDifference]:
    if ours.scored is not None and theirs.scored is not None:
        for seat, (mine, other) in enumerate(zip(ours.scored, theirs.scored, strict=True)):
            if mine != other:
                yield PositionDifference(f"player {seat} scored {other} boxes, expected {mine}")


def at(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def row_first(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def join(words: "Iterator[str]") -> str:
    return " and ".join(words)


# An answer read line by line: 11 rows, the number of entities, the entities, and the scores if they were promised.
#
# Whatever can be drawn and compared is taken, also what can't be on a board of the arena; the rest is refused.


SCORES = "scores"
ENTITY = "type owner x y param1 param2"
LARGEST = 10**6  # of a number: more is no stock, range or timer
MOST_ENTITIES = 1000


class UnreadableError(ValueError):
    """A line that is no part of a position: what was expected, what was found."""


class PositionReader:
    """`expects` says what the next line has to be, and is empty once there is nothing more to come."""

    def __init__(self, has_scores: bool) -> None:
        self.number = 1  # of the next line
        self._has_scores = has_scores
        self._boxes: dict[Cell, int] = {}
        self._count = 0
        self._players: list[Player] = []
        self._bombs: list[Bomb] = []
        self._items: list[Item] = []
        self._scored: tuple[int, ...] | None = None

    @property
    def expects(self) -> str:
        entity = self.number - HEIGHT - 1  # from 1
        if entity < 0:
            return f"row {self.number - 1}"
        if entity == 0:
            return "the number of entities"
        if entity <= self._count:
            return f"entity {entity} of {self._count}"
        return "the scores" if self._has_scores and self._scored is None else ""

    def take(self, line: str) -> None:
        entity = self.number - HEIGHT - 1
        if entity < 0:
            self._boxes |= read_row(self.number - 1, line)
        elif entity == 0:
            (self._count,) = read_numbers(line, "number-of-entities")
            if not 0 <= self._count <= MOST_ENTITIES:
                raise UnreadableError(f"expected 0 to {MOST_ENTITIES} entities, found {line!r}")
        elif entity <= self._count:
            self._take_entity(line)
        else:
            self._scored = read_scores(line)
        self.number += 1

    def _take_entity(self, line: str) -> None:
        kind, owner, x, y, first, second = read_numbers(line, ENTITY)
        expect(is_on_board(x, y) and not is_wall(x, y), "a cell of the board without a wall", line)
        if kind == ITEM_TYPE:
            expect(first in KINDS, "an item of kind 1 (range) or 2 (bomb)", line)
            self._items.append(Item(x, y, first))
            return
        expect(kind in (PLAYER_TYPE, BOMB_TYPE), "type 0 (player), 1 (bomb) or 2 (item)", line)
        expect(0 <= owner < MAX_PLAYERS, f"a player 0 to {MAX_PLAYERS - 1}", line)
        if kind == BOMB_TYPE:
            self._bombs.append(Bomb(owner, x, y, first, second))
        else:
            expect(all(owner != player.id for player in self._players), "each player once", line)
            self._players.append(Player(owner, x, y, first, second, 0))

    def position(self) -> Position:
        return Position(
            self._boxes, tuple(self._players), tuple(self._bombs), tuple(self._items), self._scored
        ).sorted()


def expect(holds: bool, wanted: str, line: str) -> None:
    if not holds:
        raise UnreadableError(f"expected {wanted}, found {line[:80]!r}")


def read_row(y: int, row: str) -> dict[Cell, int]:
    """The boxes of a row."""
    if len(row) != WIDTH or set(row) - set(".X012"):
        raise UnreadableError(f"expected row {y}, {WIDTH} of the characters . X 0 1 2, found {row[:80]!r}")
    for x, mark in enumerate(row):
        wanted = "a wall X" if is_wall(x, y) else "no wall"
        expect((mark == "X") == is_wall(x, y), f"{wanted} at {x},{y}", row)
    return {(x, y): CONTENT_OF[mark] for x, mark in enumerate(row) if mark in CONTENT_OF}


def read_numbers(line: str, form: str) -> list[int]:
    """As many numbers as the form has words."""
    words = line.split()
    try:
        numbers = [int(word) for word in words if len(word) < 10]
    except ValueError:
        numbers = []
    is_fit = len(words) == len(numbers) == len(form.split()) and all(abs(one) <= LARGEST for one in numbers)
    expect(is_fit, f"`{form}`", line)
    return numbers


def read_scores(line: str) -> tuple[int, ...]:
    """Boxes scored since the position that was sent, by player."""
    word, _, numbers = line.partition(" ")
    expect(word == SCORES, f"`{SCORES}` and {MAX_PLAYERS} numbers", line)
    return tuple(read_numbers(numbers, " ".join(f"player{seat}" for seat in range(MAX_PLAYERS))))


Actions = Mapping[int, int]  # player -> action 0 to 9; players that are not named stay
Round = tuple[Position, Actions, Position]  # before, what its living players do, after


@dataclass(frozen=True)
class Case:
    """What a simulator is asked: a position, then round after round."""

    start: Position
    rounds: tuple[Actions, ...]


class ReferenceEngine:
    """The specification, playing on from a position."""

    def __init__(self, start: Position) -> None:
        game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS)
        self.naive = from_state(game.state, game.map)

    def play(self, actions: Actions) -> None:
        step(self.naive, pack_actions([actions.get(player, 0) for player in range(MAX_PLAYERS)]))

    def position(self) -> Position:
        return position_of(self.naive)


def position_of(naive: np.record) -> Position:
    """What there is to see of the specification's record."""
    ys, xs = np.nonzero(naive.grid >= EMPTY_BOX)
    boxes = {(int(x), int(y)): int(naive.grid[y, x]) - EMPTY_BOX for x, y in zip(xs, ys, strict=True)}
    ys, xs = np.nonzero(naive.items)
    items = [Item(int(x), int(y), int(naive.items[y, x])) for x, y in zip(xs, ys, strict=True)]
    fields = naive.players.tolist()  # alive, x, y, bombs left, range, scored, ...
    players = [
        Player(seat, x, y, left, reach, 0) for seat, (alive, x, y, left, reach, *_) in enumerate(fields) if alive
    ]
    bombs = [Bomb(*numbers[:5]) for numbers in naive.bombs[: naive.bomb_count].tolist()]
    return Position(boxes, tuple(players), tuple(bombs), tuple(items), tuple(numbers[5] for numbers in fields)).sorted()


def play_reference(case: Case) -> Iterator[Round]:
    """Every round of a case, by the specification."""
    reference = ReferenceEngine(case.start)
    before = case.start
    for actions in case.rounds:
        reference.play(actions)
        after = reference.position()
        yield before, {player.id: actions.get(player.id, 0) for player in before.players}, after
        before = after


# Actions as text: the cell that a player goes to, which is their own or the next one


def target(player: Player, action: int) -> Cell:
    """Where an action would lead if nothing was in the way."""
    dx, dy = DELTAS[action % BOMB]
    return player.x + dx, player.y + dy


def targets_of(rounds: Iterable[Round]) -> set[Cell]:
    """The cells of the board that players want to go to."""
    cells = {target(player, actions[player.id]) for before, actions, _ in rounds for player in before.players}
    return {cell for cell in cells if is_on_board(*cell)}


def format_actions(players: tuple[Player, ...], actions: Actions) -> list[str]:
    """A line for each living player, such as `0 BOMB 3 4`."""
    lines = []
    for player in players:
        action = actions.get(player.id, 0)
        x, y = target(player, action)
        lines.append(f"{player.id} {'BOMB' if action >= BOMB else 'MOVE'} {x} {y}")
    return lines


def parse_action(line: str, players: tuple[Player, ...]) -> tuple[int, int]:
    """The player and the action of such a line."""
    seat, _, words = line.strip().partition(" ")
    player = next((player for player in players if str(player.id) == seat), None)
    if player is None:
        raise NotationError(f"expected the number of a living player first, found {line!r}")
    return player.id, action_of(player, parse_order(words))


def action_of(player: Player, order: Order) -> int:
    step = (order.x - player.x, order.y - player.y)
    if step not in DELTAS:
        raise NotationError(
            f"player {player.id}: expected the player's cell or the next one, found {order.x} {order.y}"
        )
    return DELTAS.index(step) + (BOMB if order.drops_bomb else 0)
