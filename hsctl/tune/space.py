"""The space that is searched: parameters with their ranges, and coordinates in which all of them look alike.

    coordinate   0 is where the search starts, 1 is its first step: a fifth of the range, at least 1 for whole numbers
    stretched    a parameter without a range of its own, whose bounds are far away: the first step is half its value,
                 and steps grow with the distance, so that the bounds can still be reached

`width=100..2000,box` names a parameter with a range and one without, which has the bounds of the parameter itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.errors import HsctlError

Value = float | int | bool
FIRST_STEP = 0.2  # of the range
STRETCH = 0.5  # of its own size: the first step of a parameter whose bounds are far away
FAR = 100.0  # times its own size: bounds that are farther apart
FEW = 10  # whole numbers
DIGITS = 4  # of a value: more would only be noise


@dataclass(frozen=True)
class Tunable:
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


def new_tunable(name: str, low: float, high: float, start: float, kind: type, has_range: bool) -> Tunable:
    """A start that lies outside of the range is moved to its middle."""
    if not low <= start <= high:
        start = (low + high) / 2
    if kind is not float:
        start = float(math.floor(start))
    is_far = high - low > FAR * (abs(start) or 1.0)
    return Tunable(name, low, high, start, kind, is_stretched=is_far and not has_range)


def read_ranges(text: str) -> dict[str, list[float]]:
    """`width=100..2000,box` as the numbers behind each name: two or three that rise, or none."""
    ranges: dict[str, list[float]] = {}
    for part in text.split(","):
        name, equals, numbers = (piece.strip() for piece in part.partition("="))
        if not name.isidentifier():
            raise HsctlError(f"--params {text}: {part!r}, expected NAME or NAME=LOW..HIGH, with commas between them")
        if name in ranges:
            raise HsctlError(f"--params {text}: {name} is named twice, expected it once")
        ranges[name] = read_numbers(part.strip(), numbers) if equals else []
    return ranges


def read_numbers(part: str, text: str) -> list[float]:
    try:
        numbers = [float(number) for number in text.split("..")]
    except ValueError:
        numbers = []
    is_rising = numbers == sorted(numbers) and len(numbers) > 1 and numbers[0] < numbers[-1]
    if not is_rising or not all(map(math.isfinite, numbers)):
        raise HsctlError(f"--params {part}: expected a range LOW..HIGH of numbers, the lower first")
    return numbers


def format_value(value: Value) -> str:
    """As players are written: a number without exponent, or a switch."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(int(value)) if value == int(value) else f"{Decimal(repr(value)):f}"


def starts_of(space: Sequence[Tunable]) -> dict[str, Value]:
    return {each.name: each.value(0.0) for each in space}
