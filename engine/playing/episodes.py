"""Games as episodes of a learner: started, played, judged and shown by kernels, many at once.

    episodes = Episodes(1000, (GIVEN, RANDOM), {"win": 1.0})
    episodes.start(range(1000))                # the arena's boards of these seeds
    episodes.step(actions)                     # [game, given seat]; an action that is not legal means stay
    episodes.planes, episodes.masks            # what the given seats see and may do: [game, given seat, ...]
    episodes.rewards, episodes.endings         # [game, seat]; [game], 0 while it goes on

An episode ends with its game, when no given seat lives any more, or by `max_turns`. The step after that starts the
next one on a board of its own. All arrays are written again by every step.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.board import HEIGHT, ONE, U64, WIDTH, ZERO, count_bits, has_bit
from engine.cells import count_cells, read
from engine.errors import HsctlError
from engine.game import IDLE, IDLE_LIMIT, LAST_BOX_ROUNDS, NO_BOXES, NONE_LEFT, ONE_LEFT, TURN_LIMIT
from engine.instructions import occupied
from engine.jit import entry, inline, kernel
from engine.playing.batch import Batch
from engine.playing.boards import draw_board
from engine.playing.planes import AREA, PLANES, observe_games
from engine.playing.random import next_random, pick_legal
from engine.rules import ACTIONS, ONE_OWNER, legal_actions, pack, step
from engine.state import MAP, MAX_PLAYERS, MAX_TURNS, bomb_in, cell_of, new_states, range_of, record, row_in, stock_of
from engine.survival import FORECAST

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
}  # of rewards: what each counts in a round

EPISODE = record(
    [
        ("random", np.uint64),  # of what is drawn for this game: opponents' actions, seeds of later boards
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
    """The packed actions of all seats: those that are wanted if they are legal, or drawn."""
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
    """Whether nobody moved and no bomb stood about in this round."""
    moved = False
    for seat in range(MAX_PLAYERS):
        moved |= cell_of(before.players[seat]) != cell_of(state.players[seat])
    return not moved and occupied(before.bombs) == ZERO and occupied(state.bombs) == ZERO


@inline
def find_ending(episode, before, state, policies, max_turns):
    """Count idle and bare rounds, and say why the episode is over, in the order in which the arena asks."""
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
    """1 if the player has won, 0 if it isn't settled or shared, -1 if lost. Who died before is never asked."""
    if not is_over or (state.players[seat] == 0 and count_living(state) > 0):
        return 0 if state.players[seat] != 0 else -1
    sharing = 0
    for at in range(MAX_PLAYERS):  # the living, or all who died in this round
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
    """The weighted sum of all terms for a player in this round; 0 for who was dead before it."""
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
    """A round of each episode from `first` to before `last`; one that has ended begins anew instead.

    wanted: [game, seat] of actions, looked at for seats that are GIVEN. rewards: [game, seat]. The room of game `first`
    is to work in.
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
    """Many episodes of one kind. `policies` say who acts for each seat, `rewards` weigh TERMS."""

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
        """All episodes anew, on the arena's boards of these seeds, one for each."""
        seeds = np.array(list(seeds), np.int64)
        if len(seeds) != len(self):
            raise HsctlError(f"{len(seeds)} seeds, expected one for each of {len(self)} games")
        batch = self.batch
        begin_episodes(batch.states, batch.maps, self.episodes, len(self.policies), seeds, self.room_maps)
        self.rewards[:] = 0
        self.batch.share(self.observe)

    def step(self, actions: np.ndarray) -> None:
        """A round of every episode; one that has ended begins anew instead. actions: [game, given seat]."""
        actions = np.asarray(actions)
        if actions.shape != (len(self), len(self.given)) or actions.dtype.kind not in "iu":
            expected = f"integers of shape {(len(self), len(self.given))}"
            raise HsctlError(f"actions of shape {actions.shape} and type {actions.dtype}, expected {expected}")
        if not 0 <= actions.min() <= actions.max() < ACTIONS:
            raise HsctlError(f"actions from {actions.min()} to {actions.max()}, expected 0 to {ACTIONS - 1}")
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
