"""What all tables have in common: their rules, and how shares, means and times are written.

An interval is one of 95 %, in brackets or after ±.
"""

import math
import re
from collections.abc import Collection, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from replays.render.board import FRAME
from replays.replay import CPU
from replays.text import counted

if TYPE_CHECKING:
    from hsctl.league.intervals import Share
    from hsctl.match.result import Delays, SlowStart


def new_table(title: str = "", caption: str = "") -> Table:
    """A line under the head, nothing else."""
    return with_looks(Table(**BARE), title, caption)


def fitted_table(names_at: int = 0) -> Table:
    """The same for short cells; it fits on any terminal."""
    table = FittedTable(**BARE)
    table.names_at = names_at
    return with_looks(table)


BARE: dict[str, Any] = {"box": box.SIMPLE_HEAD, "show_edge": False, "pad_edge": False, "padding": (0, 1, 0, 0)}


def with_looks(table: Table, title: str = "", caption: str = "") -> Table:
    table.border_style = table.header_style = FRAME.style
    if title:
        table.title, table.title_style, table.title_justify = title, "bold", "left"
    if caption:
        table.caption, table.caption_style, table.caption_justify = caption, "dim", "left"
    return table


class FittedTable(Table):
    """A table whose words and numbers are never broken, however narrow the terminal is.

    One column and the heads are names, which are shortened. If that is not enough, columns are left out from the right,
    the least important first, and a line says so.
    """

    names_at = 0  # the column of names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [list(map(as_text, (column.header, *column.cells))) for column in self.columns]
        kept = fit_columns(columns, self.names_at, options.max_width)
        table = new_table()
        for column, (head, *_) in zip(self.columns, kept, strict=False):
            table.add_column(head, justify=column.justify, no_wrap=True)
        for row in zip(*(cells[1:] for cells in kept), strict=True):
            table.add_row(*row)
        yield table
        if left_out := len(columns) - len(kept):
            yield Text(f"{counted(left_out, 'column')} left out: a wider terminal or --json shows all", "dim")


GAP = 2  # between two columns
LEAST_NAME, LEAST_HEAD, LEAST_SHARED = 8, 6, 4
NUMBER = re.compile(r"\d+ ")


def fit_columns(columns: list[list[Text]], names_at: int, width: int) -> list[list[Text]]:
    """As many columns as fit, with the names shortened as far as necessary."""
    names = columns[names_at]
    for keep in range(len(columns), names_at + 2, -1):
        rest = [*columns[:names_at], *columns[names_at + 1 : keep]]
        most = max(LEAST_HEAD, *(width_of(cells) for _, *cells in rest))
        heads = shorten_names([head for head, *_ in rest], most)
        short = [[head, *cells] for head, (_, *cells) in zip(heads, rest, strict=True)]
        for shown in (rest, short):
            free = width - sum(map(width_of, shown)) - GAP * len(shown)
            if free >= min(LEAST_NAME, width_of(names)):
                return [*shown[:names_at], shorten_names(names, free), *shown[names_at:]]
    return columns[: names_at + 2]


def as_text(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def width_of(cells: Sequence[Text]) -> int:
    return max((line.cell_len for cell in cells for line in cell.split("\n")), default=0)


def shorten_names(names: Sequence[Text], most: int) -> list[Text]:
    """Names that differ stay different: first goes the beginning that they share, as of versions of a bot."""
    numbers = [match[0] if (match := NUMBER.match(name.plain)) else "" for name in names]  # of a cross table
    ends = [name[len(number) :] for name, number in zip(names, numbers, strict=True)]
    known = {end.plain for end in ends if end.plain}
    shared = shared_start(known) if max(map(len, known), default=0) > most else ""
    if len(shared) <= LEAST_SHARED:
        return [shorten_middle(name, most) for name in names]
    cut = [Text.assemble("…", end[len(shared) - 1 :]) if end.plain else end for end in ends]
    joined = [Text.assemble(number, end) for number, end in zip(numbers, cut, strict=True)]
    return [name if name.cell_len <= most else Text.assemble(name[: most - 1], "…") for name in joined]


def shared_start(names: Collection[str]) -> str:
    """The beginning that all of several names share."""
    first, last = min(names), max(names)
    length = next((at for at, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), 0)
    return first[:length] if len(names) > 1 else ""


def shorten_middle(text: Text, most: int) -> Text:
    """`./bots/m…v12 --fast`: both ends say more about a name than its middle."""
    if text.cell_len <= most:
        return text
    right = (most - 1) // 2
    return Text.assemble(text[: most - 1 - right], "…", text[len(text) - right :])


def format_share(share: "Share | None", digits: int = 0, between: str = " ") -> str:
    """`60 % (52–67)`."""
    if share is None:
        return "no games"
    low, high = (f"{100 * end:.{digits}f}" for end in share.interval)
    return f"{format_percent(share, digits)}{between}({low}–{high})"


def format_percent(share: "Share", digits: int = 0) -> str:
    return f"{100 * share.value:.{digits}f} %"


def format_mean(
    values: Sequence[float], blocks: Sequence[int], digits: int = 1, least: float = 0.0, most: float = math.inf
) -> str:
    """`12.3 ± 0.4` of values that belong to blocks, `0.8 (0–4)` where it is cut at an end; empty without any."""
    if not values:
        return ""
    from hsctl.league.intervals import mean_interval

    interval = mean_interval(values, blocks, least, most)
    if interval is not None and (interval.low == least < fmean(values) or fmean(values) < interval.high == most):
        low, high = (f"{end:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{end:.0f}" for end in interval)
        return f"{fmean(values):.{digits}f} ({low}–{high})"
    spread = "" if interval is None else f" ± {(interval.high - interval.low) / 2:.{digits}f}"
    return f"{fmean(values):.{digits}f}{spread}"


def format_ms(ms: float | None) -> str:
    if ms is None:
        return ""
    return f"{ms:.0f}" if ms >= 10 else f"{ms:.2f}"


def describe_clock(clock: str | None) -> str:
    """What follows the games of a series that has a clock."""
    return "" if clock is None else f"; {'CPU' if clock == CPU else 'wall'} clock"


def format_count(count: int) -> str:
    """A number; empty for 0."""
    return str(count) if count else ""


def warning_lines(delays: "Delays") -> list[str]:
    """What the report of a series starts with if the machine delayed too many turns."""
    if delays.is_valid:
        return []
    return [
        f"{describe_delays(delays)}; this result says little.",
        f"{delays.delayed:,} of {delays.turns:,} turns. Play on a quiet machine, with fewer --jobs or --clock cpu.",
    ]


def delay_lines(delays: "Delays") -> list[str]:
    """What it ends with: games that were played again, and the few turns that were delayed all the same."""
    lines = [f"{format_games(delays.retries)} played again because of delays by the machine"] if delays.retries else []
    return [*lines, describe_delays(delays)] if delays.delayed and delays.is_valid else lines


def describe_delays(delays: "Delays") -> str:
    """`45 % of turns were delayed by the machine`."""
    return f"{100 * delays.share:.{0 if delays.share >= 0.1 else 1}f} % of turns were delayed by the machine"


def slow_start_line(name: str, slows: "Sequence[SlowStart]", games: int) -> str:
    """That a bot's first answers would be late on the arena: the slowest, and in how many of the games played now."""
    worst = max(slows, key=lambda slow: slow.ms)
    perhaps = "" if any(slow.is_sure for slow in slows) else ", perhaps by the machine's fault"
    often = "" if len(slows) == 1 else f" (too long in {len(slows)} of {games} games)"
    return (
        f"{name}: its first answer took {worst.ms / 1000:.1f} s{perhaps}; the first turn has "
        f"{worst.allowed_ms / 1000:g} s, on the arena including the start{often}"
    )


def format_games(count: int) -> str:
    return counted(count, "game")


# Markdown


RULES = {"left": "---", "right": "---:", "center": ":---:"}


def to_markdown(shown: RenderableType) -> str:
    """Tables, texts and groups of them, a blank line between two."""
    return "\n\n".join(filter(None, blocks_of(shown))) + "\n"


def blocks_of(shown: RenderableType) -> list[str]:
    if isinstance(shown, Group):
        return [block for part in shown.renderables for block in blocks_of(part)]
    if isinstance(shown, Table):
        return [title_of(shown), table_lines(shown), plain(shown.caption)]
    assert isinstance(shown, Text | str), f"no Markdown for {type(shown).__name__}"
    return [plain(shown)]


def title_of(table: Table) -> str:
    return f"**{plain(table.title)}**" if table.title else ""


def table_lines(table: Table) -> str:
    """A table's head, its rule and its rows."""
    heads = [cell(column.header) for column in table.columns]
    rules = [RULES.get(column.justify, RULES["left"]) for column in table.columns]
    rows = zip(*([cell(each) for each in column.cells] for column in table.columns), strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, rules, *rows))


def cell(shown: RenderableType) -> str:
    return plain(shown).replace("|", "\\|").replace("\n", " ")


def plain(shown: object) -> str:
    if shown is None:
        return ""
    return shown.plain.strip() if isinstance(shown, Text) else str(shown).strip()
