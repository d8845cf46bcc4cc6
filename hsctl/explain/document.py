"""An explanation as one JSON object; its JSON Schema is docs/explain.schema.json.

After a change of the format write the schema anew with

    python -m hsctl.explain.document > docs/explain.schema.json
"""

import sys
from dataclasses import replace
from typing import Final, Literal

import msgspec

from hsctl.explain.read.trace import AlphaBeta, Duel, Evolution, Layer, Machine, Root, Step, Tree, Unfinished
from hsctl.explain.read.why_not import WhyNot
from replays.replay import format_document
from replays.schema import DIALECT

FORMAT: Final = "hsctl-explanation"
VERSION: Final = 1


class Explanation(msgspec.Struct, forbid_unknown_fields=True):
    """A decision with all that is known of it. Actions are numbers: stay, left, right, up, down, +5 with a bomb."""

    format: Literal["hsctl-explanation"]
    version: Literal[1]
    title: str  # which decision, in words
    turn: int
    player: int
    mates: list[int]  # who is on his side
    vision: int | None  # within how many cells he saw; None: everything
    agent: str
    seed: int
    action: int
    name: str  # of the action
    order: str  # the line for the arena
    value: float | None
    reason: str  # in words
    recorded: int | None  # the action of the replay, if this is the decision recorded there
    reproduced: bool | None  # whether it came out again
    nodes: int
    stages: dict[str, int]  # nodes by stage
    depth: int
    plan: list[int]
    opponents: dict[int, list[int]]  # predicted plans, by player
    roots: list[Root]
    layers: list[Layer]
    unfinished: Unfinished | None
    now: dict[str, float]  # the terms of the position itself
    line: list[Step]
    tree: Tree | None
    evolution: Evolution | None
    machine: Machine | None
    alpha_beta: AlphaBeta | None
    duel: Duel | None
    why_not: WhyNot | None


def encode(explanation: Explanation) -> str:
    """The JSON, one line per field, first move, layer and turn."""
    fields = {name: getattr(explanation, name) for name in explanation.__struct_fields__}
    return format_document(fields, rows=("roots", "layers", "line"))


def format_schema() -> bytes:
    """The schema as the bytes of its file."""
    schema = {"$schema": DIALECT, "title": f"{FORMAT} version {VERSION}", **msgspec.json.schema(Explanation)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


# Less of it


def best_roots(explanation: Explanation, top: int | None) -> list[Root]:
    """The first moves: the chosen one, those that got farthest in the layers, then by value; the unsearched last."""

    def rank(root: Root) -> tuple[float, ...]:
        if root.best is None:
            return root.action != explanation.action, 1, not root.legal
        depth = root.best.depth if explanation.layers else 0
        return root.action != explanation.action, 0, -depth, -root.best.value

    return sorted(explanation.roots, key=rank)[:top]


def limit(explanation: Explanation, depth: int | None, top: int | None) -> Explanation:
    """The first layers and turns, the best first moves and individuals; None: all."""
    kept = {root.action for root in best_roots(explanation, top)}
    tree, evolution, duel = explanation.tree, explanation.evolution, explanation.duel
    other = explanation.why_not
    return msgspec.structs.replace(
        explanation,
        roots=[replace(root, states=root.states[:depth]) for root in explanation.roots if root.action in kept],
        layers=explanation.layers[:depth],
        line=explanation.line[:depth],
        tree=tree and replace(tree, most_visited=tree.most_visited[:depth]),
        evolution=evolution and replace(evolution, genomes=evolution.genomes[:top]),
        duel=duel
        and replace(duel, exchanges=duel.exchanges[:top], most_visited=duel.most_visited[: depth and 2 * depth]),
        why_not=other and replace(other, standings=other.standings[:depth]),
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema())
