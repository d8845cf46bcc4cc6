"""The game: exact rules on a bitboard core, its slow twin, and all that reads or writes positions."""
