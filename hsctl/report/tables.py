"""What all tables have in common: their rules, and how shares, means and times are written.

An interval is one of 95 %, in brackets or after ±.
"""

import math
from collections.abc import Sequence
from statistics import fmean

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.league.intervals import Share, mean_interval
from hsctl.match.result import Delays, SlowStart
from replays.render.board import FRAME
from replays.replay import CPU
from replays.text import counted


def new_table(title: str = "", caption: str = "") -> Table:
    """A line under the head, nothing else; narrow enough for 80 columns."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.border_style = table.header_style = FRAME.style
    if title:
        table.title, table.title_style, table.title_justify = title, "bold", "left"
    if caption:
        table.caption, table.caption_style, table.caption_justify = caption, "dim", "left"
    return table


def format_share(share: Share | None, digits: int = 0, between: str = " ") -> str:
    """`60 % (52–67)`."""
    if share is None:
        return "no games"
    low, high = (f"{100 * end:.{digits}f}" for end in share.interval)
    return f"{format_percent(share, digits)}{between}({low}–{high})"


def format_percent(share: Share, digits: int = 0) -> str:
    return f"{100 * share.value:.{digits}f} %"


def format_mean(
    values: Sequence[float], blocks: Sequence[int], digits: int = 1, least: float = 0.0, most: float = math.inf
) -> str:
    """`12.3 ± 0.4` of values that belong to blocks, `0.8 (0.0–4.0)` where it is cut at an end; empty without any."""
    if not values:
        return ""
    interval = mean_interval(values, blocks, least, most)
    if interval is not None and (interval.low == least < fmean(values) or fmean(values) < interval.high == most):
        return f"{fmean(values):.{digits}f} ({interval.low:.{digits}f}–{interval.high:.{digits}f})"
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


def warning_lines(delays: Delays) -> list[str]:
    """What the report of a series starts with if the machine delayed too many turns."""
    if delays.is_valid:
        return []
    return [
        f"{describe_delays(delays)}; this result says little.",
        f"{delays.delayed:,} of {delays.turns:,} turns. Play on a quiet machine, with fewer --jobs or --clock cpu.",
    ]


def delay_lines(delays: Delays) -> list[str]:
    """What it ends with: games that were played again, and the few turns that were delayed all the same."""
    lines = [f"{format_games(delays.retries)} played again because of delays by the machine"] if delays.retries else []
    return [*lines, describe_delays(delays)] if delays.delayed and delays.is_valid else lines


def describe_delays(delays: Delays) -> str:
    """`45 % of turns were delayed by the machine`."""
    return f"{100 * delays.share:.{0 if delays.share >= 0.1 else 1}f} % of turns were delayed by the machine"


def slow_start_line(name: str, slows: Sequence[SlowStart], games: int) -> str:
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
