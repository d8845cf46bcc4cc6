"""What others have published of the speed of their Bomberman engines, with where it stands and what was measured.

None of these was measured on this machine, and Pommerman (11 x 11, always four players, bombs that can be kicked) is
another game than ours: the figures tell orders of magnitude apart, nothing finer.
"""

from typing import Any, NamedTuple


class Published(NamedTuple):
    """One engine: its figure, and how it came about."""

    engine: str
    steps_per_second: int  # of one thread
    conditions: str
    source: str


PUBLISHED = (
    Published(
        "pomcpp",
        1_470_000,
        "Pommerman in C++, agents that harm nobody; 586,332 steps in 100 ms by 4 threads of a Skylake i5, per thread",
        "github.com/m2q/pomcpp, README",
    ),
    Published(
        "cpommerman",
        41_000,
        "Pommerman in Cython, random actions; `step` and `get_done` only, one informal run",
        "github.com/tambetm/pommerman-baselines, cython_env/README",
    ),
    Published(
        "Pommerman",
        2_000,
        "the original in Python; the Cython engine's figure by its speedup of 19 to 20",
        "the same README",
    ),
    Published(
        "paper: bitwise",
        2_900_000,
        "Hypersonic in C++, 2 players, player 0 random; 1.45 M in 500 ms",
        "the paper's Table 1",
    ),
)


def published_dict() -> list[dict[str, Any]]:
    return [entry._asdict() for entry in PUBLISHED]
