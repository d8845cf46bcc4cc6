"""What a search left behind, read after its decision: first moves, the best line, and the panels of its kind of agent.

Nothing here runs while an agent thinks. Layers, tree and population stay in the agent's memory until its next
decision; what is no longer there (the states of a beam's earlier layers) is stepped again along its line.

    Trace    roots    the ten first moves: what is certain about each, what was found below it
             line     the best line, step by step, while the others follow their plans
             panels   what only this kind of agent can tell; see panels/
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from rich.console import RenderableType

Terms = dict[str, float]
Section = tuple[str, "RenderableType"]  # of the screen: its title and what stands below it


@dataclass(frozen=True)
class Value:
    """What a search found below a first move: its best state, and how far on that is."""

    value: float
    depth: int
    terms: Terms = field(default_factory=dict)  # they sum up to the value; empty if it has none


@dataclass(frozen=True)
class Root:
    """One of the ten first moves."""

    action: int
    name: str
    legal: bool
    survivable: bool  # the known bombs can be survived after it
    killable_by: list[int]  # who can surely kill the player within two rounds, though the known bombs would not
    kills: list[int]  # who dies by it within two rounds, whatever they do
    pruned: str | None  # why it was not searched
    best: Value | None
    states: list[int]  # [depth - 1], states of a layer that descend from it


@dataclass(frozen=True)
class Step:
    """One action of the best line and the state it leads to."""

    turn: int
    action: int
    name: str
    x: int  # where the player stands after it
    y: int
    place: int | None = None  # in its layer, from 0
    value: float | None = None
    terms: Terms = field(default_factory=dict)


@dataclass(frozen=True)
class Extent:
    """How much is shown. None: on the screen what fits, in JSON everything."""

    depth: int | None = None  # layers and turns
    top: int | None = None  # first moves and individuals


class Panel(ABC):
    """What one kind of agent can tell of a decision, on the screen and in the JSON."""

    json_field: ClassVar[str]  # where it stands in the JSON
    stands_first: ClassVar[bool] = False  # on the screen: before the first moves

    @abstractmethod
    def sections(self, trace: "Trace", names: Sequence[str], extent: Extent) -> Iterator[Section]:
        """The sections of the screen; `names` are those of the players by seat."""

    def limit(self, extent: Extent) -> Self:
        """As much of it as the JSON is to show."""
        return self

    def as_fields(self) -> dict[str, object]:
        """The fields of the JSON document."""
        return {self.json_field: self}

    def reasons(self) -> list[str]:
        """What it adds to the reason for the decision, in words."""
        return []


@dataclass(frozen=True)
class Trace:
    """What a search left behind, for any kind of agent."""

    roots: list[Root]
    line: list[Step]
    plans: dict[int, list[int]]  # what the others were predicted to do, by player
    panels: Sequence[Panel] = ()
    now: Terms = field(default_factory=dict)  # of the position itself
    kept: Sequence[int] = ()  # [depth - 1], the states of each layer, if the search had layers
