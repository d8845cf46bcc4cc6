"""What a log holds beside its inputs: the player's own output and stderr."""

from collections.abc import Sequence

from engine.errors import EngineError
from engine.game import Game
from engine.notation import NotationError, Order, parse_order, resolve

STDERR, STDOUT, SUMMARY, INFORMATION = "stderr", "stdout", "summary", "information"
HEADERS = {  # of the arena's console
    "standard error stream:": STDERR,
    "standard output stream:": STDOUT,
    "game summary:": SUMMARY,
    "game information:": INFORMATION,
}

Words = tuple[str, str]  # the output line, or nothing; and stderr


def own_words(said: Sequence[str]) -> Words:
    """What stands between two inputs. In a console's text the output has a header, and the others' come after it;
    elsewhere it is the last line that reads as an order."""
    kept: list[str] = []
    lines = iter(said)
    for line in lines:
        kind = HEADERS.get(line.strip().lower())
        if kind == STDOUT:
            return next(lines, "").strip(), join(kept)
        if kind is None:
            kept.append(line)
    order = next((at for at in reversed(range(len(kept))) if read_order(kept[at])), None)
    return (kept.pop(order).strip() if order is not None else ""), join(kept)


def join(lines: Sequence[str]) -> str:
    """Lines without empty ones around them."""
    text = "\n".join(lines).strip("\n")
    return f"{text}\n" if text.strip() else ""


def read_order(line: str) -> Order | None:
    try:
        return parse_order(line.strip())
    except NotationError:
        return None


def action_of(line: str, game: Game, seat: int) -> int | None:
    """What an output does in a position, if it is an order and the player is alive."""
    order = read_order(line)
    try:
        return None if order is None else resolve(game.state, seat, order)
    except EngineError:
        return None


def likely_seat(lines: Sequence[str], games: Sequence[Game], actions: Sequence[Sequence[int | None]]) -> int | None:
    """Whose outputs these are: the one player who did, more often than not, what they say. `actions` by turn, seat."""
    hits = [
        sum(
            action is not None and action == done[seat]
            for line, game, done in zip(lines, games, actions, strict=True)
            for action in [action_of(line, game, seat)]
        )
        for seat in range(len(actions[0]))
    ]
    best = max(hits)
    is_clear = hits.count(best) == 1 and 2 * best > sum(map(bool, lines[:-1]))
    return hits.index(best) if best and is_clear else None
