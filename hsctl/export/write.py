"""Rows as CSV, JSON lines or Parquet. Spreadsheets run cells that begin like formulas, so those of CSV never do."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from engine.errors import HsctlError

CSV, JSONL, PARQUET = FORMATS = ("csv", "jsonl", "parquet")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_text(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, out: TextIO) -> int:
    """Write CSV or JSON lines; how many rows."""
    count = 0
    if form == CSV:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([cell(row[name]) for name in columns])
            count += 1
        return count
    for row in rows:
        out.write(json.dumps({name: row[name] for name in columns}) + "\n")
        count += 1
    return count


def cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def write_file(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if form == PARQUET:
            return write_parquet(rows, columns, path)
        with open(path, "w", encoding="utf-8", newline="") as file:
            return write_text(rows, columns, form, file)
    except OSError as error:
        raise HsctlError(f"{path}: can't be written: {error.strerror}") from None


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
