"""What `hsctl import` tells: one game in a few lines, a folder as a table."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.report.tables import new_table
from replays.arena.importing import EQUAL, MISMATCH, Imported, ImportedFile
from replays.playback import Playback
from replays.render.turn import player_table
from replays.replay import UNFINISHED
from replays.text import clean, counted


def game_view(file: ImportedFile) -> RenderableType:
    """A game that is the recorded one: what was compared, and how it ended."""
    imported = file.imported
    assert imported is not None and imported.replay is not None
    head = f"{file.path}: {imported.source}, {describe_start(imported)}, {counted(imported.turns, 'turn')}"
    head += "" if imported.replay.result.is_finished else f", {UNFINISHED}: the text ends there"
    equal = Text.assemble((f"{head}\n", ""), ("equal to the record: ", "bold"), describe_compared(imported))
    return Group(equal, player_table(Playback(imported.replay)))


def describe_mismatch(file: ImportedFile) -> str:
    assert file.imported is not None and file.imported.difference is not None
    return f"{file.path}: {MISMATCH} {file.imported.difference.describe()}"


def describe_start(imported: Imported) -> str:
    options = imported.options
    if options is None:
        return "board as recorded (no seed)"
    return f"seed {options.seed}" + ("" if options.boxes is None else f" with boxes={options.boxes}")


def describe_compared(imported: Imported) -> str:
    """What there was to compare."""
    compared = imported.compared
    parts = [counted(compared.frames, "frame")]
    if compared.summary_lines:
        parts.append(counted(compared.summary_lines, "summary line"))
    if compared.inputs:
        inputs = counted(compared.inputs, "echoed input")
        parts.append(f"{inputs} ({compared.inputs_in_other_order} with items in another order)")
    known = {
        "first board": compared.has_first_board,
        "scores": compared.has_scores,
        "ranks": compared.has_ranks,
    }
    parts += [name for name, is_known in known.items() if is_known]
    return ", ".join(parts)


def folder_view(files: Sequence[ImportedFile]) -> RenderableType:
    """All files of a folder, a line each."""
    table = new_table()
    for name in ("file", "players", "turns", "frames", "lines", "inputs", "order", ""):
        table.add_column(name, justify="left" if name in ("file", "") else "right", overflow="fold")
    for file in files:
        style = "" if file.verdict == EQUAL else "bold red"
        table.add_row(clean(file.path.name), *figures_of(file.imported), Text(file.verdict, style))
    counts = Counter(file.verdict for file in files)
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    legend = Text("lines of summaries; echoed inputs; order: inputs with items in another order", "dim")
    return Group(table, legend, Text(total, "bold"))


def problem_lines(files: Sequence[ImportedFile]) -> list[str]:
    """Every difference, and why a file can't be read: a line each, however long."""
    differing = [describe_mismatch(file) for file in files if file.verdict == MISMATCH]
    return [*differing, *(clean(file.error) for file in files if file.error)]


def figures_of(imported: Imported | None) -> list[str]:
    if imported is None:
        return [""] * 6
    compared = imported.compared
    numbers = [compared.frames, compared.summary_lines, compared.inputs, compared.inputs_in_other_order]
    return [str(number) for number in [len(imported.names), imported.turns, *numbers]]


def record_of(file: ImportedFile) -> dict[str, Any]:
    """A file for `--json`."""
    record: dict[str, Any] = {"file": str(file.path), "verdict": file.verdict}
    imported = file.imported
    if imported is None:
        return {**record, "error": file.error}
    options = imported.options
    return {
        **record,
        "source": imported.source,
        "players": imported.names,
        "seed": options.seed if options else None,
        "boxes": options.boxes if options else None,
        "turns": imported.turns,
        "compared": msgspec.to_builtins(imported.compared),
        "difference": msgspec.to_builtins(imported.difference),
        "ranks": imported.replay.result.ranks if imported.replay else None,
        "replay": str(file.saved) if file.saved else None,
    }
