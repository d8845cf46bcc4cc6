"""The position of a decision with what was planned on it: own plan, predicted plans, danger; and small boards.

 4   the player is there in 4 turns      1:3   player 1 is thought to be there in 3 turns
2-5  from turn 2 to turn 5               !3    burns in 3 turns         ● after a number: drops a bomb there
"""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.board import HEIGHT, WIDTH, is_wall
from engine.game import Game
from engine.position import Cell, bombs_on, boxes_on, items_on, living_players, player_of
from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain.answer import ExplainedDecision
from hsctl.analysis.explain.lines import action_at
from hsctl.analysis.explain.show.arrows import format_plan
from hsctl.analysis.explain.show.compact import Sized
from replays.forecast import Forecast, PlanStep
from replays.render.board import BOX, FLOOR, ITEMS, PLAYERS, WALL, BoardView, Mark, line_of, player_piece, seat_mark
from replays.render.overlays import HEAT, format_visits, paint
from replays.render.turn import QUIET, format_count
from search.clock import nodes_of

SIDE_WIDTH = 36
SMALL_BOX = "□"
LONGEST_PLAN = 56  # actions drawn as arrows
OWN_TURNS = 16  # of the plan on the board: further on it crosses itself too often to be read
PREDICTED_TURNS = 9  # of the others' plans
LEGEND = (
    "4 there in 4 turns   1:4 where player 1 is thought to be in 4   !4 burns in 4\n"
    "in a plan: ●→ drops a bomb, then goes right   · stays"
)


def games_along(answer: ExplainedDecision) -> list[Game]:
    """The game now and after each action of the plan, the others doing as predicted."""
    question, plan = answer.question, answer.decision.plan
    plans = {**answer.trace.plans, question.seat: plan}
    games = [question.game]
    for turns in range(len(plan)):
        game = games[-1].copy()
        game.step([action_at(plans.get(at, ()), turns) for at in range(game.seats)])
        games.append(game)
    return games


def board_view(answer: ExplainedDecision) -> RenderableType:
    """The board, and beside it the plans as arrows; below it where that is too narrow."""
    game = answer.question.game
    board, plans = BoardView(game.state, game.map, overlay=marks_of(answer)), plans_view(answer)
    legend = Text(LEGEND, QUIET)
    whole = board.width + 1 + SIDE_WIDTH
    return Sized(lambda width: Group(beside(board, plans) if width >= whole else Group(board, plans, ""), legend))


def beside(board: BoardView, plans: RenderableType) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(width=board.width)
    grid.add_column(width=SIDE_WIDTH, overflow="fold")
    grid.add_row(board, plans)
    return grid


def marks_of(answer: ExplainedDecision) -> dict[Cell, Mark]:
    """The own plan before the predicted ones, these before danger."""
    seat, games = answer.question.seat, games_along(answer)
    burning = Forecast(games[0]).burning_turns()
    marks = {cell: Mark(f"!{turns}", paint(HEAT[turns - 1])) for cell, turns in burning.items()}
    for other, plan in answer.trace.plans.items():
        for step in reversed(steps_of(games[: PREDICTED_TURNS + 1], other, plan)[1:]):
            marks[step.x, step.y] = Mark(f"{other}:{step.turns}", paint(PLAYERS[other].style))
    visits: dict[Cell, list[PlanStep]] = {}
    for step in steps_of(games[: OWN_TURNS + 1], seat, answer.decision.plan):
        visits.setdefault((step.x, step.y), []).append(step)
    own = paint(PLAYERS[seat].style)
    return {**marks, **{cell: Mark(format_visits(steps), own) for cell, steps in visits.items()}}


def steps_of(games: Sequence[Game], seat: int, plan: Sequence[int]) -> list[PlanStep]:
    """Where a player is when, and where bombs are dropped."""
    steps = []
    for turns, game in enumerate(games):
        player = player_of(game.state, seat)
        if player is None:
            break
        steps.append(PlanStep(turns, player.x, player.y, action_at(plan, turns) >= BOMB))
    return steps


def plans_view(answer: ExplainedDecision) -> RenderableType:
    """Everybody's plan in arrows."""
    decision = answer.decision
    own = plan_view(answer, answer.question.seat, "plan", decision.plan, f"depth {decision.depth}")
    lines: list[RenderableType] = [own]
    for other, plan in answer.trace.plans.items():
        nodes = nodes_of(decision.stages, f"opponent {other}")
        lines += ["", plan_view(answer, other, "predicted", plan, f"{format_count(nodes)} nodes")]
    return Group("", *lines)


def plan_view(answer: ExplainedDecision, seat: int, what: str, plan: Sequence[int], effort: str) -> RenderableType:
    head = Text.assemble(seat_mark(seat), f" {answer.names[seat]}, {what} ", (f"({effort})", QUIET))
    return Group(head, Text(format_plan(plan, LONGEST_PLAN)))


# Small boards


def boards_view(answer: ExplainedDecision, shown: Sequence[int]) -> RenderableType:
    """The positions after some actions of the plan, side by side, one character a cell."""
    games, plan = games_along(answer), answer.decision.plan
    boards: list[RenderableType] = [small_board(games[0], f"turn {games[0].turn}")]
    for at in shown:
        boards.append(small_board(games[at + 1], f"{games[at].turn} {ACTION_NAMES[plan[at]]}"))
    return Columns(boards, padding=(0, 2), equal=True)


def small_board(game: Game, title: str) -> RenderableType:
    """13 x 11 characters under a title: digits are players, shapes their bombs."""
    pieces: dict[Cell, tuple[str, str]] = dict.fromkeys(boxes_on(game.state, game.map), (SMALL_BOX, BOX.style))
    for item in items_on(game.state, game.map):
        pieces[item.x, item.y] = (ITEMS[item.kind].symbol.lower(), ITEMS[item.kind].style)
    for bomb in bombs_on(game.state):
        pieces[bomb.x, bomb.y] = (PLAYERS[bomb.owner].symbol, PLAYERS[bomb.owner].style)
    for player in living_players(game.state):
        pieces[player.x, player.y] = player_piece(player.id)
    pieces |= {(x, y): (WALL.symbol, WALL.style) for y in range(HEIGHT) for x in range(WIDTH) if is_wall(x, y)}
    floor = (FLOOR.symbol, FLOOR.style)
    lines = [Text(title, QUIET)]
    for y in range(HEIGHT):
        row = [pieces.get((x, y), floor) for x in range(WIDTH)]
        lines.append(line_of(row))
    return Group(*lines)
