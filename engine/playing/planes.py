"""A position as a learner sees it: planes of the board for one seat, written straight into an array.

    walls             1 where a wall stands
    boxes             1 where a box stands
    range items       1 where one lies or is hidden in a box
    bomb items        the same
    fuse              of the bomb that explodes first here: 1 in the coming round, to 8; 0 = no bomb
    blast             the longest range of the bombs here
    own bombs         1 where one of the seat's own stands
    danger            rounds until the cell burns if nobody acts any more, from 1; 0 = never
    player 0 to 3     the range of a player, on their cell: the seat itself, then the seats after it in turn
    stock 0 to 3      bombs that they have left, on their cell
    score 0 to 3      boxes that they destroyed, on their cell
    turn              the turn, on all cells

Small numbers, as the game has them: nothing is scaled.
"""

import numpy as np

from engine.board import CLASS_SHIFT, HEIGHT, ONE, U64, WIDTH, X_OF, Y_OF, ZERO, has_bit, is_wall, lowest_bit
from engine.cells import ALL_CELLS, common, read
from engine.jit import entry, inline, kernel
from engine.rules import ACTIONS, legal_actions
from engine.state import FUSE, MAX_PLAYERS, bomb_in, cell_of, range_of, row_in, stock_of
from engine.survival import fill_forecast

PLANES = (
    *("walls", "boxes", "range items", "bomb items", "fuse", "blast", "own bombs", "danger"),
    *(f"{what} {k}" for what in ("player", "stock", "score") for k in range(MAX_PLAYERS)),
    "turn",
)
AREA = WIDTH * HEIGHT
WALLS, BOXES, RANGE_ITEMS, BOMB_ITEMS, FUSES, BLASTS, OWN, DANGER = range(8)
RANGES, STOCKS, SCORES = (8 + MAX_PLAYERS * k for k in range(3))
TURN = len(PLANES) - 1

SPOTS = WIDTH * Y_OF.astype(np.int64) + X_OF  # [cell] -> its place in a plane, row by row
WALL_SPOTS = np.array([WIDTH * y + x for y in range(HEIGHT) for x in range(WIDTH) if is_wall(x, y)])


@inline
def draw_cells(plane, cells, value):
    """Write the value on all cells of a set."""
    for kind in range(3):
        word = cells[kind]
        while word != ZERO:
            plane[SPOTS[U64(kind) << CLASS_SHIFT | lowest_bit(word)]] = value
            word &= word - ONE


@inline
def draw_bombs(planes, state, seat):
    """Fuse, range and owner of all bombs, the last to explode first: the fuse that stays is the shortest."""
    for rounds in range(FUSE - 1, -1, -1):
        row = state.bombs[row_in(state, rounds)]
        if row != ZERO:
            for owner in range(MAX_PLAYERS):
                bomb = bomb_in(row, owner)
                if bomb != ZERO:
                    spot = SPOTS[cell_of(bomb)]
                    planes[FUSES, spot] = rounds + 1
                    planes[BLASTS, spot] = max(U64(planes[BLASTS, spot]), range_of(bomb))
                    if owner == seat:
                        planes[OWN, spot] = 1


@inline
def draw_players(planes, state, seat, players):
    """Range, stock and score of the living on their cells, the seat's own planes first."""
    for k in range(players):
        at = (seat + k) % players
        me = U64(state.players[at])
        if me != ZERO:
            spot = SPOTS[cell_of(me)]
            planes[RANGES + k, spot] = range_of(me)
            planes[STOCKS + k, spot] = stock_of(me)
            planes[SCORES + k, spot] = state.scored[at]


@kernel
def draw_planes(planes, state, map_, seat, players, forecast):
    """All planes of a seat; the forecast is that of the state. planes: [plane, place]."""
    planes[:] = 0
    for k in range(len(WALL_SPOTS)):
        planes[WALLS, WALL_SPOTS[k]] = 1
    boxes, items = read(state.boxes), read(state.items)
    there = boxes[0] | items[0], boxes[1] | items[1], boxes[2] | items[2]
    draw_cells(planes[BOXES], boxes, 1)
    draw_cells(planes[RANGE_ITEMS], common(there, read(map_.range_items)), 1)
    draw_cells(planes[BOMB_ITEMS], common(there, read(map_.bomb_items)), 1)
    for rounds in range(forecast.rounds - 1, -1, -1):
        draw_cells(planes[DANGER], common(read(forecast.fire[rounds]), ALL_CELLS), rounds + 1)
    draw_bombs(planes, state, seat)
    draw_players(planes, state, seat, players)
    planes[TURN, :] = state.turn


@entry
def observe_games(states, maps, players, seats, planes, masks, forecasts, first, last):
    """What some seats see of the games from `first` to before `last`, and which actions are legal.

    Staying is always one of them, also for the dead. planes: [game, seat, plane, place], masks: [game, seat, action].
    The forecast of game `first` is room to work in.
    """
    forecast = forecasts[first]
    for game in range(first, last):
        state = states[game]
        fill_forecast(state, maps[game], forecast)
        for k in range(len(seats)):
            draw_planes(planes[game, k], state, maps[game], seats[k], players, forecast)
            legal = legal_actions(state, seats[k]) | ONE
            for action in range(ACTIONS):
                masks[game, k, action] = has_bit(legal, action)
