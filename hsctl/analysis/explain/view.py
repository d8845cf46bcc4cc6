"""An explanation on the screen, made for 80 columns: the answer first, then the board, then what the search found."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from engine.board import HEIGHT, WIDTH, is_wall
from engine.game import Game
from engine.position import Cell, bombs_on, boxes_on, items_on, living_players, player_of
from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain import why_not as fates
from hsctl.analysis.explain.answer import ExplainedDecision
from hsctl.analysis.explain.findings import Extent, Root, Section, Terms, action_at
from hsctl.analysis.explain.tables import (
    BLOCKS,
    CHOSEN,
    WARNING,
    CompactTable,
    Sized,
    action_style,
    action_text,
    format_arrow,
    format_number,
    format_plan,
    pick_depths,
    pick_rows,
    spread_out,
    term_names,
)
from hsctl.analysis.explain.why_not import LineFate, Standing, WhyNot
from replays.forecast import Forecast
from replays.render.board import BOX, FLOOR, ITEMS, PLAYERS, WALL, BoardView, Mark, line_of, player_piece, seat_mark
from replays.render.overlays import HEAT, paint
from replays.render.turn import QUIET, format_count
from search.clock import nodes_of
from search.common.planning import LAST_PLAN

SCREEN = 80
SMALL = 0.005  # a smaller change of a term is not shown


def explanation_view(answer: ExplainedDecision, extent: Extent, boards: bool = False) -> RenderableType:
    return Group(*parts(answer, extent, boards))


def parts(answer: ExplainedDecision, extent: Extent, boards: bool) -> Iterator[RenderableType]:
    """The answer, then each section under its title."""
    yield answer_line(answer)
    yield Text(f"{answer.question.title}; {format_repeat(answer)}", QUIET)
    for title, section in sections(answer, extent, boards):
        yield Text("")
        yield Constrain(Rule(Text(title, "bold"), align="left", style=QUIET), SCREEN)
        yield section


def sections(answer: ExplainedDecision, extent: Extent, boards: bool) -> Iterator[Section]:
    if answer.why_not:
        yield "why not", why_not_view(answer.why_not, extent.depth)
    yield "the plan", board_view(answer)
    yield from panel_sections(answer, extent, first=True)
    yield "first moves", root_table(answer, extent.top)
    if terms := terms_table(answer, extent.top):
        yield "terms of the best state below each", terms
    yield from panel_sections(answer, extent, first=False)
    if any(step.terms for step in answer.findings.line):
        yield "the best line", line_table(answer, extent.depth)
    if boards:
        yield "boards along it", boards_view(answer, pick_depths(len(answer.findings.line), extent.depth))


def panel_sections(answer: ExplainedDecision, extent: Extent, first: bool) -> Iterator[Section]:
    for panel in answer.findings.panels:
        if panel.comes_first == first:
            yield from panel.sections(answer.findings, answer.names, extent)


def answer_line(answer: ExplainedDecision) -> Text:
    """The played move, if another agent or budget is asked; the move, its value and the reason."""
    decision, played = answer.decision, answer.question.played
    value = "" if decision.value is None else f", value {decision.value:.2f}"
    action = f"{ACTION_NAMES[decision.action]} ({answer.order})"
    before = f"played: {played.words}. {answer.question.spec.name}: " if played else ""
    return Text.assemble(before, (action, CHOSEN), f"{value}: {answer.reason}")


def format_repeat(answer: ExplainedDecision) -> str:
    """Whether it is the decision that was recorded."""
    nodes = f"{format_count(answer.decision.nodes)} nodes"
    if answer.question.recorded is None:
        return nodes
    if answer.is_reproduced:
        return f"the recorded action again, {nodes}"
    return f"NOT the recorded action, which was {ACTION_NAMES[answer.question.recorded]} (another version?)"


def line_table(answer: ExplainedDecision, depth: int | None) -> RenderableType:
    """The best line turn by turn, with what changes in the value."""
    line, earlier, table = answer.findings.line, answer.findings.now, CompactTable()
    table.add_column("turn", justify="right")
    table.add_column("action")
    table.add_column("to", justify="right")
    table.add_column("value", justify="right")
    table.add_column("place", justify="right")
    table.add_column("what changes", folds=True)
    for at in pick_rows(table, len(line), depth):
        step = line[at]
        place = "" if step.place is None else str(step.place + 1)
        to, value = f"{step.x},{step.y}", format_number(step.value)
        table.add_row(str(step.turn), action_text(step.action), to, value, place, format_changes(earlier, step.terms))
        earlier = step.terms
    return table


def format_changes(earlier: Terms, later: Terms) -> str:
    """`boxes +1.00  future -0.95`."""
    changes = {name: later[name] - earlier.get(name, 0.0) for name in later}
    return "  ".join(f"{name} {change:+.2f}" for name, change in changes.items() if abs(change) >= SMALL)


# The board


SIDE_WIDTH = 36
SMALL_BOX = "□"
LONGEST_PLAN = 56  # actions drawn as arrows
OWN_TURNS = 16  # of the plan on the board: further on it crosses itself too often to be read
PREDICTED_TURNS = 9  # of the others' plans
LEGEND = (
    "4 there in 4 turns   4● and drops a bomb   1→ predicted: player 1 goes right\n"
    "!4 burns in 4 turns   in a plan: ●→ drops a bomb, then goes right   · stays"
)


def board_view(answer: ExplainedDecision) -> RenderableType:
    """The board with the plans as arrows on its right; below it on narrow screens."""
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
    """The own plan before the predicted ones, these before danger; two characters at most, so that cells stay apart."""
    seat, games = answer.question.seat, answer.games_along()
    burning = Forecast(games[0]).burning_turns()
    marks = {cell: Mark(f"!{turns}", paint(HEAT[turns - 1])) for cell, turns in burning.items()}
    for other, plan in answer.findings.plans.items():
        for turns, cell in reversed(cells_along(games[: PREDICTED_TURNS + 1], other)[1:]):
            marks[cell] = Mark(f"{other}{format_arrow(action_at(plan, turns))[:1]}", paint(PLAYERS[other].style))
    for turns, cell in reversed(cells_along(games[: OWN_TURNS + 1], seat)):
        bomb = "●" if action_at(answer.decision.plan, turns) >= BOMB else ""
        marks[cell] = Mark(f"{turns}{bomb}", paint(PLAYERS[seat].style))
    return marks


def cells_along(games: Sequence[Game], seat: int) -> list[tuple[int, Cell]]:
    """Where a player is after how many turns, as long as it lives."""
    players = [player_of(game.state, seat) for game in games]
    alive = takewhile(lambda player: player is not None, players)
    return [(turns, player.cell) for turns, player in enumerate(alive) if player is not None]


def plans_view(answer: ExplainedDecision) -> RenderableType:
    """Everybody's plan in arrows."""
    decision = answer.decision
    own = plan_view(answer, answer.question.seat, "plan", decision.plan, f"depth {decision.depth}")
    lines: list[RenderableType] = [own]
    for other, plan in answer.findings.plans.items():
        nodes = nodes_of(decision.stages, f"opponent {other}")
        lines += ["", plan_view(answer, other, "predicted", plan, f"{format_count(nodes)} nodes")]
    return Group("", *lines)


def plan_view(answer: ExplainedDecision, seat: int, what: str, plan: Sequence[int], effort: str) -> RenderableType:
    head = Text.assemble(seat_mark(seat), f" {answer.names[seat]}, {what} ", (f"({effort})", QUIET))
    return Group(head, Text(format_plan(plan, LONGEST_PLAN)))


# Small boards


def boards_view(answer: ExplainedDecision, shown: Sequence[int]) -> RenderableType:
    """The positions after some actions of the plan, side by side, one character a cell."""
    games, plan = answer.games_along(), answer.decision.plan
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


# First moves


SHORT = {"unsurvivable": "unsurv."}  # names too long for a column
SPARKS = 22


def root_table(answer: ExplainedDecision, top: int | None) -> RenderableType:
    """What became of each first move."""
    table = CompactTable()
    table.add_column("first move")
    table.add_column("fate")
    table.add_column("survives")
    table.add_column("killed by")
    table.add_column("value", justify="right")
    kept = answer.findings.kept
    if any(kept):
        table.add_column(f"share, depth 1 to {answer.decision.depth}")
    for root in answer.best_roots(top):
        row = [
            action_text(root.action) if root.legal else Text(root.name, QUIET),
            fate_of(root, answer),
            "yes" if root.survivable else Text("no" if root.legal else "", WARNING),
            Text(" ".join(map(str, root.killable_by)), WARNING),
            format_number(root.best.value, 3) if root.best else "",
        ]
        shares = [Text(sparks(root.states, kept), action_style(root.action))] if any(kept) else []
        table.add_row(*row, *shares)
    return table


def fate_of(root: Root, answer: ExplainedDecision) -> Text:
    """What became of a first move, in a word or two."""
    if root.action == answer.decision.action:
        return Text("chosen", CHOSEN)
    if root.pruned:
        return Text(root.pruned, QUIET if not root.legal else WARNING)
    if not answer.findings.kept:
        return Text("")
    if root.best is None:
        return Text("not kept", QUIET)
    if root.best.depth == answer.decision.depth:
        return Text("to the end")
    return Text(f"to depth {root.best.depth}")


def sparks(states: Sequence[int], kept: Sequence[int]) -> str:
    """A first move's share of each layer, as blocks of that height; long searches in steps."""
    shares = [count / of if of else 0.0 for count, of in zip(states, kept, strict=False)]
    picked = spread_out(len(shares), SPARKS)
    return "".join(spark(shares[at]) for at in picked).rstrip()


def spark(share: float) -> str:
    return BLOCKS[min(8, int(share * 8) + 1)] if share > 0 else " "


def terms_table(answer: ExplainedDecision, top: int | None) -> RenderableType | None:
    """The terms of the best state below each first move; they sum up to its value."""
    roots = [root for root in answer.best_roots(top) if root.best and root.best.terms]
    if not roots:
        return None
    names = term_names([root.best.terms for root in roots if root.best])
    table = CompactTable(1)
    table.add_column("first move")
    for name in ["depth", "value", *names]:
        table.add_column(SHORT.get(name, name), justify="right")
    for root in roots:
        assert root.best is not None
        cells = [format_number(root.best.terms[name]) for name in names]
        table.add_row(action_text(root.action), str(root.best.depth), format_number(root.best.value), *cells)
    return table


# Why not another line


DECISIVE = 0.005  # a smaller difference of terms is not shown

RULES = {
    "unsurvivable": "after it the known bombs can't be survived",
    "not killing": "another move kills for sure, and only such moves are searched",
    "no sacrifice": "another move dies together with the last opponent and wins by boxes",
    "has an answer": "an opponent could answer it so that nothing holds, and other moves hold longer",
    "no forced win": "another move wins by force, and only such moves are searched",
    LAST_PLAN: "the plan of the turn before was kept, and no other was as good or as far planned",
    "boxes are decided": "the boxes are won already, so no more bombs are dropped",
    "blocked": "the way is blocked",
    "no bomb left": "no bomb is left to drop",
    "on a bomb": "a bomb lies there already",
}
SENTENCES = {
    fates.CHOSEN: "leads to the states of the chosen line",
    fates.ILLEGAL: "is not possible at depth {depth}: {rule}",
    fates.PRUNED: "was not searched: {rule}",
    fates.DEAD: "the player burns at depth {depth}",
    fates.ABSORBED: "ended at depth {depth}: other lines reached every state that follows sooner",
    fates.UNSEARCHED: "nothing was searched: the budget ended before the first layer was complete",
    fates.LOCAL_CUT: "fell at depth {depth}, ranked {rank} of {of}: enough better ones on the same cell",
    fates.GLOBAL_CUT: "fell at depth {depth}, ranked {rank} of {of}: the layer was full of better ones",
    fates.OUTSCORED: "was kept to the last layer ({depth}), ranked {rank} of {of} there",
    fates.OUTVALUED: "was tried, and ranks {rank} of {of} at depth {depth}",
    fates.UNTRIED: "was not tried at depth {depth}{rule}",
}


def why_not_view(why_not: WhyNot, depth: int | None) -> RenderableType:
    """The line, its fate in words, and how it stood layer by layer."""
    line = ",".join(ACTION_NAMES[action] for action in why_not.line)
    sooner = sum(standing.duplicates for standing in why_not.standings)
    parts: list[RenderableType] = [Text.assemble((line, CHOSEN), f": {describe(why_not.fate)}")]
    if sooner:
        parts.append(Text(f"On the way {count_of(sooner)} were reached by other lines sooner and count for those."))
    parts += [Text(sentence) for sentence in details(why_not.fate)]
    if why_not.standings:
        parts += [Text(""), standings_table(why_not, depth)]
    return Group(*parts)


def describe(fate: LineFate) -> str:
    """What happened, in one sentence."""
    rule = RULES.get(fate.reason, fate.reason)
    if fate.kind == fates.UNTRIED and rule:
        rule = f": {rule}"
    return SENTENCES[fate.kind].format(depth=fate.depth, rank=fate.rank, of=fate.of, rule=rule)


def details(fate: LineFate) -> Iterator[str]:
    """The gap, the terms that decided, and what would have kept it."""
    if fate.kind == fates.CHOSEN or fate.gap is None:
        return
    winner = {fates.OUTSCORED: "the best", fates.OUTVALUED: "the preferred one"}.get(fate.kind, "the cut-off")
    score, gap, best = map(format_number, (fate.score, abs(fate.gap), fate.rival))
    if fate.gap <= -DECISIVE:
        yield f"Its value is {score}, {gap} above {winner} ({best}), which was visited more often."
    elif fate.gap < DECISIVE:
        yield f"Its value {score} is that of {winner}, which was found sooner."
    else:
        terms = f": {found}" if (found := format_terms(fate.terms)) else ""
        bound = "at most " if fate.reason == fates.AT_MOST else ""
        yield f"Its value is {bound}{score}, {gap} below {winner} ({best}){terms}."
    if needs := [f"{name}={value}" for name, value in (("width", fate.width), ("local", fate.local)) if value]:
        yield f"{' and '.join(needs)} would have kept it in that layer, all else equal; one less would not."


def format_terms(terms: Terms) -> str:
    """The terms that differ, the greatest difference first."""
    ranked = sorted(terms.items(), key=lambda term: -abs(term[1]))
    return ", ".join(f"{name} {change:+.2f}" for name, change in ranked if abs(change) >= DECISIVE)


def standings_table(why_not: WhyNot, depth: int | None) -> RenderableType:
    """How the line stood at each depth; after its end, all that descends from it."""
    standings, table = why_not.standings, CompactTable()
    table.add_column("depth", justify="right")
    table.add_column("action")
    for name in (why_not.counts, "best rank" if why_not.counts == fates.KEPT else "rank", "of", "value"):
        table.add_column(name, justify="right")
    table.add_column("", folds=True)
    for at in pick_rows(table, len(standings), depth):
        standing = standings[at]
        table.add_row(
            str(standing.depth),
            Text("any", QUIET) if standing.action is None else action_text(standing.action),
            str(standing.states),
            "" if standing.rank is None else str(standing.rank),
            str(standing.of) if standing.of else "",
            format_number(standing.score),
            Text(describe_absorption(standing), QUIET),
        )
    return table


def count_of(states: int) -> str:
    return "1 of its states" if states == 1 else f"{states} of its states"


def describe_absorption(standing: Standing) -> str:
    """Which line was there sooner (then it is followed on), or how many states were there already."""
    if standing.absorbed_by is None:
        return f"{standing.duplicates} duplicates" if standing.duplicates else ""
    return f"a duplicate of {','.join(ACTION_NAMES[action] for action in standing.absorbed_by)}"
