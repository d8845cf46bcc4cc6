"""What a tree search, an evolution and a state machine found, as tables and pictures of characters."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.explain.read.trace import Evolution, Machine, Tree, Visit
from hsctl.explain.show.board import format_plan
from hsctl.explain.show.tables import (
    BLOCKS,
    CHOSEN,
    action_text,
    compact_table,
    number,
    pick_depths,
    spread_out,
    term_names,
)
from replays.look.turn import QUIET, format_count

BAR_WIDTH = 50
CURVE_WIDTH = 60
GENOMES = 5  # shown


def machine_view(machine: Machine, names: Sequence[str]) -> RenderableType:
    """The conditions of the states in their order, and who decided."""
    bombs = f"bombs around {machine.bombs_around}, dangerous below {number(machine.danger_below, 0)} ticks"
    reach = f"in reach: {', '.join(machine.in_reach) or 'no move'}"
    enemy = "no enemy lives" if machine.enemy is None else f"{names[machine.enemy]} is {machine.distance} away"
    table = compact_table()
    table.add_column("state", no_wrap=True)
    table.add_column("what it looks at", overflow="fold")
    found = {"evade": f"{bombs}; {reach}", "attack": f"{enemy}; bombs left {machine.bombs_left}", "explore": ""}
    for state, looks_at in found.items():
        table.add_row(Text(state, CHOSEN if state == machine.state else ""), looks_at)
    decided = f"\n{machine.why}; decided by {machine.decided_by}"
    if machine.score is not None:
        decided += f" (rules alone: {machine.rules}); the position itself scores {number(machine.score)}"
    return Group(table, Text(decided))


def tree_view(tree: Tree, depth: int | None) -> RenderableType:
    """Visits, mean and maximum of the first moves; how deep the tree is; its most visited line."""
    children = sorted(tree.children, key=lambda child: -child.terms.get("mean", child.maximum))
    size = f"{format_count(tree.iterations)} iterations, {format_count(tree.size)} nodes of the tree"
    return Group(
        visit_table("first move", children),
        Text(f"\n{size}; by depth:", QUIET),
        histogram(tree.depths),
        Text("\nthe most visited line:", QUIET),
        visit_table("action", [tree.most_visited[at] for at in pick_depths(len(tree.most_visited), depth)]),
    )


def visit_table(head: str, visits: Sequence[Visit]) -> Table:
    table = compact_table()
    table.add_column(head, no_wrap=True)
    for name in ("visits", "mean", "maximum"):
        table.add_column(name, justify="right")
    names = [name for name in term_names([visit.terms for visit in visits]) if name != "mean"]
    for name in [*names, *(["together"] if names else [])]:
        table.add_column(name, justify="right")
    for visit in visits:
        terms = [visit.terms[name] for name in names]
        cells = [visit.mean, visit.maximum, *terms, *([visit.mean + sum(terms)] if names else [])]
        table.add_row(action_text(visit.action), str(visit.visits), *(number(cell, 4) for cell in cells))
    return table


def histogram(counts: Sequence[int]) -> Table:
    """A bar for each number; anything above 0 is seen."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", width=5, style=QUIET)
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    most = max(counts, default=1)
    for depth, count in enumerate(counts):
        table.add_row(str(depth), str(count), "█" * max(1, round(BAR_WIDTH * count / most)))
    return table


def evolution_view(evolution: Evolution, top: int | None) -> RenderableType:
    """The best fitness by generation, the best individuals, and how many genes came to nothing."""
    skipped = f"{evolution.skipped:.1f} of {evolution.genes} genes skipped as illegal or deadly (mean)"
    table = compact_table()
    table.add_column("fitness", justify="right")
    table.add_column("skipped", justify="right")
    table.add_column("what it does", overflow="fold")
    for genome in evolution.genomes[: top or GENOMES]:
        table.add_row(number(genome.fitness), str(genome.skipped), format_plan(genome.actions))
    return Group(
        Text(f"{evolution.generations} generations, {skipped}; best fitness by generation:", QUIET),
        curve(evolution.history),
        Text(""),
        table,
    )


def curve(values: Sequence[float]) -> RenderableType:
    """Numbers as blocks between the lowest and the highest, with these beside them."""
    if not values:
        return Text("none was completed", QUIET)
    lowest, highest = min(values), max(values)
    room = highest - lowest or 1.0
    picked = [values[at] for at in spread_out(len(values), CURVE_WIDTH)]
    blocks = "".join(BLOCKS[1 + round(7 * (value - lowest) / room)] for value in picked)
    return Text.assemble((f"{values[0]:.2f} ", QUIET), blocks, (f" {values[-1]:.2f}", QUIET))
