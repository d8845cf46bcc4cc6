"""A trace as a drawing for Graphviz: the best line, and beside it the best siblings of each layer."""

from collections.abc import Sequence
from typing import Any

from hsctl.analysis.explain.tracing.files import ENCODER, Kinds, TraceFile, lists_of
from hsctl.analysis.explain.tracing.rows import RowBatch, TraceEnd, TraceHeader

VALUES = ("score", "mean", "fitness", "value")  # what a node is worth, by kind of row
RANKINGS = ("score", "visits", "fitness", "value")  # by what siblings are compared
LABELS = ("fate", "visits", "terminal", "operator", "kind", "verdict")


class DotTrace(TraceFile):
    """Holds the rows of the last own search that can be on the drawing, and writes them at the end."""

    is_drawing = True

    def __init__(self, path: str, top: int) -> None:
        super().__init__(path)
        self.top = top
        self.held: dict[int, dict[int, dict[str, Any]]] = {}  # depth -> node -> row
        self.number: int | None = None  # of the pass they are of

    def begin(self, header: TraceHeader, kinds: Kinds, own: Sequence[str]) -> None:
        self.header = header

    def write(self, batch: RowBatch) -> None:
        columns = batch.columns
        if "node" not in columns or "parent" not in columns or columns["stage"][0] != "own":
            return
        if columns["pass"][0] != self.number:
            self.held, self.number = {}, columns["pass"][0]
        names = list(columns)
        for values in zip(*lists_of(batch), strict=True):
            row = dict(zip(names, values, strict=True))
            self.held.setdefault(row["depth"], {})[row["node"]] = row
        for layer in self.held.values():
            self.thin_out(layer)

    def thin_out(self, layer: dict[int, dict[str, Any]]) -> None:
        """Leave the best line and the best of all others; below an alpha-beta search the line is known at the end."""
        ranked = sorted((row for row in layer.values() if not row.get("best")), key=rank_of, reverse=True)
        if "best" in next(iter(layer.values())):
            for row in ranked[self.top :]:
                del layer[row["node"]]

    def end(self, end: TraceEnd) -> None:
        rows = {node: row for layer in self.held.values() for node, row in layer.items()}
        line = line_to(rows, end.best)
        shown = {
            node
            for layer in self.held.values()
            for node in [*(set(layer) & line), *siblings(layer, line, self.top)]
            if rows[node]["parent"] is None or rows[node]["parent"] in line
        }
        text = [f"// {ENCODER.encode(self.header).decode()}", "digraph trace {", "  rankdir=LR; node [shape=box];"]
        for node in sorted(shown):
            row = rows[node]
            style = " penwidth=3" if node in line else ""
            text.append(f'  n{node} [label="{label_of(row)}"{style}];')
            if row["parent"] in shown:
                text.append(f"  n{row['parent']} -> n{node};")
        text += ["}", f"// {ENCODER.encode(end).decode()}", ""]
        self.draft.write_text("\n".join(text), encoding="utf-8")


def rank_of(row: dict[str, Any]) -> float:
    found = next((row[name] for name in RANKINGS if row.get(name) is not None), None)
    return float("-inf") if found is None else float(found)


def line_to(rows: dict[int, dict[str, Any]], node: int | None) -> set[int]:
    """The nodes from the root to the best one."""
    found: set[int] = set()
    while node is not None and node in rows:
        found.add(node)
        node = rows[node]["parent"]
    return found


def siblings(layer: dict[int, dict[str, Any]], line: set[int], top: int) -> list[int]:
    ranked = sorted((row for node, row in layer.items() if node not in line), key=rank_of, reverse=True)
    return [row["node"] for row in ranked[:top]]


def label_of(row: dict[str, Any]) -> str:
    """`up+bomb`, what it is worth, and what became of it."""
    value = next((f"{row[name]:.2f}" for name in VALUES if row.get(name) is not None), None)
    said = [f"{name} {row[name]}" if name == "visits" else row[name] for name in LABELS if row.get(name) is not None]
    words = [row.get("action") or "start", value, *said]
    return "\\n".join(str(word).replace('"', "'") for word in words if word is not None)
