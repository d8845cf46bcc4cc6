"""Who is tuned: an agent, or a bot whose command line is a template. Values in, the text of a player out.

beam:paper        --params width=100..2000,box        beam:paper,width=640,box=1.25
--template './mybot --w {w}'  --params w=0..2         ./mybot --w 0.75
--template './mybot {n:d}'    --params n=1..9         ./mybot 7                        {n:d}: whole numbers only
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from string import Formatter
from typing import Any

from engine.errors import HsctlError
from hsctl.match.players import read_player
from hsctl.match.user_agents.spec import agent_names, names_agent, read_spec
from search.params import MOST_WEIGHT, Params

# The space that is searched: parameters with their ranges, and coordinates in which all of them look alike.
#
#     coordinate   0 is where the search starts, 1 is its first step: a fifth of the range, at least 1 for whole numbers
#     stretched    a parameter without a range of its own, whose bounds are far away: the first step is half its value,
#                  and steps grow with the distance, so that the bounds can still be reached
#
# `width=100..2000,box` names a parameter with a range and one without, which has the bounds of the parameter itself.


Value = float | int | bool
FIRST_STEP = 0.2  # of the range
STRETCH = 0.5  # of its own size: the first step of a parameter whose bounds are far away
FAR = 100.0  # times its own size: bounds that are farther apart
FEW = 10  # whole numbers
DIGITS = 4  # of a value: more would only be noise


@dataclass(frozen=True)
class TunedParameter:
    """A parameter to tune: where its values lie and where the search starts."""

    name: str
    low: float
    high: float
    start: float
    kind: type = float  # float, int or bool
    is_stretched: bool = False

    @property
    def size(self) -> float:
        return abs(self.start) or 1.0

    @property
    def first_step(self) -> float:
        step = FIRST_STEP * (self.high - self.low)
        return step if self.kind is float else max(1.0, step)

    @property
    def grid(self) -> float:
        """The distance between neighbouring values as coordinates; 0 if there are so many that it doesn't matter."""
        return 1 / self.first_step if self.kind is not float and self.high - self.low < FEW else 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """The coordinates of both ends."""
        return self.coordinate(self.low), self.coordinate(self.high)

    def coordinate(self, value: float) -> float:
        if self.is_stretched:
            return math.asinh((value - self.start) / self.size) / STRETCH
        return (value - self.start) / self.first_step

    def value(self, coordinate: float) -> Value:
        """The nearest value that can be written."""
        if self.is_stretched:
            low, high = self.ends
            exact = self.start + self.size * math.sinh(STRETCH * min(max(coordinate, low), high))
        else:
            exact = self.start + self.first_step * coordinate
        rounded = float(f"{exact:.{DIGITS}g}") if self.kind is float else round(exact)
        value: Value = self.kind(min(max(rounded, self.low), self.high))
        return value


def new_tunable(name: str, low: float, high: float, start: float, kind: type, has_range: bool) -> TunedParameter:
    """A start that lies outside of the range is moved to its middle."""
    if not low <= start <= high:
        start = (low + high) / 2
    if kind is not float:
        start = float(math.floor(start))
    is_far = high - low > FAR * (abs(start) or 1.0)
    return TunedParameter(name, low, high, start, kind, is_stretched=is_far and not has_range)


def read_ranges(text: str) -> dict[str, list[float]]:
    """`width=100..2000,box` as the numbers behind each name: two or three that rise, or none."""
    ranges: dict[str, list[float]] = {}
    for part in text.split(","):
        name, equals, numbers = (piece.strip() for piece in part.partition("="))
        if not name.isidentifier():
            raise HsctlError(f"--params {text}: {part!r} is not NAME or NAME=LOW..HIGH; separate parameters by commas")
        if name in ranges:
            raise HsctlError(f"--params {text}: {name} is named twice")
        ranges[name] = read_numbers(part.strip(), numbers) if equals else []
    return ranges


def read_numbers(part: str, text: str) -> list[float]:
    try:
        numbers = [float(number) for number in text.split("..")]
    except ValueError:
        numbers = []
    is_rising = numbers == sorted(numbers) and len(numbers) > 1 and numbers[0] < numbers[-1]
    if not is_rising or not all(map(math.isfinite, numbers)):
        raise HsctlError(f"--params {part}: write the range as LOW..HIGH, the lower number first")
    return numbers


def format_value(value: Value) -> str:
    """As players are written: a number without exponent, or a switch."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(int(value)) if value == int(value) else f"{Decimal(repr(value)):f}"


def starts_of(space: Sequence[TunedParameter]) -> dict[str, Value]:
    return {each.name: each.value(0.0) for each in space}


WHOLE = "d"  # the format of whole numbers

Pieces = tuple[tuple[str, str | None, str], ...]  # text, then the name of a parameter, if any, and its format


@dataclass(frozen=True)
class TunedPlayer:
    """What is tuned."""

    space: tuple[TunedParameter, ...]
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


def read_agent(text: str, params: str) -> TunedPlayer:
    """An agent and the parameters to tune, each starting from what the agent has now."""
    if not names_agent(text):
        known = ", ".join(agent_names())
        raise HsctlError(f"{text!r} is not an agent; the agents are: {known}. To tune a bot, use --template")
    spec = read_spec(text)
    space = tuple(agent_tunable(spec.name, spec.params, name, numbers) for name, numbers in read_ranges(params).items())
    names = [each.name for each in space]
    name, rest, mark = split_agent(text, spec.name)
    kept = [part for part in rest.split(",") if part and part.partition("=")[0] not in names]
    before = f"{name}{mark}" + "".join(f"{part}," for part in kept)
    pieces = tuple((f"{',' if at else before}{each}=", each, "") for at, each in enumerate(names))
    return TunedPlayer(space, pieces, text)


def split_agent(text: str, name: str) -> tuple[str, str, str]:
    """An agent's name, its parts, and the mark between them: a comma where a class is named (a.py:A,depth=3)."""
    mark = "," if ":" in name else ":"
    return name, text.removeprefix(name).removeprefix(mark), mark


def agent_tunable(agent: str, params: Params, name: str, numbers: list[float]) -> TunedParameter:
    bounds = {each.name: each.metadata for each in fields(params)}
    if name not in bounds:
        known = ", ".join(key for key, value in params.as_dict().items() if not isinstance(value, str)) or "none"
        raise HsctlError(f"--params: {name!r} is not a parameter of {agent} that hsctl can tune; choose from: {known}")
    start: Any = getattr(params, name)
    least, most = bounds[name]["least"], bounds[name]["most"]
    if isinstance(start, str):
        raise HsctlError(f"--params: {name} of {agent} is a word ({start}); only numbers and switches can be tuned")
    if isinstance(start, bool):
        if numbers:
            raise HsctlError(f"--params: {name} of {agent} is a switch: leave out the range")
        return new_tunable(name, 0, 1, start, bool, has_range=True)
    if not numbers:
        if most - least >= 2 * MOST_WEIGHT:
            around = f"{name}={format_value(min(0.0, 2 * start))}..{format_value(max(0.0, 2 * start) or 1.0)}"
            raise HsctlError(f"--params {name}: its bounds are too far apart to search; give a range, such as {around}")
        return new_tunable(name, least, most, start, type(start), has_range=False)
    return new_tunable(name, *agent_range(agent, name, numbers, type(start), least, most), start, type(start), True)


def agent_range(
    agent: str, name: str, numbers: list[float], kind: type, least: float, most: float
) -> tuple[float, float]:
    written = f"--params {name}={'..'.join(format_value(number) for number in numbers)}"
    if len(numbers) != 2:
        raise HsctlError(f"{written}: write LOW..HIGH; the search starts from the value that {agent} has now")
    low, high = numbers
    if low < least or high > most:
        raise HsctlError(f"{written}: the range must lie within {format_value(least)}..{format_value(most)}")
    if kind is int and not (low.is_integer() and high.is_integer()):
        raise HsctlError(f"{written}: {name} is a whole number, so the ends must be, too")
    return low, high


# Bots


def read_template(template: str, params: str) -> TunedPlayer:
    """A command line with a {name} for each parameter; every parameter needs a range."""
    pieces = split_template(template)
    ranges = read_ranges(params)
    named = {name: spec for _, name, spec in pieces if name is not None}
    for name in named:
        if name not in ranges:
            raise HsctlError(f"--template has {{{name}}} without a range: add --params {name}=0..1")
    for name, numbers in ranges.items():
        if name not in named:
            raise HsctlError(f"--params: {name} is not in --template: put {{{name}}} there")
        if len(numbers) not in (2, 3):
            raise HsctlError(f"--params: {name} has no range: write {name}=LOW..HIGH or {name}=LOW..START..HIGH")
    space = tuple(bot_tunable(name, numbers, is_whole=named[name] == WHOLE) for name, numbers in ranges.items())
    start = write(pieces, starts_of(space))
    read_player(start)
    return TunedPlayer(space, pieces, start)


def split_template(template: str) -> Pieces:
    try:
        pieces = tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))
        for _, name, spec in pieces:
            if name is not None:
                format(1 if spec == WHOLE else 1.0, spec)
    except ValueError as error:
        raise HsctlError(f"--template {template}: {error}; write {{{{ for a literal brace") from None
    for _, name, _ in pieces:
        if name is not None and not name.isidentifier():
            raise HsctlError(f"--template {template}: {{{name}}} is not the name of a parameter")
    return pieces


def bot_tunable(name: str, numbers: list[float], is_whole: bool) -> TunedParameter:
    low, high = numbers[0], numbers[-1]
    if is_whole and not all(number.is_integer() for number in numbers):
        raise HsctlError(f"--params: {name} is a whole number in --template, so the ends of its range must be, too")
    start = numbers[1] if len(numbers) == 3 else (low + high) / 2
    return new_tunable(name, low, high, start, int if is_whole else float, has_range=True)
