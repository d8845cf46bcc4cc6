"""What is measured, as counted loops: random games on either engine, and each helper over a pool of states.

As in Table 1 of the paper, a random agent plays from a midgame position, which is set up again after 15 actions or when
player 0 dies. Every call of a loop starts from the same random number, so that repeated calls do the same work and the
shortest time is that of the least disturbed one.
"""

from engine.board import ONE, U64, ZERO
from engine.jit import entry, inline
from engine.random import PICKS, SHARES, below, next_random, pick_choice, pick_legal
from engine.rules import ACTION_BITS, BOMB, FIVE, step, step_chosen
from engine.spec import naive as slow
from engine.state import MAX_PLAYERS, SLOT_BITS
from engine.survival import can_kill, is_survivable, survivable_cells
from search.winning.model import judge

ACTIONS_A_GAME = 15
FIRST_RANDOM = U64(0x9E3779B97F4A7C15)
MOVES_MASK = 31
ROUNDS_LEFT = 100  # of a game that is judged


@inline
def pick_joint(state, random, everybody):
    """A random legal action of player 0, or of everybody, and the next random number."""
    random = next_random(random)
    actions = pick_legal(state, 0, random)
    if everybody:
        for player in range(1, MAX_PLAYERS):
            random = next_random(random)
            actions |= pick_legal(state, player, random) << (ACTION_BITS * U64(player))
    return actions, random


@inline
def choose_joint(state, random, everybody):
    """`pick_joint` as `step_chosen` takes it."""
    random = next_random(random)
    chosen = pick_choice(state, 0, random)
    if everybody:
        for player in range(1, MAX_PLAYERS):
            random = next_random(random)
            chosen |= pick_choice(state, player, random) << (SLOT_BITS * U64(player))
    return chosen, random


@entry
def play_bitwise(states, map_, everybody, steps):
    """Random games on the bitwise engine. states: where they start, and room to play."""
    state = states[1]
    random = FIRST_RANDOM
    left = 0
    for _ in range(steps):
        if left == 0 or state.players[0] == 0:
            states[1] = states[0]
            left = ACTIONS_A_GAME
        chosen, random = choose_joint(state, random, everybody)
        step_chosen(state, map_, chosen)
        left -= 1


@inline
def pick_slowly(naive, player, random):
    """What `pick_legal` picks, from the legal actions that the naive engine finds."""
    legal = slow.legal_actions(naive, player)
    move = U64(PICKS[legal & MOVES_MASK, below(random, SHARES)])
    return move + FIVE * (random & ONE) if legal >> BOMB & 1 else move


@entry
def play_naive(naives, everybody, steps):
    """The same random games on the naive engine. naives: where they start, and room to play."""
    naive = naives[1]
    random = FIRST_RANDOM
    left = 0
    for _ in range(steps):
        if left == 0 or not naive.players[0].alive:
            naives[1] = naives[0]
            left = ACTIONS_A_GAME
        actions = ZERO
        for player in range(MAX_PLAYERS if everybody else 1):
            random = next_random(random)
            actions |= pick_slowly(naive, player, random) << (ACTION_BITS * U64(player))
        slow.step(naive, actions)
        left -= 1


@entry
def collect(states, map_, pool, joints):
    """Fill a pool with the states and joint actions that random games meet in which everybody acts."""
    state = states[1]
    random = FIRST_RANDOM
    left = 0
    for i in range(len(pool)):
        if left == 0 or state.players[0] == 0:
            states[1] = states[0]
            left = ACTIONS_A_GAME
        joints[i], random = pick_joint(state, random, True)
        pool[i] = state
        step(state, map_, joints[i])
        left -= 1


@entry
def draw_joints(pool, joints):
    """Random legal actions of everybody in each state of a pool."""
    random = FIRST_RANDOM
    for i in range(len(pool)):
        joints[i], random = pick_joint(pool[i], random, True)


@entry
def copy_states(pool, room, count):
    for i in range(count):
        room[i % len(room)] = pool[i % len(pool)]


@entry
def step_states(pool, room, map_, joints, count):
    """A copy and a step each."""
    for i in range(count):
        child = room[i % len(room)]
        room[i % len(room)] = pool[i % len(pool)]
        step(child, map_, joints[i % len(pool)])


@entry
def ask_survivable(pool, map_, count):
    survivors = 0
    for i in range(count):
        survivors += is_survivable(pool[i % len(pool)], map_, 0)
    return survivors


@entry
def ask_mask(pool, map_, future, count):
    seen = ZERO
    for i in range(count):
        a, h, v = survivable_cells(pool[i % len(pool)], map_, future)
        seen ^= a ^ h ^ v
    return seen


@inline
def next_rival(state):
    """The living player after 0; 1 if there is none."""
    for player in range(1, MAX_PLAYERS):
        if state.players[player] != 0:
            return player
    return 1


@entry
def ask_can_kill(pool, map_, scratch, count):
    kills = 0
    for i in range(count):
        state = pool[i % len(pool)]
        kills += can_kill(state, map_, 0, next_rival(state), scratch)
    return kills


@entry
def ask_judge(pool, map_, values, memory, count):
    total = 0.0
    for i in range(count):
        judge(pool[i % len(pool)], map_, ROUNDS_LEFT, values, memory)
        total += memory.places[0, 0]
    return total
