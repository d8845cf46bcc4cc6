"""What is left after the blasts: bombs that come back, boxes that open, items, scores."""

from hsctl.conform.rules.rule import Rule, Section

AFTER = Section(
    "After the blasts",
    "The board changes only now: for the moves of this round all that explodes or burns is still there.",
    (
        Rule(
            "An exploded bomb comes back at once",
            "The owner of a bomb that exploded has one more in the next input, whoever lit it.",
            (
                """
                0 0 4 4 0 3
                1 0 0 0 1 3
                >
                0 0 4 4 1 3
                """,
                """
                0 0 4 4 0 3
                1 0 0 0 6 3
                1 1 2 0 1 3
                >
                0 0 4 4 1 3
                """,
            ),
        ),
        Rule(
            "A bomb that comes back serves from the next round",
            "In the round in which it explodes it is not there yet.",
            (
                """
                0 0 4 4 0 3
                1 0 0 0 1 3
                > 0 BOMB 4 4
                0 0 4 4 1 3
                > 0 BOMB 4 4
                0 0 4 4 0 3
                1 0 4 4 8 3
                """,
            ),
        ),
        Rule(
            "A burning box still blocks moves",
            "A box that is destroyed in this round blocks its moves. It can be entered from the next one on.",
            (
                """
                .0
                0 0 0 0 1 3
                1 1 3 0 1 3
                > 0 MOVE 1 0
                0 0 0 0 1 3
                scores 0 1 0 0
                > 0 MOVE 1 0
                0 0 1 0 1 3
                scores 0 1 0 0
                """,
            ),
        ),
        Rule(
            "A box that is hit leaves its item",
            "A box becomes floor: box 1 leaves a range item (kind 1), box 2 a bomb item (kind 2), box 0 nothing.",
            (
                """
                0.1
                .X.
                2..
                1 0 1 0 1 3
                1 1 0 4 1 3
                >
                ...
                2 0 2 0 1 1
                2 0 0 2 2 2
                scores 2 1 0 0
                """,
            ),
        ),
        Rule(
            "A freed item survives its round",
            "No blast of the round that frees an item burns it.",
            (
                """
                ..1
                1 0 0 0 1 3
                1 1 4 0 1 3
                >
                2 0 2 0 1 1
                scores 1 1 0 0
                """,
            ),
        ),
    ),
)

ITEMS = Section(
    "Items",
    "A player takes an item by moving onto it.",
    (
        Rule(
            "A range item adds one to the range",
            "Kind 1: all bombs that the player drops from the next round on reach one cell farther. The item vanishes.",
            (
                """
                0 0 0 0 1 3
                2 0 1 0 1 1
                > 0 MOVE 1 0
                0 0 1 0 1 4
                """,
            ),
        ),
        Rule(
            "A bomb item adds one bomb",
            "Kind 2: the player has one more bomb.",
            (
                """
                0 0 0 0 1 3
                2 0 1 0 2 2
                > 0 MOVE 1 0
                0 0 1 0 2 3
                """,
            ),
        ),
        Rule(
            "A range item does not change bombs",
            "Bombs keep the range that they were ordered with, also one that is dropped on the way to the item.",
            (
                """
                0 0 0 0 1 3
                2 0 1 0 1 1
                > 0 BOMB 1 0
                0 0 1 0 0 4
                1 0 0 0 8 3
                """,
                """
                0 0 0 0 1 3
                1 0 4 0 5 3
                2 0 1 0 1 1
                > 0 MOVE 1 0
                0 0 1 0 1 4
                1 0 4 0 4 3
                """,
            ),
        ),
        Rule(
            "A bomb item serves from the next round",
            "BOMB on the way to the item has nothing to drop yet.",
            (
                """
                0 0 0 0 0 3
                2 0 1 0 2 2
                > 0 BOMB 1 0
                0 0 1 0 1 3
                > 0 BOMB 1 0
                0 0 1 0 0 3
                1 0 1 0 8 3
                """,
            ),
        ),
        Rule(
            "All who enter together get the item",
            "Players who move onto an item in the same round get one each; then it vanishes.",
            (
                """
                0 0 0 0 1 3
                0 1 2 0 1 5
                2 0 1 0 1 1
                > 0 MOVE 1 0
                > 1 MOVE 1 0
                0 0 1 0 1 4
                0 1 1 0 1 6
                """,
                """
                0 0 0 0 1 3
                0 1 2 0 1 5
                2 0 1 0 2 2
                > 0 MOVE 1 0
                > 1 MOVE 1 0
                0 0 1 0 2 3
                0 1 1 0 2 5
                """,
            ),
        ),
        Rule(
            "A burning item cannot be taken",
            "Items that are hit vanish before the moves.",
            (
                """
                0 0 3 0 1 3
                1 1 0 0 1 3
                2 0 2 0 1 1
                > 0 MOVE 2 0
                0 0 2 0 1 3
                """,
            ),
        ),
        Rule(
            "Ranges and bombs have no upper limit",
            "Both grow with every item, past 9 and past the size of the board.",
            (
                """
                0 0 0 0 9 13
                2 0 1 0 1 1
                > 0 BOMB 1 0
                0 0 1 0 8 14
                1 0 0 0 8 13
                > 0 BOMB 2 0
                0 0 2 0 7 14
                1 0 0 0 7 13
                1 0 1 0 8 14
                """,
                """
                0 0 0 0 9 3
                2 0 1 0 2 2
                > 0 MOVE 1 0
                0 0 1 0 10 3
                """,
            ),
        ),
    ),
)

SCORES = Section(
    "Scores",
    "The input does not show them; the arena ranks survivors by the boxes that they have scored. A simulator tells "
    "them if it likes ([conform.md](conform.md)).",
    (
        Rule(
            "A box scores for the owner of the bomb",
            "Per round a player scores the number of boxes hit by at least one of their bombs, also by those that "
            "another player lit.",
            (
                """
                0..0
                1 0 1 0 1 3
                >
                scores 2 0 0 0
                """,
                """
                .....0
                1 0 0 0 1 3
                1 1 2 0 7 4
                >
                scores 0 1 0 0
                """,
            ),
            is_score=True,
        ),
        Rule(
            "One box may score for several players",
            "It counts in full for each of them.",
            (
                """
                ..0
                1 0 0 0 1 3
                1 1 4 0 1 3
                >
                scores 1 1 0 0
                """,
            ),
            is_score=True,
        ),
        Rule(
            "A box scores once for a player",
            "Two bombs of one player that hit the same box score it once.",
            (
                """
                ..0
                1 0 0 0 1 3
                1 0 2 2 2 3
                1 1 4 2 1 3
                >
                scores 1 0 0 0
                """,
            ),
            is_score=True,
        ),
        Rule(
            "The dead still score",
            "A dead player's bombs score for them, and so does the bomb that kills its own owner.",
            (
                """
                ..0
                0 0 0 0 1 3
                1 0 0 0 1 3
                >
                scores 1 0 0 0
                """,
            ),
            is_score=True,
        ),
    ),
)
