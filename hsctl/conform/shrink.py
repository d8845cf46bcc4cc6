"""The smallest case that still goes wrong: fewer rounds, then fewer things on the board, until nothing can be spared.

Parts are left out in large pieces first, then one by one (delta debugging); a case that still goes wrong replaces the
one before it. What goes wrong may be another thing then; it is wrong all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from engine.maps import START_BOMBS, START_RANGE
from engine.rules import BOMB
from hsctl.conform.case import Case, play_reference

IsWrong = Callable[[Case], bool]
FIELDS = ("boxes", "items", "bombs", "players")
PLAIN = (  # numbers, and how small they may become
    ("bombs", "range", START_RANGE),
    ("players", "range", START_RANGE),
    ("players", "bombs_left", START_BOMBS),
)


def shrink(case: Case, is_wrong: IsWrong, most_trials: int) -> Case:
    """A case that `is_wrong` and of which nothing can be spared; asks at most so many times.

    The case given has to go wrong on its last round.
    """
    trials = iter(range(most_trials))

    def ask(candidate: Case) -> bool:
        return next(trials, None) is not None and is_wrong(candidate)

    case = start_late(case, ask)
    while True:
        smaller = case
        for field in FIELDS:
            smaller = leave_out(smaller, field, ask)
        smaller = simplify(smaller, ask)
        if smaller == case:
            return case
        case = smaller


def start_late(case: Case, ask: IsWrong) -> Case:
    """The fewest of the last rounds that go wrong from the specification's own position."""
    starts = [before for before, _, _ in play_reference(case)]
    for at in range(len(starts) - 1, 0, -1):
        candidate = Case(starts[at]._replace(scored=None), case.rounds[at:])
        if ask(candidate):
            return candidate
    return case


def leave_out(case: Case, field: str, ask: IsWrong) -> Case:
    """Without every box, item, bomb or player that can be spared, tried in ever smaller pieces."""
    parts = parts_of(case, field)
    size = len(parts)
    while size:
        at = 0
        while at < len(parts):
            rest = parts[:at] + parts[at + size :]
            if ask(with_parts(case, field, rest)):
                parts = rest
            else:
                at += size
        size //= 2
    return with_parts(case, field, parts)


def parts_of(case: Case, field: str) -> list[Any]:
    value = getattr(case.start, field)
    return list(value.items()) if field == "boxes" else list(value)


def with_parts(case: Case, field: str, parts: list[Any]) -> Case:
    """The case with these boxes, items, bombs or players instead of its own; only players act."""
    made: Any = dict(parts) if field == "boxes" else tuple(parts)
    start = case.start._replace(**{field: made})
    seats = {player.id for player in start.players}
    rounds = ({seat: action for seat, action in actions.items() if seat in seats} for actions in case.rounds)
    return Case(start, tuple(rounds))


def simplify(case: Case, ask: IsWrong) -> Case:
    """With the plainest contents, numbers and actions that still go wrong."""
    while (plainer := next(filter(ask, plainer_cases(case)), None)) is not None:
        case = plainer
    return case


def plainer_cases(case: Case) -> Iterator[Case]:
    """The case with one thing plainer: a box empty, a range 3, one bomb in hand, an action less."""
    for number, actions in enumerate(case.rounds):
        for player, action in actions.items():
            for plainer in sorted({0, action % BOMB} - {action}):
                rounds = [*case.rounds[:number], {**actions, player: plainer}, *case.rounds[number + 1 :]]
                yield replace(case, rounds=tuple(rounds))
    start = case.start
    for cell, content in start.boxes.items():
        if content:
            yield replace(case, start=start._replace(boxes={**start.boxes, cell: 0}))
    for field, name, least in PLAIN:
        things = parts_of(case, field)
        for at, thing in enumerate(things):
            if getattr(thing, name) > least:
                plain = thing._replace(**{name: least})
                yield with_parts(case, field, [*things[:at], plain, *things[at + 1 :]])
