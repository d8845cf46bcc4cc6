"""What the paper printed: its tables as data, from paper.json."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("paper.json")


@cache
def paper_table(name: str) -> dict[str, Any]:
    """One table: row -> column -> number; `games` is the number of games behind each share."""
    table: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))[name]
    return table


def paper_steps() -> dict[str, dict[int, int]]:
    """Table 1: engine -> players -> steps in 500 ms."""
    return {
        engine: {int(players): steps for players, steps in row.items()} for engine, row in paper_table("table1").items()
    }
