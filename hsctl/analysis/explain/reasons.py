"""The reason for a decision in words: what the plan comes to when it is played, the others doing as predicted.

Played are the plan and then, with everybody standing still, the rounds until its last bomb has exploded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.events import BoxDestroyed, Death, ItemPicked
from engine.game import Game
from engine.position import Cell
from engine.state import FUSE
from hsctl.analysis.explain.lines import action_at
from hsctl.analysis.explain.trace import Root, Trace
from replays.events import events_of, item_name, join
from replays.replay import Move
from search.agent import Decision


@dataclass
class Course:
    """What happens on the way, and on which turns."""

    boxes: dict[Cell, int] = field(default_factory=dict)  # that the player's bombs destroy, with the turn
    items: list[tuple[int, str]] = field(default_factory=list)  # that the player picks up
    kills: list[tuple[int, int]] = field(default_factory=list)  # (turn, player)
    death: int | None = None  # the player's own


def play_plan(game: Game, seat: int, plan: Sequence[int], others: dict[int, list[int]]) -> Course:
    """Play the plan to its end, and its bombs out."""
    game, course = game.copy(), Course()
    for turns in range(len(plan) + FUSE):
        is_planned = turns < len(plan)
        actions = [action_at(plan if at == seat else others.get(at, ()), turns) for at in range(game.seats)]
        moves = [Move(action) if at in game.living else None for at, action in enumerate(actions)]
        for event in events_of(game, moves):
            if isinstance(event, BoxDestroyed) and seat in event.owners:
                course.boxes[event.x, event.y] = game.turn
            elif isinstance(event, ItemPicked) and event.player == seat:
                course.items.append((game.turn, item_name(event.kind)))
            elif isinstance(event, Death) and is_planned:
                note_death(course, event, seat, game.turn)
        game.step(actions)
    return course


def note_death(course: Course, death: Death, seat: int, turn: int) -> None:
    if death.player == seat:
        course.death = turn
    elif seat in death.owners:
        course.kills.append((turn, death.player))


def reason_of(game: Game, seat: int, decision: Decision, trace: Trace, names: Sequence[str]) -> str:
    """Why this action, in a few words."""
    plan, action = decision.plan, decision.action
    course = play_plan(game, seat, plan, trace.plans)
    ticking = play_plan(game, seat, [], trace.plans).boxes  # they burn whatever is done now
    words = [
        *(words for panel in trace.panels for words in panel.reasons()),
        *necessity(trace.roots, action),
        *kill_words(trace.roots[action], course, names),
        *item_words(course),
        *box_words([turn for cell, turn in course.boxes.items() if cell not in ticking]),
    ]
    if course.death is not None:
        words.append(f"dies on turn {course.death}")
    return ", ".join(words) or fallback(decision)


def necessity(roots: Sequence[Root], action: int) -> list[str]:
    """What left no choice."""
    legal = [root.action for root in roots if root.legal]
    survivable = [root.action for root in roots if root.survivable]
    if legal == [action]:
        return ["the only legal move"]
    if any(root.pruned == "no sacrifice" for root in roots):
        return ["dies together with the last rival and wins by boxes"]
    if any(root.pruned == "no forced win" for root in roots):
        return ["wins by force, whatever the rival does"]
    if not survivable:
        return ["no move survives the known bombs"]
    if survivable == [action]:
        return ["the only survivable move"]
    searched = [root.action for root in roots if root.legal and not root.pruned]
    return ["the only move that holds whatever a rival answers"] if searched == [action] else []


def kill_words(root: Root, course: Course, names: Sequence[str]) -> list[str]:
    """Sure kills, then those that the prediction promises."""
    sure = [f"traps {join([names[at] for at in root.kills])}: lost whatever they do"] if root.kills else []
    hoped = [f"kills {names[at]} on turn {turn} if they do as predicted" for turn, at in course.kills]
    return sure or hoped[:1]


def item_words(course: Course) -> list[str]:
    if not course.items:
        return []
    turn, name = course.items[0]
    more = len(course.items) - 1
    rest = f" ({more + 1} items by turn {course.items[-1][0]})" if more else ""
    return [f"fetches a {name} on turn {turn}{rest}"]


def box_words(turns: Sequence[int]) -> list[str]:
    """The first boxes that new bombs destroy, and all of them, by their turns."""
    if not turns:
        return []
    first, last, count = turns[0], turns[-1], len(turns)
    soon = turns.count(first)
    what = "a box" if soon == 1 else f"{soon} boxes"
    rest = f" ({count} by turn {last})" if count > soon else ""
    return [f"destroys {what} on turn {first}{rest}"]


def fallback(decision: Decision) -> str:
    """When nothing happens on the way."""
    if decision.value is None:
        return "nothing was searched"
    turns = len(decision.plan)
    within = "this turn" if turns <= 1 else f"the next {turns} turns"
    return f"nothing to win or lose within {within}, so it is for the better place"
