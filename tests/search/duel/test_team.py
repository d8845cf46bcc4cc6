"""duel in a team of two: both teammates' actions in one move, nine moves at most, one tree for both."""

import numpy as np

from engine.game import Game
from engine.rules import ACTION_BITS, ACTION_MASK, BOMB, legal_actions, play_round
from engine.state import copy_state
from engine.survival import is_survivable
from search.agent import Budget, Decision
from search.common.first_moves import members
from search.duel.agent import DuelAgent
from search.duel.tree import EACH, NONE_PENDING, children_of, keep_best, value_after
from search.duel.walk import score
from tests.kernels import entries_in
from tests.search.positions import GAME_SEED, Position, agent, drawn

globals().update(entries_in(globals()))

TEAMS = ((0, 1), (2, 3))
# Player 0 is at the end of a passage, player 1 stands in its only way out; the opponents are far away.
PASSAGE = """
    ...0.........
    0X.X.X.X.X.X.
    0 0 0 0 1 3
    0 1 2 0 1 3
    0 2 12 10 1 3
    0 3 12 8 1 3
    """


def team_member(spec: str = "duel:paper") -> DuelAgent:
    return agent(spec)


def decide(found: DuelAgent, position: Position, mate: int, nodes: int) -> Decision:
    found.start_game(position.map, position.player, GAME_SEED, (mate,))
    return found.decide(position.state, position.player, Budget(nodes=nodes))


def positions(count: int) -> list[Position]:
    """Turns of a game of four who take random legal actions, while all live."""
    random = np.random.default_rng(1)
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        game = Game.start(seed, 4)
        seed += 1
        while not game.is_over and len(game.living) == 4:
            if game.turn % 5 == 4:
                found.append(Position(copy_state(game.state), game.map, len(found) % 4))
            game.step([int(random.choice(members(int(legal_actions(game.state, seat))))) for seat in range(4)])
    return found[:count]


def mate_of(player: int) -> int:
    return player ^ 1


def part_of(move: int, player: int) -> int:
    return int(move) >> int(ACTION_BITS) * player & int(ACTION_MASK)


def moves_of(found: DuelAgent, node: int) -> list[int]:
    """The moves of the side to move that have a child, as packed actions."""
    return [int(found.tree.moves[node, number]) for number in children_of(found.tree, node)]


def test_a_node_has_a_move_for_each_pair_of_three_actions_at_most():
    widest = 0
    for position in positions(12):
        found = team_member()
        decide(found, position, mate_of(position.player), 3000)
        for node in range(int(found.walk.tree_size)):
            moves = moves_of(found, node)
            side = TEAMS[0] if (position.player < 2) == (found.tree.pending[node] == NONE_PENDING) else TEAMS[1]
            each = [{part_of(move, player) for move in moves} for player in side]
            assert len(set(moves)) == len(moves) <= 9
            if all(found.tree.states[node].players[player] for player in side):
                assert all(len(actions) <= EACH for actions in each)
            assert all(move == sum(part_of(move, at) << int(ACTION_BITS) * at for at in side) for move in moves)
            widest = max(widest, len(moves))
    assert widest == 9


def test_both_teammates_search_the_same_tree_and_agree_on_a_move():
    for position in positions(8):
        mate = mate_of(position.player)
        mine, theirs = team_member(), DuelAgent(team_member().params)
        own = decide(mine, position, mate, 2000)
        other = decide(theirs, Position(position.state, position.map, mate), position.player, 2000)
        assert mine.thinking.plans[mate] == list(other.plan)
        assert theirs.thinking.plans[position.player] == list(own.plan)
        assert own.value == other.value


def test_the_three_actions_of_a_teammate_are_those_of_the_best_positions():
    for position in positions(10):
        found = team_member()
        decide(found, position, mate_of(position.player), 1)
        tree, walk, root = found.tree, found.walk, int(found.walk.root)
        actions = legal_actions(position.state, position.player)
        values = {
            action: value_after(tree, walk, position.map, root, position.player, action) for action in members(actions)
        }
        kept = members(int(keep_best(tree, walk, position.map, root, position.player, np.uint64(actions), EACH)))
        assert len(kept) == min(EACH, len(values))
        assert min(values[action] for action in kept) >= sorted(values.values())[-len(kept)]


def test_no_move_of_both_leaves_a_teammate_without_a_way_out():
    """For the one in the way a bomb is fine; the other one dies of it."""
    position = drawn(PASSAGE)
    bombs = {}
    for spec in ("duel:paper", "duel:paper,caution=0"):
        found = team_member(spec)
        decide(found, position, 1, 3000)
        moves = moves_of(found, int(found.walk.root))
        bombs[spec] = {part_of(move, 1) >= BOMB for move in moves}
        if spec == "duel:paper":
            assert all(survive(position, move) for move in moves)
    assert bombs["duel:paper"] == {False}
    assert True in bombs["duel:paper,caution=0"]


def survive(position: Position, move: int) -> bool:
    state = copy_state(position.state)
    play_round(state, position.map, np.uint64(move))
    return all(is_survivable(state, position.map, player) for player in TEAMS[0])


def test_the_score_adds_up_what_both_of_a_side_have():
    position = drawn("0 0 0 0 1 3\n0 1 2 0 2 3\n0 2 12 10 1 4\n0 3 12 8 1 3", boxes=(3, 2, 1, 0))
    found = team_member()
    decide(found, position, 1, 1)
    assert score(position.state, found.walk) == (3 + 2) - 1 + 1 - 1  # boxes, a bomb more, a range more of theirs
    position.state.players[1] = 0
    assert score(position.state, found.walk) == (3 + 2) - 1 - 1 - 10
    position.state.players[2] = position.state.players[3] = 0
    assert score(position.state, found.walk) == (3 + 2) - 1 + 10


def test_who_is_left_of_a_team_has_up_to_nine_actions():
    position = drawn("0 0 6 4 1 3\n0 2 12 10 1 3\n0 3 12 8 1 3")
    found = team_member()
    decision = decide(found, position, 1, 3000)
    own = {part_of(move, 0) for move in moves_of(found, int(found.walk.root))}
    assert EACH < len(own) <= 9
    assert decision.action in own


def test_the_switch_searches_for_one_player_as_before():
    for position in positions(4):
        mate = mate_of(position.player)
        found = team_member("duel:paper,joint=0")
        decide(found, position, mate, 2000)
        assert not found.walk.joint and found.walk.rival not in (position.player, mate)
        assert mate not in found.thinking.plans


def test_the_tree_is_kept_when_all_four_did_as_expected():
    kept = 0
    for position in positions(6):
        found = team_member("duel")
        mate = mate_of(position.player)
        decision = decide(found, position, mate, 4000)
        actions = {position.player: decision.action} | {
            seat: plan[0] for seat, plan in found.thinking.plans.items() if plan
        }
        packed = sum(action << int(ACTION_BITS) * seat for seat, action in actions.items())
        play_round(position.state, position.map, np.uint64(packed))
        if position.state.players[position.player] and len(actions) == 4:
            again = found.decide(position.state, position.player, Budget(nodes=500))
            assert again.carried == decision.plan[1 : 1 + len(again.carried)] and found.walk.kept > 1
            kept += 1
    assert kept >= 3
