#!/usr/bin/env python3
"""`bot.py` with a bug to be found: the bot of docs/guides/tutorial.md.

hsctl play "python3 examples/buggy.py" simple
"""

from bot import Board, main


def fire(board):
    """The cells that burn in this round."""
    burning = set()
    for cell, timer, bomb_range in board.bombs:
        if timer == 1:
            burning |= board.blast(cell, bomb_range)
    return burning


Board.fire = fire

if __name__ == "__main__":
    main()
