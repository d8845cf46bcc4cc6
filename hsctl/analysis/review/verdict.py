"""The verdict: what happened, in a sentence."""

from engine.game import SURVIVAL
from hsctl.analysis.review.deaths import ERROR, TRAPPED, WORDS
from hsctl.analysis.review.report import DEATH, VALUE, DeathRecord, Review, count_boxes

TOLD = 3  # mistakes, and safe moves, that the verdict names
PLACES = ("first", "second", "third", "fourth")
LONG = 20  # turns: who lives so long has had the time to do something
SELDOM = 0.05  # of these: who moves on fewer stands about
DEAD = "dead from the start"
NUMBERS = ("no", "one", "two", "three", "four")  # of players


def verdict_of(review: Review) -> str:
    """What happened, in a sentence."""
    costly = [mistake for mistake in review.mistakes if mistake.kind == VALUE][:TOLD]
    parts = [DEAD] if review.is_dead_from_start else describe_idleness(review)
    if costly:
        turns = join_turns(sorted(mistake.turn for mistake in costly))
        cost = round(sum(mistake.cost or 0.0 for mistake in costly))
        parts.append(f"{turns} cost about {count_boxes(cost)}")
    parts += [describe_death(death) for death in review.deaths]
    lost = [] if review.deaths else [mistake for mistake in review.mistakes if mistake.kind == DEATH]
    parts += [f"no way out after turn {each.turn} ({each.played}; safe: {list_moves(each.safe)})" for each in lost]
    if review.rank > 1 and not review.deaths and not review.mistakes:
        parts += review.faults
    if not parts and review.agent is not None:
        parts.append(describe_doubts(review))
    return ": ".join(filter(None, [describe_result(review), "; ".join(parts)]))


def describe_idleness(review: Review) -> list[str]:
    """What is plain without any search: that who did not come first hardly moved, or dropped no bomb."""
    lived = turns_lived(review)
    if review.rank == 1 or lived < LONG:
        return []
    still = f"moved on {review.moves} of {lived} turns" if review.moves else "never moved"
    idle = [still] * (review.moves < lived * SELDOM) + ["dropped no bomb"] * (not review.bombs)
    return [f"it {' and '.join(idle)}"] if idle else []


def turns_lived(review: Review) -> int:
    if review.is_dead_from_start:
        return 0
    died = review.death_turns[review.player]
    return review.turns if died is None else died - review.first_turn


def is_idle(review: Review) -> bool:
    """Whether a player lived long enough to drop a bomb, and didn't."""
    return not review.bombs and turns_lived(review) >= LONG


def describe_doubts(review: Review) -> str:
    """That no move stands out, and which may have cost a little each."""
    alone = f"no move alone cost more than {count_boxes(round(review.threshold, 1))}"
    told = review.doubtful[:TOLD]
    if review.rank == 1 or not told:
        return alone
    turns = join_turns(sorted(doubt.turn for doubt in told))
    return f"{alone}, {turns} perhaps {count_boxes(round(sum(doubt.cost for doubt in told), 1))} together"


def describe_result(review: Review) -> str:
    """Who came where, with the boxes of the player and of the best of the others."""
    own, seats = review.boxes[review.player], len(review.boxes)
    best = max(boxes for seat, boxes in enumerate(review.boxes) if seat != review.player)
    is_dead = review.is_dead_from_start or bool(review.deaths)
    if not review.is_finished and not is_dead:
        word = "was level" if own == best else "was ahead" if own > best else "was behind"
        return f"{review.name} {word} {own}:{best} when the game was stopped"
    if review.rank == 1:
        word = "won" if not review.is_drawn else "drew" if seats == 2 else "shared the first place"
    else:
        word = "lost" if seats == 2 else f"came {PLACES[review.rank - 1]} of {NUMBERS[seats]}"
    if review.ends == SURVIVAL:
        return f"{review.name} {word}"
    if is_dead:
        return f"{review.name} {word}, {own}:{best} in boxes"
    return f"{review.name} {word} {own}:{best}{'' if review.rank == 1 else ' on boxes'}"


def describe_death(death: DeathRecord) -> str:
    if death.cause == ERROR:
        return f"on turn {death.turn} {death.why}"
    end = f"dead on turn {death.turn}{' (and first all the same)' if death.is_won else ''}"
    if death.last_turn is None:
        return f"{end}: {WORDS[death.cause]}"
    words = WORDS[death.cause] + (f" by player {death.rival}" if death.cause == TRAPPED else "")
    return f"on turn {death.last_turn} {words} ({death.played}; safe: {list_moves(death.safe)}), {end}"


def list_moves(moves: list[str]) -> str:
    return ", ".join([*moves[:TOLD], *(["..."] if len(moves) > TOLD else [])])


def join_turns(turns: list[int]) -> str:
    """`turn 3`, `turns 3 and 7`, `turns 3, 7 and 9`."""
    head = ", ".join(map(str, turns[:-1]))
    return f"turns {head} and {turns[-1]}" if head else f"turn {turns[0]}"
