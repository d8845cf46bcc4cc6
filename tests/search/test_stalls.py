"""Whatever stalls a decision: its move is legal, survivable where one is, and no worse than the last plan.

Time is scripted: a node takes as long as the clock says, and a stall comes at a look of a given number.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine.game import Game
from engine.survival import is_survivable
from search import AGENTS, make_agent
from search.agent import Agent, Budget, Decision
from search.beam.agent import NARROW, NARROW_WIDTH, BeamAgent
from search.clock import Timer
from search.common.planning import LAST_PLAN, OWN_STAGE, PlanningAgent
from tests.search.clocks import ScriptedClock, counting_nodes
from tests.search.positions import Position, after, agent, legal

TURN = Budget(ms=10)
STALLS = (3.0, 10.0, 50.0)  # ms
STAGED = [name for name in AGENTS if isinstance(agent(name), PlanningAgent) or name == "hybrid"]


@pytest.fixture
def clock() -> Iterator[ScriptedClock]:
    clock = ScriptedClock()
    with counting_nodes(clock):
        yield clock


def clocked(spec: str, clock: ScriptedClock) -> Agent:
    found = make_agent(spec)
    found.clock = clock
    return found


def decide_at(player: Agent, position: Position, last: Decision | None) -> Decision:
    """A decision in a game whose turn before was decided like this."""
    player.start_game(position.map, position.player, 7)
    if last is not None:
        player.recall_plan(int(position.state.turn) - 1, last.plan)
    return player.decide(position.state, position.player, TURN)


def turns_of_game(spec: str, clock: ScriptedClock, seed: int, every: int) -> Iterator[tuple[Position, Decision | None]]:
    """Some turns of a game against `simple`, with the decision of the turn before."""
    game, player, rival, last = Game.start(seed, 2), clocked(spec, clock), agent("simple"), None
    player.start_game(game.map, 0, seed)
    rival.start_game(game.map, 1, seed)
    while not game.is_over and game.turn < 60:
        position = Position(game.state, game.map, 0)
        if game.turn % every == 0:
            yield Position(game.state.copy(), game.map, 0), last
        clock.script(None, 0.0)
        last = player.decide(position.state, 0, TURN)
        game.step([last.action, rival.decide(game.state, 1, Budget(nodes=100)).action])


def is_sound(position: Position, action: int) -> bool:
    """Legal, and survivable if any move is."""
    _state, map_, player = position
    survivable = [each for each in legal(position) if is_survivable(after(position, each), map_, player)]
    return action in (survivable or legal(position))


def value_along(beam: BeamAgent, position: Position, actions: Sequence[int]) -> tuple[int, float]:
    """How far a line gets under the predictions of the last decision, and what the beam gives for where it ends."""
    stage = Timer(Budget()).stage("", 1.0, 0)
    line = beam.run_pass(position.state, position.player, 0, stage, NARROW_WIDTH, 0, len(actions), actions)
    return line.depth, line.value or 0.0


@pytest.mark.parametrize("name", STAGED)
def test_a_stall_at_any_look_leaves_a_legal_move_that_can_be_survived(name, clock):
    player, seen = clocked(name, clock), 0
    for position, last in turns_of_game(name, clock, seed=3, every=11):
        clock.script(None, 0.0)
        decide_at(player, position, last)
        for look in range(0, clock.looks + 1, 1 + clock.looks // 12):
            for stall in STALLS:
                clock.script(look, stall)
                decision = decide_at(player, position, last)
                assert is_sound(position, decision.action), (name, look, stall)
                seen += 1
    assert seen > 30


def test_wherever_a_beam_is_stalled_its_plan_is_no_worse_than_what_was_left_of_the_last_one(clock):
    beam, kept, compared = clocked("beam", clock), 0, 0
    for position, last in turns_of_game("beam", clock, seed=4, every=7):
        clock.script(None, 0.0)
        decide_at(beam, position, last)
        for look in range(clock.looks + 1) if last is not None else ():
            assert last is not None
            clock.script(look, 5.0)
            decision = decide_at(beam, position, last)
            left = list(last.plan[1:])
            follows = list(decision.plan[: len(left)]) == left
            kept += follows
            if beam.thinking.decided_by == OWN_STAGE and LAST_PLAN in decision.stages and not follows:
                depth, value = value_along(beam, position, left[: decision.depth])
                compared += depth == decision.depth
                assert depth < decision.depth or value_along(beam, position, decision.plan)[1] >= value - 1e-6
    assert kept > 20 and compared > 20


def test_a_beam_without_time_for_its_search_goes_by_the_last_plan_or_the_narrow_pass(clock):
    beam, by = clocked("beam", clock), Counter()
    for position, last in turns_of_game("beam", clock, seed=5, every=5):
        for look in (4, 6, 8):
            clock.script(look, 50.0)
            decision = decide_at(beam, position, last)
            by[beam.thinking.decided_by] += 1
            assert decision.depth > 8 or beam.thinking.decided_by == OWN_STAGE
            assert "models" not in decision.stages
    assert by[LAST_PLAN] > 10 and by[NARROW] > 2


@pytest.mark.parametrize("spec", ["beam", "beam:scaled", "mcts", "rhea", "negamax", "duel:keep=0"])
def test_a_stalled_decision_is_repeated_from_the_turns_and_the_plan_before_it(spec, clock):
    random, followed = Random(1), 0
    game, player, rival = Game.start(6, 2), clocked(spec, clock), agent("simple")
    player.start_game(game.map, 0, 6)
    rival.start_game(game.map, 1, 6)
    seen: list[Position] = []
    last: Decision | None = None
    while not game.is_over and game.turn < 40:
        seen.append(Position(game.state.copy(), game.map, 0))
        clock.script(random.randrange(1, 6) if random.random() < 0.7 else None, random.uniform(3, 50))
        decision = player.decide(game.state, 0, TURN)
        followed += LAST_PLAN in decision.stages
        again = agent(spec)
        again.start_game(game.map, 0, 6)
        for position in seen[:-1]:
            again.see(position.state, 0)
        if last is not None:
            again.recall_plan(game.turn - 1, last.plan)
        assert again.decide(seen[-1].state, 0, decision.budget()) == decision
        last = decision
        game.step([decision.action, rival.decide(game.state, 1, Budget(nodes=100)).action])
    assert followed > 3


@pytest.mark.slow
def test_a_beam_with_a_third_of_its_turns_stalled_beats_rhea(clock):
    beam, rhea, won = clocked("beam", clock), clocked("rhea", clock), 0
    for number in range(100):
        won += wins_stalled(beam, rhea, clock, 1000 + number // 2, number % 2, Random(number))
    assert won >= 90


def wins_stalled(beam: Agent, rhea: Agent, clock: ScriptedClock, seed: int, seat: int, random: Random) -> bool:
    """Whether beam, stalled for 3 to 50 ms at a random look on every third turn, wins from this seat."""
    game, looks = Game.start(seed, 2), 40
    players = (beam, rhea) if seat == 0 else (rhea, beam)
    for at, player in enumerate(players):
        player.start_game(game.map, at, seed)
    while not game.is_over:
        actions = [0, 0]
        for at in game.living:
            is_stalled = at == seat and random.random() < 1 / 3
            clock.script(random.randrange(looks) if is_stalled else None, random.uniform(3, 50))
            actions[at] = players[at].decide(game.state, at, TURN).action
            looks = clock.looks if at == seat and not is_stalled else looks
        game.step(actions)
    return game.ranks()[seat] < game.ranks()[1 - seat]
