"""The tunables of `hybrid`. Distances are Manhattan."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.params import Params, param

ALGORITHM_1 = "Zhou et al. 2018, algorithm 1"
SECTION_3 = "Zhou et al. 2018, section 3"
EQUATION_3 = "Zhou et al. 2018, equation 3"

SEARCHES = ("heuristic", "bfs", "mcts", "fmcs")
NEAR = ("cells", "ticks")
CHOICES = ("mean", "best")
SELECTIONS = ("random", "ucb1", "exploit", "explore")  # their order is that of the kernels (tree.py)


@dataclass(frozen=True)
class HybridParams(Params):
    """A state machine that searches in tight spots. PRESETS: the rows of the paper's table 1."""

    search: str = param("fmcs", "heuristic (none), bfs, mcts or fmcs", SECTION_3)
    select: str = param(
        "exploit", "which first move fmcs simulates: random, ucb1, exploit or explore", "Zhou et al. 2018, table 1"
    )
    choose: str = param(
        "mean",
        "the first move played: of the highest mean, or of the best single score",
        SECTION_3,
        is_later=True,
    )
    c: float = param(25.0, "weight of exploration in UCB1", EQUATION_3, least=0)
    least: int = param(1, "rounds of the shortest simulation", SECTION_3, least=1, most=200)
    most: int = param(3, "rounds of the longest simulation", SECTION_3, least=1, most=200)
    near: str = param(
        "cells", "in range of a bomb: one around (cells), or one that explodes soon (ticks)", "two readings of it"
    )
    around: int = param(5, "cells within which a bomb counts as around; or ticks", ALGORITHM_1, least=0, most=22)
    attack: int = param(6, "cells within which an opponent is attacked", ALGORITHM_1, least=0, most=22)
    close: int = param(4, "cells within which the attack is searched", ALGORITHM_1, least=0, most=22)
    danger: float = param(5.0, "ticks below which a bomb is dangerous", SECTION_3, least=0)
    danger_each: float = param(2.0, "more ticks for each bomb around", SECTION_3, least=0)
    fuse: float = param(8.0, "ticks of a fuse: 8 counts in turns, 25 scales the paper's ticks", "measured", least=1)
    flood: int = param(
        2, "steps around the opponent that equation 2 looks at", "Zhou et al. 2018, figure 3", least=1, most=8
    )
    dead: float = param(-100.0, "score of a state in which the agent is dead", "guess")
    capacity: int = param(
        65536, "nodes of bfs and mcts; once full, the tree stops growing", "guess", least=12, most=16777216
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        # Its best row; "5 + 2 x bomb_count" counts ticks as printed, and a tick is a turn.
        "paper": {"search": "fmcs", "select": "exploit", "danger": 5.0, "danger_each": 2.0, "fuse": 8.0},
        "exploit": {"search": "fmcs", "select": "exploit"},
        "explore": {"search": "fmcs", "select": "explore"},
        "ucb1": {"search": "fmcs", "select": "ucb1"},
        "random": {"search": "fmcs", "select": "random"},
        "heuristic": {"search": "heuristic"},
        "bfs": {"search": "bfs"},
        "mcts": {"search": "mcts"},
        "scaled": {"fuse": 25.0},  # the 25 ticks of a fuse there in our 8 turns
    }
