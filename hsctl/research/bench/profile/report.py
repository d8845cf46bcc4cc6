"""What a profile looks like: tables, a JSON record, speedscope's format, and a page with a flame graph."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as File
from statistics import mean
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import hsctl
from hsctl.report.tables import new_table
from hsctl.research.bench.profile.measure import Path, Profile, ProfileCheck, ProfileRow
from hsctl.research.bench.profile.phases import STEP
from replays.export.page import format_document

LEAST_SHOWN = 0.0005  # a share; rows below it say nothing
SPEEDSCOPE = "https://www.speedscope.app/file-format-schema.json"
FOLDER = File(__file__).parent


def profile_view(profiles: Sequence[Profile]) -> RenderableType:
    parts: list[RenderableType] = []
    for profile in profiles:
        parts += [table_of(profile), *notes_of(profile), ""]
    return Group(*parts)


def table_of(profile: Profile) -> Table:
    table = new_table(f"{profile.agent}: shares of the time, %, on all positions and on each")
    table.add_column("", no_wrap=True)
    for name in ("all", *(position.name.replace(" ", "\n").replace("middle", "mid") for position in profile.positions)):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("time\na call", justify="right", no_wrap=True)
    table.add_column("calls" if profile.agent != STEP else "calls\na step", justify="right", no_wrap=True)
    rows = [row for row in profile.rows() if row.share >= LEAST_SHOWN or row.is_stage]
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        table.add_row(*cells_of(row, profile), end_section=following is not None and row.is_stage != following.is_stage)
    return table


def cells_of(row: ProfileRow, profile: Profile) -> Iterator[str]:
    yield f"{'  ' * (len(row.names) - 1)}{row.names[-1]}"
    yield from (format_share(max(0.0, share)) for share in (row.share, *row.shares))
    yield "" if row.ns_per_call is None else format_ns(max(0.0, row.ns_per_call))
    calls = row.calls / profile.nodes if profile.agent == STEP else row.calls
    yield format_calls(calls) if row.calls else ""


def format_share(share: float) -> str:
    """Per cent in four characters at most: noise may take a share beyond 100."""
    return f"{100 * share:.1f}" if share < 0.9995 else f"{100 * share:.0f}"


def format_calls(calls: float) -> str:
    if calls >= 10_000:
        return f"{calls / 1e6:.2f} M" if calls >= 1e6 else f"{calls / 1e3:.0f} k"
    return f"{calls:.0f}" if calls >= 100 else f"{calls:.2f}".removesuffix(".00")


def format_ns(ns: float) -> str:
    if ns >= 1e6:
        return f"{ns / 1e6:.1f} ms"
    return f"{ns / 1e3:.1f} us" if ns >= 1e3 else f"{ns:.1f} ns"


def notes_of(profile: Profile) -> Iterator[Text]:
    """How long it takes, and how far all of this can be trusted."""
    if profile.agent == STEP:
        yield Text(f"a step takes {profile.usual_ns / profile.nodes:.1f} ns, its copy included")
    else:
        rate = f"{profile.nodes_per_second / 1e6:.2f} M nodes/s"
        yield Text(f"a decision: {profile.usual_ns / 1e6:.1f} ms of CPU, {profile.nodes:,.0f} nodes, {rate}")
    sums = [position.sum for position in profile.positions]
    yield Text(
        f"all shares: {100 * profile.sum:.1f} ± {100 * profile.sum_error:.1f} % of the time without marks "
        f"({100 * min(sums):.1f} to {100 * max(sums):.1f} by position)"
    )
    yield Text(
        f"marks and samples took {100 * profile.overhead:.1f} % more, which is subtracted: "
        f"{profile.mark_ns:.2f} ns a pair of marks, {profile.sample_ns / 1000:.1f} us a sample; "
        f"{profile.samples:,} samples",
        overflow="fold",
    )


def check_view(checks: Iterable[ProfileCheck]) -> Table:
    table = new_table("What the profile of beam foretells, % of a decision's time")
    table.add_column("")
    for name in ("foretold", "measured"):
        table.add_column(name, justify="right")
    for check in checks:
        table.add_row(check.what, f"{100 * check.foretold:.1f}", f"{100 * check.measured:.1f}")
    return table


# For programs


def profile_record(profile: Profile) -> dict[str, Any]:
    rows = profile.rows()
    return {
        "agent": profile.agent,
        "nodes": profile.nodes,
        "ns": profile.usual_ns,
        "nodes_per_second": profile.nodes_per_second,
        "sum": profile.sum,
        "sum_error": profile.sum_error,
        "overhead": {
            "share": profile.overhead,
            "mark_ns": profile.mark_ns,
            "sample_ns": profile.sample_ns,
            "samples": profile.samples,
        },
        "positions": [
            {"name": each.name, "nodes": each.nodes, "ns": each.usual_ns, "sum": each.sum} for each in profile.positions
        ],
        "stages": [row_record(row) for row in rows if row.is_stage],
        "phases": [row_record(row) for row in rows if not row.is_stage],
    }


def row_record(row: ProfileRow) -> dict[str, Any]:
    return {
        "names": row.names,
        "share": row.share,
        "shares": row.shares,
        "ns_per_call": row.ns_per_call,
        "calls": row.calls,
    }


def stacks_of(profile: Profile) -> dict[str, dict[Path, tuple[float, float]]]:
    """Nanoseconds and calls a decision by place, the agent's name first: of all positions, and of each."""
    stacks: dict[str, dict[Path, tuple[float, float]]] = {}
    for position in profile.positions:
        name = f"{profile.agent}, {position.name}"
        stacks[name] = {
            (profile.agent, *place.path[profile.agent == STEP :]): (max(0.0, place.ns), place.calls)
            for place in position.places
            if place.ns > 0 or place.calls
        }
    everywhere = dict.fromkeys(path for found in stacks.values() for path in found)
    all_of = {
        path: (mean(one[0] for one in found), mean(one[1] for one in found))
        for path in everywhere
        for found in [[each.get(path, (0.0, 0)) for each in stacks.values()]]
    }
    return {profile.agent: all_of, **stacks}


def format_speedscope(profiles: Sequence[Profile]) -> dict[str, Any]:
    """The profiles as https://www.speedscope.app reads them: for each place its frames and its time."""
    frames: list[str] = []

    def frame(name: str) -> int:
        if name not in frames:
            frames.append(name)
        return frames.index(name)

    shown = []
    for profile in profiles:
        for name, found in stacks_of(profile).items():
            stacks = {path: ns for path, (ns, _) in sorted(found.items()) if ns > 0}
            shown.append(
                {
                    "type": "sampled",
                    "name": name,
                    "unit": "nanoseconds",
                    "startValue": 0,
                    "endValue": sum(stacks.values()),
                    "samples": [[frame(part) for part in path] for path in stacks],
                    "weights": list(stacks.values()),
                }
            )
    return {
        "$schema": SPEEDSCOPE,
        "name": "hsctl bench --profile",
        "exporter": f"hsctl {hsctl.__version__}",
        "activeProfileIndex": 0,
        "shared": {"frames": [{"name": name} for name in frames]},
        "profiles": shown,
    }


def format_flames(profiles: Sequence[Profile]) -> str:
    """A page with a flame graph that needs nothing else."""
    data = {
        "profiles": [
            {"name": name, "places": [[path, ns, calls] for path, (ns, calls) in sorted(found.items())]}
            for profile in profiles
            for name, found in stacks_of(profile).items()
        ]
    }
    body, style, script = ((FOLDER / f"flames.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return format_document("hsctl profile", body, style, data, script)
