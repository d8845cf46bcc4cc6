"""Overlays of a board, each with a caption: danger, ways out, plan, reach, a bot's drawing, a better line."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.board import DELTAS
from engine.game import Game
from engine.position import Cell, player_of, target_of
from engine.rules import ACTION_NAMES, BOMB
from engine.state import FUSE
from replays.annotations import COLOURS, BotDrawing, Label, Path
from replays.forecast import Forecast, PlanStep, plan_ahead
from replays.record import Better, drawing_of
from replays.render.board import PLAYERS, Mark
from replays.replay import Move

# Overlays. All colours are middle tones, which show on dark and on light terminals; danger and plan set the background
# too.


DANGER, SURVIVABLE, PLAN, REACHABLE, DRAWING = "danger", "survivable", "plan", "reachable", "drawing"
# By turns until it burns, the next round first: from orange to a grey green, all of one lightness.
HEAT = ("#de8038", "#d38d3c", "#c79644", "#b99c4d", "#a99f58", "#989f64", "#889c71", "#7a977e")
SAFE = "#4f9e63"
REACHED = "#5f8fc4"
TICK = "✓"
INK = "#101010"


class Overlay(NamedTuple):
    marks: dict[Cell, Mark]
    legend: str


class Advised(NamedTuple):
    """What an agent would do."""

    action: int
    plan: list[int]
    value: float | None
    reason: str = ""  # why, in words


ARROWS = "·←→↑↓"  # by move
GOAL = "◎"  # the end of a path
BETTER, WORSE = SAFE, HEAT[0]


def advice(game: Game, seat: int, move: Move | None, agent: str, advised: Advised) -> Overlay:
    """Arrows for what is advised and what was played, if that is another move, and the plan behind the first."""
    shown = visits_of(game, seat, advised.plan[:FUSE])
    marks = {cell: Mark(text, paint(BETTER)) for cell, text in shown.items()}
    words = f"{agent}: {ACTION_NAMES[advised.action]}"
    words += "" if advised.value is None else f", value {advised.value:.4g}"
    player = player_of(game.state, seat)
    if player is not None:
        marks[target_of(game.state, player, advised.action)] = Mark(ARROWS[advised.action % BOMB], paint(BETTER))
        if move is not None and move.action is not None and move.action != advised.action:
            marks[target_of(game.state, player, move.action)] = Mark(ARROWS[move.action % BOMB], paint(WORSE))
            words += f"; played: {ACTION_NAMES[move.action]}"
    return Overlay(marks, words)


def overlay_of(name: str, game: Game, seat: int, move: Move | None) -> Overlay:
    """The overlay of that name for a position, a player and the move."""
    draw: dict[str, Callable[[Game, int, Move | None], Overlay]] = {
        DANGER: danger,
        SURVIVABLE: survivable,
        PLAN: plan,
        REACHABLE: reachable,
        DRAWING: drawing,
    }
    return draw[name](game, seat, move)


def danger(game: Game, seat: int, move: Move | None) -> Overlay:
    marks = {cell: Mark(str(turns), paint(HEAT[turns - 1])) for cell, turns in Forecast(game).burning_turns().items()}
    return Overlay(marks, "danger: in how many turns a cell burns" if marks else "danger: no bomb ticks")


def survivable(game: Game, seat: int, move: Move | None) -> Overlay:
    marks = {cell: Mark(TICK, f"bold {SAFE}") for cell in Forecast(game).survivable_turns(seat)}
    if seat not in game.living:
        return Overlay({}, f"survivable: player {seat} is dead")
    if not game.can_survive(seat):
        return Overlay({}, f"survivable: player {seat} has no way out")
    return Overlay(marks, f"survivable: where player {seat} gets away")


def reachable(game: Game, seat: int, move: Move | None) -> Overlay:
    if seat not in game.living:
        return Overlay({}, f"reachable: player {seat} is dead")
    marks = {cell: Mark(str(turns), f"bold {REACHED}") for cell, turns in Forecast(game).reachable_turns(seat).items()}
    return Overlay(marks, f"reachable: turns that player {seat} needs")


def plan(game: Game, seat: int, move: Move | None) -> Overlay:
    return plan_overlay(game, seat, move.thought.plan if move and move.thought else [])


def plan_overlay(game: Game, seat: int, line: Sequence[int]) -> Overlay:
    """The cells that a player plans to visit from a position on."""
    texts = visits_of(game, seat, line) if line else {}
    marks = {cell: Mark(text, paint(PLAYERS[seat].style)) for cell, text in texts.items()}
    return Overlay(
        marks, f"plan: where player {seat} meant to be when" if marks else f"plan: none known of player {seat}"
    )


def drawing(game: Game, seat: int, move: Move | None) -> Overlay:
    """What a bot drew. Where a path crosses a mark, the path gives the colour and the mark its text."""
    drawn = drawing_of(move)
    labels = drawn.cells
    marks = {cell: Mark(label.text, paint(colour_of(label.colour, seat))) for cell, label in labels.items()}
    for path in drawn.paths:
        style = paint(colour_of(path.colour, seat))
        marks |= {cell: Mark(labels.get(cell, Label()).text or arrow, style) for cell, arrow in arrows_of(path).items()}
    return Overlay(marks, describe_drawing(drawn, seat))


def drawings(game: Game, moves: Sequence[Move | None]) -> Overlay:
    """What all players drew, where nobody is in focus; no words if that is nothing."""
    drew = [drawing(game, seat, move) for seat, move in enumerate(moves) if not drawing_of(move).is_empty]
    marks = {cell: mark for overlay in drew for cell, mark in overlay.marks.items()}
    return Overlay(marks, "\n".join(overlay.legend for overlay in drew))


def describe_drawing(drawn: BotDrawing, seat: int) -> str:
    """Its words, if it has any."""
    who = f"drawing: player {seat}"
    return f"{who} drew nothing" if drawn.is_empty else ": ".join([who, *filter(None, ["; ".join(drawn.texts)])])


def colour_of(name: str, seat: int) -> str:
    """Of what has no colour by name: the player's."""
    return COLOURS[name] if name else PLAYERS[seat].style


def arrows_of(path: Path) -> dict[Cell, str]:
    """From each cell of a path to the next one, along the longer way; a sign at its end."""
    arrows = {}
    for (x, y), (next_x, next_y) in pairwise(path.cells):
        across, down = next_x - x, next_y - y
        away = (across > 0) - (across < 0), (down > 0) - (down < 0)
        move = DELTAS.index((away[0], 0) if abs(across) >= abs(down) else (0, away[1]))
        arrows[x, y] = ARROWS[move]
    arrows[path.cells[-1]] = GOAL
    return arrows


def better(game: Game, found: Better) -> Overlay:
    """What would have been better: the line's first turns, as long as a fuse."""
    shown = visits_of(game, found.seat, found.line[:FUSE])
    marks = {cell: Mark(text, paint(SAFE)) for cell, text in shown.items()}
    return Overlay(marks, f"better: {ACTION_NAMES[found.line[0]]}, then turn by turn")


def plan_marks(game: Game, seat: int, move: Move | None) -> dict[Cell, str]:
    """What stands on the cells that a player meant to visit."""
    if move is None or move.thought is None or not move.thought.plan:
        return {}
    return visits_of(game, seat, move.thought.plan)


def visits_of(game: Game, seat: int, line: Sequence[int]) -> dict[Cell, str]:
    """The cells of a line, with when each is visited."""
    cells: dict[Cell, list[PlanStep]] = {}
    for step in plan_ahead(game, seat, line):
        cells.setdefault((step.x, step.y), []).append(step)
    return {cell: format_visits(visits) for cell, visits in cells.items()}


def paint(background: str) -> str:
    return f"not bold {INK} on {background}"


def format_visits(steps: Sequence[PlanStep]) -> str:
    """When a cell is visited, in three characters if it can be: 3, 2-5, 3+7; with ● where a bomb is dropped."""
    bomb = "●" if any(step.drops_bomb for step in steps) else ""
    return "+".join(format_span(span) for span in spans(step.turns for step in steps)) + bomb


def spans(turns: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as runs, first and last."""
    found: list[tuple[int, int]] = []
    for turn in turns:
        if found and found[-1][1] == turn - 1:
            found[-1] = (found[-1][0], turn)
        else:
            found.append((turn, turn))
    return found


def format_span(span: tuple[int, int]) -> str:
    first, last = span
    return str(first) if first == last else f"{first}-{last}"
