"""An agent against itself, by nodes: told apart a little, so that its games say something.

Boards are symmetric. Where nothing is left to chance, both sides of such a game make the same moves, mirrored, and it
is drawn: by nodes even to the end, while on the clock no two searches are quite the same. So one side is given a little
less: a beam a tenth fewer states a layer, any other search a tenth fewer nodes. (For a beam a tenth fewer nodes would
not do: with many of them its last layers decide nothing.) Agents that draw random numbers draw others in each seat,
and need no such thing.
"""

from hsctl.match.players import read_player
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.scale import Budgets
from search.beam.params import BeamParams

LESS = 0.9
NOTE = "against itself by nodes, the other side has a tenth less, or both would play the same game, mirrored"


def tell_apart(player: str, effort: Effort) -> str:
    """The player as an opponent of itself: on the clock as it is, by nodes with a little less."""
    if effort.nodes is None:
        return player
    spec = read_player(player).spec
    if spec is not None and isinstance(spec.params, BeamParams):
        return f"{player}{',' if ':' in player else ':'}width={max(1, int(LESS * spec.params.width))}"
    fewer = Budgets("nodes", (max(1, int(LESS * effort.nodes)),))
    return fewer.give(player, fewer.amounts[0])
