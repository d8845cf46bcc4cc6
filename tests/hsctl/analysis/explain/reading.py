"""What the tests of traces share: a decision on a position, read."""

from typing import TypeVar

from hsctl.analysis.explain.findings import Findings, Panel, Root
from hsctl.analysis.explain.panels import read_findings
from search.agent import Budget, Decision
from tests.search.positions import Position, agent, decide

OnePanel = TypeVar("OnePanel", bound=Panel)

EXACT = 1e-9

ROOM = """
    ..0..
    .X.X.
    1...2
    0 0 0 0 1 3
    0 1 12 10 1 3
    """


def traced(spec: str, position: Position, nodes: int) -> tuple[Decision, Findings]:
    decision = decide(agent(spec), position, Budget(nodes=nodes))
    return decision, read_findings(agent(spec), position.state, position.player, decision)


def root_of(spec: str, position: Position, action: int, nodes: int = 500) -> Root:
    return traced(spec, position, nodes)[1].roots[action]


def panel_of(trace: Findings, kind: type[OnePanel]) -> OnePanel:
    """The one panel of this kind."""
    [found] = [panel for panel in trace.panels if isinstance(panel, kind)]
    return found
