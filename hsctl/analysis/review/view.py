"""A review on one screen, a folder as a table of causes, and the game to step through with its mistakes marked."""

from rich.console import Group, RenderableType
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.analysis.review.deaths import decisive_turn, is_held_against
from hsctl.analysis.review.document import FAULT, Chance, FolderReview, Mistake, Review, ReviewedDeath
from hsctl.analysis.review.run import DEAD, NOT_LOST, costly_deaths
from hsctl.report.tables import new_table
from hsctl.shell import join_words
from replays.playback import Playback
from replays.record import Better
from replays.render.board import PLAYERS, seat_mark
from replays.text import clean, counted

SHOWN = 8  # mistakes
DOUBTS_SHOWN = 4
MOST_FAULTS = 20  # avoidable deaths that are listed
STRIP = 64  # columns
DOOMED = -20.0  # boxes; lower values mean death, not boxes
BARS = "▁▂▃▄▅▆▇█"
QUIET = "#7f7f7f"


def review_view(review: Review) -> RenderableType:
    parts: list[RenderableType] = [*header(review), Text(clean(review.verdict), "bold")]
    if review.mistakes:
        parts += [Text(""), mistake_table(review.mistakes[:SHOWN]), *more_line(len(review.mistakes) - SHOWN)]
    parts += [Text(clean(line)) for death in review.deaths for line in death_lines(death)]
    if review.agent is not None:
        caption = "value of the position for each player, in boxes, by turn († death, ! mistake):"
        parts += [Text(""), Text(caption, QUIET), *strip_of(review), Text("")]
        parts += [Text(line, QUIET) for line in (describe_effort(review), *doubtful_lines(review))]
    return Group(*parts, *(Text(clean(line), QUIET) for line in habit_lines(review)))


def header(review: Review) -> list[Text]:
    """Which game it is: file, date, seed, turns and players."""
    last = review.first_turn + review.turns - 1
    seed = "" if review.seed is None else f", seed {review.seed}"
    date = "" if review.saved is None else f", {review.saved.replace('T', ' ')}"
    turns = f"turns {review.first_turn} to {last}" if review.first_turn else counted(review.turns, "turn")
    players = Text(" against ").join(Text.assemble(seat_mark(at), " ", clean(name)) for at, name in in_focus(review))
    return [Text(clean(f"{review.file or 'game'}{date}{seed}, {turns}"), QUIET), players]


def in_focus(review: Review) -> list[tuple[int, str]]:
    """The players, the reviewed one first."""
    return sorted(enumerate(review.names), key=lambda player: (player[0] != review.player, player[0]))


def mistake_table(mistakes: list[Mistake]) -> RenderableType:
    table = new_table()
    for title, justify in (
        ("turn", "right"),
        ("played", "left"),
        ("better", "left"),
        ("cost", "right"),
        ("why", "left"),
    ):
        table.add_column(title, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for mistake in mistakes:
        cost = "" if mistake.kind == FAULT else "the game" if mistake.cost is None else f"{mistake.cost:.1f} boxes"
        why = mistake.why + again(mistake) + chances(mistake)
        table.add_row(str(mistake.turn), mistake.played, mistake.better, cost, clean(why))
    return table


def again(mistake: Mistake) -> str:
    return f"; the same again on {len(mistake.repeats)} turns, up to {max(mistake.repeats)}" if mistake.repeats else ""


def chances(mistake: Mistake) -> str:
    """How many games from both moves were won, if they were played."""
    if mistake.chance_better is None or mistake.chance_played is None:
        return ""
    better, played = map(describe_chance, (mistake.chance_better, mistake.chance_played))
    return f"; {mistake.better} wins {better}, {mistake.played} {played}"


def describe_chance(chance: Chance) -> str:
    """With its interval, unless all games were the same."""
    share, distinct = f"{100 * chance.wins / chance.games:.0f} %", ""
    if chance.distinct == 1 < chance.games:
        return f"{share} (all {chance.games} games were the same game)"
    if chance.distinct < chance.games:
        distinct = f", {chance.distinct} distinct games of {chance.games}"
    return f"{share} ({100 * chance.low:.0f}–{100 * chance.high:.0f}{distinct})"


def more_line(count: int) -> list[Text]:
    return [Text(f"and {count} more", QUIET)] if count > 0 else []


def death_lines(death: ReviewedDeath) -> list[str]:
    """What could be done about a death, and what the player could know."""
    if death.last_turn is None:
        lines = [f"death on turn {death.turn}: {death.why}"]
    else:
        safe = ", ".join(death.safe)
        lines = [f"death on turn {death.turn}: given what the others did, safe on turn {death.last_turn}: {safe}"]
    if death.open_moves:
        lines.append(
            f"  the known bombs alone made {death.played} hopeless, but not {', '.join(death.open_moves)}: avoidable"
        )
    if death.held_turn is not None:
        rounds = counted(death.held_rounds, "round")
        moves = ", ".join(death.held)
        held = f"on turn {death.held_turn} {moves} held for {rounds} against any answer of any one opponent"
        fault = f"avoidable: {held}; {death.held_played} was played"
        lines.append(f"  {fault if is_held_against(death) else f'{held}, and one of them was played'}")
    if death.trap:
        moves = ", ".join(f"{turn} {action}" for turn, action in death.trap)
        lines.append(f"  player {death.rival} did: {moves}")
    return lines


def strip_of(review: Review) -> list[Text]:
    """The value of every player by turn, deaths marked, and below it the mistakes."""
    columns = min(STRIP, max(1, review.turns))
    known = [value for values in review.values for value in values if value is not None]
    low, high = min((value for value in known if value > DOOMED), default=0.0), max(known, default=1.0)
    lines = []
    for seat, values in enumerate(review.values):
        bars = "".join(bar(values[turn_at(column, columns, review.turns)], low, high) for column in range(columns))
        died = review.death_turns[seat]
        if died is not None:
            at = column_of(died - review.first_turn, columns, review.turns)
            bars = bars[:at] + "†" + bars[at + 1 :]
        lines.append(Text.assemble(seat_mark(seat), " ", (bars, PLAYERS[seat].style)))
    marks = [" "] * columns
    for mistake in review.mistakes:
        marks[column_of(mistake.turn - review.first_turn, columns, review.turns)] = "!"
    return [*lines, Text.assemble("    ", ("".join(marks), "bold")), Text(f"    {ruler(review, columns)}", QUIET)]


def turn_at(column: int, columns: int, turns: int) -> int:
    return min(turns - 1, column * turns // columns)


def column_of(turn: int, columns: int, turns: int) -> int:
    return min(columns - 1, turn * columns // max(1, turns))


def bar(value: float | None, low: float, high: float) -> str:
    if value is None:
        return " "
    return BARS[max(0, round((value - low) / max(1e-9, high - low) * (len(BARS) - 1)))]


def ruler(review: Review, columns: int) -> str:
    """The first and the last turn below their columns."""
    first, last = str(review.first_turn), str(review.first_turn + review.turns - 1)
    return first + last.rjust(max(len(last) + 1, columns - len(first)))


def describe_effort(review: Review) -> str:
    return (
        f"{review.agent} judged each position with {review.nodes:,} nodes. A second search differed by up to "
        f"{review.noise:.1f} boxes, so only moves that cost more than {review.threshold:.1f} boxes count as mistakes."
    )


def doubtful_lines(review: Review) -> list[str]:
    """The largest doubts, in a line."""
    if not review.doubtful:
        return []
    shown = [
        f"{doubt.turn} {doubt.better} for {doubt.played} ({doubt.cost:.1f})" for doubt in review.doubtful[:DOUBTS_SHOWN]
    ]
    more = " ..." if len(review.doubtful) > DOUBTS_SHOWN else ""
    return [f"Perhaps better, but too close to tell: {', '.join(shown)}{more}"]


def habit_lines(review: Review) -> list[str]:
    """What was wasted, as sentences, and the faults that the verdict does not name."""
    habits = review.habits
    sentences = [
        (habits.wasted, "move went there and back for nothing", "moves went there and back for nothing"),
        (habits.idle_bombs, "bomb hit neither a box nor a player", "bombs hit neither a box nor a player"),
        (habits.lost_boxes, "box that was nearer to it went to others", "boxes that were nearer to it went to others"),
        (habits.items_left, "item came free nearest to it and was left", "items came free nearest to it and were left"),
        (habits.slow, "turn took over 90 % of the clock", "turns took over 90 % of the clock"),
    ]
    lines = [
        f"{len(turns)} {one if len(turns) == 1 else several} ({list_turns(turns)})"
        for turns, one, several in sentences
        if turns
    ]
    return lines + [fault for fault in review.faults if fault not in review.verdict]


def list_turns(turns: list[int]) -> str:
    """`turn 3`, `turns 3, 7, 9 ...`."""
    several = list(dict.fromkeys(turns))
    shown = ", ".join(map(str, several[:SHOWN]))
    return f"turn{'s' * (len(several) > 1)} {shown}{' ...' * (len(several) > SHOWN)}"


# Folders


def folder_view(folder: FolderReview) -> RenderableType:
    table = new_table()
    table.add_column("lost by", overflow="fold")
    for title in ("games", "share", "95 %"):
        table.add_column(title, justify="right")
    for cause in folder.causes:
        low, high = cause.interval
        table.add_row(
            f"not lost ({cause.cause})" if cause.cause in NOT_LOST else cause.cause,
            str(cause.games),
            f"{100 * cause.games / folder.games:.0f} %",
            f"{100 * low:.0f}–{100 * high:.0f}",
        )
    return Group(table, Text(clean(summary_of(folder))))


def summary_of(folder: FolderReview) -> str:
    """`12 games: mybot died 8 times. 6 avoidable deaths, all of them cost the win.`"""
    deaths, games = folder.deaths, counted(folder.games, "game")
    if not deaths.all:
        absent = sum(review.is_dead_from_start for review in folder.reviews)
        return f"{games}: {folder.player} never died" + (f", but was {DEAD} in {absent}" if absent else "")
    times = "once" if deaths.all == 1 else f"{deaths.all} times"
    won = f" and came first nevertheless in {counted(deaths.won, 'game')}" if deaths.won else ""
    return f"{games}: {folder.player} died {times}{won}. {describe_avoidable(deaths.avoidable, deaths.faults)}."


def describe_avoidable(avoidable: int, costly: int) -> str:
    if not avoidable:
        return "No death was avoidable"
    if avoidable == 1:
        return f"1 avoidable death, which {'cost' if costly else 'did not cost'} the win"
    share = "all" if costly == avoidable else str(costly) if costly else "none"
    return f"{avoidable} avoidable deaths, {share} of them cost the win"


def folder_lines(folder: FolderReview) -> list[str]:
    """Where to look, in lines that must not be wrapped: each can be pasted after `hsctl replay`."""
    lines = []
    for cause in folder.causes:
        if cause.cause not in NOT_LOST:
            lines += [f"{cause.cause}, worst first:", *(f"  {join_words([place])}" for place in cause.worst)]
    faults = fault_lines(folder)
    return [*lines, *(["avoidable deaths that cost the win:", *faults] if faults else [])]


def fault_lines(folder: FolderReview) -> list[str]:
    """Where to look at each avoidable death, as far as a screen goes."""
    found = [
        f"  {join_words([f'{review.file}@{decisive_turn(death)}'])}: {describe_fault(death, review.player)}"
        for review in folder.reviews
        for death in costly_deaths(review)
    ]
    return [*found[:MOST_FAULTS], *([f"  and {len(found) - MOST_FAULTS} more"] if len(found) > MOST_FAULTS else [])]


def describe_fault(death: ReviewedDeath, player: int) -> str:
    """`player 0 chose stay; down held`."""
    if is_held_against(death):
        return f"player {player} chose {death.held_played}; {', '.join(death.held)} held"
    return f"player {player} chose {death.played}; {', '.join(death.open_moves)} survived the known bombs"


# The game to step through


class MarkedGame(Playback):
    """A game with a review's mistakes as notes of their turns; the reviewed player is in focus."""

    def __init__(self, playback: Playback, review: Review) -> None:
        self.__dict__.update(playback.__dict__)  # nothing is stepped again
        self.reviewed = review.player
        self.mistakes: dict[int, list[Mistake]] = {}
        for mistake in review.mistakes:
            for turn in (mistake.turn, *mistake.repeats):
                self.mistakes.setdefault(turn, []).append(mistake)

    @property
    def own_seat(self) -> int | None:
        return self.reviewed

    def notes_before(self, turn: int) -> list[str]:
        """Notes on the answer to this turn."""
        return [*super().notes_before(turn), *map(describe_mistake, self.mistakes.get(turn, []))]

    def better_at(self, turn: int) -> Better | None:
        """The line of the turn's mistake."""
        lines = [mistake.line for mistake in self.mistakes.get(turn, []) if mistake.line]
        return Better(self.reviewed, tuple(map(ACTION_NAMES.index, lines[0]))) if lines else None


def describe_mistake(mistake: Mistake) -> str:
    cost = "" if mistake.cost is None else f" ({mistake.cost:.1f} boxes)"
    return f"turn {mistake.turn}: played {mistake.played}, better {mistake.better}{cost}: {mistake.why}"
