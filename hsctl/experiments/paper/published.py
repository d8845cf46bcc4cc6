"""What the paper printed: its tables as data (paper.json)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("paper.json")


@cache
def paper_table(name: str) -> dict[str, Any]:
    """One table: row -> column -> number; `games` is how many games each share was measured by."""
    table: dict[str, Any] = json.loads(FILE.read_text())[name]
    return table
