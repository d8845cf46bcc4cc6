"""Random games on both engines side by side, every field compared after every round.

    python -m hsctl.research.verify engine --steps 10000000    that many rounds, shared by games of 2, 3 and 4 players

The first difference ends the run with a drawing of the position before, the actions and both results.
"""

from typing import NamedTuple

import numpy as np

from engine.board import SEVEN, U64, ZERO
from engine.jit import entry, kernel
from engine.rules import play_round
from engine.spec import naive as slow
from engine.spec.bridge import FIELDS, SAME, difference, draw, from_state, read_state
from engine.spec.naive import new_naives, record
from engine.spec.perft import hash_leaf, mix, name_joint
from engine.spec.wild import careful_actions, happens, make_position, new_random, one_of, random_actions
from engine.state import FUSE, MAX_PLAYERS, SLOT, new_map, new_states


class TwinRun(NamedTuple):
    """Counts of a run. The digest covers all its positions."""

    steps: int
    games: int
    explosions: int  # bombs
    mixed_chains: int  # rounds in which a bomb was set off by another player's
    deaths: int
    shared_deaths: int  # rounds in which several players died
    shared_cells: int  # rounds after which living players share a cell
    shared_bombs: int  # rounds after which several bombs share a cell
    most_bombs: int  # on the board at once
    most_bombs_of_one: int  # player
    largest_range: int
    longest_game: int
    digest: int


# A run: its counts, and the game it is in.
RUN = record(
    *((name, np.uint64 if name == "digest" else np.int64) for name in TwinRun._fields),
    ("rounds", np.int64),  # of this game so far
    ("last_round", np.int64),
    ("bombs", np.int64),  # percent of actions that drop one
    ("is_careful", np.bool_),
    ("actions", np.uint64),  # of the last round
)


class EngineDifference(AssertionError):
    """The two engines disagree."""


@kernel
def count_explosions(run, before, after):
    """Count explosions: all bombs of the row that was due, and every other bomb that is gone."""
    due = chained = 0
    for k in range(FUSE):
        row = (U64(before.turn) + U64(k)) & SEVEN
        for owner in range(MAX_PLAYERS):
            slot = SLOT << U64(16 * owner)
            if before.bombs[row] & slot != ZERO and (k == 0 or after.bombs[row] & slot == ZERO):
                run.explosions += 1
                if k == 0:
                    due |= 1 << owner
                else:
                    chained |= 1 << owner
    if chained & ~due != 0:
        run.mixed_chains += 1


@kernel
def count_deaths(run, before, after):
    deaths = 0
    for player in range(MAX_PLAYERS):
        if before.players[player] != 0 and after.players[player] == 0:
            deaths += 1
    run.deaths += deaths
    run.shared_deaths += deaths > 1


@kernel
def count_sharing(run, naive):
    """Players on one cell, bombs on one cell."""
    players = bombs = False
    for i in range(MAX_PLAYERS):
        for j in range(i):
            me, other = naive.players[i], naive.players[j]
            players |= me.alive and other.alive and me.x == other.x and me.y == other.y
    for i in range(naive.bomb_count):
        bomb = naive.bombs[i]
        for j in range(i):
            other = naive.bombs[j]
            bombs |= bomb.x == other.x and bomb.y == other.y
    run.shared_cells += players
    run.shared_bombs += bombs


@kernel
def count_extremes(run, naive):
    run.longest_game = max(run.longest_game, run.rounds)
    run.most_bombs = max(run.most_bombs, naive.bomb_count)
    for player in range(MAX_PLAYERS):
        bombs = 0
        for i in range(naive.bomb_count):
            bombs += naive.bombs[i].owner == player
            run.largest_range = max(run.largest_range, naive.bombs[i].range)
        run.most_bombs_of_one = max(run.most_bombs_of_one, bombs)


@kernel
def start_game(run, state, map_, random, players):
    make_position(state, map_, random, players)
    run.games += 1
    run.rounds = 0
    run.last_round = one_of(random, 10, 40, 100, 200)
    run.bombs = one_of(random, 5, 20, 50, 90)
    run.is_careful = happens(random, 25)


@entry
def play_games(run, steps, random, players, states, map_, naives):
    """Play until so many rounds are done or the engines differ; returns the field that differs.

    states: the position, the one before it, and scratch; naives: the position, and scratch.
    """
    state, naive = states[0], naives[0]
    for _ in range(steps):
        if run.rounds == run.last_round or is_over(naive):
            start_game(run, state, map_, random, players)
            read_state(naive, state, map_)
        states[1] = state
        if run.is_careful:
            run.actions = careful_actions(state, map_, random, run.bombs, states[2:])
        else:
            run.actions = random_actions(state, random, run.bombs)
        play_round(state, map_, run.actions)
        slow.step(naive, run.actions)
        field = difference(naive, state, map_, naives[1])
        if field != SAME:
            return field
        count_round(run, states[1], state, naive)
    return SAME


@kernel
def count_round(run, before, state, naive):
    run.steps += 1
    run.rounds += 1
    count_explosions(run, before, state)
    count_deaths(run, before, state)
    count_sharing(run, naive)
    count_extremes(run, naive)
    run.digest = mix(run.digest, hash_leaf(state))


@kernel
def is_over(naive):
    """Whether nobody lives and no bomb is left."""
    for player in range(MAX_PLAYERS):
        if naive.players[player].alive:
            return False
    return naive.bomb_count == 0


def verify(steps: int, seed: int, players: int) -> TwinRun:
    """Compare the engines over so many random rounds; raises EngineDifference at the first difference."""
    states, map_, naives, run = new_states(3), new_map(), new_naives(2), np.zeros(1, RUN)[0]
    field = play_games(run, steps, new_random(seed), players, states, map_, naives)
    if field != SAME:
        raise EngineDifference(explain(FIELDS[field], states, map_, naives[0], int(run.actions)))
    return TwinRun(*(int(run[name]) for name in TwinRun._fields))


def explain(field: str, states: np.ndarray, map_: np.record, naive: np.record, actions: int) -> str:
    """The position before, the actions and both results."""
    return (
        f"the engines differ in: {field}\n\nbefore (turn {states[1].turn})\n{draw(from_state(states[1], map_))}\n"
        f"actions: {name_joint(states[1], actions)}\n\n"
        f"fast, scored {states[0].scored}\n{draw(from_state(states[0], map_))}\n"
        f"slow, scored {naive.players['scored']}\n{draw(naive)}"
    )
