"""The individuals of `rhea` and the kernels that try, draw, cross, mutate and replace them."""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline
from engine.random import below, next_random
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import STATE, record
from engine.survival import is_survivable
from search.common.evaluate import value_of
from search.rhea.params import RheaParams

CHANCE = U64(1 << 20)  # probabilities are compared in this many parts


class Pool(NamedTuple):
    """The memory of all parents and children."""

    genes: np.ndarray  # [individual, gene], actions
    fitness: np.ndarray  # [individual]
    done: np.ndarray  # [individual, gene], the actions that were really done
    length: np.ndarray  # [individual], how many of them
    skipped: np.ndarray  # [individual], genes left out as invalid or deadly
    order: np.ndarray  # [place], individuals: the parents first, then those that the children replace
    spare: np.ndarray  # [place]
    states: np.ndarray  # [gene + 2], the states of the line under way
    other_actions: np.ndarray  # [depth], packed, of the other players
    history: np.ndarray  # [generation], best fitness


EVOLUTION = record(
    [
        ("player", np.int64),
        ("nodes", np.int64),  # looked at: calls of step
        ("next", np.int64),  # the individual to be tried next
        ("generation", np.int64),
        ("random", np.uint64),
        ("population", np.int64),
        ("max_length", np.int64),
        ("mutation", np.uint64),  # in parts of CHANCE
        ("is_uniform", np.bool_),
        ("parents_compete", np.bool_),
        ("punishment", np.float64),
    ]
)
HISTORY = 4096  # generations remembered
UNTRIED = -1.0e9


def make_pool(params: RheaParams, other_actions: np.ndarray) -> Pool:
    count = params.population + params.offspring
    assert 2 <= params.population <= params.offspring and 1 <= params.length < len(other_actions)
    return Pool(
        genes=np.zeros((count, params.length), np.uint8),
        fitness=np.zeros(count),
        done=np.zeros((count, params.length), np.uint8),
        length=np.zeros(count, np.int64),
        skipped=np.zeros(count, np.int64),
        order=np.zeros(count, np.int64),
        spare=np.zeros(count, np.int64),
        states=np.zeros(params.length + 2, STATE),
        other_actions=other_actions,
        history=np.zeros(HISTORY),
    )


@inline
def try_individual(pool, evolution, map_, weights, at):
    """Follow the genes, then set fitness, the actions done and the genes skipped."""
    player = evolution.player
    turns = 0
    for gene in range(evolution.max_length):
        action = U64(pool.genes[at, gene])
        state, after = pool.states[turns], pool.states[turns + 1]
        if not has_bit(legal_actions(state, player), action):
            continue
        pool.states[turns + 1] = state
        play_round(after, map_, pool.other_actions[turns] | pack(player, action))
        evolution.nodes += 1
        if after.players[player] == 0:
            continue
        pool.done[at, turns] = action
        turns += 1
    pool.length[at] = turns
    pool.skipped[at] = evolution.max_length - turns
    if turns == 0:  # a line without an action is no plan, however good it is to be here
        pool.fitness[at] = weights.dead
        return
    fitness = value_of(pool.states[turns], map_, player, weights)
    lost = turns
    while lost >= 0 and not is_survivable(pool.states[lost], map_, player):
        lost -= 1  # the line was lost from turn lost + 1 on
    if lost < turns:
        fitness -= evolution.punishment * (evolution.max_length - lost)
    pool.fitness[at] = fitness


@inline
def draw_parent(pool, evolution, total, lowest):
    """A parent by roulette: its chance is its fitness above the lowest."""
    evolution.random = next_random(evolution.random)
    left = np.float64(below(evolution.random, CHANCE)) / np.float64(CHANCE) * total
    for k in range(evolution.population):
        left -= pool.fitness[pool.order[k]] - lowest
        if left < 0.0:
            return pool.order[k]
    return pool.order[0]


@inline
def make_child(pool, evolution, at, mother, father):
    """Crossover of two parents, then every gene replaced with the chance of a mutation."""
    length = evolution.max_length
    evolution.random = next_random(evolution.random)
    cut = np.int64(below(evolution.random, U64(length)))
    for gene in range(length):
        evolution.random = next_random(evolution.random)
        takes_mother = gene <= cut
        if evolution.is_uniform:
            takes_mother = evolution.random & ONE == ZERO
        pool.genes[at, gene] = pool.genes[mother if takes_mother else father, gene]
        evolution.random = next_random(evolution.random)
        if below(evolution.random, CHANCE) < evolution.mutation:
            evolution.random = next_random(evolution.random)
            pool.genes[at, gene] = below(evolution.random, U64(ACTIONS))


@inline
def sort_places(order, fitness, first, last):
    """Sort order[first:last] by descending fitness; equal ones keep their order."""
    for k in range(first + 1, last):
        individual = order[k]
        place = k
        while place > first and fitness[order[place - 1]] < fitness[individual]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = individual


@inline
def replace_population(pool, evolution):
    """The best of parents and children (or of the children alone) come first in the order: the next parents."""
    count, parents = pool.order.size, evolution.population
    if evolution.generation == 0:
        sort_places(pool.order, pool.fitness, 0, parents)
    elif evolution.parents_compete:
        sort_places(pool.order, pool.fitness, 0, count)
    else:
        sort_places(pool.order, pool.fitness, parents, count)
        for k in range(count):
            pool.spare[k] = pool.order[(k + parents) % count]
        for k in range(count):
            pool.order[k] = pool.spare[k]
    pool.history[min(evolution.generation, HISTORY - 1)] = pool.fitness[pool.order[0]]
    evolution.generation += 1


@inline
def breed(pool, evolution):
    """Fill the places of the children."""
    parents = evolution.population
    lowest = pool.fitness[pool.order[0]]
    for k in range(parents):
        lowest = min(lowest, pool.fitness[pool.order[k]])
    total = 0.0
    for k in range(parents):
        total += pool.fitness[pool.order[k]] - lowest
    for k in range(parents, pool.order.size):
        mother = draw_parent(pool, evolution, total, lowest)
        father = draw_parent(pool, evolution, total, lowest)
        make_child(pool, evolution, pool.order[k], mother, father)


@entry
def begin(pool, evolution, state):
    """A random population for a state."""
    pool.states[0] = state
    evolution.nodes = 0
    evolution.generation = 0
    evolution.next = 0
    for at in range(pool.order.size):
        pool.order[at] = at
        pool.length[at] = 0
        pool.fitness[at] = UNTRIED
        for gene in range(evolution.max_length):
            evolution.random = next_random(evolution.random)
            pool.genes[at, gene] = below(evolution.random, U64(ACTIONS))


@entry
def advance(pool, evolution, map_, weights, limit):
    """Try individuals until `limit` nodes are spent (checked before each)."""
    while evolution.nodes < limit:
        last = evolution.population if evolution.generation == 0 else pool.order.size
        if evolution.next == last:
            replace_population(pool, evolution)
            breed(pool, evolution)
            evolution.next = evolution.population
        before = evolution.nodes
        try_individual(pool, evolution, map_, weights, pool.order[evolution.next])
        evolution.nodes = max(evolution.nodes, before + 1)  # every action dead at once: still an end
        evolution.next += 1
