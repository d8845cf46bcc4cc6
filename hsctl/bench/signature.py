"""One number for the behaviour of everything compiled: equal numbers, equal behaviour.

Fixed work on fixed positions gives one number per part, and a hash combines them. A change that moves it is not a
refactoring.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from engine.notation import parse_position
from engine.spec.perft import perft
from hsctl.bench.positions import CHAIN, CROWD, MIDGAME_2, MIDGAME_3, MIDGAME_4
from search import make_agent
from search.agent import Budget, Decision

SEARCH_NODES = 20_000
BYTES = 4  # of the signature: ten digits at most


def count_tree(text: str, depth: int) -> int:
    """The hash of all positions after `depth` rounds."""
    game = parse_position(text)
    return perft(game.state, game.map, depth).hash


def search_twice(spec: str, text: str) -> int:
    """A fixed search for the first and for the last player of a position: action, value, nodes, depth and plan."""
    game = parse_position(text, turn=60)
    agent = make_agent(spec)
    decisions = []
    for player in (game.living[0], game.living[-1]):
        agent.start_game(game.map, player, 1)
        decisions.append(agent.decide(game.state, player, Budget(nodes=SEARCH_NODES)))
    return hash_decisions(decisions)


def play_turns(spec: str, text: str, turns: int) -> int:
    """A few turns of an agent against itself, so that what it carries from turn to turn counts too."""
    game = parse_position(text, turn=60)
    agents = {player: make_agent(spec) for player in game.living}
    for player, agent in agents.items():
        agent.start_game(game.map, player, 1)
    decisions: list[Decision] = []
    for _ in range(turns):
        budget = Budget(nodes=SEARCH_NODES)
        made = {player: agents[player].decide(game.state, player, budget) for player in game.living}
        decisions += made.values()
        game.step([made[player].action if player in made else 0 for player in range(game.seats)])
    return hash_decisions(decisions)


def hash_decisions(decisions: Sequence[Decision]) -> int:
    """Action, value, nodes, depth and plan of each."""
    told = []
    for decision in decisions:
        value = None if decision.value is None else round(decision.value, 6)
        told.append((decision.action, value, decision.nodes, decision.depth, decision.plan))
    return int.from_bytes(hashlib.blake2b(repr(told).encode(), digest_size=8).digest(), "big")


SPECS = (
    *("beam", "beam:paper", "beam:zh", "mcts", "rhea", "negamax", "osla", "simple", "bias", "bias:value"),
    *("hybrid", "hybrid:bfs", "hybrid:mcts", "duel", "duel:paper", "chokudai", "seeker", "pommer"),
)

# Each part: its name and what computes it. The order counts.
PARTS: list[tuple[str, Callable[[], int]]] = [
    ("perft of 2 players", partial(count_tree, MIDGAME_2, 5)),
    ("perft of 3 players", partial(count_tree, MIDGAME_3, 3)),
    ("perft of 4 players", partial(count_tree, MIDGAME_4, 2)),
    ("perft of a chain", partial(count_tree, CHAIN, 3)),
    ("perft of a crowd", partial(count_tree, CROWD, 4)),
    *(
        (f"{spec} with {players} players", partial(search_twice, spec, text))
        for spec in SPECS
        for players, text in ((2, MIDGAME_2), (4, MIDGAME_4))
    ),
    ("duel on its kept tree", partial(play_turns, "duel", MIDGAME_2, 4)),
]


def compute_parts() -> dict[str, int]:
    return {name: compute() for name, compute in PARTS}


def make_signature(parts: Iterable[tuple[str, int]]) -> int:
    """One number for all parts."""
    text = "\n".join(f"{name} {number}" for name, number in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=BYTES).digest(), "big")
