"""Rule faults to plant into the example simulator: what is written instead, and the rule that is broken by it."""

import shlex
import sys
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parents[4] / "examples"
SIMULATOR = (EXAMPLES / "simulator.py").read_text()

STEP_FROM_FUSES = "        exploded = self.explode(blocked)\n"
LATE_MOVE = "        self.move(actions, blocked)\n        self.boxes"
COME_BACK = "                self.players[bomb.owner].bombs_left += 1\n"
BURN_ITEMS = "        self.items = {cell: kind for cell, kind in self.items.items() if cell not in fire}\n"
BURN_BOXES = "        self.boxes = {cell: content for cell, content in self.boxes.items() if cell not in fire}\n"


class Fault(NamedTuple):
    rule: str  # that it breaks
    changes: tuple[tuple[str, str], ...]  # what is replaced, by what


FAULTS = {
    "items don't stop blasts": Fault(
        "items-stop-blasts", (("cell in blocked or cell in self.items", "cell in blocked"),)
    ),
    "a box is passable in the round in which it burns": Fault(
        "a-burning-box-still-blocks-moves",
        ((LATE_MOVE, "        self.move(actions, blocked - fire)\n        self.boxes"),),
    ),
    "a box is passable one turn late": Fault(
        "a-box-in-a-blast-is-gone-in-the-next-input",
        (
            (
                BURN_BOXES,
                "        late, self.late = getattr(self, 'late', set()), fire\n" + BURN_BOXES.replace("fire", "late"),
            ),
        ),
    ),
    "a bomb comes back one turn late": Fault(
        "an-exploded-bomb-comes-back-at-once",
        (
            (COME_BACK, "                self.pending.append(bomb.owner)\n"),
            (
                "        blocked = self.blocked()\n        for",
                "        for owner in getattr(self, 'pending', []):\n"
                "            if owner in self.players:\n"
                "                self.players[owner].bombs_left += 1\n"
                "        self.pending = []\n"
                "        blocked = self.blocked()\n        for",
            ),
        ),
    ),
    "new bombs have a timer of 7": Fault("a-new-bomb-shows-timer-8", (("FUSE = 8", "FUSE = 7"),)),
    "bombs explode a round late": Fault("a-bomb-that-shows-1-explodes-now", (("bomb.timer == 0", "bomb.timer < 0"),)),
    "item kinds are swapped": Fault(
        "a-range-item-adds-one-to-the-range", (("RANGE_ITEM, BOMB_ITEM = 1, 2", "RANGE_ITEM, BOMB_ITEM = 2, 1"),)
    ),
    "bombs don't light each other": Fault(
        "a-bomb-in-a-blast-explodes-too", (("        while lit:", "        if lit:"),)
    ),
    "chains end after two bombs": Fault(
        "chains-run-to-the-end", (("        while lit:", "        for _ in range(2):"),)
    ),
    "only one player gets a shared item": Fault(
        "all-who-enter-together-get-the-item",
        (
            (
                "            taken.add(cell)\n",
                "            if cell in taken:\n                continue\n            taken.add(cell)\n",
            ),
        ),
    ),
    "only one player dies in a round": Fault(
        "all-in-a-blast-die-together",
        (
            (
                "        self.drop_bombs(",
                "        self.players.update(list(dead.items())[1:])\n        self.drop_bombs(",
            ),
        ),
    ),
    "a bomb is dropped on a bomb": Fault(
        "bomb-on-a-bomb-is-a-move", ((" and (player.x, player.y) not in blocked", ""),)
    ),
    "players move before the blasts": Fault(
        "blasts-strike-before-players-move",
        (
            ("        self.drop_bombs(actions, blocked)\n", ""),
            (LATE_MOVE, "        self.boxes"),
            (
                STEP_FROM_FUSES,
                "        self.drop_bombs(actions, blocked)\n        self.move(actions, blocked)\n" + STEP_FROM_FUSES,
            ),
        ),
    ),
    "the dying drop bombs": Fault(
        "the-dying-do-nothing",
        (
            ("        self.drop_bombs(actions, blocked)\n", ""),
            ("        dead = {", "        self.drop_bombs(actions, blocked)\n        dead = {"),
        ),
    ),
    "blasts reach one cell too far": Fault(
        "a-blast-reaches-range-minus-one-cells", (("range(1, bomb.reach)", "range(1, bomb.reach + 1)"),)
    ),
    "an item freed by two blasts burns": Fault(
        "a-freed-item-survives-its-round",
        (
            (
                "opened.items() if content}",
                "opened.items() if content and sum(cell in cells for cells in exploded.values()) < 2}",
            ),
        ),
    ),
    "a burning item can be taken": Fault(
        "a-burning-item-cannot-be-taken",
        (
            (BURN_ITEMS, ""),
            (
                LATE_MOVE,
                "        self.move(actions, blocked)\n" + BURN_ITEMS + "        self.boxes",
            ),
        ),
    ),
    "new bombs block at once": Fault(
        "a-new-bomb-does-not-block-this-round",
        ((LATE_MOVE, "        self.move(actions, self.blocked())\n        self.boxes"),),
    ),
    "bombs of the dead vanish": Fault(
        "bombs-of-the-dead-stay",
        (
            (
                "        self.come_back(exploded)\n",
                "        self.come_back(exploded)\n"
                "        self.bombs = [bomb for bomb in self.bombs if bomb.owner not in dead]\n",
            ),
        ),
    ),
    "burnt boxes let later blasts through": Fault(
        "a-box-that-is-hit-still-stops-other-blasts",
        (
            (
                "                exploded[bomb] = self.blast(bomb, blocked)\n",
                "                exploded[bomb] = self.blast(bomb, blocked)\n"
                "                blocked = blocked - (exploded[bomb] & set(self.boxes))\n",
            ),
        ),
    ),
    "one bomb to a cell": Fault(
        "bombs-dropped-together-share-a-cell",
        (
            (
                "                self.bombs.append(",
                "                blocked = blocked | {(player.x, player.y)}\n                self.bombs.append(",
            ),
        ),
    ),
    "a bomb takes the new range": Fault(
        "a-range-item-does-not-change-bombs",
        (
            (
                "                player.reach += 1\n",
                "                player.reach += 1\n"
                "                for bomb in self.bombs:\n"
                "                    bomb.reach += bomb.owner == id\n",
            ),
        ),
    ),
    "blasts upwards go through boxes": Fault(
        "boxes-stop-blasts",
        (("if cell in blocked or", "if cell in blocked and (dy > -1 or cell not in self.boxes) or"),),
    ),
    "a box scores for one player": Fault(
        "one-box-may-score-for-several-players",
        (
            (
                "            self.scores[owner] += len(hit & set(opened))\n",
                "            self.scores[owner] += len(hit & set(opened))\n"
                "            opened = {cell: content for cell, content in opened.items() if cell not in hit}\n",
            ),
        ),
    ),
}


def plant(fault: str, folder: Path) -> str:
    """The command of an example simulator with this fault, written into a folder."""
    text = SIMULATOR
    for old, new in FAULTS[fault].changes:
        assert text.count(old) == 1, (fault, old)
        text = text.replace(old, new)
    (folder / "simulator.py").write_text(text)
    (folder / "conform.py").write_text((EXAMPLES / "conform.py").read_text())
    return command_of(folder)


def command_of(folder: Path) -> str:
    return shlex.join([sys.executable, str(folder / "conform.py")])
