"""Data out: ledgers and replays as rows of tables, written as CSV, JSON lines or Parquet.

columns.py   the tables and what their columns mean; docs/reference/export.md is made of it
replays.py   rows of a recorded game: games, turns, decisions, events
ledger.py    rows of finished games
write.py     rows to files
"""
