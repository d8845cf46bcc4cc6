"""Rows as CSV, JSON lines or Parquet. Spreadsheets run cells that begin like formulas, so those of CSV never do."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from engine.errors import HsctlError
from hsctl.files import csv_cell
from replays.files import written_whole
from replays.text import clean

CSV, JSONL, PARQUET = FORMATS = ("csv", "jsonl", "parquet")


def write_text(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, out: TextIO) -> int:
    """Write CSV or JSON lines; how many rows. On a terminal, control characters are shown and not obeyed."""
    count, show = 0, clean_text if out.isatty() else as_it_is
    if form == CSV:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([show(csv_cell(row[name])) for name in columns])
            count += 1
        return count
    for row in rows:
        out.write(show(json.dumps({name: row[name] for name in columns})) + "\n")
        count += 1
    return count


def clean_text(value: Any) -> Any:
    return clean(value) if isinstance(value, str) else value


def as_it_is(value: Any) -> Any:
    return value


def write_file(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, path: Path) -> int:
    with written_whole(path, with_folder=True) as draft:
        if form == PARQUET:
            return write_parquet(rows, columns, draft)
        with open(draft, "w", encoding="utf-8", newline="") as file:
            return write_text(rows, columns, form, file)


def check_parquet() -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise HsctlError("--to parquet needs pyarrow: pip install 'hsctl[parquet]'")


def write_parquet(rows: Iterable[dict[str, Any]], columns: Sequence[str], path: Path) -> int:
    import pyarrow
    from pyarrow import parquet

    held = list(rows)
    table = pyarrow.table({name: [row[name] for row in held] for name in columns})
    parquet.write_table(table, path)
    return len(held)


def flat_rows(record: Any, key: str = "") -> Iterable[dict[str, Any]]:
    """A nested record as rows of key and value, a key being the way to it with dots."""
    if isinstance(record, dict):
        for name, inner in record.items():
            yield from flat_rows(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(record, list):
        for at, inner in enumerate(record):
            yield from flat_rows(inner, f"{key}.{at}" if key else str(at))
    else:
        yield {"key": key, "value": record}
