"""What explosions do: how far they reach, what they light, whom they kill."""

from hsctl.conform.rules.rule import Rule, Section

BLASTS = Section(
    "Blasts",
    "All blasts of a round are computed on the board as it was sent. Nothing is removed meanwhile, so their order "
    "never matters.",
    (
        Rule(
            "A box in a blast is gone in the next input",
            "Boxes that are covered become floor at the end of the round.",
            (
                """
                .0
                1 0 0 0 1 3
                >
                scores 1 0 0 0
                """,
            ),
        ),
        Rule(
            "A blast reaches range minus one cells",
            "A bomb of range r covers its own cell and r-1 cells in each of the four directions.",
            (
                """
                .............
                .X.X.X.X.X.X.
                ....0........
                .X.X.X.X.X.X.
                ..0...0......
                .X.X.X.X.X.X.
                ....0........
                1 0 4 4 1 3
                >
                scores 4 0 0 0
                """,
                """
                .............
                .X.X0X.X.X.X.
                .............
                .X.X.X.X.X.X.
                .0.....0.....
                .X.X.X.X.X.X.
                .............
                .X.X0X.X.X.X.
                1 0 4 4 1 3
                >
                .............
                .X.X0X.X.X.X.
                .............
                .X.X.X.X.X.X.
                .0.....0.....
                .X.X.X.X.X.X.
                .............
                .X.X0X.X.X.X.
                """,
            ),
        ),
        Rule(
            "Walls stop blasts",
            "Edge and walls stop a blast, and are not covered.",
            (
                """
                ....
                .X.X
                ...0
                1 0 3 0 1 4
                >
                ....
                .X.X
                ...0
                """,
            ),
        ),
        Rule(
            "Boxes stop blasts",
            "The first box on an arm is hit and stops it.",
            (
                """
                ..00
                1 0 0 0 1 5
                >
                ...0
                scores 1 0 0 0
                """,
            ),
        ),
        Rule(
            "Items stop blasts",
            "The first item on an arm burns and stops it.",
            (
                """
                ...0
                1 0 0 0 1 5
                2 0 2 0 1 1
                >
                ...0
                """,
            ),
        ),
        Rule(
            "A bomb in a blast explodes too",
            "A bomb that is covered explodes in this same round, whatever its timer and whoever owns it, with its own "
            "range.",
            (
                """
                .....0
                1 0 0 0 1 3
                1 1 2 0 7 4
                >
                scores 0 1 0 0
                """,
            ),
        ),
        Rule(
            "Chains run to the end",
            "Bombs lit by others light more of them, in any order, all in the same round.",
            (
                """
                1 0 0 0 1 3
                1 1 2 0 3 3
                1 2 4 0 8 3
                >
                """,
            ),
        ),
        Rule(
            "Bombs stop blasts",
            "The first other bomb on an arm stops it, also one that explodes in this round.",
            (
                """
                .....0
                1 0 0 0 1 9
                1 1 2 0 1 3
                >
                .....0
                """,
                """
                .....0
                1 0 0 0 1 9
                1 1 2 0 4 3
                >
                .....0
                """,
            ),
        ),
        Rule(
            "Bombs on one cell explode together",
            "All bombs of a cell go off, each with its own range.",
            (
                """
                ...0
                1 0 0 0 1 3
                1 1 0 0 1 4
                >
                scores 0 1 0 0
                """,
                """
                .....0
                1 2 0 0 1 3
                1 0 2 0 4 3
                1 1 2 0 4 4
                >
                scores 0 1 0 0
                """,
            ),
        ),
        Rule(
            "A box that is hit still stops other blasts",
            "No blast goes through a box that another one destroys in the same round.",
            (
                """
                ..00
                1 0 0 0 1 9
                1 1 2 2 1 3
                >
                ...0
                scores 1 1 0 0
                """,
            ),
        ),
        Rule(
            "An item that burns still stops other blasts",
            "No blast goes over an item that another one burns in the same round.",
            (
                """
                ...0
                1 0 0 0 1 9
                1 1 2 2 1 3
                2 0 2 0 1 1
                >
                ...0
                """,
            ),
        ),
    ),
)

DEATHS = Section(
    "Deaths",
    "The dead are absent from the entities.",
    (
        Rule(
            "A player in a blast dies",
            "Every player whose cell is covered dies, the bomb's owner too.",
            (
                """
                0 0 2 0 1 3
                1 1 0 0 1 3
                >
                """,
                """
                0 0 2 0 1 3
                1 0 0 0 1 3
                >
                """,
                """
                0 0 3 0 1 3
                1 1 0 0 1 3
                >
                0 0 3 0 1 3
                """,
            ),
        ),
        Rule(
            "All in a blast die together",
            "Several players may die in one round, on one cell or on several.",
            (
                """
                0 0 0 0 1 3
                0 1 2 0 1 3
                0 2 2 0 1 3
                1 3 1 0 1 3
                >
                """,
            ),
        ),
        Rule(
            "Players do not stop blasts",
            "A blast goes on behind a player whom it kills.",
            (
                """
                ...0
                0 0 2 0 1 3
                1 1 0 0 1 4
                >
                scores 0 1 0 0
                """,
            ),
        ),
        Rule(
            "Blasts strike before players move",
            "What counts is where a player stood when the input was sent: walking out of the blast of a bomb that "
            "shows 1 is too late, walking into it is safe.",
            (
                """
                0 0 2 0 1 3
                1 1 0 0 1 3
                > 0 MOVE 3 0
                """,
                """
                0 0 3 0 1 3
                1 1 0 0 1 3
                > 0 MOVE 2 0
                0 0 2 0 1 3
                """,
            ),
        ),
        Rule(
            "The dying do nothing",
            "The action of a player who dies in this round is dropped: no bomb, no item.",
            (
                """
                0 0 2 0 1 3
                1 1 0 0 1 3
                > 0 BOMB 2 0
                """,
                """
                0 0 2 0 1 3
                1 1 0 0 1 3
                2 0 3 0 1 1
                > 0 MOVE 3 0
                2 0 3 0 1 1
                """,
            ),
        ),
        Rule(
            "Bombs of the dead stay",
            "A dead player's bombs lie on, and explode when their time has come.",
            (
                """
                ........0
                0 0 2 0 1 3
                1 1 0 0 1 3
                1 0 6 0 2 3
                >
                ........0
                1 0 6 0 1 3
                >
                scores 1 0 0 0
                """,
            ),
        ),
    ),
)
