"""What is counted while a game is watched."""

from engine.around.events import round_events
from engine.notation import parse_position
from hsctl.experiments.paper.behaviour import TRAITS, Behaviour
from hsctl.experiments.watching import Manner, note_events, note_survival, watch_game
from search import make_agent
from search.agent import Budget

STAY, LEFT, RIGHT, DOWN = 0, 1, 2, 4
BOARD = """
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
....0........
"""


def position(*entities: str):
    return parse_position("\n".join([BOARD.strip(), str(len(entities)), *entities]))


def test_a_way_there_and_back_counts_unless_it_had_a_reason() -> None:
    a, b = (0, 0), (1, 0)
    for reasons, count in (((False, False), 1), ((True, False), 0), ((False, True), 0)):
        manner = Manner()
        for cell, has_reason in zip((a, b, a), (*reasons, False), strict=True):
            manner.walk(cell, has_reason)
        assert manner.returns == count
    still = Manner()
    for _ in range(3):
        still.walk(a, False)
    assert still.returns == 0


def test_a_bomb_without_a_box_is_told_from_one_with() -> None:
    game = position("0 0 0 0 1 3", "0 1 12 10 1 3", "1 0 6 4 1 3", "1 1 4 8 1 3")
    manners = [Manner(), Manner()]
    note_events(game, round_events(game, [STAY, STAY]), manners)
    assert [manner.idle_bombs for manner in manners] == [1, 0]


def test_who_is_shut_in_by_a_rivals_bomb_was_trapped() -> None:
    # The player has dropped a bomb in the corner and gone right; the rival's bomb closes the way on.
    game = position("0 0 1 0 0 3", "0 1 2 0 1 3", "1 0 0 0 5 4")
    after, manners = game.copy(), [Manner(), Manner()]
    actions = [STAY, 5 + RIGHT]
    after.step(actions)
    note_survival(game, after, actions, manners)
    assert (manners[0].trapped, manners[1].trapped) == (True, False)


def test_a_watched_game_is_counted_to_its_end() -> None:
    agents = [make_agent("rhea:paper"), make_agent("simple")]
    manners = watch_game(agents, 3, Budget(nodes=40))
    assert manners[0].turns == len(manners[0].depths) == len(manners[0].generations) > 0
    answer = Behaviour({"rhea:paper": [(3, manners[0])], "simple": [(3, manners[1])]}, "40 nodes a turn")
    assert set(answer.as_dict()["agents"]["simple"]) == {trait.name.strip() for trait in TRAITS}
    assert answer.draw() is not None
