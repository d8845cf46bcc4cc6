"""The tunables of `pommer`. Distances are steps."""

from dataclasses import dataclass

from search.params import Params, param

SOURCE = "the framework's bot, as it is known"


@dataclass(frozen=True)
class PommerParams(Params):
    """The rule bot of the Pommerman framework."""

    rival: int = param(3, "steps within which an opponent is walked up to", SOURCE, least=0, most=100)
    item: int = param(2, "steps within which an item is fetched", SOURCE, least=0, most=100)
    box: int = param(2, "steps within which a box is walked up to", SOURCE, least=0, most=100)
    memory: int = param(6, "turns whose cells a step without a goal avoids", SOURCE, least=0, most=200)
    sight: int = param(10, "steps looked ahead for ways", SOURCE, least=1, most=200)
