"""An explanation on a screen of 80 columns: the answer first, then the board, then what the search found."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.explain.answer import Answer
from hsctl.explain.document import Explanation
from hsctl.explain.read.trace import Terms, Unfinished
from hsctl.explain.reasons import describe_action
from hsctl.explain.show.alpha_beta import alpha_beta_view
from hsctl.explain.show.board import board_view, boards_view
from hsctl.explain.show.duel import duel_view
from hsctl.explain.show.others import evolution_view, machine_view, tree_view
from hsctl.explain.show.tables import (
    CHOSEN,
    action_text,
    compact_table,
    layer_table,
    narrowing,
    number,
    pick_depths,
    root_table,
    terms_table,
)
from hsctl.explain.show.why_not import why_not_view
from replays.look.turn import QUIET, format_count

WIDTH = 80
SMALL = 0.005  # a change of a term that is not worth telling
Section = tuple[str, RenderableType]


def explanation_view(
    answer: Answer, depth: int | None = None, top: int | None = None, boards: bool = False
) -> Iterator[RenderableType]:
    """All of it, part by part. `depth` limits layers and turns, `top` first moves and individuals."""
    explanation = answer.explanation
    yield answer_line(explanation)
    yield Text(f"{explanation.title}; {format_repeat(explanation)}", QUIET)
    for title, section in sections(answer, depth, top, boards):
        yield Text("")
        yield Constrain(Rule(Text(title, "bold"), align="left", style=QUIET), WIDTH)
        yield section


def sections(answer: Answer, depth: int | None, top: int | None, boards: bool) -> Iterator[Section]:
    explanation = answer.explanation
    if explanation.why_not:
        yield "why not", why_not_view(explanation.why_not, depth)
    yield "the plan", board_view(answer)
    if explanation.machine:
        yield "the machine", machine_view(explanation.machine, answer.names)
    yield "first moves", root_table(explanation, depth, top)
    if terms := terms_table(explanation, top):
        yield "terms of the best state below each", terms
    if explanation.layers:
        yield "layers", Group(layer_table(explanation.layers, depth), *unfinished_lines(explanation.unfinished))
    if explanation.layers and explanation.depth:
        yield "how the beam narrows: share of the first moves by depth", narrowing(explanation, depth)
    if explanation.tree:
        yield "the tree", tree_view(explanation.tree, depth)
    if explanation.evolution:
        yield "the evolution", evolution_view(explanation.evolution, top)
    if explanation.alpha_beta:
        yield "the strategy and its search", alpha_beta_view(explanation.alpha_beta, answer.names)
    if explanation.duel:
        yield "the duel", duel_view(explanation.duel, answer.names, depth, top)
    if any(step.terms for step in explanation.line):
        yield "the best line", line_table(explanation, depth)
    if boards:
        yield "boards along it", boards_view(answer, pick_depths(len(explanation.line), depth))


def answer_line(explanation: Explanation) -> Text:
    """The move, its value and the reason."""
    value = "" if explanation.value is None else f", value {explanation.value:.2f}"
    return Text.assemble(
        (describe_action(explanation.action, explanation.order), CHOSEN), f"{value}: {explanation.reason}"
    )


def format_repeat(explanation: Explanation) -> str:
    """Whether it is the decision that was recorded."""
    nodes = f"{format_count(explanation.nodes)} nodes"
    if explanation.reproduced is None:
        return nodes
    if explanation.reproduced:
        return f"the recorded action again, {nodes}"
    assert explanation.recorded is not None
    return f"NOT the recorded action, which was {ACTION_NAMES[explanation.recorded]} (another version?)"


def unfinished_lines(left: Unfinished | None) -> Iterator[Text]:
    if left is not None:
        yield Text(
            f"The budget ended in layer {left.depth}: {left.expanded} of {left.of} states expanded, none of it counts.",
            QUIET,
        )


def line_table(explanation: Explanation, depth: int | None) -> RenderableType:
    """The best line turn by turn, with what changes in the value."""
    line, table = explanation.line, compact_table()
    table.add_column("turn", justify="right")
    table.add_column("action", no_wrap=True)
    table.add_column("to", justify="right", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("place", justify="right")
    table.add_column("what changes", overflow="fold")
    shown = pick_depths(len(line), depth)
    for before, at in zip([-1, *shown], shown, strict=False):
        if at > before + 1:
            table.add_row(Text("…", QUIET))
        step, earlier = line[at], line[before].terms if before >= 0 else explanation.now
        changes = format_changes(earlier, step.terms)
        place = "" if step.place is None else str(step.place + 1)
        table.add_row(
            str(step.turn), action_text(step.action), f"{step.x},{step.y}", number(step.value), place, changes
        )
    return table


def format_changes(earlier: Terms, later: Terms) -> str:
    """`boxes +1.00  future -0.95`."""
    changes = {name: later[name] - earlier.get(name, 0.0) for name in later}
    return "  ".join(f"{name} {change:+.2f}" for name, change in changes.items() if abs(change) >= SMALL)
