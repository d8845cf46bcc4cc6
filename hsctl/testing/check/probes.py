"""Protocol, robustness and limits: what a bot is sent, and what its answers show."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from engine.board import MOVES
from engine.game import Game
from engine.notation import Order, format_position
from engine.position import Item, Player, boxes_on
from hsctl.files import read_text
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.bots.process import is_portable
from hsctl.shell import join_words, parse_command
from hsctl.testing.check.session import (
    FAIL,
    PASS,
    SEED,
    WARN,
    BotSession,
    Check,
    CheckedBot,
    CheckLine,
    CheckScenario,
    Deliver,
    Verdict,
    alone,
    contents,
    corner_player,
    crowded,
    distance,
    failure_line,
    far_reaching,
    line_of,
    play,
    play_short,
    seats_of,
    talking,
    tell,
    whole_game,
    with_dead,
)
from replays.faults import AHEAD, LOWER_CASE, NO_BOMB, NO_EFFECT, OFF_BOARD, describe_fault

# Protocol: every kind of input that a bot may meet is answered with one line, and the line means what it says.


WAIT_S = 1.0  # for an answer that must not come
STARTS = 3  # times its first answer took, for the first
NEAR_CELLS = 2  # a target around the player's own place


def protocol_checks() -> list[Check]:
    met = [
        Check("protocol", name, answers_scenarios(name, make))
        for name, make in (
            ("2 players", lambda: seats_of(2)),
            ("3 players", lambda: seats_of(3)),
            ("4 players", lambda: seats_of(4)),
            ("dead players missing", with_dead),
            ("many bombs and items", crowded),
            ("ranges above 10", far_reaching),
            ("items and boxes of every kind", contents),
            ("nobody else left", alone),
            ("a whole game", lambda: iter([whole_game()])),
        )
    ]
    heard = [Check("protocol", name, listens) for name, listens in LISTENING.items()]
    faults = [Check("protocol", name, counts(name, *rest)) for name, rest in FAULTS.items()]
    return met + heard + faults + [Check("protocol", "orders that can be survived", survives)]


# What it may meet


def answers_scenarios(name: str, make: Callable[[], Iterator[CheckScenario]]) -> Callable[[CheckedBot], CheckLine]:
    def run(subject: CheckedBot) -> CheckLine:
        turns = 0
        for scenario in make():
            with talking(subject.command, scenario.name, scenario.seat) as talk:
                session = play(
                    talk, scenario.game, scenario.turns, scenario.opponent, is_kept_alive=scenario.is_kept_alive
                )
            subject.sessions.append(session)
            turns += len(session.exchanges)
            if session.failure is not None:
                line = failure_line(name, FAIL, session)
                line.evidence += tell_saved(session)
                return line
        if scenario.is_kept_alive and turns < scenario.turns:
            seen = f"only {turns} of {scenario.turns} turns seen: it died on turn {turns - 1}"
            return CheckLine(name, WARN, seen, "Let it live longer, and check it again.")
        return CheckLine(name, PASS, f"{turns} turns answered{tell_saved(session)}")

    return run


def tell_saved(session: BotSession) -> str:
    """That the bot was kept alive, which the arena doesn't do."""
    if not session.saved:
        return ""
    first, *others = session.saved
    more = f" and {len(others)} more" if others else ""
    return f" (kept alive: its order on turn {first}{more} meant death, another move was made)"


# Whether it listens


def first_orders(subject: CheckedBot, seats: Sequence[int], text: str) -> list[Order | None]:
    """What fresh processes answer to one position from these seats."""
    sessions = [tell(subject.command, f"seat {seat}", seat, [text]) for seat in seats]
    return [session.exchanges[0].order for session in sessions]


def knows_seat(subject: CheckedBot) -> CheckLine:
    """Four seats with one position: a bot whose answers are all equal and near player 0 takes itself for player 0."""
    name, corner = "its own seat", corner_player(0).cell
    for seed in (SEED, SEED + 1):
        text = format_position(Game.start(seed, 4))
        orders = [order and order[:3] for order in first_orders(subject, range(4), text)]
        first = orders[0]
        if first is None or orders.count(first) < len(orders) or distance(first[1:], corner) > NEAR_CELLS:
            return CheckLine(name, PASS, "answers differ from seat to seat")
    session = tell(subject.command, "seat 3", 3, [text])
    evidence = f"the answers from seats 0 to 3 are all {session.received}, next to player 0"
    return line_of(name, FAIL, session, evidence, "Read your id: the third number of the first line.")


def hears_newest(subject: CheckedBot) -> CheckLine:
    """Two positions in turn: a bot that answers each as the other one asks is a turn behind."""
    name, start = "the newest input", Game.start(SEED + 2, 2)
    for place in ((1, 0), (0, 1)):
        texts = [format_position(start), format_position(moved(start, place))]
        inputs = texts * 3
        one = tell(subject.command, "two positions in turn", 0, inputs)
        other = tell(subject.command, "two positions in turn", 0, inputs[1:] + texts[:1])
        for session in (one, other):
            if session.failure is not None:
                return failure_line(name, FAIL, session)
        if one.exchanges[0].order != other.exchanges[0].order:
            return judge_lag(name, one, other)
    return CheckLine(name, PASS, "it answers alike in different places: nothing to compare")


def judge_lag(name: str, one: BotSession, other: BotSession) -> CheckLine:
    """`other` was sent the same from the second position on."""
    own, theirs = (session.exchanges[0].order for session in (one, other))
    late = [theirs if turn % 2 == 0 else own for turn in range(1, len(one.exchanges))]
    answers = [exchange.order for exchange in one.exchanges[1:]]
    if answers == late:
        evidence = "each answer is the one to the turn before: two positions in turn, and the answers are swapped"
        return line_of(name, FAIL, one, evidence, "Read the whole turn before you answer, and decide by that.", 1)
    return CheckLine(name, PASS, "an answer follows its own input")


def moved(game: Game, place: tuple[int, int]) -> Game:
    """The same position with player 0 on another cell."""
    own, *others = game.players()
    player = Player(own.id, *place, *own[3:])
    return Game.build(boxes_on(game.state, game.map), [player, *others], seats=game.seats)


def reads_all(subject: CheckedBot) -> CheckLine:
    """The last line of an input is held back: a bot that answers before it came doesn't read it."""
    name = "all of its input"
    own, other = corner_player(0), corner_player(1)
    items = [Item(2, 0, 1), Item(0, 2, 2), Item(6, 6, 1)]
    game = Game.build({(4, 0): 0, (0, 4): 1, (8, 8): 2}, [own, other], [], items, seats=2)
    early: list[bool] = []
    with talking(subject.command, "the last line held back", 0) as talk:
        for wait_s in (max(WAIT_S, STARTS * subject.first_s), WAIT_S):
            talk.ask(format_position(game), partial(hold_back, wait_s=wait_s, is_early=early))
            if any(early):
                evidence = "an answer came before the last line of its input was sent"
                advice = "Read as many lines as the number of entities says, of all kinds."
                return line_of(name, FAIL, talk.session, evidence, advice)
            if talk.session.failure is not None:
                return failure_line(name, FAIL, talk.session)
    return CheckLine(name, PASS, "no answer came before the last line was sent")


def hold_back(bot: Bot, text: str, wait_s: float, is_early: list[bool]) -> str:
    """Send all but the last line; note whether an answer came then."""
    lines = text.splitlines(keepends=True)
    was_there = bot.has_line()
    bot.send("".join(lines[:-1]))
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline and not bot.has_line():
        time.sleep(0.01)
    is_early.append(bot.has_line() and not was_there)
    return lines[-1]


LISTENING: dict[str, Callable[[CheckedBot], CheckLine]] = {
    "its own seat": knows_seat,
    "the newest input": hears_newest,
    "all of its input": reads_all,
}

# Whether it means what it says

FAULTS: dict[str, tuple[str, Verdict, str, str]] = {
    "one line a turn": (AHEAD, FAIL, "no line came before its turn", "Print one line a turn, debug output on stderr."),
    "orders in capitals": (LOWER_CASE, WARN, "all of them", "Write MOVE and BOMB in capitals."),
    "targets on the board": (OFF_BOARD, WARN, "all of them", "x is 0 to 12, y is 0 to 10; x comes first."),
    "bombs that it has": (NO_BOMB, WARN, "none dropped without one", "Its entity says how many are left; one a cell."),
    "moves with effect": (NO_EFFECT, WARN, "all of them", "Boxes, bombs and walls block; stay by naming the own cell."),
}


def counts(name: str, fault: str, verdict: Verdict, fine: str, advice: str) -> Callable[[CheckedBot], CheckLine]:
    """A silent fault, over all games so far."""

    def run(subject: CheckedBot) -> CheckLine:
        found = [session for session in subject.sessions if session.first_fault(fault) is not None]
        if not found:
            return CheckLine(name, PASS, fine)
        turn = found[0].first_fault(fault)
        assert turn is not None
        count = sum(fault in exchange.faults for session in found for exchange in session.exchanges)
        where = f"turn {turn} of {found[0].name}"
        evidence = describe_fault(fault, count, where, found[0].exchanges[turn].answer.line or "")
        return line_of(name, verdict, found[0], evidence, advice, turn)

    return run


def survives(subject: CheckedBot) -> CheckLine:
    """Orders that nothing could save from the known bombs, whatever the others did, though another move could."""
    name = "orders that can be survived"
    found = [session for session in subject.sessions if session.fatal]
    if not found:
        return CheckLine(name, PASS, "all of them")
    (turn, instead), *_ = found[0].fatal.items()
    count = sum(len(session.fatal) for session in found)
    orders = "1 order" if count == 1 else f"{count} orders"
    line = found[0].exchanges[turn].answer.line
    better = f"`{MOVES[instead]}` would have been survived"
    evidence = f"{orders} meant certain death, first turn {turn} of {found[0].name}: {line!r}; {better}"
    advice = "Leave out moves after which no way leads out of the known blasts; `hsctl review` shows them in games."
    return line_of(name, WARN, found[0], evidence, advice, turn)


# Robustness: input in pieces, slow readers, pauses, little memory, no stderr; and whether it plays the same again.


# The arena's limits: the size of the source, and one core.


MOST_CHARACTERS = 100_000
NEAR_LIMIT = 0.95
BEYOND = 1.15  # CPU time above the time of the turns: more than one core
FEWEST_S = 0.2  # of turns: less says nothing at the precision of CPU times


def limit_checks(has_source: bool) -> list[Check]:
    runs: dict[str, Callable[[CheckedBot], CheckLine]] = {"one core is enough": check_threads}
    if has_source:
        runs = {"size of the source": check_source, **runs}
    return [Check("limits", name, run) for name, run in runs.items()]


def check_source(subject: CheckedBot) -> CheckLine:
    assert subject.source is not None
    size = len(read_text(subject.source, "the bot's source"))
    said = f"{size:,} of {MOST_CHARACTERS:,} characters"
    name, figures = "size of the source", {"characters": float(size)}
    if size > MOST_CHARACTERS:
        return CheckLine(name, FAIL, said, "Shorten it: strip comments, pack tables.", figures=figures)
    if size > NEAR_LIMIT * MOST_CHARACTERS:
        return CheckLine(name, WARN, said, "There is little room left.", figures=figures)
    return CheckLine(name, PASS, said, figures=figures)


def check_threads(subject: CheckedBot) -> CheckLine:
    """Threads are no fault, but work in them is: the arena has one core for all."""
    name = "one core is enough"
    session = subject.session("a whole game") or play_short(subject.command, TURNS)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    later = session.exchanges[1:]
    threads = max((exchange.held.threads for exchange in session.exchanges), default=0)
    wall = sum(exchange.answer.wall_s for exchange in later)
    cpu = sum(exchange.answer.cpu_s or 0.0 for exchange in later)
    figures = {"threads": float(threads), "wall_s": round(wall, 3), "cpu_s": round(cpu, 3)}
    count = "1 thread" if threads == 1 else f"{threads} threads"
    if cpu > FEWEST_S and cpu > BEYOND * wall:
        said = f"{count}, and {cpu / wall:.1f} times as much CPU time as its turns lasted"
        advice = "In the arena all threads share one core, and nobody thinks on others' time."
        return CheckLine(name, WARN, said, advice, figures=figures)
    return CheckLine(name, PASS, f"{count}, no more CPU time than its turns lasted", figures=figures)


MEMORY_MB = 768  # the arena's
TURNS = 8
PIECES, PAUSE_S = 3, 0.01
LATE_S = 0.15  # until an answer is fetched
REPEATED = 60  # turns
MUCH_STDERR = 4096  # bytes a turn: as much as is kept of it
DISCARDED_STDERR = 'exec "$@" 2>/dev/null'  # closed, it would break Python's input(), and the arena doesn't close it


def robustness_checks() -> list[Check]:
    runs: dict[str, Callable[[CheckedBot], CheckLine]] = {
        "input in pieces": answers_short_game("input in pieces", in_pieces),
        "a slow reader": answers_short_game("a slow reader", fetched_late),
        "CRLF": answers_short_game("CRLF", with_crlf, verdict=WARN, advice="Cut `\\r` off every line that is read."),
        "stopped between turns": check_pauses,
        "768 MB of memory": check_memory,
        "stderr thrown away": check_discarded_stderr,
        "stderr all the game": check_stderr,
        "the same answers again": check_repeated,
    }
    return [Check("robustness", name, run) for name, run in runs.items()]


# How the input comes


def in_pieces(bot: Bot, text: str) -> str:
    """Parts that end in the middle of lines."""
    size = len(text) // PIECES + 1
    for at in range(0, len(text) - size, size):
        bot.send(text[at : at + size])
        time.sleep(PAUSE_S)
    return text[(len(text) - 1) // size * size :]


def fetched_late(bot: Bot, text: str) -> str:
    """Nobody looks for the answer before some time has passed."""
    bot.send(text)
    time.sleep(LATE_S)
    return ""


def with_crlf(bot: Bot, text: str) -> str:
    return text.replace("\n", "\r\n")


def answers_short_game(
    name: str,
    deliver: Deliver | None = None,
    bot_limits: BotLimits = ORDINARY,
    verdict: Verdict = FAIL,
    advice: str = "",
) -> Callable[[CheckedBot], CheckLine]:
    def run(subject: CheckedBot) -> CheckLine:
        session = play_short(subject.command, TURNS, deliver, bot_limits)
        if session.failure is not None:
            return failure_line(name, verdict, session, advice)
        return CheckLine(name, PASS, f"{len(session.exchanges)} turns answered")

    return run


# What it has and leaves


def unchecked(name: str) -> CheckLine:
    return CheckLine(name, WARN, "not checked: this system has no guardian for bots", "Check it on Linux.")


def check_pauses(subject: CheckedBot) -> CheckLine:
    name = "stopped between turns"
    return (
        unchecked(name)
        if is_portable(ORDINARY)
        else answers_short_game(name, bot_limits=BotLimits(is_paused=True))(subject)
    )


def check_memory(subject: CheckedBot) -> CheckLine:
    """The limit of the arena, for half a game."""
    name = "768 MB of memory"
    if is_portable(ORDINARY):
        return unchecked(name)
    session = play_short(subject.command, 2 * TURNS, bot_limits=BotLimits(memory_mb=MEMORY_MB))
    held = max((exchange.held.memory_mb for exchange in session.exchanges), default=0.0)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    line = CheckLine(name, PASS, f"{held:.0f} MB at most", figures={"memory_mb": round(held, 1)})
    if held > 0.9 * MEMORY_MB:
        line.verdict, line.advice = WARN, "Leave a reserve: what is over the limit is killed."
    return line


def check_discarded_stderr(subject: CheckedBot) -> CheckLine:
    """Debug output must not be what a bot depends on: the arena keeps that of the code in the editor alone."""
    name = "stderr thrown away"
    if shutil.which("sh") is None:
        return CheckLine(name, WARN, "not checked: this system has no sh", "Check it on Linux.")
    command = join_words(["sh", "-c", DISCARDED_STDERR, "sh", *parse_command(subject.command)])
    session = play_short(command, TURNS)
    if session.failure is not None:
        return failure_line(name, WARN, session, "Don't depend on stderr: it need not be a pipe or a terminal.")
    return CheckLine(name, PASS, f"{len(session.exchanges)} turns answered")


def check_stderr(subject: CheckedBot) -> CheckLine:
    """How much it writes: much output costs time on every turn."""
    name = "stderr all the game"
    session = subject.session("a whole game") or play_short(subject.command, TURNS)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    sizes = [len(exchange.answer.stderr) for exchange in session.exchanges]
    figures = {"turns": float(len(sizes)), "most_bytes": float(max(sizes, default=0))}
    if max(sizes, default=0) >= MUCH_STDERR:
        turn = sizes.index(max(sizes))
        said = f"{MUCH_STDERR} bytes or more on a turn (turn {turn})"
        return CheckLine(name, WARN, said, "Write less: it costs time, and the arena cuts it off.", figures=figures)
    return CheckLine(name, PASS, f"{len(sizes)} turns, {max(sizes, default=0)} bytes a turn at most", figures=figures)


# Again


def check_repeated(subject: CheckedBot) -> CheckLine:
    """The inputs of a game once more: a bot that then does something else can't be debugged by replay."""
    name = "the same answers again"
    first = subject.session("a whole game") or play_short(subject.command, 2 * TURNS)
    if first.failure is not None:
        return failure_line(name, FAIL, first)
    with talking(subject.command, "the same inputs again", first.seat) as talk:
        for turn, exchange in enumerate(first.exchanges[:REPEATED]):
            talk.ask(exchange.sent.partition("\n")[2] if turn == 0 else exchange.sent)
            again = talk.session
            if again.failure is not None:
                return failure_line(name, FAIL, again)
            if again.exchanges[turn].order != exchange.order:
                was, is_now = (each.answer.line for each in (exchange, again.exchanges[turn]))
                said = f"turn {turn} of the same inputs: first {was!r}, then {is_now!r}"
                advice = "Fix the seed, and for debugging limit the search by its work and not by the clock."
                return line_of(name, WARN, again, said, advice, turn)
    return CheckLine(name, PASS, f"{len(again.exchanges)} turns alike")
