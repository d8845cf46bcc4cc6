"""A review on one screen: the verdict, the mistakes, the game as a strip."""

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.analysis.review.report import Chance, DeathRecord, Mistake, Review
from hsctl.report.tables import new_table
from replays.render.board import PLAYERS, seat_mark
from replays.text import clean, counted

SHOWN = 8  # mistakes
DOUBTS_SHOWN = 4
STRIP = 64  # columns
DOOMED = -20.0  # boxes: less is no question of boxes any more
BARS = "▁▂▃▄▅▆▇█"
QUIET = "#7f7f7f"


def review_view(review: Review) -> RenderableType:
    parts: list[RenderableType] = [Text(clean(review.verdict), "bold")]
    if review.mistakes:
        parts += [Text(""), mistake_table(review.mistakes[:SHOWN]), *more_line(len(review.mistakes) - SHOWN)]
    parts += [Text(clean(line)) for death in review.deaths for line in death_lines(death)]
    if review.agent is not None:
        parts += [Text(""), *strip_of(review), Text("")]
        parts += [Text(line, QUIET) for line in (describe_effort(review), *doubtful_lines(review))]
    return Group(*parts, *(Text(clean(line), QUIET) for line in habit_lines(review)))


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
        cost = "the game" if mistake.cost is None else f"{mistake.cost:.1f} boxes"
        why = mistake.why + again(mistake) + chances(mistake)
        table.add_row(str(mistake.turn), mistake.played, mistake.better, cost, clean(why))
    return table


def again(mistake: Mistake) -> str:
    return f"; the same again on {len(mistake.repeats)} turns, up to {max(mistake.repeats)}" if mistake.repeats else ""


def chances(mistake: Mistake) -> str:
    """How many games were won from both moves, if they were played."""
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


def death_lines(death: DeathRecord) -> list[str]:
    """What could be done about a death, and what could be known."""
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
        is_fault = death.held_played not in (None, *death.held)
        held = (
            f"on turn {death.held_turn} {', '.join(death.held)} held for {rounds} against any answer of any one rival"
        )
        fault = f"avoidable: {held}; {death.held_played} was played"
        lines.append(f"  {fault if is_fault else f'{held}, and one of them was played'}")
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
        f"values in boxes by {review.agent}, {review.nodes:,} nodes; searched again they differ by {review.noise:.1f}: "
        f"a mistake costs more than {review.threshold:.1f}"
    )


def doubtful_lines(review: Review) -> list[str]:
    """The largest of what is within the noise, in a line."""
    if not review.doubtful:
        return []
    told = [
        f"{doubt.turn} {doubt.better} for {doubt.played} ({doubt.cost:.1f})" for doubt in review.doubtful[:DOUBTS_SHOWN]
    ]
    more = " ..." if len(review.doubtful) > DOUBTS_SHOWN else ""
    return [f"perhaps better, each for too little to be sure: {', '.join(told)}{more}"]


def habit_lines(review: Review) -> list[str]:
    habits = review.habits
    told = {
        "moves there and back for nothing": habits.wasted,
        "bombs that hit neither a box nor a player": habits.idle_bombs,
        "boxes that were nearer to this player and went to others": habits.lost_boxes,
        "items that came free nearest to this player, who never took them": habits.items_left,
        "turns over 90 % of the clock": habits.slow,
    }
    lines = [f"{what}: {len(turns)} (on {list_turns(turns)})" for what, turns in told.items() if turns]
    return lines + [fault for fault in review.faults if fault not in review.verdict]


def list_turns(turns: list[int]) -> str:
    several = list(dict.fromkeys(turns))
    shown = ", ".join(map(str, several[:SHOWN]))
    return f"{shown} ..." if len(several) > SHOWN else shown
