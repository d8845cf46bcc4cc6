"""Both engines reproduce the recorded transitions of real games (other people's data, read where it lies)."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from engine.board import DELTAS
from engine.notation import format_position, parse_order, parse_position, resolve
from engine.rules import BOMB, play_round
from engine.spec.bridge import draw, from_state
from engine.spec.naive import step as slow_step
from tests.engine.draw import assert_same

RECORDED = Path(os.environ.get("HSCTL_RECORDED", Path(__file__).parents[3] / "shared" / "recorded"))
TRANSITIONS = RECORDED / "transitions.jsonl"

pytestmark = pytest.mark.skipif(
    not TRANSITIONS.exists(), reason=f"no recorded games at {TRANSITIONS}; HSCTL_RECORDED names their folder"
)


def read_transitions() -> list[dict]:
    return [json.loads(line) for line in TRANSITIONS.read_text().splitlines()] if TRANSITIONS.exists() else []


def text_of_frame(frame: dict) -> str:
    entities = [" ".join(map(str, entity)) for entity in frame["entities"]]
    return "\n".join([*frame["grid"], str(len(entities)), *entities]) + "\n"


def actions_of(transition: dict) -> np.uint64:
    """Recorded are the bomb and the cell after the move."""
    packed = 0
    places = {entity[1]: entity[2:4] for entity in transition["before"]["entities"] if entity[0] == 0}
    for player, action in transition["actions"].items():
        x, y = places[int(player)]
        move = DELTAS.index((action["to"][0] - x, action["to"][1] - y))
        packed |= (move + BOMB * action["bomb"]) << 4 * int(player)
    return np.uint64(packed)


def without_item_order(text: str) -> list[str]:
    """The lines as they are, but the items sorted."""
    lines = text.splitlines()
    items = [line for line in lines if line.startswith("2 0 ")]
    return [line for line in lines if line not in items] + sorted(items)


def name_transition(transition: dict) -> str:
    return f"{transition['source']}/{transition['path']}-{transition['index']}"


@pytest.mark.parametrize("transition", read_transitions(), ids=name_transition)
def test_both_engines_reproduce_a_recorded_transition(transition):
    game = parse_position(text_of_frame(transition["before"]))
    naive = from_state(game.state, game.map)
    actions = actions_of(transition)
    living = [me.alive for me in naive.players]
    slow_step(naive, actions)
    play_round(game.state, game.map, actions)
    assert_same(naive, game.state, game.map)
    assert without_item_order(draw(naive)) == without_item_order(text_of_frame(transition["after"]))
    scored = {str(player): int(me.scored) for player, me in enumerate(naive.players) if me.scored}
    assert scored == transition["boxes_scored"]
    died = [player for player, me in enumerate(naive.players) if living[player] and not me.alive]
    assert died == transition["died"]


@pytest.mark.parametrize("transition", read_transitions(), ids=name_transition)
def test_a_game_played_by_lines_lists_bombs_and_items_in_the_recorded_order(transition):
    game = parse_position(text_of_frame(transition["before"]))
    actions = [0] * game.seats
    for player, action in transition["actions"].items():
        x, y = action["to"]
        line = f"{'BOMB' if action['bomb'] else 'MOVE'} {x} {y}"
        actions[int(player)] = resolve(game.state, int(player), parse_order(line))
    game.step(actions)
    assert format_position(game) == text_of_frame(transition["after"])


def test_there_are_153_recorded_transitions():
    assert len(read_transitions()) == 153
