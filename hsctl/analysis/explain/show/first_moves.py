"""The tables of the first moves: what became of each, and the terms of what was found below it."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from hsctl.analysis.explain.answer import ExplainedDecision
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.tables import (
    BLOCKS,
    CHOSEN,
    WARNING,
    action_style,
    action_text,
    format_number,
    spread_out,
    term_names,
)
from hsctl.analysis.explain.trace import Root
from replays.render.turn import QUIET

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
    kept = answer.trace.kept
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
    if not answer.trace.kept:
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
