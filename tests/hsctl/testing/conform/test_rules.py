"""Drawings are small boards that the arena could send. `tests/engine/spec/test_naive.py` plays them."""

import pytest

from engine.notation import parse_position
from hsctl.testing.conform.case import format_position
from hsctl.testing.conform.rules import RULES, Drawing, Rule

DRAWINGS = [pytest.param(drawing, id=f"{rule.name}-{at}") for rule in RULES for at, drawing in enumerate(rule.drawings)]


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
