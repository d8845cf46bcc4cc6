"""What negamax left behind: the strategy and why, what each depth took, what the first moves are worth, the line.

The line holds the actions of both sides; the opponent's are shown as its predicted plan. It ends early where
the table gave a value, so its last state need not be the one that was valued.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from engine.rules import ACTIONS
from hsctl.analysis.explain.findings import (
    Extent,
    Findings,
    Panel,
    Section,
    Step,
    Terms,
    Value,
    findings_of,
    play_line,
    read_search,
    steps_of,
)
from hsctl.analysis.explain.tables import CompactTable, action_text, format_number
from hsctl.analysis.explain.why_not import (
    AT_MOST,
    OUTVALUED,
    UNTRIED,
    LineFate,
    WhyNot,
    fate_before_search,
    follow_line,
)
from replays.render.turn import QUIET
from search.agent import Decision
from search.negamax.agent import NegamaxAgent
from search.negamax.deepen import NO_ACTION
from search.negamax.strategies import STRATEGIES

EXACT = 1e-9
OPENING_RULE = "a rule of the opening decided without a search"
BUDGET_ENDED = "the budget ended before its turn"


@dataclass(frozen=True)
class Deepening:
    """One depth of an alpha-beta search, as far as it came."""

    depth: int  # plies
    nodes: int
    action: int | None  # the best first move; None: none was finished
    value: float | None
    hits: int  # positions whose value the table gave
    cutoffs: int
    first_cutoffs: int  # of these by the first action tried
    complete: bool


@dataclass(frozen=True)
class Bound:
    """What a first move is worth, or at most worth."""

    action: int
    value: float
    exact: bool


@dataclass(frozen=True)
class AlphaBeta(Panel):
    """What negamax left behind."""

    json_field = "alpha_beta"

    strategy: str
    stage: str  # opening, middle or end
    reason: str  # for the strategy
    boxes_left: int
    lead: float  # pieces ahead of the opponent
    weights: Terms
    adversary: int | None  # the opponent it plays against
    deepenings: list[Deepening]
    bounds: list[Bound]  # of the first moves, best first

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        parts: list[RenderableType] = [strategy_line(self, names)]
        if self.deepenings:
            parts += [Text(format_weights(self.weights), QUIET), Text(""), deepening_table(self.deepenings)]
        if self.bounds:
            parts += [Text("\nfirst moves, exactly or at most:", QUIET), bounds_line(self.bounds)]
        yield "the strategy and its search", Group(*parts)


# Reading


@read_search.register
def read_negamax(agent: NegamaxAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move is worth at most its value, the chosen one exactly."""
    states = play_line(agent, state, player, decision.plan)
    bounds = bounds_of(agent, decision)
    bests = {bound.action: Value(bound.value, decision.depth) for bound in bounds}
    if decision.value is not None:
        bests[decision.action] = Value(decision.value, decision.depth, terms_of_leaf(agent, states, decision.value))
    findings = findings_of(agent, state, player, decision, bests, alpha_beta_of(agent, decision, bounds))
    return replace(
        findings,
        line=valued_line(agent, state, player, decision, states),
        now=agent.evaluation.weighted_terms(state, agent.map),
    )


def alpha_beta_of(agent: NegamaxAgent, decision: Decision, bounds: list[Bound]) -> AlphaBeta:
    chosen = agent.strategy
    return AlphaBeta(
        strategy=chosen.name,
        stage=chosen.phase,
        reason=chosen.reason,
        boxes_left=chosen.boxes_left,
        lead=chosen.lead,
        weights=asdict(STRATEGIES[chosen.name]),
        adversary=agent.rival,
        deepenings=deepenings_of(agent) if decision.nodes else [],
        bounds=bounds,
    )


def deepenings_of(agent: NegamaxAgent) -> list[Deepening]:
    """All depths that were begun."""
    found = []
    for log in agent.stack.iterations[: int(agent.search.iteration) + 1]:
        is_any = log["action"] != NO_ACTION
        found.append(
            Deepening(
                depth=int(log["depth"]),
                nodes=int(log["nodes"]),
                action=int(log["action"]) if is_any else None,
                value=float(log["value"]) if is_any else None,
                hits=int(log["hits"]),
                cutoffs=int(log["cutoffs"]),
                first_cutoffs=int(log["first_cutoffs"]),
                complete=bool(log["is_complete"]),
            )
        )
    return found


def bounds_of(agent: NegamaxAgent, decision: Decision) -> list[Bound]:
    """The first moves that were finished in the deepening that counts: the chosen one, then by value."""
    search = agent.search
    bounds = [
        Bound(action, float(search.root_values[action]), bool(search.root_exact[action]))
        for action in range(ACTIONS)
        if not math.isnan(search.root_values[action])
    ]
    return sorted(bounds, key=lambda bound: (bound.action != decision.action, -bound.value))


def terms_of_leaf(agent: NegamaxAgent, states: list[np.record], value: float) -> Terms:
    """The terms of the state at the end of the line, if that is the one valued."""
    terms = agent.evaluation.weighted_terms(states[-1], agent.map)
    return terms if abs(sum(terms.values()) - value) < EXACT else {}


def valued_line(
    agent: NegamaxAgent, state: np.record, player: int, decision: Decision, states: list[np.record]
) -> list[Step]:
    """The line with the score after each round, where anything was searched."""
    steps = steps_of(state, player, decision.plan, states)
    if decision.value is None:
        return steps
    return [
        replace(step, value=sum(terms.values()), terms=terms)
        for step, after in zip(steps, states, strict=False)
        for terms in [agent.evaluation.weighted_terms(after, agent.map)]
    ]


@follow_line.register
def follow_negamax(
    agent: NegamaxAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    """What the last complete depth says of the first move; alpha-beta keeps nothing of later ones."""
    if (fate := fate_before_search(line, decision, findings)) is not None:
        return WhyNot(line, [], fate)
    if not decision.nodes:
        return WhyNot(line[:1], [], LineFate(UNTRIED, 1, OPENING_RULE))
    bounds = bounds_of(agent, decision)
    found = next((bound for bound in bounds if bound.action == line[0]), None)
    if found is None or decision.value is None:
        return WhyNot(line[:1], [], LineFate(UNTRIED, 1, BUDGET_ENDED))
    rank = sorted((bound.value for bound in bounds), reverse=True).index(found.value) + 1
    gap, reason = decision.value - found.value, "" if found.exact else AT_MOST
    return WhyNot(line[:1], [], LineFate(OUTVALUED, 1, reason, rank, len(bounds), found.value, decision.value, gap))


# Showing


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


def format_weights(weights: Terms) -> str:
    return "weights: " + ", ".join(f"{weight:g} {name}" for name, weight in weights.items() if weight)


def deepening_table(deepenings: Sequence[Deepening]) -> RenderableType:
    """What each depth found and took."""
    table = CompactTable(1)
    table.add_column("plies", justify="right")
    table.add_column("best")
    for name in ("value", "nodes", "table hits", "cut-offs", "by the first"):
        table.add_column(name, justify="right")
    table.add_column("")
    for one in deepenings:
        share = f"{100 * one.first_cutoffs / one.cutoffs:.0f} %" if one.cutoffs else ""
        cells = [format_number(one.value), *map(str, (one.nodes, one.hits, one.cutoffs)), share]
        best = Text("") if one.action is None else action_text(one.action)
        table.add_row(str(one.depth), best, *cells, Text(format_fate(one), QUIET))
    return table


def format_fate(one: Deepening) -> str:
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
