"""Step many independent games together, for learners and sweeps.

    batch = Batch.of(games, threads=2)
    batch.step(pack_actions(actions))        # [game, seat] of actions; one round of every game
    batch.states["players"] != 0             # alive or not; every field is an array over the games

The games are contiguous in memory, each with its own map, and one kernel call plays a round of all of them. Kernels
release Python's lock, so plain threads can each take a piece of the batch. No game waits for another, and the outcome
doesn't depend on the number of threads.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.board import (
    CELLS,
    CLASS_SHIFT,
    HEIGHT,
    NO_CELL,
    ONE,
    PADDING_A,
    PADDING_H,
    PADDING_V,
    U64,
    WIDTH,
    X_OF,
    Y_OF,
    ZERO,
    count_bits,
    has_bit,
    is_wall,
    lowest_bit,
)
from engine.cells import ALL_CELLS, NOTHING, add, common, count_cells, has, read, write
from engine.errors import HsctlError
from engine.game import IDLE, IDLE_LIMIT, LAST_BOX_ROUNDS, NO_BOXES, NONE_LEFT, ONE_LEFT, TURN_LIMIT, Game
from engine.instructions import occupied
from engine.jit import entry, inline, kernel
from engine.maps import CORNERS, MAX_TRIES, START_BOMBS, START_RANGE, is_near_corner
from engine.position import Player, pack_player
from engine.random import next_random, pick_legal
from engine.rules import ACTIONS, ONE_OWNER, legal_actions, pack, step
from engine.state import (
    FUSE,
    MAP,
    MAX_PLAYERS,
    MAX_TURNS,
    STATE,
    bomb_in,
    cell_of,
    new_states,
    range_of,
    record,
    row_in,
    stock_of,
)
from engine.survival import FORECAST, fill_forecast

PIECE = 1024  # games for a thread at least: for fewer, waking it takes longer than playing them


@entry
def step_games(states, maps, joints, first, last):
    """One round of the games from `first` to before `last`; joints are the packed actions of each."""
    for game in range(first, last):
        step(states[game], maps[game], joints[game])


@entry
def find_legal(states, legal):
    """The legal actions of every player in every game, ten bits each; 0 for the dead. legal: [game, seat]."""
    for game in range(len(states)):
        for player in range(MAX_PLAYERS):
            legal[game, player] = legal_actions(states[game], player)


def pack_actions(actions: np.ndarray) -> np.ndarray:
    """Actions 0 to 9 of up to four seats, [game, seat], as one word for each game. Actions of the dead are ignored."""
    actions = np.asarray(actions)
    if actions.ndim != 2 or actions.shape[1] > MAX_PLAYERS or actions.dtype.kind not in "iu":
        raise HsctlError(f"actions are {actions.dtype} of shape {actions.shape}: pass integers [game, seat]")
    if actions.size and not 0 <= actions.min() <= actions.max() < ACTIONS:
        raise HsctlError(f"actions from {actions.min()} to {actions.max()}: use 0 to {ACTIONS - 1}")
    shifts = 4 * np.arange(actions.shape[1], dtype=np.uint64)
    return np.bitwise_or.reduce(actions.astype(np.uint64) << shifts, axis=1)


class Batch:
    """States and maps of many games, stepped in place by up to `threads` threads."""

    def __init__(self, states: np.ndarray, maps: np.ndarray, threads: int = 1) -> None:
        if states.dtype != STATE or maps.dtype != MAP or states.ndim != 1 or states.shape != maps.shape:
            raise HsctlError("pass as many maps as states, as arrays of the record types MAP and STATE")
        if threads < 1:
            raise HsctlError(f"{threads} threads: use at least 1")
        self.states = states
        self.maps = maps
        count = max(1, min(threads, len(states) // PIECE))
        self.pieces = [len(states) * k // count for k in range(count + 1)]
        self.helpers = ThreadPoolExecutor(count - 1) if count > 1 else None

    @classmethod
    def of(cls, games: Sequence[Game], threads: int = 1) -> "Batch":
        """The positions of these games, copied."""
        states, maps = np.zeros(len(games), STATE), np.zeros(len(games), MAP)
        for at, game in enumerate(games):
            states[at], maps[at] = game.state, game.map
        return cls(states, maps, threads)

    def __len__(self) -> int:
        return len(self.states)

    def step(self, joints: np.ndarray) -> None:
        """Play one round of every game. joints: one word of packed actions for each (`pack_actions`)."""
        if joints.shape != self.states.shape or joints.dtype != np.uint64:
            raise HsctlError(f"joint actions are {joints.dtype} of shape {joints.shape}: pass {len(self)} uint64")
        self.share(lambda first, last: step_games(self.states, self.maps, joints, first, last))

    def share(self, work: Callable[[int, int], object]) -> None:
        """Split the games among the threads and call `work(first, last)` for each piece."""
        pieces = list(zip(self.pieces, self.pieces[1:], strict=False))
        waiting = [self.helpers.submit(work, *piece) for piece in pieces[1:]] if self.helpers else []
        work(*pieces[0])
        for piece in waiting:
            piece.result()

    def legal(self) -> np.ndarray:
        """Every player's legal actions: [game, seat] of ten bits, 0 for the dead."""
        legal = np.zeros((len(self), MAX_PLAYERS), np.uint16)
        find_legal(self.states, legal)
        return legal


# A kernel that draws the same boards as `Game.start`, for callers that start thousands of games.


FACTOR, INCREMENT = U64(0x5DEECE66D), U64(0xB)  # of java.util.Random
LOW_48, DRAWN_SHIFT, DRAWN_END = U64((1 << 48) - 1), U64(17), U64(1 << 31)
COLUMNS, ROWS = U64(WIDTH), U64(HEIGHT)
LEAST_BOXES, SPREAD_OF_BOXES, KINDS = 30, U64(36), 3


def make_places() -> np.ndarray:
    """Where a box may be drawn: the cell's number, NO_CELL for a wall or next to a corner."""
    places = CELLS.copy()  # [y, x]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if is_near_corner(x, y):
                places[y, x] = NO_CELL
    return places


def make_starters() -> np.ndarray:
    """The players in their corners, packed: [seat]."""
    players = [Player(at, *CORNERS[at], START_BOMBS, START_RANGE, 0) for at in range(MAX_PLAYERS)]
    return np.array([pack_player(player) for player in players], np.uint32)


BOX_PLACES = make_places()
STARTERS = make_starters()


@inline
def draw_below(random, bound):
    """The next state of Java's generator and a number below the bound (no power of two), by rejection as Java does."""
    while True:
        random = (random * FACTOR + INCREMENT) & LOW_48
        drawn = random >> DRAWN_SHIFT
        value = drawn % bound
        if drawn - value + (bound - ONE) < DRAWN_END:
            return random, value


@inline
def clear_board(state, map_, players):
    """An empty board with the players in their corners, on turn 0."""
    write(state.blocked, (PADDING_A, PADDING_H, PADDING_V))
    write(state.boxes, NOTHING)
    write(state.items, NOTHING)
    write(map_.range_items, NOTHING)
    write(map_.bomb_items, NOTHING)
    for row in range(FUSE):
        state.bombs[row] = ZERO
    for at in range(MAX_PLAYERS):
        state.players[at] = STARTERS[at] if at < players else 0
        state.scored[at] = 0
    state.turn = 0


@inline
def put_box(state, items, cell):
    """A box on a cell, with an item of the kind whose set is given; returns 1, or 0 if there is a box already."""
    if has(state.boxes, cell):
        return 0
    add(state.boxes, cell)
    add(state.blocked, cell)
    add(items, cell)
    return 1


@entry
def draw_board(seed, players, state, map_, room):
    """The arena's board of a seed, into a state and a map. `room` is a scratch map."""
    clear_board(state, map_, players)
    random, extra = draw_below((U64(seed) ^ FACTOR) & LOW_48, SPREAD_OF_BOXES)
    target = LEAST_BOXES + np.int64(extra)
    ranges = bombs = target // KINDS  # of each kind of item, still to be hidden
    count = 0
    for _ in range(MAX_TRIES):
        if count >= target:
            break
        random, x = draw_below(random, COLUMNS)
        random, y = draw_below(random, ROWS)
        if BOX_PLACES[y, x] == NO_CELL or has(state.boxes, U64(BOX_PLACES[y, x])):
            continue
        items = map_.range_items if ranges > 0 else map_.bomb_items if bombs > 0 else room.range_items
        right, down = COLUMNS - ONE - x, ROWS - ONE - y
        new = put_box(state, items, U64(CELLS[y, x])) + put_box(state, items, U64(CELLS[y, right]))
        new += put_box(state, items, U64(CELLS[down, right])) + put_box(state, items, U64(CELLS[down, x]))
        count += new
        if ranges > 0:
            ranges -= new
        elif bombs > 0:
            bombs -= new


# A position as a learner sees it: planes of the board for one seat, written straight into an array.
#
#     walls             1 on a wall
#     boxes             1 on a box
#     range items       1 on a visible one and on a box that hides one
#     bomb items        the same
#     fuse              of the bomb that explodes first here: 1 in the coming round, to 8; 0 = no bomb
#     blast             the longest range of the bombs here
#     own bombs         1 on a bomb of this seat
#     danger            rounds until the cell burns if nobody acts, from 1; 0 = never
#     player 0 to 3     the range of a player, on their cell: the seat itself, then the seats after it in turn
#     stock 0 to 3      bombs that they have left, on their cell
#     score 0 to 3      boxes that they destroyed, on their cell
#     turn              the turn, on all cells
#
# The values are the game's own small numbers, not scaled.


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
    """Fill in planes and legal actions of some seats, for the games from `first` to before `last`.

    Staying is always legal, also for the dead. planes: [game, seat, plane, place], masks: [game, seat, action].
    The forecast of game `first` is scratch.
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


# Games as episodes of a learner: started, played, judged and shown by kernels, many at once.
#
#     episodes = Episodes(1000, (GIVEN, RANDOM), {"win": 1.0})
#     episodes.start(range(1000))                # the arena's boards of these seeds
#     episodes.step(actions)                     # [game, given seat]; an action that is not legal means stay
#     episodes.planes, episodes.masks            # observations and legal actions: [game, given seat, ...]
#     episodes.rewards, episodes.endings         # [game, seat]; [game], 0 while it goes on
#
# An episode ends with its game, when all given seats are dead, or at `max_turns`. The step after that starts the
# next episode on a new board. Every step overwrites all arrays.


GIVEN, RANDOM, STILL = range(3)  # who acts for a seat
NO_LEARNER, CUT = "no given seat lives", "max_turns"
ENDINGS = ("", ONE_LEFT, NONE_LEFT, TURN_LIMIT, NO_BOXES, IDLE, NO_LEARNER, CUT)  # by their number
CUT_NUMBER = ENDINGS.index(CUT)

TERMS = {
    "win": "1 for being first alone, 0 for sharing it, -1 for dying or any other place; when that is settled",
    "boxes": "boxes that the player's bombs destroyed",
    "items": "items that the player picked up",
    "bombs": "bombs that the player dropped",
    "deaths": "1 when the player dies",
    "turns": "1 for every turn that the player survived",
}  # of rewards, with what each counts in a round

EPISODE = record(
    [
        ("random", np.uint64),  # draws opponents' actions and the seeds of later boards
        ("seed", np.int64),  # of the board
        ("idle", np.uint8),  # rounds in which nothing happened
        ("bare", np.uint8),  # rounds that ended without a box
        ("ending", np.uint8),  # 0 = it goes on
    ]
)
SEED_SHIFT = U64(16)  # Java's generator looks at 48 bits of a seed
SCRAMBLE, SCRAMBLED = U64(0xBF58476D1CE4E5B9), U64(0x9E3779B97F4A7C15)


@inline
def begin(episode, state, map_, players, seed, room):
    """An episode on the board of a seed."""
    episode.seed = np.int64(seed)
    episode.idle = episode.bare = episode.ending = 0
    draw_board(seed, players, state, map_, room)


@entry
def begin_episodes(states, maps, episodes, players, seeds, rooms):
    """All episodes on the boards of these seeds."""
    for game in range(len(states)):
        seed = U64(seeds[game])
        episodes[game].random = next_random((seed + SCRAMBLED) * SCRAMBLE | ONE)
        begin(episodes[game], states[game], maps[game], players, seed, rooms[0])


@inline
def choose_actions(state, episode, policies, wanted):
    """The packed actions of all seats: the wanted ones where legal, or random ones."""
    joint = ZERO
    for seat in range(len(policies)):
        if policies[seat] == RANDOM:
            episode.random = next_random(episode.random)
            joint |= pack(seat, pick_legal(state, seat, episode.random))
        elif policies[seat] == GIVEN and has_bit(legal_actions(state, seat), wanted[seat]):
            joint |= pack(seat, wanted[seat])
    return joint


@inline
def count_living(state):
    living = 0
    for seat in range(MAX_PLAYERS):
        living += state.players[seat] != 0
    return living


@inline
def is_idle(before, state):
    """Whether nobody moved and no bomb was on the board in this round."""
    moved = False
    for seat in range(MAX_PLAYERS):
        moved |= cell_of(before.players[seat]) != cell_of(state.players[seat])
    return not moved and occupied(before.bombs) == ZERO and occupied(state.bombs) == ZERO


@inline
def find_ending(episode, before, state, policies, max_turns):
    """Count idle and bare rounds; returns why the episode is over, tested in the arena's order."""
    episode.idle = episode.idle + 1 if is_idle(before, state) else 0
    episode.bare += count_cells(read(state.boxes)) == 0
    living = count_living(state)
    if living < 2:
        return 1 if living == 1 else 2
    if state.turn >= MAX_TURNS:
        return 3
    if episode.bare >= LAST_BOX_ROUNDS:
        return 4
    if episode.idle >= IDLE_LIMIT:
        return 5
    learns = False
    for seat in range(len(policies)):
        learns |= policies[seat] == GIVEN and state.players[seat] != 0
    return 6 if not learns else 7 if state.turn >= max_turns else 0


@inline
def judge_win(before, state, is_over, seat):
    """1 if the player has won, 0 if the game is open or shared, -1 if lost. Never called for players dead before."""
    if not is_over or (state.players[seat] == 0 and count_living(state) > 0):
        return 0 if state.players[seat] != 0 else -1
    sharing = 0
    for at in range(MAX_PLAYERS):  # the living, or all players that died in this round
        if (state.players[at] if count_living(state) > 0 else before.players[at]) != 0:
            if state.scored[at] > state.scored[seat]:
                return -1
            sharing += state.scored[at] == state.scored[seat]
    return 1 if sharing == 1 else 0


@inline
def owned(state, seat):
    """Bombs that a player has left or on the board, and the player's range: both grow by items alone."""
    me = state.players[seat]
    return np.int64(range_of(me) + stock_of(me) + count_bits(occupied(state.bombs) & (ONE_OWNER << U64(seat))))


@kernel
def reward(before, state, is_over, seat, weights):
    """The weighted sum of all terms for a player in this round; 0 for a player that was dead before it."""
    if before.players[seat] == 0:
        return 0.0
    lives = state.players[seat] != 0
    boxes = np.int64(state.scored[seat]) - np.int64(before.scored[seat])
    drops = bomb_in(state.bombs[row_in(before, 0)], seat) != ZERO
    total = weights[0] * judge_win(before, state, is_over, seat) + weights[1] * boxes + weights[3] * drops
    if lives:
        total += weights[2] * (owned(state, seat) - owned(before, seat))
    return total + weights[4] * (not lives) + weights[5] * lives


@entry
def play_episodes(states, maps, episodes, policies, wanted, weights, max_turns, rewards, rooms, room_maps, first, last):
    """A round of each episode from `first` to before `last`; an ended one starts again instead.

    wanted: [game, seat] of actions, used for seats that are GIVEN. rewards: [game, seat]. The room of game `first` is
    scratch.
    """
    before = rooms[first]
    for game in range(first, last):
        state, episode = states[game], episodes[game]
        if episode.ending != 0:
            episode.random = next_random(episode.random)
            begin(episode, state, maps[game], len(policies), episode.random >> SEED_SHIFT, room_maps[first])
            rewards[game, :] = 0.0
            continue
        rooms[first] = state
        step(state, maps[game], choose_actions(state, episode, policies, wanted[game]))
        episode.ending = find_ending(episode, before, state, policies, max_turns)
        is_over = 0 < episode.ending < 6
        for seat in range(len(policies)):
            rewards[game, seat] = reward(before, state, is_over, seat, weights)


class Episodes:
    """Many episodes of one kind. `policies` choose how each seat acts, `rewards` weigh TERMS."""

    def __init__(
        self,
        games: int,
        policies: Sequence[int],
        rewards: Mapping[str, float],
        max_turns: int = MAX_TURNS,
        threads: int = 1,
    ) -> None:
        self.batch = Batch(new_states(games), np.zeros(games, MAP), threads)
        self.episodes = np.zeros(games, EPISODE)
        self.policies = np.array(policies, np.uint8)
        self.given = np.array([seat for seat, policy in enumerate(policies) if policy == GIVEN])
        self.weights = np.array([rewards.get(term, 0.0) for term in TERMS], np.float64)
        self.max_turns = max_turns
        self.wanted = np.zeros((games, len(policies)), np.uint8)
        self.rewards = np.zeros((games, len(policies)), np.float32)
        self.flat_planes = np.zeros((games, len(self.given), len(PLANES), AREA), np.uint8)
        self.planes = self.flat_planes.reshape(games, len(self.given), len(PLANES), HEIGHT, WIDTH)
        self.masks = np.zeros((games, len(self.given), ACTIONS), np.int8)
        self.rooms, self.room_maps = new_states(games), np.zeros(games, MAP)
        self.forecasts = np.zeros(games, FORECAST)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def endings(self) -> np.ndarray:
        """Why each episode is over: the place of the reason in ENDINGS, 0 while it goes on."""
        return self.episodes["ending"]

    def start(self, seeds: Iterable[int]) -> None:
        """Start all episodes again, each on the arena's board of its seed."""
        seeds = np.array(list(seeds), np.int64)
        if len(seeds) != len(self):
            raise HsctlError(f"{len(seeds)} seeds: pass one for each of {len(self)} games")
        batch = self.batch
        begin_episodes(batch.states, batch.maps, self.episodes, len(self.policies), seeds, self.room_maps)
        self.rewards[:] = 0
        self.batch.share(self.observe)

    def step(self, actions: np.ndarray) -> None:
        """Play a round of every episode; an ended one starts again instead. actions: [game, given seat]."""
        actions = np.asarray(actions)
        if actions.shape != (len(self), len(self.given)) or actions.dtype.kind not in "iu":
            expected = f"integers of shape {(len(self), len(self.given))}"
            raise HsctlError(f"actions are {actions.dtype} of shape {actions.shape}: pass {expected}")
        if not 0 <= actions.min() <= actions.max() < ACTIONS:
            raise HsctlError(f"actions from {actions.min()} to {actions.max()}: use 0 to {ACTIONS - 1}")
        self.wanted[:, self.given] = actions
        self.batch.share(self.play)

    def play(self, first: int, last: int) -> None:
        play_episodes(
            self.batch.states,
            self.batch.maps,
            self.episodes,
            self.policies,
            self.wanted,
            self.weights,
            self.max_turns,
            self.rewards,
            self.rooms,
            self.room_maps,
            first,
            last,
        )
        self.observe(first, last)

    def observe(self, first: int, last: int) -> None:
        states, maps, players = self.batch.states, self.batch.maps, len(self.policies)
        observe_games(states, maps, players, self.given, self.flat_planes, self.masks, self.forecasts, first, last)
