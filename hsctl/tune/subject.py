"""Who is tuned: an agent, or a bot whose command line is a template. Values in, the text of a player out.

beam:paper        --params width=100..2000,box        beam:paper,width=640,box=1.25
--template './mybot --w {w}'  --params w=0..2         ./mybot --w 0.75
--template './mybot {n:d}'    --params n=1..9         ./mybot 7                        {n:d}: whole numbers only
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from string import Formatter
from typing import Any

from engine.errors import HsctlError
from hsctl.arena.players import read_player
from hsctl.own.spec import agent_names, names_agent, read_spec
from hsctl.tune.space import Tunable, Value, format_value, new_tunable, read_ranges, starts_of
from search.params import Params

WHOLE = "d"  # the format of whole numbers

Pieces = tuple[tuple[str, str | None, str], ...]  # text, then the name of a parameter, if any, and its format


@dataclass(frozen=True)
class Subject:
    """What is tuned."""

    space: tuple[Tunable, ...]
    pieces: Pieces
    start: str  # the player as it was

    def write(self, values: Mapping[str, Value]) -> str:
        """The player with these values."""
        return write(self.pieces, values)


def write(pieces: Pieces, values: Mapping[str, Value]) -> str:
    text = ""
    for before, name, spec in pieces:
        text += before
        if name is not None:
            text += format(values[name], spec) if spec else format_value(values[name])
    return text


# Agents


def read_agent(text: str, params: str) -> Subject:
    """An agent and the parameters to tune, each starting from what the agent has now."""
    if not names_agent(text):
        known = ", ".join(agent_names())
        raise HsctlError(f"{text!r} is not an agent, expected one of {known}; for a bot there is --template")
    spec = read_spec(text)
    space = tuple(agent_tunable(spec.name, spec.params, name, numbers) for name, numbers in read_ranges(params).items())
    names = [each.name for each in space]
    name, rest, mark = split_agent(text, spec.name)
    kept = [part for part in rest.split(",") if part and part.partition("=")[0] not in names]
    before = f"{name}{mark}" + "".join(f"{part}," for part in kept)
    pieces = tuple((f"{',' if at else before}{each}=", each, "") for at, each in enumerate(names))
    return Subject(space, pieces, text)


def split_agent(text: str, name: str) -> tuple[str, str, str]:
    """An agent's name, its parts, and what stands between them: a comma where a class is named (a.py:A,depth=3)."""
    mark = "," if ":" in name else ":"
    return name, text.removeprefix(name).removeprefix(mark), mark


def agent_tunable(agent: str, params: Params, name: str, numbers: list[float]) -> Tunable:
    bounds = {each.name: each.metadata for each in fields(params)}
    if name not in bounds:
        known = ", ".join(key for key, value in params.as_dict().items() if not isinstance(value, str)) or "none"
        raise HsctlError(f"--params: {name!r} is not a parameter of {agent} that can be tuned, expected of: {known}")
    start: Any = getattr(params, name)
    least, most = bounds[name]["least"], bounds[name]["most"]
    if isinstance(start, str):
        raise HsctlError(f"--params: {name} of {agent} is a word ({start}), expected numbers and switches")
    if isinstance(start, bool):
        if numbers:
            raise HsctlError(f"--params: {name} of {agent} is a switch, expected no range")
        return new_tunable(name, 0, 1, start, bool, has_range=True)
    if not numbers:
        return new_tunable(name, least, most, start, type(start), has_range=False)
    return new_tunable(name, *agent_range(agent, name, numbers, type(start), least, most), start, type(start), True)


def agent_range(
    agent: str, name: str, numbers: list[float], kind: type, least: float, most: float
) -> tuple[float, float]:
    written = f"--params {name}={'..'.join(format_value(number) for number in numbers)}"
    if len(numbers) != 2:
        raise HsctlError(f"{written}: expected LOW..HIGH; the search starts from what {agent} has now")
    low, high = numbers
    if low < least or high > most:
        raise HsctlError(f"{written}: expected a range within {format_value(least)}..{format_value(most)}")
    if kind is int and not (low.is_integer() and high.is_integer()):
        raise HsctlError(f"{written}: expected whole numbers")
    return low, high


# Bots


def read_template(template: str, params: str) -> Subject:
    """A command line with a {name} for each parameter; every parameter needs a range."""
    pieces = split_template(template)
    ranges = read_ranges(params)
    named = {name: spec for _, name, spec in pieces if name is not None}
    for name in named:
        if name not in ranges:
            raise HsctlError(f"--template has {{{name}}}, expected --params to give its range, such as {name}=0..1")
    for name, numbers in ranges.items():
        if name not in named:
            raise HsctlError(f"--params: {name} is not in --template, expected a {{{name}}} there")
        if len(numbers) not in (2, 3):
            raise HsctlError(f"--params: {name} has no range, expected {name}=LOW..HIGH or {name}=LOW..START..HIGH")
    space = tuple(bot_tunable(name, numbers, is_whole=named[name] == WHOLE) for name, numbers in ranges.items())
    start = write(pieces, starts_of(space))
    read_player(start)
    return Subject(space, pieces, start)


def split_template(template: str) -> Pieces:
    try:
        pieces = tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))
        for _, name, spec in pieces:
            if name is not None:
                format(1 if spec == WHOLE else 1.0, spec)
    except ValueError as error:
        raise HsctlError(f"--template {template}: {error}; a brace that is meant as such is written twice") from None
    for _, name, _ in pieces:
        if name is not None and not name.isidentifier():
            raise HsctlError(f"--template {template}: {{{name}}}, expected the name of a parameter in braces")
    return pieces


def bot_tunable(name: str, numbers: list[float], is_whole: bool) -> Tunable:
    low, high = numbers[0], numbers[-1]
    if is_whole and not all(number.is_integer() for number in numbers):
        raise HsctlError(f"--params: {name} is a whole number in --template, expected whole numbers in its range")
    start = numbers[1] if len(numbers) == 3 else (low + high) / 2
    return new_tunable(name, low, high, start, int if is_whole else float, has_range=True)
