"""The hybrid agent: when its machine changes state, the paper's scores, what its searches build."""

from collections import Counter
from itertools import count, pairwise

import numpy as np
import pytest

from engine.board import CELLS, MOVES, X_OF, Y_OF, cells_of, words_of
from engine.rules import ACTION_NAMES, ACTIONS
from engine.state import FUSE
from engine.survival import with_two_neighbours
from search import make_agent
from search.agent import Budget
from search.clock import SLICE
from search.common.first_moves import members
from search.hybrid.agent import HybridAgent
from search.hybrid.danger import escapes, foresee, is_shut_off, make_areas, make_danger
from search.hybrid.machine import REASONS, STATES
from search.hybrid.nodes import is_deadly
from search.hybrid.params import HybridParams
from search.hybrid.paths import NO_WAY, first_step, free_cells, reachable
from search.hybrid.scores import attacker_score, evader_score
from search.params import SpecError
from tests.search.positions import Position, after, agent, decide, drawn, legal, random_positions

AREAS = make_areas(2)
NODES = 400


def hybrid(spec: str = "hybrid") -> HybridAgent:
    made = agent(spec)
    assert isinstance(made, HybridAgent)
    return made


def consider(text: str, spec: str = "hybrid:heuristic") -> tuple[str, str, str]:
    """State, reason and action of the rules alone for player 0."""
    machine = hybrid(spec)
    decision = decide(machine, drawn(text), Budget(nodes=NODES))
    found = machine.machine
    return STATES[found.state], REASONS[found.reason], ACTION_NAMES[decision.action]


def searched(text: str, spec: str = "hybrid", nodes: int = NODES) -> HybridAgent:
    """An agent that had to search on the position; its memory is left behind."""
    made = hybrid(spec)
    decide(made, drawn(text), Budget(nodes=nodes))
    assert made.is_searching
    return made


def cell_at(x: int, y: int) -> np.uint64:
    return np.uint64(CELLS[y, x])


# The machine

FAR = "0 1 12 10 1 3"  # somebody who is never met


def test_without_danger_or_enemy_it_explores():
    assert consider(f"..0\n0 0 0 0 1 3\n{FAR}")[0] == "explore"


def test_an_enemy_within_6_is_attacked_while_a_bomb_is_left():
    assert consider("..\n0 0 0 0 1 3\n0 1 6 0 1 3") == ("attack", "walks to the enemy", "right")
    assert consider("..\n0 0 0 0 0 3\n0 1 6 0 1 3")[0] == "explore"
    assert consider("..\n0 0 0 0 1 3\n0 1 7 0 1 3")[0] == "explore"


def test_the_attack_is_searched_within_4():
    for distance, is_close in ((4, True), (5, False)):
        consider(f"..\n0 0 0 0 1 3\n0 1 {distance} 0 1 3")
        assert bool(hybrid("hybrid:heuristic").machine.searches) == is_close


def test_an_enemy_beside_it_is_bombed_by_the_rules():
    state, _reason, action = consider("..\n0 0 4 4 1 3\n0 1 5 4 1 3")
    assert state == "attack" and action.endswith("+bomb")


def test_boxes_in_the_way_of_an_attack_are_explored():
    state, reason, _action = consider("..0\n.X.\n0..\n0 0 0 0 1 3\n0 1 6 0 1 3")
    assert (state, reason) == ("attack", "there is no way to the enemy, so it explores")


def test_a_mate_is_no_enemy():
    position, machine = drawn("..\n0 0 0 0 1 3\n0 1 3 0 1 3"), hybrid()
    machine.start_game(position.map, 0, 7, mates=(1,))
    machine.decide(position.state, 0, Budget(nodes=NODES))
    assert STATES[machine.machine.state] == "explore"


@pytest.mark.parametrize(("timer", "state"), [(6, "evade"), (7, "explore"), (8, "explore")])
def test_one_bomb_around_is_dangerous_below_7_ticks(timer, state):
    assert consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 4 {timer} 3")[0] == state


def test_two_bombs_around_are_dangerous_below_9_ticks():
    assert consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 6 8 3\n1 1 8 4 8 2")[0] == "evade"


@pytest.mark.parametrize(("timer", "state"), [(2, "evade"), (3, "explore")])
def test_scaled_ticks_are_25_to_a_fuse(timer, state):
    found = consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 4 {timer} 3", "hybrid:heuristic,scaled")
    assert found[0] == state


def test_a_bomb_that_only_a_step_would_bring_in_reach_makes_it_evade_and_wait():
    # The row of the bomb burns; the cell above it doesn't, but stepping down would.
    found = consider(f"..\n0 0 4 3 0 3\n{FAR}\n1 1 5 4 4 3")
    assert found == ("evade", "stands on a safe cell beside the danger and waits", "stay")


def test_it_walks_to_the_nearest_safe_cell():
    found = consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 1 5 4 4 3")
    assert found[:2] == ("evade", "walks to the nearest safe cell") and found[2] in ("up", "down")


def test_bombs_farther_than_5_are_not_around():
    assert consider(f"..\n0 0 0 0 0 3\n{FAR}\n1 1 7 0 3 12")[0] == "explore"


def test_a_first_step_that_stays_in_reach_is_left_to_the_search():
    corridor = f"""
        ...
        .X0
        0..
        0 0 0 0 0 3
        {FAR}
        1 1 0 0 5 3
        """
    found = consider(corridor)
    assert found[:2] == ("evade", "the first step to the nearest safe cell is still in reach of a bomb")
    searched(corridor)


# Exploring


def test_it_bombs_a_box_where_it_can_get_away():
    state, reason, action = consider(f"...0\n0 0 2 0 1 3\n{FAR}")
    assert (state, reason) == ("explore", "bombs a box") and action in ("left+bomb", "down+bomb")


def test_it_walks_to_the_nearest_item():
    assert consider(f"...\n0 0 2 0 1 3\n{FAR}\n2 0 5 0 1 1") == (
        "explore",
        "walks to the nearest item or box to bomb",
        "right",
    )


def test_a_box_that_a_bomb_will_hit_is_no_goal():
    assert consider(f".....0\n0 0 0 0 1 3\n{FAR}\n1 1 7 0 8 3")[1].startswith("nothing to bomb or fetch")


def test_without_goals_it_walks_to_the_cell_it_visited_least_and_sees_earlier_turns_again():
    for visited, move in (((1, 0), "down"), ((0, 1), "right")):
        position, machine = drawn(f"..\n0 0 0 0 0 3\n{FAR}", turn=3), hybrid("hybrid:heuristic")
        earlier = drawn(f"..\n0 0 {visited[0]} {visited[1]} 0 3\n{FAR}", turn=2)
        machine.start_game(position.map, 0, 7)
        machine.see(earlier.state, 0)
        assert MOVES[machine.decide(position.state, 0, Budget(nodes=1)).action] == move


# No suicide


def allowed(text: str) -> list[str]:
    """After which moves a bomb of player 0 is no suicide."""
    position = drawn(text)
    danger = make_danger(5)
    foresee(position.state, position.map, danger)
    me = int(position.state.players[0])
    alone = is_shut_off(position.state, 0)
    moves, best = escapes(position.state, danger, np.uint64(me & 0xFF), np.uint64(me >> 8 & 0xFF), alone)
    assert (int(best) in members(int(moves))) == (moves != 0)
    return [MOVES[move] for move in members(int(moves))]


def test_a_dead_end_is_no_place_for_a_bomb():
    assert allowed(f"...0\n0X0\n0 0 1 0 1 4\n{FAR}") == []


def test_around_the_corner_is_an_escape():
    assert "right" in allowed(f"....\n0 0 1 0 1 4\n{FAR}")


def test_an_escape_needs_two_free_neighbours_where_others_can_come():
    pocket = "..0\n.X.\n0.."
    assert allowed(f"{pocket}\n0 0 1 0 1 3\n{FAR}") == ["stay", "left"]
    assert allowed(f"{pocket}\n0 0 1 0 1 3\n0 1 0 0 1 3") == []


def test_a_bomb_that_another_sets_off_leaves_less_time():
    assert allowed(f"...\n0 0 0 0 1 3\n{FAR}") != []
    assert allowed(f"...\n0 0 0 0 1 3\n{FAR}\n1 1 1 0 2 3") == []


def test_cells_with_two_free_neighbours_are_those_of_a_plain_count():
    for position in random_positions(20, seed=8):
        free = free_cells(tuple(position.state.blocked))
        cells = set(cells_of(np.array(free, np.uint64)))
        plain = {(x, y) for x, y in cells if len(cells & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}) >= 2}
        assert set(cells_of(np.array(with_two_neighbours(free), np.uint64))) == plain


# Ways


def test_the_first_step_is_that_of_a_shortest_way():
    position = drawn("...0\n0X.X\n....\n0 0 0 0 1 3")
    blocked = tuple(position.state.blocked)
    for goal, wanted in (((0, 2), ("right", 6)), ((2, 0), ("right", 2)), ((0, 0), ("stay", 0))):
        move, steps = first_step(cell_at(0, 0), tuple(words_of([goal])), blocked)
        assert (MOVES[move], steps) == wanted
    assert first_step(cell_at(0, 0), tuple(words_of([(3, 0)])), tuple(words_of([(1, 0), (0, 1)]))) == (NO_WAY, NO_WAY)


def test_ways_of_random_boards_are_those_of_a_plain_search():
    for position in random_positions(20, seed=9):
        blocked = tuple(position.state.blocked)
        start = np.uint64(int(position.state.players[position.player]) & 0xFF)
        distances = plain_distances(position)
        assert set(cells_of(np.array(reachable(start, blocked)))) == set(distances)
        for goal, distance in list(distances.items())[::5]:
            assert first_step(start, tuple(words_of([goal])), blocked)[1] == distance


def plain_distances(position: Position) -> dict[tuple[int, int], int]:
    """Steps from the player to every cell he can walk to."""
    free = set(cells_of(~position.state.blocked))
    cell = int(position.state.players[position.player]) & 0xFF
    start = int(X_OF[cell]), int(Y_OF[cell])
    distances, queue = {start: 0}, [start]
    for x, y in queue:
        for to in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if to in free and to not in distances:
                distances[to] = distances[x, y] + 1
                queue.append(to)
    return distances


# The scores


def evader(text: str, ticks: float = 1.0) -> float:
    position = drawn(text)
    return float(evader_score(position.state, np.uint64(int(position.state.players[0]) & 0xFF), ticks))


def test_each_bomb_in_reach_takes_off_more_the_sooner_it_explodes():
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}") == 100
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 4 3") == pytest.approx(100 - 25 * (11 - 4) / 10)
    two = f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 4 3\n1 1 4 6 8 3"
    assert evader(two) == pytest.approx(100 - 25 * (11 - 4) / 10 - 25 * (11 - 8) / 10)


def test_bombs_out_of_reach_take_nothing_off():
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}\n1 1 7 4 2 3") == 100
    assert evader(f"..\n.X.\n...\n.X.\n.....0\n0 0 4 4 1 3\n{FAR}\n1 1 6 4 2 5") == 100


def test_of_scaled_ticks_only_those_below_10_count():
    bombs = [f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 {timer} 3" for timer in range(1, FUSE + 1)]
    lost = [100 - evader(text, 25 / FUSE) for text in bombs]
    assert lost[:3] == pytest.approx([25 * (11 - timer * 25 / 8) / 10 for timer in (1, 2, 3)])
    assert lost[3:] == [0] * 5


def test_the_papers_third_figure_scores_69():
    # All tiles within two: 13. Four of the eight cells that can be walked to are in reach of the bomb.
    position = drawn("..\n0 0 0 0 1 3\n0 1 6 4 1 3\n1 0 8 4 8 5")
    score = float(attacker_score(position.state, 1, 2, AREAS))
    assert score == pytest.approx(100 * (1 - 4 / 13))
    assert round(score) == 69


def test_a_target_without_a_safe_cell_and_a_dead_one_score_100():
    shut_in = drawn("..\n0 0 12 10 1 3\n0 1 0 0 1 3\n1 0 0 1 8 3\n1 0 1 0 7 3")
    assert attacker_score(shut_in.state, 1, 2, AREAS) == 100
    assert attacker_score(shut_in.state, 2, 2, AREAS) == 100


# The searches

TIGHT = f"..\n0 0 4 4 1 3\n{FAR}\n1 1 4 4 5 6"
DUEL = "..\n0 0 4 4 1 3\n0 1 6 4 1 3"


@pytest.mark.parametrize("select", ["random", "ucb1", "exploit", "explore"])
def test_the_flat_search_builds_no_tree(select):
    flat = searched(DUEL, f"hybrid:{select}", 2000)
    size = int(flat.search.held)
    assert 2 <= size <= 1 + ACTIONS
    assert set(flat.nodes.depth[1:size]) == {1}
    assert flat.nodes.visits[0] == flat.nodes.visits[1:size].sum() == flat.search.iterations + size - 1


@pytest.mark.parametrize("kind", ["bfs", "mcts"])
def test_the_others_grow_one(kind):
    grown = searched(DUEL, f"hybrid:{kind}", 2000)
    assert grown.nodes.depth[: int(grown.search.held)].max() >= 3


def visits_of(made: HybridAgent) -> list[int]:
    return [int(visits) for visits in made.nodes.visits[1 : int(made.search.held)]]


def test_exploration_alone_visits_all_alike_and_exploitation_mostly_one():
    even, greedy = visits_of(searched(DUEL, "hybrid:explore", 2000)), visits_of(searched(DUEL, nodes=2000))
    assert max(even) - min(even) <= 1
    assert max(greedy) > sum(greedy) / 2


def test_the_move_of_highest_mean_is_played():
    for spec in ("hybrid", "hybrid:ucb1", "hybrid:mcts"):
        made = hybrid(spec)
        decision = decide(made, drawn(DUEL), Budget(nodes=NODES))
        size = int(made.search.held)
        children = [node for node in range(1, size) if made.nodes.parent[node] == 0]
        means = {int(made.nodes.action[node]): made.nodes.total[node] / made.nodes.visits[node] for node in children}
        assert decision.value == means[decision.action] == max(means.values())


def test_breadth_first_search_goes_level_by_level_and_plays_to_the_best_of_the_frontier():
    breadth = hybrid("hybrid:bfs")
    decision = decide(breadth, drawn(TIGHT), Budget(nodes=NODES))
    nodes, size, head = breadth.nodes, int(breadth.search.held), int(breadth.search.head)
    assert all(before <= later for before, later in pairwise(nodes.depth[:size]))
    assert decision.value == max(nodes.total[head:size]) == 100
    assert len(decision.plan) in (nodes.depth[head], nodes.depth[size - 1])


def test_deadly_moves_are_left_out():
    # The bomb below explodes in two rounds: staying in its column or going down burns.
    position = drawn(f"..\n0 0 4 3 1 3\n{FAR}\n1 1 4 6 2 6\n1 1 12 0 8 3")
    made = hybrid("hybrid:bfs,near=22")
    decide(made, position, Budget(nodes=ACTIONS))
    tried = {int(made.nodes.action[node]) for node in range(1, int(made.search.held))}
    burning = {action for action in legal(position) if is_deadly(after(position, action), 0)}
    assert made.is_searching and burning
    assert not tried & burning


def test_the_target_of_an_attack_moves_and_nobody_else_does():
    made = searched("..\n0 0 4 4 1 3\n0 1 6 4 1 3\n0 2 12 0 1 3", "hybrid:bfs", 3000)
    states = made.nodes.states[1 : int(made.search.held)]
    assert len({int(state.players[1]) & 0xFF for state in states}) > 3
    assert {int(state.players[2]) & 0xFF for state in states} == {int(cell_at(12, 0))}


def test_bombs_of_the_first_moves_are_no_suicide():
    made = searched(DUEL)
    tried = {int(made.nodes.action[node]) for node in range(1, int(made.search.held))}
    assert tried <= set(members(int(made.machine.allowed)))


# The clock, the record, the words


def test_the_search_looks_at_the_clock_often_enough():
    made = make_agent("hybrid")
    assert isinstance(made, HybridAgent)
    seen: list[int] = []
    ticks = count(0, 1_000_000)

    def clock() -> int:
        seen.append(int(made.search.nodes))
        return next(ticks)

    made.clock = clock
    decision = decide(made, drawn(DUEL), Budget(ms=6))
    assert decision.nodes == seen[-1] > SLICE
    assert all(later - before <= SLICE + ACTIONS - 1 for before, later in pairwise(seen[1:]))
    assert decide(hybrid(), drawn(DUEL), decision.budget()) == decision


def test_rules_need_no_nodes():
    assert decide(hybrid(), drawn(f"..0\n0 0 0 0 1 3\n{FAR}"), Budget(nodes=NODES)).nodes == 0


def test_every_state_is_met_in_random_positions():
    states: Counter[str] = Counter()
    for position in random_positions(60, seed=4):
        decide(hybrid("hybrid:heuristic"), position, Budget(nodes=1))
        states[STATES[hybrid("hybrid:heuristic").machine.state]] += 1
    assert set(states) == set(STATES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hybrid:search=dfs", "hybrid: search is one of heuristic, bfs, mcts, fmcs, not 'dfs'"),
        ("hybrid:select=best", "hybrid: select is one of random, ucb1, exploit, explore, not 'best'"),
        ("hybrid:least=4", "hybrid: least is at most `most`, 3, not 4"),
    ],
)
def test_parameters_that_no_search_can_run_with_are_refused(text, message):
    with pytest.raises(SpecError) as error:
        make_agent(text)
    assert str(error.value) == message


def test_the_papers_numbers():
    params = HybridParams()
    assert (params.search, params.select, params.c, params.least, params.most) == ("fmcs", "exploit", 25.0, 1, 3)
    assert (params.near, params.attack, params.close, params.danger, params.danger_each) == (5, 6, 4, 5.0, 2.0)
