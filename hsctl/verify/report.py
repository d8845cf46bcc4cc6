"""What the compared games met, as a table of 80 columns."""

from rich.table import Table

from engine.spec.twin import Summary
from hsctl.views.tables import new_table

ROWS = {
    "steps": "rounds compared",
    "games": "games",
    "explosions": "bombs exploded",
    "mixed_chains": "rounds with a chain over several owners",
    "deaths": "deaths",
    "shared_deaths": "rounds with several deaths",
    "shared_cells": "rounds with players on one cell",
    "shared_bombs": "rounds with bombs on one cell",
    "most_bombs": "most bombs on the board",
    "most_bombs_of_one": "most bombs of one player",
    "largest_range": "largest range of a bomb",
    "longest_game": "longest game, rounds",
}


def summary_view(met: dict[int, Summary]) -> Table:
    """A column for each number of players."""
    table = new_table()
    table.add_column("what the games met")
    for players in met:
        table.add_column(f"{players} players", justify="right")
    for name, words in ROWS.items():
        table.add_row(words, *(f"{getattr(summary, name):,}" for summary in met.values()))
    return table
