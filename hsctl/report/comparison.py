"""A comparison on three lines: the score, where the test stands, what that means; and what the machine delayed."""

from rich.console import Group
from rich.text import Text

from hsctl.league.comparison import Comparison, SequentialTest, games_of
from hsctl.report.standings import fault_lines
from hsctl.report.tables import delay_lines, describe_clock, slow_start_line, warning_lines

BAR_WIDTH = 32
NO_VERDICT = "no verdict: the machine delayed too many turns"


def comparison_view(comparison: Comparison) -> Group:
    lines = [*warning_lines(comparison.delays), describe_score(comparison)]
    lines += [describe_test(comparison.test), describe_verdict(comparison)]
    followed = comparison.faithful_turns.items()
    lines += [f"{name} followed the recording for {turns:.1f} turns" for name, turns in followed]
    lines += fault_lines((comparison.new, comparison.old), comparison.faulty)
    for name, slows in zip((comparison.new, comparison.old), comparison.slow_starts, strict=True):
        lines += [slow_start_line(name, slows, comparison.played_now)] if slows else []
    return Group(*map(Text, [*lines, *delay_lines(comparison.delays)]))


def describe_score(comparison: Comparison) -> str:
    counts = f"{comparison.wins} won, {comparison.draws} drawn, {comparison.losses} lost"
    line = f"{comparison.new} against {comparison.old}: {counts}"
    if comparison.score is None or comparison.interval is None:
        return line
    low, high = comparison.interval
    score = f"score {100 * comparison.score:.1f} % ({100 * low:.1f}–{100 * high:.1f})"
    return f"{line}; {score}{describe_clock(comparison.clock)}"


def describe_test(test: SequentialTest) -> str:
    """`not better -2.94 ────┼──●─ +2.94 better`, the dot where the log likelihood ratio stands."""
    place = (min(max(test.llr, test.lower), test.upper) - test.lower) / (test.upper - test.lower)
    bar = ["─"] * BAR_WIDTH
    bar[round(-test.lower / (test.upper - test.lower) * (BAR_WIDTH - 1))] = "┼"
    bar[round(place * (BAR_WIDTH - 1))] = "●"
    return f"not better {test.lower:+.2f} {''.join(bar)} {test.upper:+.2f} better, llr {test.llr:+.2f}"


def describe_verdict(comparison: Comparison) -> str:
    test = comparison.test
    if not comparison.delays.is_valid and (comparison.is_full or test.verdict is not None):
        return NO_VERDICT
    if test.verdict is not None:
        return f"{comparison.new} is {test.verdict} than {comparison.old}"
    left = test.forecast()
    if comparison.is_full:
        more = "" if left is None else f"; about {games_of(left)} more would decide it"
        return f"{describe_lead(comparison)}undecided after {comparison.games} games{more}"
    return "too few games for a forecast" if left is None else f"undecided yet; about {games_of(left)} games left"


def describe_lead(comparison: Comparison) -> str:
    """Who is ahead by the interval of the score, once all games are played; empty if nobody is.

    Before that it is not said: whoever looks again and again sees one of two equals ahead sooner or later.
    """
    if comparison.interval is None or comparison.interval.low <= 0.5 <= comparison.interval.high:
        return ""
    return f"{comparison.new} is {'ahead' if comparison.interval.low > 0.5 else 'behind'} by its interval; "
