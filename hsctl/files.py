"""Text files that the user names: read whole, or one line that says why not; and cells of tables that they get."""

from pathlib import Path
from typing import Any

from engine.errors import HsctlError
from replays.files import STDIN, read_source

__all__ = ["STDIN", "csv_cell", "read_text"]

FORMULA = frozenset("=+-@＝＋－＠−")  # some spreadsheets take the wide forms for the others


def read_text(path: Path, wanted: str) -> str:
    """The text of a file, or of stdin; errors name what is `wanted`."""
    try:
        return read_source(path, wanted).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise HsctlError(f"{path}: not text; name {wanted}") from None


def csv_cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote before it; some skip blanks to find out."""
    if not isinstance(value, str):
        return value
    first = next((one for one in value if one.isprintable() and not one.isspace()), None)
    return f"'{value}" if first in FORMULA or value.startswith(("\t", "\r")) else value
