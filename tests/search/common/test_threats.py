"""Moves that hold or win whatever an opponent replies: against a search written the plain way, and drawn."""

import numpy as np
import pytest

from engine.rules import ACTION_NAMES, legal_actions, play_round
from engine.state import copy_state
from engine.survival import is_surely_survivable, is_survivable
from search.agent import Budget
from search.clock import LEAST_SLICE, Stage, Timer
from search.common.first_moves import members
from search.common.threats import Proof, Threats
from tests.search.positions import (
    DEAD_END,
    Position,
    agent,
    choice,
    close_up,
    decide,
    drawn,
    legal,
    others_of,
    random_positions,
)

THREATS = Threats(3)
PLENTY = 10_000_000  # nodes


def stage_of(nodes: int) -> Stage:
    return Timer(Budget(nodes=nodes)).stage("threats", 1.0, 0)


def after(state: np.record, map_: np.record, actions: dict[int, int]) -> np.record:
    played = copy_state(state)
    play_round(played, map_, np.uint64(sum(action << 4 * player for player, action in actions.items())))
    return played


def replies(state: np.record, rival: int) -> list[int]:
    return members(int(legal_actions(state, rival))) or [0]


def holds(state: np.record, map_: np.record, proof: Proof, rounds: int) -> bool:
    """Whether we hold for so many rounds."""
    can_answer = proof.counts_deaths or bool(is_survivable(state, map_, proof.rival))
    is_safe = is_survivable if rounds else is_surely_survivable
    if not is_safe(state, map_, proof.player):
        return not can_answer
    if not rounds or not can_answer:
        return True
    moves = members(int(legal_actions(state, proof.player)))
    return any(not refutations(state, map_, proof, action, rounds) for action in moves)


def refutations(state: np.record, map_: np.record, proof: Proof, action: int, rounds: int) -> int:
    """How many replies leave nothing that holds."""
    return sum(
        not holds(after(state, map_, {proof.player: action, proof.rival: reply}), map_, proof, rounds - 1)
        for reply in replies(state, proof.rival)
    )


def wins(state: np.record, map_: np.record, proof: Proof, action: int, rounds: int) -> bool:
    """Whether an action wins within so many rounds, whatever the opponent replies."""
    for reply in replies(state, proof.rival):
        then = after(state, map_, {proof.player: action, proof.rival: reply})
        if is_won(then, map_, proof):
            continue
        if rounds == 1 or not then.players[proof.player] or not is_survivable(then, map_, proof.rival):
            return False
        nexts = members(int(legal_actions(then, proof.player)))
        if not any(wins(then, map_, proof, following, rounds - 1) for following in nexts):
            return False
    return True


def is_won(state: np.record, map_: np.record, proof: Proof) -> bool:
    if is_survivable(state, map_, proof.rival):
        return False
    if is_surely_survivable(state, map_, proof.player):
        return True
    burnt = after(state, map_, {})
    both_die = not burnt.players[proof.player] and not burnt.players[proof.rival]
    return proof.counts_deaths and both_die and bool(burnt.scored[proof.player] > burnt.scored[proof.rival])


def near_proofs(position: Position, attacks: bool) -> list[Proof]:
    THREATS.nodes[0] = PLENTY
    return THREATS.proofs(position.state, position.player, others_of(position), attacks)


@pytest.mark.parametrize(("rounds", "count"), [(1, 60), (2, 30), (3, 4)])
def test_refutations_are_those_that_a_plain_search_finds(rounds, count):
    found = 0
    for position in close_up(count, seed=11):
        proofs = near_proofs(position, attacks=False)
        moves = sum(1 << action for action in legal(position))
        for action, refuted in THREATS.refutations(proofs, position.map, moves, rounds).items():
            plain = (refutations(position.state, position.map, proof, action, rounds) for proof in proofs)
            assert refuted == sum(plain)
            found += bool(refuted)
    assert found


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "count"), [(1, 1000), (2, 500), (3, 20)])
def test_wins_are_those_that_a_plain_search_finds(rounds, count):
    found = 0
    for position in close_up(count, seed=12):
        for proof in near_proofs(position, attacks=True):
            moves = sum(1 << action for action in legal(position))
            winning = THREATS.winning([proof], position.map, moves, rounds)
            assert members(winning) == [
                action for action in legal(position) if wins(position.state, position.map, proof, action, rounds)
            ]
            found += bool(winning)
    assert found


def test_spent_nodes_leave_what_was_found_with_them():
    for position in close_up(20, seed=15):
        state, map_, player = position
        rivals = others_of(position)
        whole = [Threats(rounds).judge(state, map_, player, rivals, 0, stage_of(PLENTY)) for rounds in (1, 2, 3)]
        for limit in (whole[0].nodes, whole[1].nodes, whole[2].nodes // 2):
            cut = THREATS.judge(state, map_, player, rivals, 0, stage_of(limit))
            assert cut.nodes <= limit
            assert cut.safe in {judged.safe for judged in whole}
            assert THREATS.judge(state, map_, player, rivals, 0, stage_of(cut.nodes)) == cut


class Ticking:
    """A clock on which a look takes a microsecond, and `ns` when it is the look of this number."""

    def __init__(self, look: int, ns: int) -> None:
        self.look, self.ns = look, ns
        self.looks = self.now = 0

    def __call__(self) -> int:
        self.looks += 1
        self.now += self.ns if self.looks == self.look else 1000
        return self.now


def test_slices_between_looks_at_the_clock_change_nothing():
    for position in close_up(20, seed=16):
        state, map_, player = position
        rivals = others_of(position)
        whole = THREATS.judge(state, map_, player, rivals, 0, stage_of(PLENTY))
        clock = Ticking(-1, 0)
        assert THREATS.judge(state, map_, player, rivals, 0, Timer(Budget(ms=1e6), clock).stage("", 1.0, 0)) == whole
        assert clock.looks >= min(3, whole.nodes // LEAST_SLICE)


def test_what_the_clock_stopped_is_found_again_by_its_nodes():
    stopped = 0
    for position in close_up(20, seed=16):
        state, map_, player = position
        rivals = others_of(position)
        for look in range(3, 8):
            stage = Timer(Budget(ms=10), Ticking(look, 20_000_000)).stage("", 1.0, 0)
            cut = THREATS.judge(state, map_, player, rivals, 0, stage)
            assert THREATS.judge(state, map_, player, rivals, 0, stage_of(cut.nodes)) == cut
            stopped += THREATS.stage is None
    assert stopped > 20


def names(actions: int) -> set[str]:
    return {ACTION_NAMES[action] for action in members(actions)}


def safe(position: Position) -> set[str]:
    rivals = others_of(position)
    return names(THREATS.judge(position.state, position.map, position.player, rivals, 0, stage_of(PLENTY)).safe)


def test_who_can_be_shut_in_leaves_the_dead_end():
    assert "left" not in safe(drawn(DEAD_END.format(x=1, theirs=3)))
    assert "right" in safe(drawn(DEAD_END.format(x=1, theirs=3)))


def test_a_far_opponent_forbids_nothing():
    position = drawn(DEAD_END.format(x=1, theirs=3).replace("0 1 3 0 1 5", "0 1 12 10 1 3"))
    assert safe(position) == {ACTION_NAMES[action] for action in legal(position)}


def test_the_killer_takes_the_win_by_force():
    position = drawn(DEAD_END.format(x=0, theirs=2), player=1)
    winning = THREATS.judge(position.state, position.map, 1, [0], 0, stage_of(PLENTY)).winning
    assert any("bomb" in name for name in names(winning))
    assert choice("beam", position, 2000) in names(winning)


def test_the_passes_of_a_search_are_recorded_and_make_it_again():
    beam = agent("beam")
    for position in random_positions(5, seed=13):
        decision = decide(beam, position, Budget(nodes=20_000))
        widths = [int(stage.split()[-1]) for stage in decision.stages if stage.startswith("own ")]
        assert widths[0] == 60 and widths == sorted(widths)
        assert decide(beam, position, decision.budget()) == decision


# Player 2 could surely kill player 0 by a bomb and a step to the left, where the bombs of the others shut them in.
RISKY_KILL = """
    ..02.....2...
    .X.X.X.X.X.X.
    ...0.........
    .X.X.X.X.X.X.
    .............
    .X.X.X.X.X.X.
    .............
    .X.X.X.X.X.X.
    .............
    .X.X.X.X.X.X.
    ...2.....2...
    0 0 6 8 4 6
    0 1 6 1 1 7
    0 2 8 8 3 5
    0 3 5 10 1 6
    1 3 4 8 6 6
    1 1 5 2 7 7
    1 1 6 2 8 7
    1 3 4 10 8 6
    2 0 2 2 1 1
    """


def test_one_opponent_of_many_is_not_killed_at_the_risk_of_the_own_life():
    position = drawn(RISKY_KILL, player=2)
    assert "left+bomb" not in safe(position)
    assert choice("beam", position, 20_000) != "left+bomb"
