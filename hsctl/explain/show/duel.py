"""What a search for two sides found: our first moves with his answers, how far it looked, the line both prefer."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.explain.read.trace import Choice, Duel, Exchange
from hsctl.explain.show.others import histogram
from hsctl.explain.show.tables import action_text, compact_table, number, pick_depths
from replays.look.turn import QUIET, format_count

ANSWERS = 3  # shown of each first move


def duel_view(duel: Duel, names: Sequence[str], depth: int | None, top: int | None) -> RenderableType:
    """Visits and means by side: each is that of the side that moves."""
    shown = [duel.most_visited[at] for at in pick_depths(len(duel.most_visited), depth and 2 * depth)]
    return Group(
        Text(describe(duel, names), QUIET),
        exchange_table(duel.exchanges[:top]),
        Text("\npositions of the tree by rounds from now:", QUIET),
        histogram(duel.rounds),
        Text("\nthe most visited line, the sides in turn:", QUIET),
        line_table(shown, names),
    )


def describe(duel: Duel, names: Sequence[str]) -> str:
    """Against whom, how much, and how much of it was not work of this turn."""
    against = "against nobody" if duel.adversary is None else f"against {names[duel.adversary]}"
    size = f"{format_count(duel.iterations)} iterations, {format_count(duel.size)} nodes of the tree"
    kept = f", {format_count(duel.kept)} kept (saved {format_count(duel.saved)} nodes of search)" if duel.kept else ""
    shared = f", {format_count(duel.shared)} ways into known positions" if duel.shared else ""
    return f"{against}: {size}{kept}{shared}"


def exchange_table(exchanges: Sequence[Exchange]) -> Table:
    table = compact_table()
    table.add_column("first move", no_wrap=True)
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    table.add_column("his answers: visits, his mean", overflow="fold")
    for exchange in exchanges:
        move, answers = exchange.move, Text(", ").join(answer_text(answer) for answer in exchange.answers[:ANSWERS])
        table.add_row(action_text(move.action), str(move.visits), number(move.mean), answers)
    return table


def answer_text(answer: Choice) -> Text:
    return Text.assemble(action_text(answer.action), f" {answer.visits} {number(answer.mean)}")


def line_table(choices: Sequence[Choice], names: Sequence[str]) -> Table:
    table = compact_table()
    for name in ("who", "action"):
        table.add_column(name, no_wrap=True)
    for name in ("visits", "mean"):
        table.add_column(name, justify="right")
    for choice in choices:
        who = names[choice.player] if choice.player < len(names) else "nobody"
        table.add_row(who, action_text(choice.action), str(choice.visits), number(choice.mean))
    return table
