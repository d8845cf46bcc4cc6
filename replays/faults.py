"""Silent faults: answers that the arena takes without a word, and that don't do what they say.

    ahead           a line printed before its turn: more than one for a turn, and answers are late from there on
    lower case      `move 3 4`
    off the board   a target that is no cell: the path leads to the nearest
    no bomb         BOMB without a bomb left, or onto a bomb
    no effect       a move to another cell that leads nowhere

Only the first is recorded (`Move.ahead`); the others follow from the position and the line.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.board import is_on_board
from engine.game import Game
from engine.notation import NotationError, Order, parse_order
from engine.position import Player, player_of
from engine.rules import BOMB
from replays.replay import FaultCount, Move

AHEAD, LOWER_CASE, OFF_BOARD, NO_BOMB, NO_EFFECT = "ahead", "lower case", "off the board", "no bomb", "no effect"

PLAYED_DIFFERENTLY = (AHEAD, NO_EFFECT, OFF_BOARD, NO_BOMB)  # faults that change what is played, the worst first

LATE_FROM_THERE = "more than one line for a turn, and answers are late from there on"

# How a sentence goes on after `1 answer`, and after several.
MEANINGS = {
    AHEAD: (f"was printed before its turn: {LATE_FROM_THERE}", f"were printed before their turn: {LATE_FROM_THERE}"),
    LOWER_CASE: ("was in lower case", "were in lower case"),
    OFF_BOARD: ("had a target off the board", "had a target off the board"),
    NO_BOMB: ("was BOMB without a bomb to drop", "were BOMB without a bomb to drop"),
    NO_EFFECT: ("was a move that leads nowhere", "were moves that lead nowhere"),
}


def faults_of(game: Game, seat: int, move: Move | None) -> list[str]:
    """What is wrong with a bot's answer to this position; nothing if it gave no order in words."""
    if move is None or move.action is None or not move.line or (me := player_of(game.state, seat)) is None:
        return []
    try:
        order = parse_order(move.line)
    except NotationError:  # a record of anybody's: its line needn't be what was played
        return []
    return [AHEAD] * move.ahead + order_faults(game, me, order, move)


def count_faults(found: dict[str, FaultCount], game: Game, seat: int, move: Move | None) -> None:
    """Add the faults of an answer to those found so far, by name."""
    for name in faults_of(game, seat, move):
        first = found.get(name, FaultCount(0, game.turn, move.line if move else ""))
        found[name] = replace(first, count=first.count + 1)


def order_faults(game: Game, me: Player, order: Order, move: Move) -> list[str]:
    found = []
    if not move.line.lstrip().startswith(("MOVE", "BOMB")):
        found.append(LOWER_CASE)
    if not is_on_board(order.x, order.y):
        found.append(OFF_BOARD)
    if order.drops_bomb and (not me.bombs_left or any(bomb.cell == me.cell for bomb in game.bombs)):
        found.append(NO_BOMB)
    if (order.x, order.y) != me.cell and move.action is not None and move.action % BOMB == 0:
        found.append(NO_EFFECT)
    return found


def describe_fault(name: str, count: int, where: str, line: str) -> str:
    """`12 answers had a target off the board (first on turn 3: 'MOVE 13 5')`."""
    one, several = MEANINGS[name]
    told = f"1 answer {one}" if count == 1 else f"{count} answers {several}"
    return f"{told} (first on {where}: {line!r})"


def format_faults(names: Sequence[str]) -> str:
    """For a panel: `! off the board`."""
    return f"! {', '.join(names)}" if names else ""
