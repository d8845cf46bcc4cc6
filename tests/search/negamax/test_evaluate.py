"""The score between two players: each term worked out by hand, and seen by the other side exactly its negative."""

import pytest

from search.common.others import nearest_rival
from search.negamax.evaluate import RARE, TERMS, WIN, Evaluation
from search.negamax.params import NegamaxParams
from search.negamax.strategies import STRATEGIES, Weights
from tests.search.positions import Position, drawn, random_positions

EACH = Weights(1, 1, 1, 1, 1)
REPORT = NegamaxParams(reach=0, decay=1.0, opening=0)


def terms_of(
    position: Position, rival: int | None = 1, params: NegamaxParams = REPORT, weights: Weights = EACH
) -> dict[str, float]:
    evaluation = Evaluation()
    evaluation.prepare(params, weights, position.state, position.player, rival)
    return evaluation.weighted_terms(position.state, position.map)


def test_the_score_is_antisymmetric():
    """What one has the other lacks; the distance alone is the same for both, so it belongs to whose strategy it is."""
    seen = 0
    for position in random_positions(400):
        others = [seat for seat in range(4) if position.state.players[seat] and seat != position.player]
        for rival in others[:1]:
            mine = terms_of(position, rival, NegamaxParams())
            theirs = terms_of(position._replace(player=rival), position.player, NegamaxParams())
            assert theirs == {name: -term if name != "isolation" else term for name, term in mine.items()}
            seen += 1
    assert seen > 300


@pytest.mark.parametrize("name", ["sniper", "mortar", "baseline"])
def test_the_whole_score_of_a_strategy_without_isolation_changes_its_sign_with_the_sides(name):
    for position in random_positions(200, seed=1):
        for rival in [seat for seat in range(4) if position.state.players[seat] and seat != position.player]:
            scores = []
            for player, other in ((position.player, rival), (rival, position.player)):
                evaluation = Evaluation()
                evaluation.prepare(NegamaxParams(), STRATEGIES[name], position.state, player, other)
                scores.append(evaluation.score(position.state, position.map))
            assert scores[0] == -scores[1]


def test_the_weights_are_the_report_s():
    assert {
        "sniper": Weights(baseline=1, stacks=1, isolation=0, split=1, boom=100),
        "mortar": Weights(baseline=1.75, stacks=1, isolation=0, split=0.5, boom=150),
        "defensive": Weights(baseline=1.5, stacks=0, isolation=0.2, split=0, boom=25),
        "nuke": Weights(baseline=0, stacks=0, isolation=-1, split=0, boom=150),
        "baseline": Weights(baseline=1),
        "bridge": Weights(baseline=1, bridges=1),
        "control": Weights(baseline=1, noise=1),
    } == STRATEGIES


def test_pieces_are_boxes_and_bombs_and_stacks_are_squares():
    # 0: 5 boxes, 2 bombs in stock and 1 on the board, range 4. 1: 3 boxes, 1 bomb, range 3.
    position = drawn("0 0 0 0 2 4\n0 1 12 10 1 3\n1 0 4 4 5 4", boxes=(5, 3))
    terms = terms_of(position)
    assert terms["baseline"] == (5 + 3) - (3 + 1)
    assert terms["stacks"] == pytest.approx((16 + 9) / 12 - (9 + 1) / 12)


def test_isolation_is_the_distance_and_split_board_favours_the_own_corner():
    terms = terms_of(drawn("0 0 2 1 1 3\n0 1 12 6 1 3"))
    assert terms["isolation"] == 10 + 5
    assert terms["split"] == pytest.approx(1 / 4 - 1 / 5)


CROSS = """
    .0..
    .X.X
    ....
    .X.X
    0
    0 0 0 0 1 5
    0 1 12 10 1 3
    """


LAID = CROSS.replace("0 0 0 0 1 5", "0 0 0 0 0 5")
HALVING = NegamaxParams(reach=0, decay=0.5)
PIECE = NegamaxParams(reach=0, decay=1.0, rival=3.0)
NEXT_BOX = "....0...\n.X.X.X.X\n0 0 0 0 1 3\n0 1 12 10 1 3"  # two steps away
SHUT_IN = "..0\n0X\n0 0 0 0 0 3\n0 1 12 10 0 3\n1 1 0 0 4 5"


@pytest.mark.parametrize(
    ("text", "params", "boom"),
    [
        pytest.param(CROSS, REPORT, 2, id="what the next bomb hits"),
        pytest.param(".0\n0X\n0 0 0 0 1 5\n0 1 12 10 1 3", REPORT, 0, id="no way out of its fire"),
        pytest.param(f"{LAID}    1 0 0 0 8 5\n", REPORT, 2, id="boxes of a known bomb count once"),
        pytest.param(f"{CROSS}    1 1 0 0 8 5\n", REPORT, -2 - 1, id="for its owner, with the opponent in its fire"),
        pytest.param(CROSS, HALVING, 2 * 0.5**9, id="a round to lay it and eight to explode"),
        pytest.param(f"{LAID}    1 0 0 0 8 5\n", HALVING, 2 * 0.5**8, id="eight rounds"),
        pytest.param(f"{LAID}    1 0 0 0 5 5\n", HALVING, 2 * 0.5**5, id="five rounds"),
        pytest.param(f"{LAID}    1 0 8 8 3 3\n", REPORT, 0, id="no bomb in stock"),
        pytest.param(
            f"{LAID}    1 0 8 8 3 3\n", NegamaxParams(reach=4, decay=0.5), 2 * 0.5 ** (3 + 9), id="until one is back"
        ),
        pytest.param(NEXT_BOX, REPORT, 0, id="out of reach"),
        pytest.param(NEXT_BOX, NegamaxParams(reach=1, decay=0.5), 0, id="reach 1"),
        pytest.param(NEXT_BOX, NegamaxParams(reach=2, decay=0.5), 0.5 ** (2 + 9), id="reach 2"),
        pytest.param("0 0 0 0 1 3\n0 1 2 0 0 3", PIECE, 3, id="an opponent in the fire of the next bomb"),
        pytest.param("0 0 0 0 0 3\n0 1 2 0 0 3\n1 0 0 0 8 3", PIECE, 3, id="of a bomb laid"),
        pytest.param(SHUT_IN, NegamaxParams(risk=7.0, decay=1.0), -7 - 2 - 1, id="the risk, both boxes, aimed at"),
    ],
)
def test_the_boom_of_a_position(text, params, boom):
    assert terms_of(drawn(text), params=params)["boom"] == boom


def test_boxes_destroyed_since_the_decision_began_are_part_of_the_boom():
    position = drawn("0 0 0 0 1 3\n0 1 12 10 1 3", boxes=(5, 5))
    evaluation = Evaluation()
    evaluation.prepare(REPORT, EACH, position.state, 0, 1)
    position.state.scored[0] += 2
    assert evaluation.weighted_terms(position.state, position.map)["boom"] == 2


@pytest.mark.parametrize(
    ("dead", "boxes", "value"),
    [((1,), (0, 9), WIN - 3), ((0,), (9, 0), 3 - WIN), ((0, 1), (5, 4), WIN - 3), ((0, 1), (4, 4), 0.0)],
)
def test_a_decided_game_is_won_or_lost_and_the_boxes_decide_between_the_dead(dead, boxes, value):
    position = drawn("0 0 0 0 1 3\n0 1 12 10 1 3", boxes=boxes)
    evaluation = Evaluation()
    evaluation.prepare(REPORT, EACH, position.state, 0, 1)
    for seat in dead:
        position.state.players[seat] = 0
    position.state.turn += 3
    assert evaluation.score(position.state, position.map) == value
    assert evaluation.weighted_terms(position.state, position.map) == {"over": value}


def test_the_terms_sum_up_to_the_score():
    for position in random_positions(50, seed=2):
        evaluation = Evaluation()
        rival = nearest_rival(position.state, position.player)
        evaluation.prepare(NegamaxParams(), STRATEGIES["defensive"], position.state, position.player, rival)
        terms = evaluation.weighted_terms(position.state, position.map)
        assert sum(terms.values()) == pytest.approx(evaluation.score(position.state, position.map))
        assert set(terms) == set(TERMS) - set(RARE)


@pytest.mark.parametrize(
    ("rows", "bridges"),
    [
        ("...\n0X0\n0 0 0 0 1 3", 1),  # the cell in the middle of three
        ("...\n.X.\n...\n0 0 0 0 1 3", 0),  # a ring has none
        (".0\n0X\n0 0 0 0 1 3", 0),
    ],
)
def test_bridges_are_cells_whose_loss_splits_the_safe_area(rows, bridges):
    *board, player = rows.splitlines()
    full = [*("0" * 13, "0X0X0X0X0X0X0") * 5, "0" * 13]
    shut_in = [row + rest[len(row) :] for row, rest in zip(board, full, strict=False)] + full[len(board) :]
    position = drawn("\n".join([*shut_in, player]))
    found = Evaluation()
    found.prepare(NegamaxParams(), STRATEGIES["bridge"], position.state, 0, None)
    terms = found.weighted_terms(position.state, position.map)
    assert terms["bridges"] == -bridges


def test_the_control_is_the_baseline_and_an_integer_of_at_most_ten():
    seen = set()
    for position in random_positions(30):
        found = Evaluation()
        rival = nearest_rival(position.state, position.player)
        found.prepare(NegamaxParams(), STRATEGIES["control"], position.state, position.player, rival, seed=3)
        terms = found.weighted_terms(position.state, position.map)
        if "noise" in terms:
            assert -10 <= terms["noise"] <= 10 and terms["noise"] == int(terms["noise"])
            seen.add(terms["noise"])
    assert len(seen) > 3
