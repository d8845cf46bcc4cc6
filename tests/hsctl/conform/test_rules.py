"""Every drawn position of the rules, on both engines, and the page that shows them."""

import pytest

from engine.game import Game, pack_actions
from engine.notation import parse_position
from engine.position import living_players
from engine.rules import play_round
from engine.spec.bridge import from_state
from engine.state import MAX_PLAYERS
from hsctl.conform.case import play_reference, position_of
from hsctl.conform.position import format_position
from hsctl.conform.rules import RULES
from hsctl.conform.rules.rule import Drawing, Rule

DRAWINGS = [pytest.param(drawing, id=f"{rule.name}-{at}") for rule in RULES for at, drawing in enumerate(rule.drawings)]


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_the_specification_plays_every_drawing(drawing: Drawing) -> None:
    assert [after for _, _, after in play_reference(drawing.case)] == drawing.afters


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_the_engine_plays_every_drawing(drawing: Drawing) -> None:
    start = drawing.case.start
    game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS)
    for actions, after in zip(drawing.case.rounds, drawing.afters, strict=True):
        play_round(game.state, game.map, pack_actions([actions.get(seat, 0) for seat in range(MAX_PLAYERS)]))
        assert position_of(from_state(game.state, game.map)) == after
        assert len(living_players(game.state)) == len(after.players)


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_every_drawing_can_be_on_a_board_of_the_arena(drawing: Drawing) -> None:
    for position in drawing.positions:
        parse_position(format_position(position))
        bombs = {bomb.cell: bomb.timer for bomb in position.bombs}
        assert all(bombs[bomb.cell] == bomb.timer and bomb.range >= 3 for bomb in position.bombs)
        assert not {item.cell for item in position.items} & {
            thing.cell for thing in (*position.players, *position.bombs)
        }


def test_names_are_different() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_drawings_are_small(rule: Rule) -> None:
    """So that whoever breaks a rule sees little else."""
    for drawing in rule.drawings:
        assert all(position.entity_count <= 4 for position in drawing.positions)
        assert len(drawing.case.rounds) <= 2
