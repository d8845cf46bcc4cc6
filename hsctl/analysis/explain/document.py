"""An explanation as one JSON object; its JSON Schema is docs/reference/schemas/explain.schema.json.

After a change of the format, write the schema again with

    python -m hsctl.analysis.explain.document > docs/reference/schemas/explain.schema.json
"""

import sys
from dataclasses import replace
from typing import Any, Final, Literal

import msgspec

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import ExplainedDecision
from hsctl.analysis.explain.findings import Extent, Panel, Root, Step
from hsctl.analysis.explain.panels import load_all_panels
from hsctl.analysis.explain.panels.basic import PommerRules, SeekerGoals
from hsctl.analysis.explain.panels.beam import Foreseen, Layer, Unfinished
from hsctl.analysis.explain.panels.duel import Duel
from hsctl.analysis.explain.panels.negamax import AlphaBeta
from hsctl.analysis.explain.panels.rhea import Evolution
from hsctl.analysis.explain.panels.trees import Machine, Tree
from hsctl.analysis.explain.tracing.rows import PassCount
from hsctl.analysis.explain.why_not import WhyNot
from replays.replay import format_document

FORMAT: Final = "hsctl-explanation"
VERSION: Final = 1
EVERYTHING = Extent()


class Explanation(msgspec.Struct, forbid_unknown_fields=True):
    """A decision with all that is known of it. Actions are numbers: stay, left, right, up, down, +5 with a bomb."""

    format: Literal["hsctl-explanation"]
    version: Literal[1]
    title: str  # which decision, in words
    turn: int
    player: int
    mates: list[int]  # players on its side
    vision: int | None  # within how many cells the player saw; None: everything
    agent: str
    seed: int
    action: int
    name: str  # of the action
    order: str  # the line for the arena
    value: float | None
    reason: str  # in words
    recorded: int | None  # the action of the replay, whoever chose it
    reproduced: bool | None  # whether it came out again, if this is the decision recorded there
    nodes: int
    stages: dict[str, int]  # nodes by stage
    depth: int
    passes: list[PassCount]  # what each search of the decision counted, in order
    plan: list[int]
    opponents: dict[int, list[int]]  # of all others: predicted plans, by player
    roots: list[Root]
    layers: list[Layer]
    unfinished: Unfinished | None
    race: str | None  # for boxes, as a beam saw it: open, won, level or lost
    models: dict[int, Foreseen] | None  # by whose weights a beam predicts the others, by player
    now: dict[str, float]  # the terms of the position itself
    line: list[Step]
    tree: Tree | None
    evolution: Evolution | None
    machine: Machine | None
    alpha_beta: AlphaBeta | None
    duel: Duel | None
    goals: SeekerGoals | None
    rules: PommerRules | None
    own: dict[str, Any] | None  # what a user agent says, by title
    why_not: WhyNot | None


def add_panels(known: type[Explanation]) -> type[Explanation]:
    """The document with a field for each panel that it doesn't name: a new panel needs no line here."""
    panels = {panel.json_field: panel for panel in Panel.__subclasses__() if hasattr(panel, "json_field")}
    fields = [(name, panel | None, None) for name, panel in panels.items() if name not in known.__struct_fields__]
    if not fields:
        return known
    return msgspec.defstruct(known.__name__, fields, bases=(known,), forbid_unknown_fields=True)  # type: ignore[return-value]


load_all_panels()
DOCUMENT = add_panels(Explanation)


def document_of(answer: ExplainedDecision, extent: Extent = EVERYTHING) -> Explanation:
    """The document of an answer; `extent` leaves out what is farther ahead and what is worse."""
    question, decision, findings = answer.question, answer.decision, answer.findings
    shown = {root.action for root in answer.best_roots(extent.top)}
    fields: dict[str, Any] = {
        **dict.fromkeys(DOCUMENT.__struct_fields__),  # of the panels, those that this agent doesn't have
        "layers": [],
        "format": FORMAT,
        "version": VERSION,
        "title": question.title,
        "turn": question.game.turn,
        "player": question.seat,
        "mates": list(question.mates),
        "vision": question.vision,
        "agent": question.spec.text,
        "seed": question.seed,
        "action": decision.action,
        "name": ACTION_NAMES[decision.action],
        "order": answer.order,
        "value": decision.value,
        "reason": answer.reason,
        "recorded": question.played.action if question.played else question.recorded,
        "reproduced": answer.is_reproduced,
        "nodes": decision.nodes,
        "stages": decision.stages,
        "depth": decision.depth,
        "passes": answer.passes,
        "plan": list(decision.plan),
        "opponents": findings.plans,
        "roots": [replace(root, states=root.states[: extent.depth]) for root in findings.roots if root.action in shown],
        "now": findings.now,
        "line": findings.line[: extent.depth],
        "why_not": answer.why_not and answer.why_not.limit(extent),
    }
    for panel in findings.panels:
        fields |= panel.limit(extent).as_fields()
    return DOCUMENT(**fields)


def encode(explanation: Explanation) -> str:
    """The JSON, one line per field, first move, layer and turn."""
    fields = {name: getattr(explanation, name) for name in explanation.__struct_fields__}
    return format_document(fields, rows=("roots", "layers", "line", "passes"))


if __name__ == "__main__":
    from replays.schema import format_schema

    sys.stdout.buffer.write(format_schema(DOCUMENT, FORMAT, VERSION))
