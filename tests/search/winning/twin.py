"""The features in plain Python on sets of (x, y): slow, obvious, and the specification of the kernels."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from engine.board import DELTAS, HEIGHT, OPEN_CELLS, WIDTH, cells_of, is_wall
from engine.position import Cell, bombs_on, living_players
from engine.rules import BOMB, play_round
from engine.state import FUSE, copy_state
from search.winning.features import FADE, FAR, LATER, RACE_BOMBS, RACE_ROUNDS, RACE_STEPS, STEPS

ARMS = DELTAS[1:]
MOST_HITS = 4  # of one bomb


class Board(NamedTuple):
    boxes: frozenset[Cell]
    items: frozenset[Cell]
    bombs: frozenset[Cell]

    @property
    def blocked(self) -> frozenset[Cell]:
        return self.boxes | self.bombs


class Blasts(NamedTuple):
    """What the known bombs will do: by round, and the board after them."""

    fires: list[set[Cell]]
    blocked: list[frozenset[Cell]]  # before each round
    hits: list[dict[int, int]]
    after: Board


def contents(map_: np.record) -> set[Cell]:
    return set(cells_of(map_.range_items)) | set(cells_of(map_.bomb_items))


def fire_of(cell: Cell, bomb_range: int, obstacles: frozenset[Cell]) -> set[Cell]:
    fire = {cell}
    for dx, dy in ARMS:
        for step in range(1, bomb_range):
            x, y = cell[0] + dx * step, cell[1] + dy * step
            if not (0 <= x < WIDTH and 0 <= y < HEIGHT) or is_wall(x, y):
                break
            fire.add((x, y))
            if (x, y) in obstacles:
                break
    return fire


def foresee(state: np.record, map_: np.record, rounds_left: int) -> Blasts:
    board = Board(frozenset(cells_of(state.boxes)), frozenset(cells_of(state.items)), frozenset())
    waiting = bombs_on(state)
    fires, blocked, hits = [], [], []
    for now in range(1, min(FUSE, rounds_left) + 1):
        board = board._replace(bombs=frozenset(bomb.cell for bomb in waiting))
        blocked.append(board.blocked)
        obstacles = board.blocked | board.items
        wave, exploded = [bomb for bomb in waiting if bomb.timer == now], []
        while wave:
            exploded += wave
            fire = set().union(*(fire_of(bomb.cell, bomb.range, obstacles) for bomb in exploded))
            wave = [bomb for bomb in waiting if bomb not in exploded and bomb.cell in fire]
        each = {
            owner: set().union(*(fire_of(bomb.cell, bomb.range, obstacles) for bomb in exploded if bomb.owner == owner))
            for owner in range(4)
        }
        fire = set().union(*each.values())
        waiting = [bomb for bomb in waiting if bomb not in exploded]
        fires.append(fire)
        hits.append({owner: len(cells & board.boxes) for owner, cells in each.items()})
        freed = board.boxes & fire & contents(map_)
        board = Board(board.boxes - fire, (board.items - fire) | freed, frozenset(bomb.cell for bomb in waiting))
    return Blasts(fires, blocked, hits, board)


def neighbours(cells: set[Cell]) -> set[Cell]:
    return {(x + dx, y + dy) for x, y in cells for dx, dy in DELTAS} & set(OPEN_CELLS)


def walk(cells: set[Cell], blocked: frozenset[Cell]) -> set[Cell]:
    return cells | (neighbours(cells) - blocked)


def survives(cell: Cell, blasts: Blasts, since: int) -> bool:
    """Whether somebody who stands there before round `since` can survive from then on."""
    cells = {cell}
    for fire, blocked in list(zip(blasts.fires, blasts.blocked, strict=True))[since:]:
        cells = walk(cells - fire, blocked)
    return bool(cells)


def escapes_of(cell: Cell, blasts: Blasts) -> int:
    """Moves of this round that survive the known bombs."""
    if blasts.fires and cell in blasts.fires[0]:
        return 0
    return sum(survives(to, blasts, 1) for to in walk({cell}, blasts.blocked[0])) if blasts.fires else 0


def nearest_first(cells: Cell, blocked: frozenset[Cell], steps: int) -> list[set[Cell]]:
    """The cells that take 0, 1, 2, ... steps."""
    layers, reach = [{cells}], {cells}
    for _ in range(steps - 1):
        further = walk(reach, blocked)
        layers.append(further - reach)
        reach = further
    return layers


def shares(cells: dict[int, Cell], boxes: frozenset[Cell], blocked: frozenset[Cell], steps: int) -> dict[int, float]:
    """Each box goes to those who come beside it first."""
    reached = {
        player: {
            box: step
            for step in reversed(range(steps))
            for box in neighbours(nearest_first(cell, blocked, steps)[step]) & boxes
        }
        for player, cell in cells.items()
    }
    found: dict[int, Fraction] = dict.fromkeys(cells, Fraction(0))
    for box in boxes:
        first = min((times[box] for times in reached.values() if box in times), default=None)
        winners = [player for player, times in reached.items() if first is not None and times.get(box) == first]
        for player in winners:
            found[player] += Fraction(1, len(winners))
    return {player: float(share) for player, share in found.items()}


def cell_order(cell: Cell) -> tuple[int, int]:
    """Of equal spots the first in the engine's order counts."""
    x, y = cell
    return x % 2 + 2 * (y % 2), 7 * (y // 2) + x // 2


def best_spot(cells: set[Cell], bomb_range: int, board: Board) -> tuple[int, Cell | None]:
    most, spot = 0, None
    for cell in sorted(cells, key=cell_order):
        hits = len(fire_of(cell, bomb_range, board.blocked | board.items) & board.boxes)
        if hits > most:
            most, spot = hits, cell
    return most, spot


def fade(steps: int) -> float:
    factor = 1.0
    for _ in range(steps):
        factor *= FADE
    return factor


class Racer:
    def __init__(self, state: np.record, player: int) -> None:
        me = next(each for each in living_players(state) if each.id == player)
        self.cell, self.range, self.stock, self.time = me.cell, me.range, me.bombs_left, 0
        self.returns = sorted(bomb.timer for bomb in bombs_on(state) if bomb.owner == player)
        self.boxes = self.early = 0.0

    def wait(self, now: int) -> int:
        self.stock += sum(back <= now for back in self.returns)
        self.returns = [back for back in self.returns if back > now]
        return 0 if self.stock else (self.returns[0] - now if self.returns else RACE_ROUNDS)

    def choose(self, now: int, board: Board) -> set[Cell]:
        """Go to the best spot and drop a bomb there; returns the boxes it hits."""
        wait = self.wait(now)
        if wait > FUSE:
            self.time = RACE_ROUNDS
            return set()
        most, chosen = 0.0, None
        for step, cells in enumerate(nearest_first(self.cell, board.boxes, RACE_STEPS + 1)):
            when = max(step, wait)
            if fade(when) * MOST_HITS <= most:
                break
            hits, spot = best_spot(cells, self.range, board)
            if spot is not None and fade(when) * hits > most:
                most, chosen = fade(when) * hits, (when, spot, hits)
        if chosen is None:
            self.time = now + LATER
            return set()
        when, self.cell, hits = chosen
        self.boxes += hits
        self.early += fade(now + when) * hits
        self.stock -= 1
        self.returns.append(now + when + FUSE)
        self.time = now + when + 1
        return fire_of(self.cell, self.range, board.blocked | board.items) & board.boxes


def race(state: np.record, board: Board, rounds_left: int) -> dict[int, Racer]:
    racers = {player.id: Racer(state, player.id) for player in living_players(state)}
    dropped = 0
    for now in range(min(RACE_ROUNDS, rounds_left - FUSE)):
        if not board.boxes or dropped >= RACE_BOMBS:
            break
        hit: set[Cell] = set()
        for racer in racers.values():
            if racer.time == now:
                boxes = racer.choose(now, board)
                dropped += bool(boxes)
                hit |= boxes
        board = board._replace(boxes=board.boxes - hit)
    return racers


def forced_of(state: np.record, map_: np.record, rounds_left: int, escapes: dict[int, int]) -> dict[int, int]:
    """The fewest moves that survive if one other drops a bomb now."""
    cells = {player.id: player.cell for player in living_players(state)}
    stands_on_bomb = {bomb.cell for bomb in bombs_on(state)}
    forced = dict(escapes)
    for rival in living_players(state):
        if not rival.bombs_left or rival.cell in stands_on_bomb:
            continue
        after = copy_state(state)
        play_round(after, map_, np.uint64(BOMB << 4 * rival.id))
        blasts = foresee(after, map_, rounds_left - 1)
        blocked = frozenset(cells_of(state.boxes)) | stands_on_bomb
        for player, cell in cells.items():
            if player != rival.id and forced[player]:
                left = sum(survives(to, blasts, 0) for to in walk({cell}, blocked))
                forced[player] = min(forced[player], left)
    return forced


def features_of(state: np.record, map_: np.record, rounds_left: int) -> dict[int, dict[str, float]]:
    """All features of the living by name."""
    blasts, players = foresee(state, map_, rounds_left), living_players(state)
    board = blasts.after
    cells = {player.id: player.cell for player in players}
    escapes = {player: escapes_of(cell, blasts) for player, cell in cells.items()}
    forced = forced_of(state, map_, rounds_left, escapes)
    nearer = shares(cells, board.boxes, board.blocked, STEPS)
    closer = shares(cells, board.boxes, frozenset(), FAR)
    racers = race(state, board, rounds_left)
    range_items = board.items & set(cells_of(map_.range_items))
    bomb_items = board.items & set(cells_of(map_.bomb_items))
    found = {}
    for player in players:
        at, placed = player.id, sum(bomb.owner == player.id for bomb in bombs_on(state))
        layers = nearest_first(player.cell, board.blocked, STEPS)
        beside = {box: step for step in reversed(range(STEPS)) for box in neighbours(layers[step]) & board.boxes}
        others = [abs(x - player.x) + abs(y - player.y) for other, (x, y) in cells.items() if other != at]
        room = set().union(*nearest_first(player.cell, blocked_now(state), FUSE + 1))
        found[at] = {
            "scored": player.boxes,
            "claimed": sum(hits[at] for hits in blasts.hits),
            "burns": float(any(player.cell in fire for fire in blasts.fires)),
            "doomed": float(not survives(player.cell, blasts, 0)),
            "escapes": escapes[at],
            "forced": forced[at],
            "range": player.range,
            "bombs": player.bombs_left + placed,
            "stock": player.bombs_left,
            "room": len(room),
            "nearer": nearer[at],
            "closer": closer[at],
            "reach": sum(fade(step) for step in beside.values()),
            "spot": max(fade(step) * best_spot(layers[step], player.range, board)[0] for step in range(STEPS)),
            "range_items": sum(fade(step) * len(layers[step] & range_items) for step in range(STEPS)),
            "bomb_items": sum(fade(step) * len(layers[step] & bomb_items) for step in range(STEPS)),
            "rival": min(others, default=FAR),
            "race": racers[at].boxes,
            "early": racers[at].early,
            "left": min(len(board.boxes), max(0, rounds_left - FUSE)),
        }
    return found


def blocked_now(state: np.record) -> frozenset[Cell]:
    return frozenset(cells_of(state.boxes)) | {bomb.cell for bomb in bombs_on(state)}
