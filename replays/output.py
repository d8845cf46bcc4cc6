"""All that a player gave away on a turn: output line, stderr, thoughts, failure."""

from collections.abc import Iterator, Sequence

from engine.rules import ACTION_NAMES
from replays.render.turn import format_count, format_ms
from replays.replay import Move, Thought
from replays.text import clean

Part = tuple[str, str]  # what it is, and its text


def output_parts(move: Move) -> Iterator[Part]:
    """What there is of it."""
    if move.failure:
        yield "failure", clean(f"{move.failure.cause}: {move.failure.detail}".rstrip(": "))
    if move.line:
        yield "output", clean_lines(move.line)
    if move.cpu_ms is not None:
        yield "cpu", format_ms(move.cpu_ms)
    if move.thought:
        yield from thought_parts(move.thought)
    if move.stderr:
        yield "stderr", clean_lines(move.stderr)


def thought_parts(thought: Thought) -> Iterator[Part]:
    if thought.plan:
        yield "plan", format_actions(thought.plan)
    if thought.carried:
        yield "plan of the turn before", format_actions(thought.carried)
    if thought.stages:
        yield "nodes", ", ".join(f"{clean(name)} {format_count(count)}" for name, count in thought.stages.items())


def format_actions(actions: Sequence[int]) -> str:
    return ", ".join(ACTION_NAMES[action] for action in actions)


def clean_lines(text: str) -> str:
    return "\n".join(clean(line.expandtabs(4)) for line in text.splitlines())
