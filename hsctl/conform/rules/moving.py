"""What players do: fuses that run meanwhile, moves, and bombs that are dropped."""

from hsctl.conform.rules.rule import Rule, Section

FUSES = Section(
    "Fuses",
    "A bomb's timer counts the rounds until it explodes. The input never shows 0.",
    (
        Rule(
            "Timers fall by one",
            "Each round every bomb's timer falls by 1, whoever owns it.",
            (
                """
                1 0 0 0 3 3
                1 1 4 2 8 5
                >
                1 0 0 0 2 3
                1 1 4 2 7 5
                >
                1 0 0 0 1 3
                1 1 4 2 6 5
                """,
            ),
        ),
        Rule(
            "A bomb that shows 1 explodes now",
            "A bomb that shows timer 1 explodes in the round that this input is answered with, and is gone after it.",
            (
                """
                1 0 2 0 1 3
                >
                """,
                """
                1 0 2 0 2 3
                >
                1 0 2 0 1 3
                >
                """,
            ),
        ),
    ),
)

MOVES = Section(
    "Moves",
    "All players move at the same time, on the board as it was sent.",
    (
        Rule(
            "Players move one cell",
            "A player goes to the next cell on the left, right, above or below, or stays.",
            (
                """
                0 0 2 2 1 3
                0 1 4 2 1 3
                0 2 6 2 1 3
                0 3 8 2 1 3
                > 0 MOVE 1 2
                > 1 MOVE 5 2
                > 2 MOVE 6 1
                > 3 MOVE 8 3
                0 0 1 2 1 3
                0 1 5 2 1 3
                0 2 6 1 1 3
                0 3 8 3 1 3
                """,
                """
                0 0 2 2 1 3
                > 0 MOVE 2 2
                0 0 2 2 1 3
                """,
            ),
        ),
        Rule(
            "Edge and walls block moves",
            "A move off the board or into a wall is staying.",
            (
                """
                0 0 0 0 1 3
                0 1 0 1 1 3
                > 0 MOVE -1 0
                > 1 MOVE 1 1
                0 0 0 0 1 3
                0 1 0 1 1 3
                """,
            ),
        ),
        Rule(
            "Boxes block moves",
            "A move into a box is staying.",
            (
                """
                .0
                0 0 0 0 1 3
                > 0 MOVE 1 0
                .0
                0 0 0 0 1 3
                """,
            ),
        ),
        Rule(
            "Bombs block moves",
            "Nobody enters a cell on which a bomb lies, not even its owner.",
            (
                """
                0 0 0 0 1 3
                1 0 1 0 5 3
                > 0 MOVE 1 0
                0 0 0 0 1 3
                1 0 1 0 4 3
                """,
            ),
        ),
        Rule(
            "A player on a bomb may stay or leave",
            "A bomb blocks the way in, not the way out.",
            (
                """
                0 0 0 0 1 3
                0 1 0 0 1 3
                1 0 0 0 5 3
                > 0 MOVE 1 0
                0 0 1 0 1 3
                0 1 0 0 1 3
                1 0 0 0 4 3
                """,
            ),
        ),
        Rule(
            "Players do not block each other",
            "Any number of players may share a cell, and two may swap theirs.",
            (
                """
                0 0 0 0 1 3
                0 1 1 0 1 3
                > 0 MOVE 1 0
                > 1 MOVE 0 0
                0 0 1 0 1 3
                0 1 0 0 1 3
                """,
                """
                0 0 0 0 1 3
                0 1 2 0 1 3
                0 2 1 0 1 3
                > 0 MOVE 1 0
                > 1 MOVE 1 0
                0 0 1 0 1 3
                0 1 1 0 1 3
                0 2 1 0 1 3
                """,
            ),
        ),
    ),
)

DROPS = Section(
    "Dropping bombs",
    "`BOMB x y` drops a bomb and goes on as `MOVE x y` does.",
    (
        Rule(
            "A new bomb shows timer 8",
            "BOMB places a bomb of timer 8 with the player's range, and takes one from the player's bombs. So a bomb "
            "ordered on turn t shows 8 in the input of t+1 and 1 in that of t+8, and explodes right after that.",
            (
                """
                0 0 0 0 2 4
                > 0 BOMB 0 0
                0 0 0 0 1 4
                1 0 0 0 8 4
                >
                0 0 0 0 1 4
                1 0 0 0 7 4
                """,
            ),
        ),
        Rule(
            "A bomb lies where its player stood",
            "A new bomb appears on the cell on which the player stood before moving.",
            (
                """
                0 0 0 0 1 3
                > 0 BOMB 1 0
                0 0 1 0 0 3
                1 0 0 0 8 3
                """,
            ),
        ),
        Rule(
            "BOMB without a bomb is a move",
            "With no bombs left BOMB is no error: nothing is dropped, and the move happens.",
            (
                """
                0 0 0 0 0 3
                > 0 BOMB 1 0
                0 0 1 0 0 3
                """,
            ),
        ),
        Rule(
            "BOMB on a bomb is a move",
            "Where a bomb lies already nothing is dropped, whoever owns it; the move happens.",
            (
                """
                0 0 0 0 2 3
                1 1 0 0 5 3
                > 0 BOMB 1 0
                0 0 1 0 2 3
                1 1 0 0 4 3
                """,
                """
                0 0 0 0 2 3
                1 0 0 0 5 3
                > 0 BOMB 0 0
                0 0 0 0 2 3
                1 0 0 0 4 3
                """,
            ),
        ),
        Rule(
            "A blocked move still drops its bomb",
            "Bomb and move are independent: what blocks one doesn't stop the other.",
            (
                """
                .0
                0 0 0 0 1 3
                > 0 BOMB 1 0
                .0
                0 0 0 0 0 3
                1 0 0 0 8 3
                """,
            ),
        ),
        Rule(
            "Bombs dropped together share a cell",
            "Two players on one cell may both drop a bomb there in the same round. Only so bombs come to share a cell.",
            (
                """
                0 0 0 0 1 3
                0 1 0 0 1 4
                > 0 BOMB 1 0
                > 1 BOMB 0 1
                0 0 1 0 0 3
                0 1 0 1 0 4
                1 0 0 0 8 3
                1 1 0 0 8 4
                """,
            ),
        ),
        Rule(
            "A new bomb does not block this round",
            "Moves are judged on the board as it was sent: one may enter a cell on which a bomb is dropped in that "
            "very round.",
            (
                """
                0 0 0 0 1 3
                0 1 1 0 1 3
                > 0 MOVE 1 0
                > 1 BOMB 2 0
                0 0 1 0 1 3
                0 1 2 0 0 3
                1 1 1 0 8 3
                """,
            ),
        ),
    ),
)
