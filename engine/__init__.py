"""The game: exact rules on a bitboard core, its slow twin, and the code that reads and writes positions."""
