"""What an alpha-beta search found: the strategy and why, what each depth took, what the first moves are worth."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.explain.read.trace import AlphaBeta, Bound, Deepening
from hsctl.explain.show.tables import action_text, compact_table, number
from replays.look.turn import QUIET


def alpha_beta_view(found: AlphaBeta, names: Sequence[str]) -> RenderableType:
    """All of it, within 80 columns."""
    parts: list[RenderableType] = [strategy_line(found, names)]
    if found.deepenings:
        parts += [Text(format_weights(found), QUIET), Text(""), deepening_table(found.deepenings)]
    if found.bounds:
        parts += [Text("\nfirst moves, exactly or at most:", QUIET), bounds_line(found.bounds)]
    return Group(*parts)


def strategy_line(found: AlphaBeta, names: Sequence[str]) -> Text:
    """`sniper: many boxes left (32 boxes left, 2 pieces behind beam)`."""
    against = "nobody" if found.adversary is None else names[found.adversary]
    facts = f"{found.boxes_left} boxes left, {format_lead(found.lead)} {against}"
    if found.stage == "opening" and not found.deepenings:
        return Text.assemble(("opening", "bold"), f": a rule towards the centre, nothing was searched ({facts})")
    return Text.assemble((found.strategy, "bold"), f": {found.reason} ({facts})")


def format_lead(lead: float) -> str:
    if lead == 0:
        return "level with"
    pieces = f"{abs(lead):g} piece{'s' if abs(lead) != 1 else ''}"
    return f"{pieces} {'ahead of' if lead > 0 else 'behind'}"


def format_weights(found: AlphaBeta) -> str:
    return "weights: " + ", ".join(f"{weight:g} {name}" for name, weight in found.weights.items() if weight)


def deepening_table(deepenings: Sequence[Deepening]) -> Table:
    """What each depth found and took."""
    table = compact_table(1)
    table.add_column("plies", justify="right")
    table.add_column("best", no_wrap=True)
    for name in ("value", "nodes", "table hits", "cut-offs", "by the first"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for one in deepenings:
        share = f"{100 * one.first_cutoffs / one.cutoffs:.0f} %" if one.cutoffs else ""
        cells = [number(one.value), *map(str, (one.nodes, one.hits, one.cutoffs)), share]
        best = Text("") if one.action is None else action_text(one.action)
        table.add_row(str(one.depth), best, *cells, Text(fate_of(one), QUIET))
    return table


def fate_of(one: Deepening) -> str:
    """What became of a depth during which the budget ended."""
    if one.complete:
        return ""
    return "cut short" if one.action is not None else "not counted"


def bounds_line(bounds: Sequence[Bound]) -> Text:
    """`right 12.30   left ≤ 11.00`."""
    text = Text()
    for bound in bounds:
        if text:
            text.append("   ")
        text.append_text(action_text(bound.action)).append(f" {'' if bound.exact else '≤ '}{bound.value:.2f}")
    return text
