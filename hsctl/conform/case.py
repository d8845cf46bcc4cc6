"""A case: a position and the actions of one or more rounds, and what the specification makes of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.board import DELTAS, is_on_board
from engine.game import Game, pack_actions
from engine.notation import NotationError, Order, parse_order
from engine.position import Bomb, Cell, Item, Player
from engine.rules import BOMB
from engine.spec.bridge import from_state
from engine.spec.naive import EMPTY_BOX, step
from engine.state import MAX_PLAYERS
from hsctl.conform.position import Position

Actions = Mapping[int, int]  # player -> action 0 to 9; whoever is not named stays
Round = tuple[Position, Actions, Position]  # before, what its living players do, after


@dataclass(frozen=True)
class Case:
    """What a simulator is asked: a position, then round after round."""

    start: Position
    rounds: tuple[Actions, ...]


class Reference:
    """The specification, playing on from a position."""

    def __init__(self, start: Position) -> None:
        game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS)
        self.naive = from_state(game.state, game.map)

    def play(self, actions: Actions) -> None:
        step(self.naive, pack_actions([actions.get(player, 0) for player in range(MAX_PLAYERS)]))

    def position(self) -> Position:
        return position_of(self.naive)


def position_of(naive: np.record) -> Position:
    """What there is to see of the specification's record."""
    ys, xs = np.nonzero(naive.grid >= EMPTY_BOX)
    boxes = {(int(x), int(y)): int(naive.grid[y, x]) - EMPTY_BOX for x, y in zip(xs, ys, strict=True)}
    ys, xs = np.nonzero(naive.items)
    items = [Item(int(x), int(y), int(naive.items[y, x])) for x, y in zip(xs, ys, strict=True)]
    fields = naive.players.tolist()  # alive, x, y, bombs left, range, scored, ...
    players = [
        Player(seat, x, y, left, reach, 0) for seat, (alive, x, y, left, reach, *_) in enumerate(fields) if alive
    ]
    bombs = [Bomb(*numbers[:5]) for numbers in naive.bombs[: naive.bomb_count].tolist()]
    return Position(boxes, tuple(players), tuple(bombs), tuple(items), tuple(numbers[5] for numbers in fields)).sorted()


def play_reference(case: Case) -> Iterator[Round]:
    """Every round of a case, by the specification."""
    reference = Reference(case.start)
    before = case.start
    for actions in case.rounds:
        reference.play(actions)
        after = reference.position()
        yield before, {player.id: actions.get(player.id, 0) for player in before.players}, after
        before = after


# Actions as text: the cell that a player goes to, which is their own or the next one


def target(player: Player, action: int) -> Cell:
    """Where an action would lead if nothing was in the way."""
    dx, dy = DELTAS[action % BOMB]
    return player.x + dx, player.y + dy


def targets_of(rounds: Iterable[Round]) -> set[Cell]:
    """The cells of the board that players want to go to."""
    cells = {target(player, actions[player.id]) for before, actions, _ in rounds for player in before.players}
    return {cell for cell in cells if is_on_board(*cell)}


def format_actions(players: tuple[Player, ...], actions: Actions) -> list[str]:
    """A line for each living player, such as `0 BOMB 3 4`."""
    lines = []
    for player in players:
        action = actions.get(player.id, 0)
        x, y = target(player, action)
        lines.append(f"{player.id} {'BOMB' if action >= BOMB else 'MOVE'} {x} {y}")
    return lines


def parse_action(line: str, players: tuple[Player, ...]) -> tuple[int, int]:
    """The player and the action of such a line."""
    seat, _, words = line.strip().partition(" ")
    player = next((player for player in players if str(player.id) == seat), None)
    if player is None:
        raise NotationError(f"expected the number of a living player first, found {line!r}")
    return player.id, action_of(player, parse_order(words))


def action_of(player: Player, order: Order) -> int:
    step = (order.x - player.x, order.y - player.y)
    if step not in DELTAS:
        raise NotationError(f"player {player.id}: expected the own cell or the next one, found {order.x} {order.y}")
    return DELTAS.index(step) + (BOMB if order.drops_bomb else 0)
