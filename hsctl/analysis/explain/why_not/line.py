"""How another line is written: actions separated by commas, as `right,right+bomb` or `BOMB 3 4,MOVE 5 4`."""

from engine.errors import EngineError, HsctlError
from engine.game import Game
from engine.notation import parse_order, resolve
from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain.lines import action_at


def parse_line(text: str, game: Game, seat: int, plans: dict[int, list[int]]) -> list[int]:
    """The actions of a line: their names, or the arena's orders.

    What an order comes to depends on the board by then: the line is played, the others doing as predicted.
    """
    game, line = game.copy(), []
    for turns, word in enumerate(text.split(",")):
        line.append(parse_action(word.strip(), game, seat))
        game.step([line[-1] if at == seat else action_at(plans.get(at, ()), turns) for at in range(game.seats)])
    return line


def parse_action(word: str, game: Game, seat: int) -> int:
    if word.lower() in ACTION_NAMES:
        return ACTION_NAMES.index(word.lower())
    try:
        order = parse_order(word)
    except EngineError:
        moves = ", ".join(ACTION_NAMES[:BOMB])
        raise HsctlError(
            f"--why-not: {word!r} is not an action; expected MOVE x y, BOMB x y, or {moves}, each also with +bomb"
        ) from None
    if seat not in game.living:
        raise HsctlError(f"--why-not: {word!r}: player {seat} is dead by then, expected a shorter line")
    return resolve(game.state, seat, order)
