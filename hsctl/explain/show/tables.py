"""The tables of an explanation: first moves, their terms, layers, and how the beam narrows."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from engine.rules import ACTION_NAMES, ACTIONS, BOMB
from hsctl.explain.document import Explanation, best_roots
from hsctl.explain.read.trace import Layer, Root, Terms
from replays.look.turn import QUIET

# Moves by colour, those with a bomb in capitals: readable without colours too.
LETTERS = "slrudSLRUD"  # [action]
COLOURS = ("#8a8a8a", "#4a86e8", "#d9573f", "#3a9d5d", "#a45fd6")  # [move]
CHOSEN = "bold #1a9aa8"
WARNING = "#d08a1d"
SHORT = {"unsurvivable": "unsurv."}  # names too long for a column
BLOCKS = " ▁▂▃▄▅▆▇█"
PICTURE_WIDTH = 60
SPARKS = 22


def compact_table(space: int = 2) -> Table:
    """No lines, so much space between the columns."""
    return Table(box=None, padding=(0, space, 0, 0), pad_edge=False, header_style=QUIET)


def action_text(action: int) -> Text:
    """A name with its letter and colour."""
    return Text(ACTION_NAMES[action], action_style(action))


def action_style(action: int) -> str:
    return COLOURS[action % BOMB] + (" bold" if action >= BOMB else "")


def number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


# First moves


def root_table(explanation: Explanation, depth: int | None, top: int | None) -> RenderableType:
    """What became of each first move."""
    table = compact_table()
    table.add_column("first move", no_wrap=True)
    table.add_column("fate", no_wrap=True)
    table.add_column("survives", no_wrap=True)
    table.add_column("killed by", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    has_layers = bool(explanation.layers and explanation.depth)
    if has_layers:
        table.add_column(f"share, depth 1 to {explanation.depth}", no_wrap=True)
    for root in best_roots(explanation, top):
        row = [
            action_text(root.action) if root.legal else Text(root.name, QUIET),
            fate_of(root, explanation),
            "yes" if root.survivable else Text("no" if root.legal else "", WARNING),
            Text(" ".join(map(str, root.killable_by)), WARNING),
            number(root.best.value, 3) if root.best else "",
        ]
        shares = [Text(sparks(root.states, explanation.layers), action_style(root.action))] if has_layers else []
        table.add_row(*row, *shares)
    return table


def fate_of(root: Root, explanation: Explanation) -> Text:
    """What became of a first move, in a word or two."""
    if root.action == explanation.action:
        return Text("chosen", CHOSEN)
    if root.pruned:
        return Text(root.pruned, QUIET if not root.legal else WARNING)
    if not explanation.layers:
        return Text("")
    if root.best is None:
        return Text("not kept", QUIET)
    if root.best.depth == explanation.depth:
        return Text("to the end")
    return Text(f"to depth {root.best.depth}")


def sparks(states: Sequence[int], layers: Sequence[Layer]) -> str:
    """A first move's share of each layer, as blocks of that height; long searches in steps."""
    shares = [count / layer.kept if layer.kept else 0.0 for count, layer in zip(states, layers, strict=False)]
    picked = spread_out(len(shares), SPARKS)
    return "".join(spark(shares[at]) for at in picked).rstrip()


def spark(share: float) -> str:
    return BLOCKS[min(8, int(share * 8) + 1)] if share > 0 else " "


def spread_out(count: int, most: int) -> list[int]:
    """At most so many of the numbers below `count`, the first and the last among them, evenly."""
    if count <= most:
        return list(range(count))
    return [round(at * (count - 1) / (most - 1)) for at in range(most)]


# Terms


def term_names(all_terms: Sequence[Terms]) -> list[str]:
    """The terms that are not 0 everywhere."""
    names = list(dict.fromkeys(name for terms in all_terms for name in terms))
    return [name for name in names if any(terms.get(name) for terms in all_terms)]


def terms_table(explanation: Explanation, top: int | None) -> RenderableType | None:
    """The terms of the best state below each first move; they sum up to its value."""
    roots = [root for root in best_roots(explanation, top) if root.best and root.best.terms]
    if not roots:
        return None
    names = term_names([root.best.terms for root in roots if root.best])
    table = compact_table(1)
    table.add_column("first move", no_wrap=True)
    for name in ["depth", "value", *names]:
        table.add_column(SHORT.get(name, name), justify="right", no_wrap=True)
    for root in roots:
        assert root.best is not None
        cells = [number(root.best.terms[name]) for name in names]
        table.add_row(action_text(root.action), str(root.best.depth), number(root.best.value), *cells)
    return table


# Layers

HEADS = {
    "depth": "\ndepth",
    "generated": "gener-\nated",
    "duplicates": "dupli-\ncates",
    "dead": "\ndead",
    "unsurvivable": "unsur-\nvivable",
    "local_cut": "local\ncut",
    "global_cut": "global\ncut",
    "kept": "\nkept",
}


def layer_table(layers: Sequence[Layer], depth: int | None) -> Table:
    """What became of the children of each layer, and the scores of those kept."""
    table = compact_table(1)
    for name in [*HEADS.values(), "\nbest", "\nmedian", "\ncut-off"]:
        table.add_column(name, justify="right", no_wrap=True)
    shown = pick_depths(len(layers), depth)
    for before, at in zip([-1, *shown], shown, strict=False):
        if at > before + 1:
            table.add_row(Text("…", QUIET))
        layer = layers[at]
        counts = [str(getattr(layer, name)) for name in HEADS]
        table.add_row(*counts, number(layer.best), number(layer.median), number(layer.cutoff))
    return table


SHOWN = 8  # rows of long tables


def pick_depths(count: int, wanted: int | None) -> list[int]:
    """Which of so many rows to show: as many as wanted, or the first few and the last."""
    if wanted is not None:
        return list(range(min(count, wanted)))
    return list(range(count)) if count <= SHOWN + 1 else [*range(SHOWN), count - 1]


def narrowing(explanation: Explanation, depth: int | None) -> Table:
    """How the beam narrows: the share of each first move in each layer, drawn with its letter."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style=QUIET, width=5)
    table.add_column(no_wrap=True)
    kept = [layer for layer in explanation.layers if layer.kept]
    picked = list(range(len(kept)))[:depth] if depth is not None else spread_out(len(kept), SHOWN)
    for at in picked:
        counts = {root.action: root.states[at] for root in explanation.roots if at < len(root.states)}
        table.add_row(str(kept[at].depth), bar(counts))
    letters = [f"{LETTERS[root.action]} {root.name}" for root in explanation.roots if any(root.states)]
    table.add_row("", Text("  ".join(letters), QUIET))
    return table


def bar(counts: dict[int, int]) -> Text:
    """A line of letters, as many of each as is its share."""
    total = sum(counts.values())
    text, done, drawn = Text(), 0, 0
    for action in range(ACTIONS):
        done += counts.get(action, 0)
        until = round(PICTURE_WIDTH * done / total) if total else 0
        text.append(LETTERS[action] * (until - drawn), action_style(action))
        drawn = until
    return text
