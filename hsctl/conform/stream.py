"""States without end: games on the arena's boards and wild positions in turn, repeatable by their seed; recorded games.

Wild positions are made to be possible: what no game can reach (an item under a player, bombs of different timers on one
cell, a range below 3) says nothing about a simulator.
"""

from collections.abc import Iterator
from itertools import count

import numpy as np

from engine.game import Game, pack_actions
from engine.maps import START_RANGE
from engine.position import Bomb, bombs_on, boxes_on, items_on, living_players
from engine.rules import ACTIONS, play_round
from engine.spec.wild import below, careful_actions, make_position, new_random, random_actions
from engine.state import MAX_PLAYERS, MAX_TURNS, new_map, new_state, new_states
from hsctl.conform.case import Actions, Case
from hsctl.conform.position import Position
from replays.playback import Playback

WILD_ROUNDS = 6
GAME_ROUNDS = 10  # of a game that go into one case
GAME_BOMBS = 30  # percent of actions
WHIMS = 40  # percent of actions


def stream(seed: int) -> Iterator[Case]:
    """Games and wild positions in turn."""
    for games, wild in zip(game_cases(seed), wild_cases(seed), strict=False):
        yield games
        yield wild


def game_cases(seed: int) -> Iterator[Case]:
    """Games of two, three and four players who drop many bombs and try not to die of them."""
    random, room = new_random(seed), new_states(1)
    for number in count():
        game = Game.start(seed + number, 2 + number % 3)
        state, map_ = game.state, game.map
        while len(living_players(state)) > 1 and state.turn < MAX_TURNS:
            start, rounds = position_of(state, map_), list[Actions]()
            while len(rounds) < GAME_ROUNDS and len(living_players(state)) > 1:
                actions = careful_actions(state, map_, random, GAME_BOMBS, room)
                rounds.append(unpack_actions(int(actions)))
                play_round(state, map_, actions)
            yield Case(start, tuple(rounds))


def wild_cases(seed: int) -> Iterator[Case]:
    """A few rounds from positions that are crowded or empty, rich or poor, full of bombs or of boxes."""
    random = new_random(seed)
    state, map_ = new_state(), new_map()
    for number in count():
        make_position(state, map_, random, 2 + number % 3)
        start = possible(position_of(state, map_))
        game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS)
        bombs, rounds = 10 + int(below(random, 80)), list[Actions]()
        while len(rounds) < WILD_ROUNDS and len(living_players(game.state)) > 1:
            actions = random_actions(game.state, random, bombs)
            rounds.append(with_whims(unpack_actions(int(actions)), random))
            play_round(game.state, game.map, pack_actions(list(rounds[-1].values())))
        yield Case(start, tuple(rounds))


def recorded_cases(playback: Playback) -> Iterator[Case]:
    """A recorded game, some turns in each case. A turn on which somebody failed to answer begins one, without them."""
    start, rounds = None, list[Actions]()
    for turn in range(playback.first_turn, playback.end_turn):
        moves = playback.moves_at(turn)
        failed = {seat for seat, move in enumerate(moves) if move is not None and move.action is None}
        if start is not None and (failed or len(rounds) == GAME_ROUNDS):
            yield Case(start, tuple(rounds))
            start = None
        if start is None:
            game = playback.game_at(turn)
            start, rounds = without(position_of(game.state, game.map), failed), list[Actions]()
        rounds.append({seat: move.action for seat, move in enumerate(moves) if move and move.action is not None})
    if start is not None:
        yield Case(start, tuple(rounds))


def without(position: Position, seats: set[int]) -> Position:
    """The position without these players; their bombs stay."""
    return position._replace(players=tuple(player for player in position.players if player.id not in seats))


def position_of(state: np.record, map_: np.record) -> Position:
    players = [player._replace(boxes=0) for player in living_players(state)]
    items = tuple(items_on(state, map_))
    return Position(boxes_on(state, map_), tuple(players), tuple(bombs_on(state)), items).sorted()


def unpack_actions(packed: int) -> Actions:
    return {player: packed >> 4 * player & 15 for player in range(MAX_PLAYERS)}


def with_whims(actions: Actions, random: np.ndarray) -> Actions:
    """Now and then any action at all: players run into boxes, walls and bombs too, and drop what they don't have."""
    return {
        player: int(below(random, ACTIONS)) if below(random, 100) < WHIMS else action
        for player, action in actions.items()
    }


def possible(position: Position) -> Position:
    """The position without what no game can reach."""
    bombs: list[Bomb] = []
    for bomb in position.bombs:
        if all(bomb.cell != other.cell or bomb.timer == other.timer for other in bombs):
            bombs.append(bomb._replace(range=max(bomb.range, START_RANGE)))
    taken = {*(player.cell for player in position.players), *(bomb.cell for bomb in bombs)}
    items = tuple(item for item in position.items if item.cell not in taken)
    players = []
    for player in position.players:
        own = [bomb.range for bomb in bombs if bomb.owner == player.id]
        players.append(player._replace(range=max([START_RANGE, player.range, *own])))
    return Position(position.boxes, tuple(players), tuple(bombs), items).sorted()
