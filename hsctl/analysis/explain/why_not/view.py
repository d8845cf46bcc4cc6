"""Why another line was not chosen, in words and numbers."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.tables import CHOSEN, action_text, format_number, pick_rows
from hsctl.analysis.explain.trace import Terms
from hsctl.analysis.explain.why_not import follow as fates
from hsctl.analysis.explain.why_not.follow import LineFate, Standing, WhyNot
from replays.render.turn import QUIET
from search.common.planning import LAST_PLAN

DECISIVE = 0.005  # a difference of terms below this is not told

RULES = {
    "unsurvivable": "after it the known bombs can't be survived",
    "not killing": "another move kills for sure, and only such moves are searched",
    "no sacrifice": "another move dies together with the last rival and wins by boxes",
    "has an answer": "a rival could answer it so that nothing holds, and other moves hold longer",
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
        parts += [Text(""), standings_table(why_not.standings, depth)]
    return Group(*parts)


def describe(fate: LineFate) -> str:
    """What happened, in one sentence."""
    rule = RULES.get(fate.reason, fate.reason)
    return SENTENCES[fate.kind].format(depth=fate.depth, rank=fate.rank, of=fate.of, rule=rule)


def details(fate: LineFate) -> Iterator[str]:
    """The gap, the terms that decided, and what would have kept it."""
    if fate.kind == fates.CHOSEN or fate.gap is None:
        return
    winner = "the best" if fate.kind == fates.OUTSCORED else "the cut-off"
    if fate.gap < DECISIVE:
        yield f"Its value {format_number(fate.score)} is that of {winner}, which was found sooner."
    else:
        terms = format_terms(fate.terms)
        score, gap, best = map(format_number, (fate.score, fate.gap, fate.rival))
        yield f"Its value is {score}, {gap} below {winner} ({best}): {terms}."
    if needs := [f"{name}={value}" for name, value in (("width", fate.width), ("local", fate.local)) if value]:
        yield f"{' and '.join(needs)} would have kept it in that layer, all else equal; one less would not."


def format_terms(terms: Terms) -> str:
    """The terms that differ, the greatest difference first."""
    ranked = sorted(terms.items(), key=lambda term: -abs(term[1]))
    return ", ".join(f"{name} {change:+.2f}" for name, change in ranked if abs(change) >= DECISIVE)


def standings_table(standings: Sequence[Standing], depth: int | None) -> RenderableType:
    """How the line stood in each layer; after its end, all that descends from it."""
    table = CompactTable()
    table.add_column("depth", justify="right")
    table.add_column("action")
    for name in ("kept", "best rank", "of", "value"):
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
