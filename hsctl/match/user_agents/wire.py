"""What a runner and the worker of an agent say to each other: a line of JSON each way.

States and maps are the bytes of their records in hexadecimal: exact, and the same on any machine that can play here.
"""

from typing import Any

import msgspec

Plain = bool | int | float | str


class Tunable(msgspec.Struct, frozen=True):
    """A parameter, as `search.params.param` declares it."""

    name: str
    default: Plain
    meaning: str = ""
    source: str = ""
    least: int | float | None = None
    most: int | float | None = None


class Description(msgspec.Struct, frozen=True):
    """What can be known of a class without making an agent of it."""

    idea: str
    tunables: list[Tunable]
    presets: dict[str, dict[str, Plain]]
    sparring: dict[str, str]


class Request(msgspec.Struct, omit_defaults=True):
    """One question; which fields count depends on `do`."""

    do: str  # describe, make, start, see, decide, trace
    params: dict[str, Plain] = {}
    state: str = ""
    map: str = ""
    player: int = 0
    seed: int = 0
    mates: list[int] = []
    ms: float | None = None
    nodes: int | None = None
    stages: dict[str, int] | None = None


class Reply(msgspec.Struct, omit_defaults=True):
    """An error in one line, or the answer."""

    error: str = ""
    is_invalid: bool = False  # the error: what it decided is no decision, rather than an exception
    result: Any = None


class WireDecision(msgspec.Struct):
    """A Decision; the fields are those of `search.agent.Decision`."""

    action: int
    plan: list[int]
    value: float | None
    nodes: int
    stages: dict[str, int]
    depth: int
    carried: list[int]
    message: str
