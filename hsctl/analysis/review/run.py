"""Reviews: one game, or every game of a folder; the verdict and the causes of losses; proofs and suites."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from engine.game import SURVIVAL
from engine.rules import ACTION_NAMES
from engine.variants import mates_of
from hsctl import __version__
from hsctl.analysis.review.deaths import (
    ERROR,
    TRAPPED,
    WORDS,
    deaths_of,
    lost_way_out,
    mistakes_of_deaths,
)
from hsctl.analysis.review.document import (
    DEATH,
    FAULT,
    FORMAT,
    VALUE,
    VERSION,
    CauseCount,
    DeathCount,
    FolderReview,
    Mistake,
    Review,
    ReviewedDeath,
)
from hsctl.analysis.review.habits import deeds_of, habits_of
from hsctl.analysis.review.mistakes import (
    OnTurn,
    ReferenceBeam,
    Regrets,
    add_chances,
    count_boxes,
    doubt_of,
    regrets_of,
    value_mistakes,
)
from hsctl.analysis.review.saving import proof_of
from replays.faults import AHEAD, NO_BOMB, NO_EFFECT, OFF_BOARD, PLAYED_DIFFERENTLY, describe_fault
from replays.opening import fitting_seats, open_games
from replays.playback import Playback
from replays.replay import UNFINISHED, FaultCount, encode, write
from replays.store import moment_saved, saved_at, words_of


@dataclass(frozen=True)
class ReviewRequest:
    """What to make besides the review itself."""

    rollouts: int = 0
    proof: Path | None = None  # folders
    suite: Path | None = None


def review_game(
    playback: Playback, seat: int, file: str, reference: ReferenceBeam | None, request: ReviewRequest, on_turn: OnTurn
) -> Review:
    """Review the deaths, then every move if there is a reference: it counts boxes, so only where boxes rank."""
    deaths = deaths_of(playback, seat)
    if playback.replay.start.ends == SURVIVAL:
        reference = None
    regrets = Regrets() if reference is None else regrets_of(playback, seat, reference, on_turn)
    found = review_of(playback, seat, file, deaths, regrets)
    if (lost := lost_way_out(playback, seat)) is not None:
        found.mistakes = [lost, *(mistake for mistake in found.mistakes if mistake.turn < lost.turn)]
    found.mistakes = [*fault_mistakes(found), *found.mistakes]
    found.verdict = verdict_of(found)
    if request.proof is not None:
        write_proofs(playback, found, request.proof)
    if request.rollouts:
        add_chances(playback, found, request.rollouts)
    if request.suite is not None:
        from hsctl.analysis.suite import write_suite

        write_suite(playback, found, request.suite, f"{name_of(file, playback)}-player{seat}")
    return found


def review_of(playback: Playback, seat: int, file: str, deaths: list[ReviewedDeath], regrets: Regrets) -> Review:
    """Everything in one document but the verdict."""
    result, deeds = playback.replay.result, deeds_of(playback, seat)
    lost = [death for death in deaths if death.last_turn is not None]
    doomed = {turn for death in lost for turn in range(death.last_turn or 0, death.turn + 1)}
    costly = [regret for regret in regrets.mistakes if regret.turn not in doomed]
    return Review(
        FORMAT,
        VERSION,
        file=file,
        seed=playback.seed,
        player=seat,
        name=playback.specs[seat],
        names=playback.specs,
        rank=result.ranks[seat],
        firsts=result.ranks.count(1),
        boxes=result.boxes,
        turns=len(playback.replay.turns),
        verdict="",
        mistakes=mistakes_of_deaths(deaths) + value_mistakes(costly, regrets.horizon),
        deaths=deaths,
        agent=regrets.agent,
        nodes=regrets.nodes,
        noise=regrets.noise,
        threshold=regrets.threshold,
        values=regrets.values,
        doubtful=[doubt_of(regret) for regret in regrets.doubtful if regret.turn not in doomed],
        first_turn=playback.first_turn,
        death_turns=playback.game_at(playback.end_turn).death_turns,
        habits=habits_of(playback, seat),
        ends=playback.replay.start.ends,
        is_finished=playback.is_finished,
        is_drawn=is_drawn(playback, seat),
        moves=deeds.moves,
        bombs=deeds.bombs,
        faults=[describe_count(name, fault) for name, fault in deeds.faults.items()],
        is_dead_from_start=is_dead_from_start(playback, seat),
        silent_faults=deeds.faults,
        saved=moment_saved(Path(file)).isoformat(timespec="minutes") if saved_at(Path(file)) else None,
    )


def is_drawn(playback: Playback, seat: int) -> bool:
    """Whether a player shares the first place with an opponent."""
    ranks, side = playback.replay.result.ranks, (seat, *mates_of(playback.game_at(playback.first_turn), seat))
    return ranks[seat] == 1 and any(rank == 1 for at, rank in enumerate(ranks) if at not in side)


def default_seat(playback: Playback) -> int:
    """The player to review if none is named: the owner of the record (on the arena, the code in the editor), the only
    bot with output of its own, or the last of the bots, or of all players. Never one that is dead from the start."""
    players = [seat for seat in range(playback.seats) if not is_dead_from_start(playback, seat)]
    if playback.own_seat in players:
        return playback.own_seat
    bots = [seat for seat in players if not playback.replay.players[seat].is_agent]
    talking = [
        seat for seat in bots if any((move := turn.moves[seat]) and move.stderr for turn in playback.replay.turns)
    ]
    ranks = playback.replay.result.ranks
    if len(talking) == 1:
        return talking[0]
    return max(bots or players, key=lambda seat: (ranks[seat], -seat))


def is_dead_from_start(playback: Playback, seat: int) -> bool:
    """Whether the record begins after a player's death."""
    return playback.game_at(playback.first_turn).death_rounds[seat] is not None


def write_proofs(playback: Playback, found: Review, folder: Path) -> None:
    """A replay for each death that could be survived."""
    for death in found.deaths:
        if death.last_turn is not None:
            line = [ACTION_NAMES.index(name) for name in death.line]
            replay = proof_of(playback, found.player, death.last_turn, line, death.turn, __version__)
            name = f"{name_of(found.file, playback)}-player{found.player}-lives-from-turn{death.last_turn}.json"
            write(folder / name, replay)
            death.proof = str(folder / name)


def name_of(file: str, playback: Playback) -> str:
    """A readable name for files about a game; no two games share it, whatever their files are called."""
    digest = blake2b(encode(playback.replay), digest_size=6).hexdigest()
    return f"{words_of(Path(file).stem) or 'game'}-{digest}"


# Faults of answers

OFTEN = 0.1  # of the turns that a player lived: a fault on more of them is named first
OFTEN_AT_LEAST = 5
FAULT_CAUSES = {
    AHEAD: "out of step",
    NO_EFFECT: "blocked moves",
    OFF_BOARD: "targets off the board",
    NO_BOMB: "ignored bombs",
}
FAULT_WORDS = {  # of a death
    AHEAD: "by an answer to an earlier turn",
    NO_EFFECT: "because its move was blocked",
    OFF_BOARD: "because its target was off the board",
}
FAULT_FIXES = {
    AHEAD: "one line per turn",
    NO_EFFECT: "a move that leads somewhere",
    OFF_BOARD: "a target on the board",
    NO_BOMB: "BOMB with a bomb left, off other bombs",
}


def leading_faults(review: Review) -> dict[str, FaultCount]:
    """The faults that come before anything else, because the player did not play what it meant to: being out of step,
    which leads to all others; else those that made a death certain, and frequent ones."""
    if review.rank == 1:
        return {}
    if AHEAD in review.silent_faults:
        return {AHEAD: review.silent_faults[AHEAD]}
    linked = {death.fault for death in review.deaths}
    often = max(OFTEN_AT_LEAST, OFTEN * turns_lived(review))
    return {
        name: fault
        for name, fault in review.silent_faults.items()
        if name in linked or (name in PLAYED_DIFFERENTLY and fault.count >= often)
    }


def fault_mistakes(review: Review) -> list[Mistake]:
    """The leading faults, each with the first turn that shows it."""
    return [
        Mistake(fault.first_turn, FAULT, fault.line, FAULT_FIXES[name], None, describe_count(name, fault))
        for name, fault in leading_faults(review).items()
    ]


def describe_count(name: str, fault: FaultCount) -> str:
    if name == AHEAD:
        late = "it printed more than one line for a turn, so its answers came late"
        return f"out of step from turn {fault.first_turn} on: {late}"
    return describe_fault(name, fault.count, f"turn {fault.first_turn}", fault.line)


# The verdict

NAMED = 3  # mistakes, and safe moves, that a verdict names
PLACES = ("first", "second", "third", "fourth")
LONG = 20  # turns: a player that lives so long has had time to do something
SELDOM = 0.05  # of these turns: a player that moves on fewer is called idle
DEAD = "dead from the start"
NUMBERS = ("no", "one", "two", "three", "four")  # of players


def verdict_of(review: Review) -> str:
    """What happened, in a sentence."""
    leading = leading_faults(review)
    in_step = leading[AHEAD].first_turn if AHEAD in leading else review.first_turn + review.turns
    costly = [mistake for mistake in review.mistakes if mistake.kind == VALUE and mistake.turn < in_step][:NAMED]
    parts = [describe_count(name, fault) for name, fault in leading.items()]
    parts += [DEAD] if review.is_dead_from_start else describe_idleness(review)
    if costly:
        turns = join_turns(sorted(mistake.turn for mistake in costly))
        cost = round(sum(mistake.cost or 0.0 for mistake in costly))
        parts.append(f"{turns} cost about {count_boxes(cost)}")
    parts += [describe_death(death) for death in review.deaths]
    lost = [] if review.deaths else [mistake for mistake in review.mistakes if mistake.kind == DEATH]
    parts += [f"no way out after turn {each.turn} ({each.played}; safe: {list_moves(each.safe)})" for each in lost]
    if review.rank > 1 and not review.deaths and not review.mistakes:
        others = [name for name in review.silent_faults if name not in leading]
        parts += [describe_count(name, review.silent_faults[name]) for name in others]
    if not parts and review.agent is not None:
        parts.append(describe_doubts(review))
    return ": ".join(filter(None, [describe_result(review), "; ".join(parts)]))


def describe_idleness(review: Review) -> list[str]:
    """What needs no search: a player that did not come first hardly moved, or dropped no bomb."""
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


def describe_doubts(review: Review) -> str:
    """That no single move cost much, and which moves may have cost a little each."""
    alone = f"no move alone cost more than {count_boxes(round(review.threshold, 1))}"
    doubts = review.doubtful[:NAMED]
    if review.rank == 1 or not doubts:
        return alone
    turns = join_turns(sorted(doubt.turn for doubt in doubts))
    return f"{alone}, {turns} perhaps {count_boxes(round(sum(doubt.cost for doubt in doubts), 1))} together"


def describe_result(review: Review) -> str:
    """The player's place, with its boxes and those of the best opponent."""
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


def describe_death(death: ReviewedDeath) -> str:
    if death.cause == ERROR:
        return f"on turn {death.turn} {death.why}"
    end = f"dead on turn {death.turn}{' (and first all the same)' if death.is_won else ''}"
    if death.last_turn is None:
        return f"{end}: {WORDS[death.cause]}"
    words = WORDS[death.cause] + (f" by player {death.rival}" if death.cause == TRAPPED else "")
    because = f", {FAULT_WORDS[death.fault]}" if death.fault else ""
    return f"on turn {death.last_turn} {words}{because} ({death.played}; safe: {list_moves(death.safe)}), {end}"


def list_moves(moves: list[str]) -> str:
    return ", ".join([*moves[:NAMED], *(["..."] if len(moves) > NAMED else [])])


def join_turns(turns: list[int]) -> str:
    """`turn 3`, `turns 3 and 7`, `turns 3, 7 and 9`."""
    head = ", ".join(map(str, turns[:-1]))
    return f"turns {head} and {turns[-1]}" if head else f"turn {turns[0]}"


# Folders

WON, DRAWN = "won", "drawn"
IDLE, COSTLY, OUTPLAYED, LIVED = "dropped no bomb", "costly moves", "no mistake found", "not by a death"
NOT_LOST = (UNFINISHED, DRAWN, WON)
WORST = 3  # games that are named for a cause


def review_files(
    paths: Iterable[Path],
    player: str,
    reference: ReferenceBeam | None,
    request: ReviewRequest,
    on_file: Callable[[float], None],
    announce: Callable[[str], None],
) -> list[Review]:
    """Review every game of the players that fit; `announce` gets notes about files, and why one holds no game."""
    reviews = []
    for path, playback in open_games(paths, announce, lambda: on_file(1)):
        for seat in fitting_seats(player, playback.specs):
            reviews.append(review_game(playback, seat, str(path), reference, request, lambda _: None))
    return reviews


def folder_of(reviews: Sequence[Review], player: str) -> FolderReview:
    """The games of a folder with the causes of losses; the most frequent first, then the games that were not lost."""
    names = dict.fromkeys(map(cause_of_loss, reviews))
    causes = [count_cause(name, reviews) for name in names]
    causes.sort(key=lambda cause: (cause.cause in NOT_LOST, -cause.games, cause.cause))
    return FolderReview(player, len(reviews), count_deaths(reviews), causes, list(reviews))


def cause_of_loss(review: Review) -> str:
    """Why a game was lost: a fault that decided it, then a death, errors by their kind."""
    if not review.is_finished and not review.deaths and not review.is_dead_from_start:
        return UNFINISHED
    if review.rank == 1:
        return DRAWN if review.is_drawn else WON
    if review.is_dead_from_start:
        return DEAD
    if review.deaths:
        death = review.deaths[0]
        if death.fault:
            return FAULT_CAUSES[death.fault]
        return f"{death.cause}: {death.failure}" if death.failure else death.cause
    if leading := leading_faults(review):
        return FAULT_CAUSES[next(iter(leading))]
    if not review.bombs and turns_lived(review) >= LONG:
        return IDLE
    return COSTLY if review.mistakes else LIVED if review.agent is None else OUTPLAYED


def count_cause(name: str, reviews: Sequence[Review]) -> CauseCount:
    """Games of one board are no more independent here than in a series."""
    from hsctl.league.intervals import share_of_games

    boards = [review.file if review.seed is None else review.seed for review in reviews]
    numbers = {board: number for number, board in enumerate(dict.fromkeys(boards))}
    share = share_of_games([cause_of_loss(each) == name for each in reviews], [numbers[board] for board in boards])
    assert share is not None
    found = sorted((review for review in reviews if cause_of_loss(review) == name), key=badness)
    interval = [round(share.interval.low, 4), round(share.interval.high, 4)]
    return CauseCount(name, len(found), interval, [place_of(review) for review in found[:WORST]])


def badness(review: Review) -> tuple[float, float]:
    """Last places first, then early deaths, or the cost of all mistakes."""
    early = min((death.turn for death in review.deaths), default=0)
    return -review.rank, early - sum(mistake.cost or 0.0 for mistake in review.mistakes)


def place_of(review: Review) -> str:
    """The file and the turn of its largest mistake."""
    turn = review.mistakes[0].turn if review.mistakes else review.deaths[0].turn if review.deaths else None
    return review.file + ("" if turn is None else f"@{turn}")


def count_deaths(reviews: Sequence[Review]) -> DeathCount:
    died = [death for review in reviews for death in review.deaths]
    faults = sum(len(costly_deaths(review)) for review in reviews)
    return DeathCount(len(died), sum(death.is_won for death in died), sum(death.is_avoidable for death in died), faults)


def costly_deaths(review: Review) -> list[ReviewedDeath]:
    """The avoidable deaths that cost the first place."""
    return [death for death in review.deaths if death.is_avoidable and not death.is_won]
