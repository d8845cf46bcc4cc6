"""What a tunable is: its default with meaning, source and bounds, and how it is read from text.

Every agent keeps its own in its package, in `params.py`. Neither this file nor those import numba, so that
`hsctl agents` and `--help` are instant.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

from engine.errors import HsctlError, nearest


class SpecError(HsctlError):
    """A player that can't be read from its text."""


LATER = "is_later"
MOST_WEIGHT = 1.0e6  # either way, of a weight that states no bounds


def param(
    default: Any,
    meaning: str,
    source: str,
    least: float | None = None,
    most: float | None = None,
    is_later: bool = False,
) -> Any:
    """A tunable: its default, what it does (with its unit), where the default comes from, and its bounds.

    One that was added later counts in the identity of filed games only where it isn't the default.
    """
    if isinstance(default, float):
        least, most = -MOST_WEIGHT if least is None else least, MOST_WEIGHT if most is None else most
    metadata = {"meaning": meaning, "source": source, "least": least, "most": most}
    return field(default=default, metadata={**metadata, LATER: True} if is_later else metadata)


@dataclass(frozen=True)
class Params:
    """The tunables of one agent. PRESETS: name -> changed defaults."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {}
    FORMER: ClassVar[dict[str, str]] = {}  # names that presets had before -> their names today
    SPARRING: ClassVar[dict[str, str]] = {}  # presets that are opponents to train against, and what each is like

    def as_dict(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def identity(self) -> dict[str, Any]:
        """What makes filed games those of this player: all values, but for later ones at their defaults."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if not (each.metadata.get(LATER) and getattr(self, each.name) == each.default)
        }

    def changed(self, key: str, text: str) -> Self:
        """A copy with one parameter read from text."""
        known = {each.name: each for each in fields(self)}
        if key not in known:
            names = ", ".join(nearest(key, [*known, "time", "nodes"]))
            raise SpecError(f"unknown parameter {key!r}; the nearest are {names} (all: hsctl agents NAME)")
        value = parse_value(key, text, getattr(self, key))
        self.check(key, value)
        return replace(self, **{key: value})

    def recorded(self, values: Mapping[str, Any]) -> Self:
        """A copy with parameters as a file has them, checked like those that a user types; none may be unknown."""
        checked = {key: check_type(key, value, getattr(self, key)) for key, value in values.items()}
        for key, value in checked.items():
            self.check(key, value)
        return replace(self, **checked)

    def check(self, key: str, value: Any) -> None:
        """Refuse a value out of bounds."""
        (bounds,) = (each.metadata for each in fields(self) if each.name == key)
        check_bounds(key, value, bounds["least"], bounds["most"])


def check_type(key: str, value: Any, default: Any) -> Any:
    """A value of the default's type; a whole number will do for any."""
    kind = type(default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind or (kind is float and not math.isfinite(value)):
        raise SpecError(f"parameter {key}: expected {kind.__name__}, found {str(value)[:40]!r}")
    return value


def parse_value(key: str, text: str, default: Any) -> Any:
    """Text as a value of the default's type."""
    kind = type(default)
    try:
        if kind is bool:
            return {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}[text.lower()]
        value = kind(text)
    except (ValueError, KeyError):
        raise SpecError(f"parameter {key}: expected {kind.__name__}, found {text!r}") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise SpecError(f"parameter {key}: expected a finite number, found {text!r}")
    return value


def check_bounds(key: str, value: Any, least: float | None, most: float | None) -> None:
    if least is not None and value < least:
        raise SpecError(f"parameter {key}: expected {least} or more, found {value}")
    if most is not None and value > most:
        raise SpecError(f"parameter {key}: expected {most} or less, found {value}")
