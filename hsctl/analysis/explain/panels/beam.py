"""What beam left behind: its layers, how each first move fared in them, and the best line.

The memory holds parent, action, root and score of every kept state, and the counters of every layer. States of
earlier layers are gone; they are played again along their lines where their terms are asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from engine.rules import ACTIONS
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS
from engine.survival import hits_ahead, is_survivable
from hsctl.analysis.explain.findings import (
    Extent,
    Findings,
    Panel,
    Root,
    Section,
    Step,
    Terms,
    Value,
    plans_of,
    play_line,
    read_search,
    roots_of,
    rules_of_first_moves,
    steps_of,
)
from hsctl.analysis.explain.tables import SHOWN, CompactTable, Sized, action_style, format_number, pick_rows, spread_out
from hsctl.analysis.explain.why_not import WhyNot, follow_line
from replays.render.board import seat_mark
from replays.render.turn import QUIET
from search.agent import Decision
from search.beam.agent import NARROW, BeamAgent
from search.beam.memory import COUNTERS, GENERATED, KEPT, best_line
from search.beam.models import OWN
from search.beam.race import LEVEL, LOST, OPEN, WON
from search.common.evaluate import evaluate_terms
from search.common.planning import LAST_PLAN, OWN_STAGE

# Terms on top of those of the evaluation. The last two come from the way to a state.
RIVALS_TERM, UNSURVIVABLE_TERM, EARLY_TERM, TRAPS_TERM = "rivals", "unsurvivable", "early", "traps"

RACES = {OPEN: "open", WON: "won", LEVEL: "level", LOST: "lost"}
RACE_WORDS = {
    "won": "the race for boxes is won, so it keeps away",
    "level": "the race for boxes can be drawn at best, so it hunts",
    "lost": "the race for boxes is lost, so it hunts",
}
STAGE_WORDS = {
    LAST_PLAN: "keeps to the plan of the turn before, for want of a better one",
    NARROW: "short of time, it takes the line of its first, narrow pass",
}
LETTERS = "slrudSLRUD"  # [action], those with a bomb in capitals: readable without colours too
PICTURE_WIDTH = 60


@dataclass(frozen=True)
class Layer:
    """generated = duplicates + dead + unsurvivable + local_cut + global_cut + kept."""

    depth: int
    generated: int
    duplicates: int
    dead: int
    unsurvivable: int
    local_cut: int
    global_cut: int
    kept: int
    best: float | None
    median: float | None
    cutoff: float | None  # the worst score that was kept


@dataclass(frozen=True)
class Unfinished:
    """The layer during which the budget ended; nothing of it counts."""

    depth: int
    expanded: int  # states of the layer above
    of: int
    generated: int


@dataclass(frozen=True)
class Foreseen:
    """The weights by which another player is predicted."""

    model: str  # ours, or a preset
    right: float  # share of their turns so far on which that model would have done the same; later ones count more


@dataclass(frozen=True)
class BeamLayers(Panel):
    """The layers that were completed, and the one that was not, and what counted; four fields of the JSON."""

    layers: list[Layer]
    unfinished: Unfinished | None
    race: str  # for boxes: open, won, level or lost
    models: dict[int, Foreseen] = field(default_factory=dict)  # by player, of those whose turns were compared
    decided_by: str = OWN_STAGE  # the stage whose line was chosen

    def limit(self, extent: Extent) -> Self:
        return replace(self, layers=self.layers[: extent.depth])

    def as_fields(self) -> dict[str, object]:
        return {"layers": self.layers, "unfinished": self.unfinished, "race": self.race, "models": self.models}

    def reasons(self) -> list[str]:
        return [words[key] for key, words in ((self.decided_by, STAGE_WORDS), (self.race, RACE_WORDS)) if key in words]

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        if self.layers:
            yield "layers", Group(layer_table(self.layers, extent.depth), *unfinished_lines(self.unfinished))
        if any(findings.kept):
            title = "how the beam narrows: share of the first moves by depth"
            yield title, Sized(lambda width: narrowing(findings.roots, findings.kept, extent.depth, width))
        if self.models:
            yield "how the others are foreseen", Group(*model_lines(self.models, names))


# Reading


@read_search.register
def read_beam(agent: BeamAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is that of its best state in the deepest layer that it reached."""
    depth = int(agent.search.depth)
    states = {action: count_states(agent, action, depth) for action in range(ACTIONS)}
    bests = {action: best_below(agent, state, player, action, counts) for action, counts in states.items()}
    roots = roots_of(
        agent,
        state,
        player,
        {action: best for action, best in bests.items() if best is not None},
        states,
        {**rules_of_first_moves(agent, state, player), **agent.filtered},
    )
    layers = layers_of(agent)
    return Findings(
        roots,
        valued_line(agent, state, player, decision.plan),
        plans_of(agent),
        [BeamLayers(layers, unfinished_of(agent), RACES[agent.race], models_of(agent), agent.thinking.decided_by)],
        now=terms_of(agent, state, player),
        kept=[layer.kept for layer in layers],
    )


def models_of(agent: BeamAgent) -> dict[int, Foreseen]:
    """By whose weights each of the others is predicted, as far as there were turns to compare."""
    shares = {other: agent.models.share_right(other) for other in plans_of(agent)}
    return {
        other: Foreseen(agent.models.best_for(other), round(share, 3))
        for other, share in shares.items()
        if share is not None
    }


def size_of(agent: BeamAgent, depth: int) -> int:
    """How many states a layer has."""
    return int(agent.layers.counters[depth, KEPT]) if depth else 1


def layers_of(agent: BeamAgent) -> list[Layer]:
    """All layers that were completed; the last may be empty: then every line ended there."""
    search = agent.search
    depth = int(search.depth)
    ended = bool(search.finished) and depth < search.max_depth
    return [layer_at(agent, each) for each in range(1, depth + 1 + ended)]


def layer_at(agent: BeamAgent, depth: int) -> Layer:
    counters = dict(zip(COUNTERS, agent.layers.counters[depth].tolist(), strict=True))
    scores = agent.layers.score[depth, : size_of(agent, depth)]
    if not scores.size:
        return Layer(depth, **counters, best=None, median=None, cutoff=None)
    median = float(np.median(scores))
    return Layer(depth, **counters, best=float(scores.max()), median=median, cutoff=float(scores.min()))


def unfinished_of(agent: BeamAgent) -> Unfinished | None:
    """The layer in which the budget ended, if it was begun."""
    search = agent.search
    if search.finished or not search.cursor:
        return None
    below = int(search.depth) + 1
    generated = int(agent.layers.counters[below, GENERATED])
    return Unfinished(below, int(search.cursor), int(search.layer_size), generated)


@follow_line.register
def follow_beam(
    agent: BeamAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    from hsctl.analysis.explain.rerun import follow_through_layers

    pruned = {root.action: root.pruned for root in findings.roots if root.pruned}
    return follow_through_layers(agent, state, line, list(decision.plan), pruned)


# First moves


def count_states(agent: BeamAgent, action: int, depth: int) -> list[int]:
    """How many states of each layer descend from a first move."""
    return [
        int(np.count_nonzero(agent.layers.root[each, : size_of(agent, each)] == action)) for each in range(1, depth + 1)
    ]


def best_below(agent: BeamAgent, state: np.record, player: int, action: int, counts: Sequence[int]) -> Value | None:
    """The best state of the deepest layer that still holds something of a first move."""
    depth = max((each for each, count in enumerate(counts, 1) if count), default=0)
    if not depth:
        return None
    place = int(np.flatnonzero(agent.layers.root[depth, : size_of(agent, depth)] == action)[0])
    states = play_line(agent, state, player, best_line(agent.layers, depth, place))
    score = float(agent.layers.score[depth, place])
    return Value(score, depth, terms_on_way(agent, states, player, score))


def terms_of(agent: BeamAgent, state: np.record, player: int) -> Terms:
    """The terms of a state's score; what it loses for being unsurvivable is one of them."""
    terms = evaluate_terms(state, agent.map, player, agent.weights)
    if agent.search.ends:
        terms["future"] = future_of(agent, state, player)
    if agent.weights.rivals:
        terms[RIVALS_TERM] = rivals_of(agent, state, player)
    is_lost = agent.search.checks_survival and not is_survivable(state, agent.map, player)
    terms[UNSURVIVABLE_TERM] = float(agent.search.unsurvivable) if is_lost else 0.0
    for term, weight in ((EARLY_TERM, float(agent.weights.early)), (TRAPS_TERM, agent.params.trap)):
        if weight:
            terms[term] = 0.0
    return terms


def terms_on_way(agent: BeamAgent, states: Sequence[np.record], player: int, score: float) -> Terms:
    """The terms of the last of the states of a line: what isn't its own came on the way there."""
    terms = terms_of(agent, states[-1], player)
    if EARLY_TERM in terms:
        boxes = sum(int(state.scored[player]) - int(agent.search.scored) for state in states)
        terms[EARLY_TERM] = float(agent.weights.early * agent.weights.box) * boxes
    if TRAPS_TERM in terms:
        terms[TRAPS_TERM] = score - sum(terms.values())
    return terms


def future_of(agent: BeamAgent, state: np.record, player: int) -> float:
    """The boxes that a player's bombs will destroy, as the search values them."""
    hits = int(hits_ahead(state, agent.map, player)).to_bytes(FUSE, "little")
    left = MAX_TURNS - int(state.turn) if agent.search.ends else FUSE
    decay = agent.weights.decay
    return float(agent.weights.box) * sum(count * float(decay[k + 1]) for k, count in enumerate(hits) if k < left)


def rivals_of(agent: BeamAgent, state: np.record, player: int) -> float:
    """What the others have, as the search values it (beam/expand.py, and their part of the future)."""
    weights, search = agent.weights, agent.search
    total = 0.0
    for other in range(MAX_PLAYERS):
        if other != player:
            terms = evaluate_terms(state, agent.map, other, weights)
            is_mate = int(search.mates) >> other & 1
            equipment = terms["range"] + terms["bombs"]
            if not state.players[other] and not is_mate:
                equipment = float(search.equipment[other])
            points = terms["boxes"] + equipment
            total += (-points if is_mate else points) + future_of(agent, state, other)
    return -float(weights.rivals) * total


# Lines


def places_of(agent: BeamAgent, depth: int, place: int = 0) -> list[int]:
    """Where the states of a line stand in their layers, the first layer first."""
    places = []
    while depth > 0:
        places.append(place)
        place = int(agent.layers.parent[depth, place])
        depth -= 1
    return places[::-1]


def valued_line(agent: BeamAgent, state: np.record, player: int, plan: Iterable[int]) -> list[Step]:
    """The best line with the score of each of its states; without scores if it isn't that of the layers."""
    depth, actions = int(agent.search.depth), list(plan)
    states = play_line(agent, state, player, actions)
    steps = steps_of(state, player, actions, states)
    if best_line(agent.layers, depth) != actions:
        return steps
    placed = enumerate(zip(steps, places_of(agent, depth), strict=True), 1)
    return [
        replace(step, place=place, value=score, terms=terms_on_way(agent, states[:each], player, score))
        for each, (step, place) in placed
        for score in [float(agent.layers.score[each, place])]
    ]


# Showing

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


def layer_table(layers: Sequence[Layer], depth: int | None) -> CompactTable:
    """What became of the children of each layer, and the scores of those kept."""
    table = CompactTable(1)
    for name in [*HEADS.values(), "\nbest", "\nmedian", "\ncut-off"]:
        table.add_column(name, justify="right")
    for at in pick_rows(table, len(layers), depth):
        layer = layers[at]
        counts = [str(getattr(layer, name)) for name in HEADS]
        table.add_row(*counts, *map(format_number, (layer.best, layer.median, layer.cutoff)))
    return table


def unfinished_lines(left: Unfinished | None) -> Iterator[Text]:
    if left is not None:
        yield Text(
            f"The budget ended in layer {left.depth}: {left.expanded} of {left.of} states expanded, none of it counts.",
            QUIET,
        )


def model_lines(models: dict[int, Foreseen], names: Sequence[str]) -> Iterator[Text]:
    for other, found in models.items():
        whose = "our own weights" if found.model == OWN else f"the weights of beam:{found.model}"
        right = (f", right on {100 * found.right:.0f} % of the turns so far", QUIET)
        yield Text.assemble(seat_mark(other), f" {names[other]}: by {whose}", right)


def narrowing(roots: Sequence[Root], kept: Sequence[int], depth: int | None, width: int) -> Table:
    """How the beam narrows: the share of each first move in each layer, drawn with its letter."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style=QUIET, width=5)
    table.add_column()
    count = len([states for states in kept if states])
    picked = list(range(count))[:depth] if depth is not None else spread_out(count, SHOWN)
    for at in picked:
        counts = {root.action: root.states[at] for root in roots if at < len(root.states)}
        table.add_row(str(at + 1), bar(counts, min(PICTURE_WIDTH, width - 7)))
    letters = [f"{LETTERS[root.action]} {root.name}" for root in roots if any(root.states)]
    table.add_row("", Text("  ".join(letters), QUIET))
    return table


def bar(counts: dict[int, int], width: int) -> Text:
    """A line of letters, each as often as its share."""
    total = sum(counts.values())
    text, done, drawn = Text(), 0, 0
    for action in range(ACTIONS):
        done += counts.get(action, 0)
        until = round(width * done / total) if total else 0
        text.append(LETTERS[action] * (until - drawn), action_style(action))
        drawn = until
    return text
