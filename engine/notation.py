"""The arena's text: positions to games and back, MOVE/BOMB lines to actions and back.

13 11 0              width, height, own id (only before the first turn)
..01..               11 rows: . floor, X wall, 0 empty box, 1 box with a range item, 2 with a bomb item
2                    number of entities, then one line each: type owner x y param1 param2
0 1 12 10 1 3        a player with 1 bomb left and range 3
1 0 4 2 8 3          a bomb that explodes in 8 rounds
2 0 6 2 1 1          an item
"""

import hashlib
import re
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.board import DELTAS, HEIGHT, WIDTH, is_on_board, is_wall
from engine.errors import EngineError
from engine.game import Game
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Item, Player, boxes_on, is_free, player_of, target_of
from engine.rules import BOMB
from engine.state import FUSE, MAX_PLAYERS, MAX_RANGE, MAX_STOCK, MAX_TURNS

PLAYER_TYPE, BOMB_TYPE, ITEM_TYPE = 0, 1, 2
EMPTY_ROWS = ["".join("X" if is_wall(x, y) else "." for x in range(WIDTH)) for y in range(HEIGHT)]
CONTENT_OF = {"0": 0, "1": RANGE_ITEM, "2": BOMB_ITEM}
ACTION_LINE = re.compile(r"\s*(MOVE|BOMB)\s+(-?\d+)\s+(-?\d+)(?:\s(.*))?", re.IGNORECASE | re.DOTALL | re.ASCII)
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
LONGEST_NUMBER = 10  # digits of a 32-bit integer


class NotationError(EngineError):
    """A text that is not a position or an action; names the line and the right form."""


class Order(NamedTuple):
    """A player's line, before `resolve` applies it to a board."""

    drops_bomb: bool
    x: int
    y: int
    message: str


# Positions


def parse_header(line: str, number: int = 1) -> int:
    """The player's id from `13 11 id`."""
    fields = parse_integers(line, number, "13 11 id", 3)
    if fields[:2] != [WIDTH, HEIGHT] or not 0 <= fields[2] < MAX_PLAYERS:
        raise NotationError(f"line {number}: expected `{WIDTH} {HEIGHT} id` with id 0 to 3, found {line.strip()!r}")
    return fields[2]


def parse_integers(line: str, number: int, form: str, count: int) -> list[int]:
    fields = line.split()
    try:
        values = [int(field) for field in fields]
    except ValueError:
        values = []
    if len(values) != count:
        raise NotationError(f"line {number}: expected `{form}`, found {line.strip()!r}")
    return values


def parse_position(
    text: str, turn: int = 0, boxes: Sequence[int] = (), seats: int | None = None, first_line: int = 1
) -> Game:
    """A game from one turn's input, with or without the first line.

    The text has neither the turn nor the boxes scored nor the number of players: pass them where
    they matter. Without `seats` there are as many as the highest id seen needs (2 at least). `first_line` is
    the number that errors give to the first line.
    """
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), first_line)]
    while lines and not lines[-1][1]:
        lines.pop()
    if lines and re.fullmatch(r"\s*-?\d+\s+-?\d+\s+-?\d+", lines[0][1]):
        parse_header(lines[0][1], lines[0][0])
        lines = lines[1:]
        first_line += 1
    grid = parse_grid(lines, first_line)
    players, bombs, items = parse_entities(lines[HEIGHT:], grid, lines[-1][0])
    if not 0 <= turn <= MAX_TURNS:
        raise NotationError(f"turn {turn}: expected 0 to {MAX_TURNS}")
    needed = max([2, *(entity.id + 1 for entity in players), *(bomb.owner + 1 for bomb in bombs)])
    if seats is not None and not needed <= seats <= MAX_PLAYERS:
        wanted = f"{needed} to {MAX_PLAYERS}" if needed < MAX_PLAYERS else f"{MAX_PLAYERS}"
        raise NotationError(f"{seats} players: this position needs {wanted}")
    game = Game.build(grid, players, bombs, items, seats=seats or needed, turn=turn)
    if boxes:
        if len(boxes) != game.seats or not all(0 <= count <= 255 for count in boxes):
            raise NotationError(f"boxes {','.join(map(str, boxes))}: expected {game.seats} numbers, one per player")
        game.set_scores(boxes)
    return game


def parse_grid(lines: list[tuple[int, str]], first_line: int) -> dict[tuple[int, int], int]:
    """The boxes of the 11 rows, with their contents."""
    boxes = {}
    for y in range(HEIGHT):
        if y >= len(lines):
            last = lines[-1][0] if lines else first_line - 1
            raise NotationError(f"line {last + 1}: expected row {y} of {HEIGHT} rows, found the end of the text")
        number, row = lines[y]
        if len(row) != WIDTH:
            raise NotationError(
                f"line {number}: expected row {y} with {WIDTH} characters, found {row!r} with {len(row)}"
            )
        for x, character in enumerate(row):
            if character not in ".X012":
                raise NotationError(f"line {number}: expected one of . X 0 1 2 at x={x}, found {character!r}")
            if is_wall(x, y) != (character == "X"):
                wanted = "a wall X (x and y are both odd)" if is_wall(x, y) else "no wall (x or y is even)"
                raise NotationError(f"line {number}: expected {wanted} at x={x}, y={y}, found {character!r}")
            if character in CONTENT_OF:
                boxes[x, y] = CONTENT_OF[character]
    return boxes


def parse_entities(
    lines: list[tuple[int, str]], boxes: dict[tuple[int, int], int], last: int
) -> tuple[list[Player], list[Bomb], list[Item]]:
    if not lines:
        raise NotationError(f"line {last + 1}: expected the number of entities, found the end of the text")
    (count,) = parse_integers(lines[0][1], lines[0][0], "number of entities", 1)
    if count != len(lines) - 1:
        raise NotationError(f"line {lines[0][0]}: expected {count} entity lines to follow, found {len(lines) - 1}")
    players: list[Player] = []
    line_of: dict[int, int] = {}  # the players'
    bombs: list[Bomb] = []
    items: list[Item] = []
    for number, line in lines[1:]:
        kind, owner, x, y, first, second = parse_integers(line, number, "type owner x y param1 param2", 6)
        check_place(number, x, y, boxes)
        if kind == PLAYER_TYPE:
            players.append(check_player(number, Player(owner, x, y, first, second, 0), players))
            line_of[owner] = number
        elif kind == BOMB_TYPE:
            bombs.append(check_bomb(number, Bomb(owner, x, y, first, second), bombs))
        elif kind == ITEM_TYPE:
            items.append(check_item(number, Item(x, y, first), items))
        else:
            raise NotationError(f"line {number}: expected type 0 (player), 1 (bomb) or 2 (item), found {kind}")
    most = MAX_RANGE - [*(item.kind for item in items), *boxes.values()].count(RANGE_ITEM)
    for player in players:  # each might take all items that are left
        wanted = f"a range of at most {most}, for items add to it"
        expect(player.range <= most, line_of[player.id], wanted, player.range)
    return sorted(players), bombs, items


def expect(holds: bool, number: int, wanted: str, found: object) -> None:
    if not holds:
        raise NotationError(f"line {number}: expected {wanted}, found {found}")


def check_place(number: int, x: int, y: int, boxes: dict[tuple[int, int], int]) -> None:
    expect(is_on_board(x, y), number, f"x 0 to {WIDTH - 1} and y 0 to {HEIGHT - 1}", f"{x} {y}, off the board")
    expect(not is_wall(x, y), number, "an entity on the floor", f"a wall at {x} {y}")
    expect((x, y) not in boxes, number, "an entity on the floor", f"a box at {x} {y}")


def check_player(number: int, player: Player, others: list[Player]) -> Player:
    expect(0 <= player.id < MAX_PLAYERS, number, "a player's id 0 to 3", player.id)
    expect(all(player.id != other.id for other in others), number, "each player once", f"player {player.id} again")
    expect(0 <= player.bombs_left <= MAX_STOCK, number, f"0 to {MAX_STOCK} bombs left", player.bombs_left)
    expect(1 <= player.range <= MAX_RANGE, number, f"a range of 1 to {MAX_RANGE}", player.range)
    return player


def check_bomb(number: int, bomb: Bomb, others: list[Bomb]) -> Bomb:
    expect(0 <= bomb.owner < MAX_PLAYERS, number, "a bomb's owner 0 to 3", bomb.owner)
    expect(1 <= bomb.timer <= FUSE, number, f"a timer of 1 to {FUSE}", bomb.timer)
    expect(1 <= bomb.range <= MAX_RANGE, number, f"a range of 1 to {MAX_RANGE}", bomb.range)
    twice = any((bomb.owner, bomb.timer) == (other.owner, other.timer) for other in others)
    found = f"a second one of player {bomb.owner} with timer {bomb.timer}"
    expect(not twice, number, "one bomb per player and timer (a turn drops one)", found)
    return bomb


def check_item(number: int, item: Item, others: list[Item]) -> Item:
    expect(item.kind in (RANGE_ITEM, BOMB_ITEM), number, "an item of kind 1 (range) or 2 (bomb)", item.kind)
    taken = any(item.cell == other.cell for other in others)
    expect(not taken, number, "one item per cell", f"a second one at {item.x} {item.y}")
    return item


def format_header(player: int) -> str:
    return f"{WIDTH} {HEIGHT} {player}\n"


def format_position(game: Game) -> str:
    """One turn's input, exactly as the arena sends it."""
    rows = [list(row) for row in EMPTY_ROWS]
    for (x, y), content in boxes_on(game.state, game.map).items():
        rows[y][x] = str(content)
    entities = [
        *(f"{PLAYER_TYPE} {p.id} {p.x} {p.y} {p.bombs_left} {p.range}" for p in game.players()),
        *(f"{BOMB_TYPE} {b.owner} {b.x} {b.y} {b.timer} {b.range}" for b in game.bombs),
        *(f"{ITEM_TYPE} 0 {i.x} {i.y} {i.kind} {i.kind}" for i in game.items),
    ]
    return "\n".join([*map("".join, rows), str(len(entities)), *entities]) + "\n"


def digest(game: Game) -> str:
    """A short hash of position, turn and scores. The same on any machine."""
    seen = f"{game.turn} {game.boxes}\n{format_position(game)}"
    return hashlib.blake2b(seen.encode(), digest_size=8).hexdigest()


# Actions


def parse_order(line: str) -> Order:
    """A player's line: MOVE x y or BOMB x y in any case, then perhaps a message."""
    match = ACTION_LINE.fullmatch(line.rstrip("\r\n"))
    if match is None:
        raise NotationError(f"expected `MOVE x y` or `BOMB x y`, found {line.strip()[:80]!r}")
    command, x, y, message = match.groups()
    return Order(command.upper() == "BOMB", parse_number(x, line), parse_number(y, line), (message or "").strip())


def parse_number(text: str, line: str) -> int:
    """A 32-bit integer; any number of leading zeros is fine."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits = digits.lstrip("0") or "0"
    if len(digits) > LONGEST_NUMBER or not INT_MIN <= int(sign + digits) <= INT_MAX:
        raise NotationError(f"expected 32-bit numbers, found {line.strip()[:80]!r}")
    return int(sign + digits)


def first_move(state: np.record, start: tuple[int, int], target: tuple[int, int]) -> int:
    """The first move of the arena's path towards a target, which may be blocked or off the board."""
    if target == start:
        return 0
    parents: dict[tuple[int, int], tuple[int, int] | None] = {start: None}  # in order of discovery
    queue = deque([start])
    while queue and target not in parents:
        cell = queue.popleft()
        for dx, dy in DELTAS[1:]:
            to = (cell[0] + dx, cell[1] + dy)
            if to not in parents and is_free(state, *to):
                parents[to] = cell
                queue.append(to)
    goal = min(parents, key=lambda cell: abs(cell[0] - target[0]) + abs(cell[1] - target[1]))
    while (parent := parents[goal]) is not None and parent != start:
        goal = parent
    return DELTAS.index((goal[0] - start[0], goal[1] - start[1]))


def resolve(state: np.record, player: int, order: Order) -> int:
    """The action that an order becomes on this board: one step of the path, and a bomb for BOMB."""
    me = player_of(state, player)
    if me is None:
        raise EngineError(f"player {player} is dead or absent")
    return first_move(state, me.cell, (order.x, order.y)) + (BOMB if order.drops_bomb else 0)


def format_action(state: np.record, player: int, action: int, message: str = "") -> str:
    """The line that makes this step on the arena (a blocked move becomes staying)."""
    me = player_of(state, player)
    if me is None:
        raise EngineError(f"player {player} is dead or absent")
    x, y = target_of(state, me, action)
    return f"{'BOMB' if action >= BOMB else 'MOVE'} {x} {y} {message}".rstrip()
