"""The tables of an export, and what each column means. Write the page again with

python -m hsctl.report.export.columns > docs/reference/export.md
"""

GAME = {
    "game": "which game: the key of a ledger's row, or the file of a replay",
    "seed": "of the board and of all decisions; empty: unknown",
    "seat": "0 to 3",
    "player": "as it was written",
    "rank": "the place, from 1; equal places are shared",
    "boxes": "scored",
    "death_turn": "the turn whose actions led to the death; empty: alive at the end, or dead from the start",
    "turns": "how many the game had",
    "reason": "why it ended",
    "players": "of the game",
    "nodes": "the limit of all agents; empty: none",
    "turn_ms": "the clock of a turn in milliseconds; empty: none",
    "clock": "of built-in agents that think by time: wall or cpu",
}
REPLAY = {**GAME, "first_turn": "the number of the first turn; above 0 if the game began in the middle of another"}
LEDGER = {
    **GAME,
    "digest": "of what the player is: its sources, or the files of a bot",
    "bombs": "dropped",
    "death_cause": "own, others, both or error: whose bombs it was",
    "failure": "the error that ended the player, if one did",
    "total_ms": "thinking time of the game",
    "worst_ms": "the longest turn but the first",
    "late": "turns past the clock",
    "finished": "when, in UTC",
    "replay": "its file, if it was saved",
}
TURN = {
    "game": "the file of the replay",
    "turn": "from 0",
    "seat": "0 to 3, of the living",
    "x": "where the player was, 0 to 12",
    "y": "the same, 0 to 10",
    "bombs_left": "to drop",
    "range": "of the player's bombs",
    "boxes": "scored so far",
    "action": "0 to 4: stay, left, right, up, down; 5 more with a bomb; empty: out by an error",
    "name": "of the action",
    "line": "what a bot printed",
    "message": "of the player",
    "time_ms": "from the question to the answer; empty where only nodes count",
    "failure": "the error that ended the player, if one did",
}
DECISION = {
    "game": "the file of the replay",
    "turn": "from 0",
    "seat": "0 to 3, of the agents",
    "action": "0 to 9",
    "value": "of the plan to the agent; empty: it gave none",
    "nodes": "that were searched",
    "depth": "that was reached",
    "plan": "the agent's own actions from this turn on, with spaces",
    "time_ms": "that it took; empty where only nodes count",
}
EVENT = {
    "game": "the file of the replay",
    "turn": "from 0: the events of turn t are what the actions of turn t led to",
    "event": "drop, explosion, box (destroyed), burnt, picked, freed (an item), death",
    "x": "0 to 12",
    "y": "0 to 10",
    "player": "who dropped, picked up or died",
    "owners": "whose bombs it was, with spaces",
    "detail": "what else is known: range, kind, content, failure",
}
TABLES = {"games": REPLAY, "turns": TURN, "decisions": DECISION, "events": EVENT}  # of replays


def format_page() -> str:
    """The page in Markdown."""
    lines = [
        "# Data out",
        "",
        "    hsctl export ledger --to csv > games.csv              # every finished game of your leagues",
        "    hsctl export replays games/ --to parquet --out data/  # four tables of all replays in a folder",
        "    hsctl export replays --table turns --to jsonl         # one table of the latest replay, on stdout",
        "",
        "CSV and JSON lines need nothing; Parquet needs `pip install 'hsctl[parquet]'`. Empty cells are null. In CSV a",
        "text that a spreadsheet would run as a formula has a quote before it. In Python the same rows are lists of",
        "dicts: `hsctl.open_replay(FILE).turns`, `hsctl.run_league(...).games` ([api.md](api.md)).",
    ]
    titles = {"A ledger: games": LEDGER, **{f"Replays: {name}": columns for name, columns in TABLES.items()}}
    for title, columns in titles.items():
        lines += ["", f"## {title}", "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{name}` | {meaning} |" for name, meaning in columns.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(format_page(), end="")
