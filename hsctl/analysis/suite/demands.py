"""What an answer must be, in words: the grammar of an entry's demands.

    must survive                          the known bombs can be survived after the answer, the others standing still
    must survive 9                        the bot is asked on, and lives for 9 turns, the others standing still
    must not BOMB 3 4                     the answer does something else than this order
    must play one of MOVE 3 4, BOMB 3 3   the answer does what one of these orders does
    within 80 ms                          it comes in time

Orders are compared by what they do on the board: `MOVE 12 10` is the step of its path.
"""

import re
from dataclasses import dataclass

from engine.errors import MOST_MS, HsctlError
from engine.notation import NotationError, Order, parse_order
from engine.state import MAX_TURNS

EXPECTED = "expected `must survive`, `must survive N`, `must not ORDER`, `must play one of ORDER, ...` or `within N ms`"
SURVIVE = re.compile(r"must survive(?: (\d{1,3}))?")
AVOID = re.compile(r"must not (.+)")
PLAY = re.compile(r"must play one of (.+)")
WITHIN = re.compile(r"within (\d+(?:\.\d+)?) ms")


@dataclass(frozen=True)
class Survive:
    turns: int | None = None  # to be played on; None: what can be known at once

    def __str__(self) -> str:
        return "must survive" if self.turns is None else f"must survive {self.turns}"


@dataclass(frozen=True)
class Avoid:
    order: Order

    def __str__(self) -> str:
        return f"must not {format_order(self.order)}"


@dataclass(frozen=True)
class Play:
    orders: tuple[Order, ...]

    def __str__(self) -> str:
        return f"must play one of {', '.join(map(format_order, self.orders))}"


@dataclass(frozen=True)
class Within:
    ms: float

    def __str__(self) -> str:
        return f"within {self.ms:g} ms"


Demand = Survive | Avoid | Play | Within


def parse_demand(text: str) -> Demand:
    """A demand in words; raises HsctlError that says what is wrong with it."""
    words = " ".join(text.split())
    if match := SURVIVE.fullmatch(words):
        return Survive(None if match[1] is None else int(checked(match[1], MAX_TURNS, text)))
    if match := WITHIN.fullmatch(words):
        return Within(checked(match[1], MOST_MS, text))
    if match := AVOID.fullmatch(words):
        return Avoid(plain_order(match[1], text))
    if match := PLAY.fullmatch(words):
        return Play(tuple(plain_order(each, text) for each in match[1].split(",")))
    raise HsctlError(f"demand {text[:80]!r}: {EXPECTED}")


def checked(digits: str, most: float, text: str) -> float:
    number = float(digits)
    if not 0 < number <= most:
        raise HsctlError(f"demand {text[:80]!r}: expected a number above 0, at most {most:g}")
    return number


def plain_order(line: str, text: str) -> Order:
    """An order without a message."""
    try:
        order = parse_order(line.strip())
    except NotationError as error:
        raise HsctlError(f"demand {text[:80]!r}: {error}") from None
    if order.message:
        raise HsctlError(f"demand {text[:80]!r}: expected an order without a message, found {order.message[:40]!r}")
    return order


def format_order(order: Order) -> str:
    return f"{'BOMB' if order.drops_bomb else 'MOVE'} {order.x} {order.y}"
