"""An explanation on the screen, made for 80 columns: the answer first, then the board, then what the search found."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import ExplainedDecision
from hsctl.analysis.explain.show.board import board_view, boards_view
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.first_moves import root_table, terms_table
from hsctl.analysis.explain.show.tables import CHOSEN, action_text, format_number, pick_depths, pick_rows
from hsctl.analysis.explain.trace import Extent, Section, Terms
from hsctl.analysis.explain.why_not.view import why_not_view
from replays.render.turn import QUIET, format_count

WIDTH = 80
SMALL = 0.005  # a change of a term that is not worth telling


def explanation_view(answer: ExplainedDecision, extent: Extent, boards: bool = False) -> RenderableType:
    return Group(*parts(answer, extent, boards))


def parts(answer: ExplainedDecision, extent: Extent, boards: bool) -> Iterator[RenderableType]:
    """The answer, then each section under its title."""
    yield answer_line(answer)
    yield Text(f"{answer.question.title}; {format_repeat(answer)}", QUIET)
    for title, section in sections(answer, extent, boards):
        yield Text("")
        yield Constrain(Rule(Text(title, "bold"), align="left", style=QUIET), WIDTH)
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
    if any(step.terms for step in answer.trace.line):
        yield "the best line", line_table(answer, extent.depth)
    if boards:
        yield "boards along it", boards_view(answer, pick_depths(len(answer.trace.line), extent.depth))


def panel_sections(answer: ExplainedDecision, extent: Extent, first: bool) -> Iterator[Section]:
    for panel in answer.trace.panels:
        if panel.stands_first == first:
            yield from panel.sections(answer.trace, answer.names, extent)


def answer_line(answer: ExplainedDecision) -> Text:
    """What was played, if somebody else is asked; the move, its value and the reason."""
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
    line, earlier, table = answer.trace.line, answer.trace.now, CompactTable()
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
