"""What the rules and every agent do, as numbers: fixed games give one number per part.

`behaviour.json` keeps the numbers. A ledger files games under them, so a refactoring replays nothing and a change of
behaviour replays exactly the games of the players that changed. `hsctl bench --signature` computes them anew and makes
one number of all.

    rules       perft of drawn positions
    beam        short games of the agent against itself: 2 to 4 players, early, late, with the race for boxes decided,
    beam:paper  just before the last turn, ranked by survival; one part for every agent and every preset
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.compile.sources import digest_text
from engine.game import ARENA, SURVIVAL, Game
from engine.notation import digest, parse_position
from engine.spec.perft import perft
from search.agent import Agent, Budget, Decision
from search.spec import AGENTS, Spec, parse_spec

DATA = Path(__file__).with_name("behaviour.json")
NODES = 20_000  # a decision: enough for the beam to ask its models
BYTES = 4  # of the signature: ten digits at most
RULES = "rules"

# Raise an agent's number when its behaviour by nodes changes in a way that no part notices. (Where an agent thinks by
# the clock, hsctl's version belongs to the identity of a game anyway.)
REVISIONS: dict[str, int] = {"simple": 1}  # 1: drops no bomb whose way out leads over an item

# Midgames reached by `simple` agents: 6 to 8 bombs, some of which explode within the next rounds.

# seed 18, turn 82
MIDGAME_2 = """\
.......20....
.X.X.X.X.X.X.
.......2.1221
.X.X.X.X.X1X.
.1.......2010
.X.X.X.X.X.X.
0102.......1.
.X1X.X.X.X.X.
1221.2.......
.X.X.X.X.X.X.
....02.......
13
0 0 6 4 2 7
0 1 8 4 3 7
1 1 7 8 1 6
1 0 4 7 3 7
1 0 4 6 4 7
1 1 8 6 4 6
1 1 8 3 7 7
1 0 6 4 8 7
2 0 12 5 2 2
2 0 10 7 1 1
2 0 2 3 1 1
2 0 0 5 2 2
2 0 6 2 1 1
"""

# seed 25, turn 69
MIDGAME_3 = """\
.....0.......
.X.X.X0X.X.X.
...........1.
.X.X.X2X.X.X.
.......2.01..
.X.X.X.X.X.X.
.110.2.2.01..
.X2X.X2X.X.X.
.1.2.2.....1.
.X0X.X0X.X.X.
..0.10.......
17
0 0 4 6 1 8
0 1 10 9 2 5
0 2 10 3 1 5
1 1 7 8 1 5
1 2 6 2 2 5
1 0 2 4 4 8
1 1 10 7 6 5
1 2 9 2 6 5
1 0 4 5 7 8
1 0 4 6 8 8
1 2 10 3 8 5
2 0 11 4 1 1
2 0 11 6 1 1
2 0 0 7 1 1
2 0 8 5 2 2
2 0 5 4 2 2
2 0 5 2 2 2
"""

# seed 18, turn 54
MIDGAME_4 = """\
......0......
.X.X.X.X.X.X.
......1......
.X1X.X.X.X1X.
.10.......01.
2X.X.X0X.X.X2
.10.......01.
.X1X.X.X.X1X.
......1......
.X.X.X.X.X.X.
......0......
22
0 0 0 1 1 6
0 1 12 8 2 6
0 2 12 2 2 6
0 3 0 9 1 6
1 1 7 8 4 5
1 2 7 2 4 5
1 0 2 2 5 6
1 3 2 8 5 6
1 0 0 2 7 6
1 1 10 8 7 6
1 2 10 2 7 6
1 3 0 8 7 6
2 0 5 8 2 2
2 0 5 2 2 2
2 0 7 10 2 2
2 0 5 10 2 2
2 0 7 0 2 2
2 0 5 0 2 2
2 0 3 4 2 2
2 0 3 6 2 2
2 0 9 4 2 2
2 0 9 6 2 2
"""

# Bombs of three owners in one chain next round, two of them on one cell, items and boxes in their way.
CHAIN = """\
......0......
.X.X.X.X.X.X.
..0.....1....
.X.X.X.X.X.X.
0...2.......0
.X.X.X.X.X.X.
....1...0....
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
..0...2......
13
0 0 1 6 2 5
0 1 11 6 1 4
0 2 3 10 1 3
1 0 4 2 2 6
1 1 6 2 3 4
1 2 6 4 4 13
1 0 6 4 4 2
1 1 10 4 6 5
1 2 10 8 7 9
2 0 7 2 2 2
2 0 5 4 1 1
2 0 3 8 2 2
2 0 6 7 1 1
"""

# Everybody in one narrow place around an item, rich, the first explosion due: deaths and pick-ups together.
CROWD = """\
..0..........
.X.X.X.X.X.X.
.............
0X.X.X.X.X.X.
.1...........
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
7
0 0 0 1 3 9
0 1 0 1 2 3
0 2 0 2 1 17
0 3 1 0 8 4
1 1 1 2 1 2
1 3 0 0 4 3
2 0 0 0 2 2
"""

# Both players near each other, three boxes left.
LATE = """\
.............
.X.X.X.X.X.X.
....0........
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X1
.............
.X.X.X.X.X.X.
......2......
.X.X.X.X.X.X.
.............
5
0 0 4 6 2 5
0 1 7 6 3 4
1 1 9 6 5 4
1 0 2 5 7 5
2 0 4 8 1 1
"""

MIDGAMES = {2: MIDGAME_2, 3: MIDGAME_3, 4: MIDGAME_4}  # by players


class Scenario(NamedTuple):
    """Where a short game begins, and how many turns it lasts."""

    text: str  # "" for the board of a seed
    turn: int
    turns: int
    boxes: tuple[int, ...] = ()  # scored so far
    ends: str = ARENA

    def begin(self) -> Game:
        game = parse_position(self.text, self.turn, self.boxes) if self.text else Game.start(7, 2)
        game.ends = self.ends
        return game


SCENARIOS = (
    Scenario("", 0, 3),
    Scenario(MIDGAME_2, 60, 4),
    Scenario(MIDGAME_3, 69, 1),
    Scenario(MIDGAME_4, 54, 2, ends=SURVIVAL),
    Scenario(MIDGAME_2, 192, 2, boxes=(10, 10)),
    Scenario(LATE, 120, 2, boxes=(20, 10)),  # won for player 0, lost for player 1
    Scenario(LATE, 120, 1, boxes=(13, 10)),  # level at best for player 1
)


def behaviour_of(spec: str) -> int:
    """What an agent does in short games against itself: every action, value, nodes, depth and plan."""
    from search import make_agent

    agents = [make_agent(spec) for _ in range(4)]
    return hash_decisions(decision for scenario in SCENARIOS for decision in play_scenario(scenario, agents))


def play_scenario(scenario: Scenario, agents: Sequence[Agent]) -> Iterator[Decision]:
    game = scenario.begin()
    for player in game.living:
        agents[player].start_game(game.map, player, 1)
    for _ in range(scenario.turns):
        made = {player: agents[player].decide(game.state, player, Budget(nodes=NODES)) for player in game.living}
        yield from made.values()
        game.step([made[player].action if player in made else 0 for player in range(game.seats)])


def hash_decisions(decisions: Iterable[Decision]) -> int:
    """Action, value, nodes, depth and plan of each."""
    facts = []
    for decision in decisions:
        value = None if decision.value is None else round(decision.value, 6)
        facts.append((decision.action, value, decision.nodes, decision.depth, decision.plan))
    return hash_facts(facts)


def rules_behaviour() -> int:
    """What the rules do: perft of drawn positions, boards of seeds, and whole games with their ends and ranks."""
    facts: list[object] = []
    for text, depth in ((MIDGAME_2, 5), (MIDGAME_3, 3), (MIDGAME_4, 2), (CHAIN, 3), (CROWD, 4)):
        game = parse_position(text)
        facts.append(perft(game.state, game.map, depth).hash)
    for seed in range(6):
        game = Game.start(seed, 2 + seed % 3)
        game.ends = (ARENA, SURVIVAL)[seed % 2]
        facts += digest(game), play_out(game)
    return hash_facts(facts)


def play_out(game: Game) -> tuple[object, ...]:
    """How a game of the agent `simple:trusting` ends."""
    from search import make_agent

    agents = [make_agent("simple:trusting") for _ in range(game.seats)]
    for player, agent in enumerate(agents):
        agent.start_game(game.map, player, 1)
    while game.reason is None:
        actions = [0] * game.seats
        for player in game.living:
            actions[player] = agents[player].decide(game.state, player, Budget(nodes=1)).action
        game.step(actions)
    return digest(game), game.ranks(), game.turn, game.reason


def hash_facts(facts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(facts).encode(), digest_size=8).digest(), "big")


# All parts


def names_of_agent(agent: str) -> list[str]:
    """An agent as it is, and with each of its presets."""
    return [agent, *(f"{agent}:{preset}" for preset in AGENTS[agent].params.PRESETS)]


def compute_parts() -> dict[str, int]:
    return {RULES: rules_behaviour()} | {name: behaviour_of(name) for agent in AGENTS for name in names_of_agent(agent)}


def make_signature(parts: Iterable[tuple[str, int]]) -> int:
    """One number for all parts."""
    text = "\n".join(f"{name} {number}" for name, number in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=BYTES).digest(), "big")


class StoredBehaviour(msgspec.Struct, frozen=True):
    """What `behaviour.json` holds."""

    signature: int
    parts: dict[str, int]


@cache
def stored() -> StoredBehaviour:
    return msgspec.json.decode(DATA.read_bytes(), type=StoredBehaviour)


def part_of(spec: Spec, parts: Mapping[str, int]) -> int:
    """The number of the agent or preset with these parameters; where there is none, one of all the agent's parts."""
    names = names_of_agent(spec.name)
    for name in names:
        if parse_spec(name).params == spec.params:
            return parts[name]
    return hash_facts([parts[name] for name in names])


def digest_agent(spec: Spec) -> str:
    """A short digest of how a built-in agent plays: its parameters, its behaviour, and that of the rules."""
    parts = stored().parts
    facts = (spec.name, spec.params.identity(), part_of(spec, parts), REVISIONS.get(spec.name, 0), parts[RULES])
    return digest_text(map(repr, facts))
