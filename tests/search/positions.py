"""What the tests of the search share: drawn and random positions, and agents made once."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.game import Game
from engine.notation import parse_position
from engine.rules import ACTION_NAMES, ACTIONS, legal_actions, play_round
from engine.spec.wild import below, careful_actions, make_position, new_random
from engine.state import MAX_PLAYERS, copy_state, new_map, new_states
from engine.survival import is_survivable
from search import make_agent
from search.agent import Agent, Budget, Decision
from tests.engine.draw import board

BOMB_SHARE = 30  # percent of random actions that drop a bomb
GAME_SEED = 7


# The player stands in a dead end. A opponent at its mouth can shut it by a bomb.
DEAD_END = """
    .......
    0X.X.X.
    .......
    0 0 {x} 0 1 3
    0 1 {theirs} 0 1 5
    """


class Position(NamedTuple):
    state: np.record
    map: np.record
    player: int  # who is to decide


def drawn(text: str, player: int = 0, turn: int = 0, boxes: tuple[int, ...] = ()) -> Position:
    """A position from a drawing (see tests/engine/draw.py), with the boxes scored so far."""
    game = parse_position(board(text), turn, boxes)
    return Position(game.state, game.map, player)


def random_positions(count: int, seed: int = 0) -> Iterator[Position]:
    """Wild positions and arena boards in turn, 2 to 4 players, some rounds on, with a living player to decide."""
    random, rooms = new_random(seed), new_states(2)
    while count:
        players = 2 + below(random, MAX_PLAYERS - 1)
        map_ = new_map()
        if count % 2:
            make_position(rooms[0], map_, random, players)
            rounds = below(random, 10)
        else:
            game = Game.start(below(random, 1000), players)
            rooms[0], map_ = game.state, game.map
            rounds = below(random, 60)
        for _ in range(rounds):
            play_round(rooms[0], map_, careful_actions(rooms[0], map_, random, BOMB_SHARE, rooms[1:]))
        if living := [player for player in range(MAX_PLAYERS) if rooms[0].players[player]]:
            count -= 1
            yield Position(copy_state(rooms[0]), map_, living[below(random, len(living))])


def close_up(count: int, seed: int) -> Iterator[Position]:
    """Random positions, in every second one an opponent put onto the player's cell."""
    for number, position in enumerate(random_positions(count, seed)):
        state, _map, player = position
        if number % 2 and (others := others_of(position)):
            state.players[others[0]] = int(state.players[others[0]]) & ~0xFF | int(state.players[player]) & 0xFF
        yield position


def lost_positions(count: int, seed: int = 0) -> Iterator[Position]:
    """Random positions in which the player can't survive whatever they do."""
    positions = random_positions(1_000_000, seed)
    while count:
        position = next(positions)
        if not any(is_survivable(after(position, action), position.map, position.player) for action in legal(position)):
            count -= 1
            yield position


def legal(position: Position) -> list[int]:
    """The legal actions of the player to decide."""
    bits = int(legal_actions(position.state, position.player))
    return [action for action in range(ACTIONS) if bits >> action & 1]


def others_of(position: Position) -> list[int]:
    """The living others."""
    return [other for other in range(MAX_PLAYERS) if position.state.players[other] and other != position.player]


def after(position: Position, action: int, others: dict[int, int] | None = None) -> np.record:
    """The State after a round in which all but the named players stand still."""
    state = copy_state(position.state)
    packed = sum(each << 4 * player for player, each in {**(others or {}), position.player: action}.items())
    play_round(state, position.map, np.uint64(packed))
    return state


@cache
def agent(spec: str) -> Any:  # an Agent of the class that its name says
    """The agent of this text, made once for all tests that don't mind what it did before."""
    return make_agent(spec)


def decide(player: Agent, position: Position, budget: Budget, game_seed: int = GAME_SEED) -> Decision:
    """One decision in a new game."""
    player.start_game(position.map, position.player, game_seed)
    return player.decide(position.state, position.player, budget)


def choice(spec: str, position: Position, nodes: int) -> str:
    """The name of the action that an agent decides for."""
    return ACTION_NAMES[decide(agent(spec), position, Budget(nodes=nodes)).action]
