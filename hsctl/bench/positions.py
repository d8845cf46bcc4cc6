"""The positions that are measured: midgames of 2, 3 and 4 players, and drawn ones for the signature.

Each midgame was reached by `simple` agents on the board of a seed (named beside it): there are 6 to 8 bombs, and some
of them explode within the next rounds. Positions in files named by the user are read here too.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.errors import HsctlError
from engine.game import Game
from engine.notation import parse_position
from engine.position import boxes_on
from hsctl.files import read_text

# seed 18, turn 82
MIDGAME_2 = """\
.......20....
.X.X.X.X.X.X.
.......2.1221
.X.X.X.X.X1X.
.1.......2010
.X.X.X.X.X.X.
0102.......1.
.X1X.X.X.X.X.
1221.2.......
.X.X.X.X.X.X.
....02.......
13
0 0 6 4 2 7
0 1 8 4 3 7
1 1 7 8 1 6
1 0 4 7 3 7
1 0 4 6 4 7
1 1 8 6 4 6
1 1 8 3 7 7
1 0 6 4 8 7
2 0 12 5 2 2
2 0 10 7 1 1
2 0 2 3 1 1
2 0 0 5 2 2
2 0 6 2 1 1
"""

# seed 25, turn 69
MIDGAME_3 = """\
.....0.......
.X.X.X0X.X.X.
...........1.
.X.X.X2X.X.X.
.......2.01..
.X.X.X.X.X.X.
.110.2.2.01..
.X2X.X2X.X.X.
.1.2.2.....1.
.X0X.X0X.X.X.
..0.10.......
17
0 0 4 6 1 8
0 1 10 9 2 5
0 2 10 3 1 5
1 1 7 8 1 5
1 2 6 2 2 5
1 0 2 4 4 8
1 1 10 7 6 5
1 2 9 2 6 5
1 0 4 5 7 8
1 0 4 6 8 8
1 2 10 3 8 5
2 0 11 4 1 1
2 0 11 6 1 1
2 0 0 7 1 1
2 0 8 5 2 2
2 0 5 4 2 2
2 0 5 2 2 2
"""

# seed 18, turn 54
MIDGAME_4 = """\
......0......
.X.X.X.X.X.X.
......1......
.X1X.X.X.X1X.
.10.......01.
2X.X.X0X.X.X2
.10.......01.
.X1X.X.X.X1X.
......1......
.X.X.X.X.X.X.
......0......
22
0 0 0 1 1 6
0 1 12 8 2 6
0 2 12 2 2 6
0 3 0 9 1 6
1 1 7 8 4 5
1 2 7 2 4 5
1 0 2 2 5 6
1 3 2 8 5 6
1 0 0 2 7 6
1 1 10 8 7 6
1 2 10 2 7 6
1 3 0 8 7 6
2 0 5 8 2 2
2 0 5 2 2 2
2 0 7 10 2 2
2 0 5 10 2 2
2 0 7 0 2 2
2 0 5 0 2 2
2 0 3 4 2 2
2 0 3 6 2 2
2 0 9 4 2 2
2 0 9 6 2 2
"""

# Bombs of three owners in one chain next round, two of them on one cell, items and boxes in their way.
CHAIN = """\
......0......
.X.X.X.X.X.X.
..0.....1....
.X.X.X.X.X.X.
0...2.......0
.X.X.X.X.X.X.
....1...0....
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
..0...2......
13
0 0 1 6 2 5
0 1 11 6 1 4
0 2 3 10 1 3
1 0 4 2 2 6
1 1 6 2 3 4
1 2 6 4 4 13
1 0 6 4 4 2
1 1 10 4 6 5
1 2 10 8 7 9
2 0 7 2 2 2
2 0 5 4 1 1
2 0 3 8 2 2
2 0 6 7 1 1
"""

# Everybody in one narrow place around an item, rich, the first explosion due: deaths and pick-ups together.
CROWD = """\
..0..........
.X.X.X.X.X.X.
.............
0X.X.X.X.X.X.
.1...........
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
7
0 0 0 1 3 9
0 1 0 1 2 3
0 2 0 2 1 17
0 3 1 0 8 4
1 1 1 2 1 2
1 3 0 0 4 3
2 0 0 0 2 2
"""

MIDGAMES = {2: MIDGAME_2, 3: MIDGAME_3, 4: MIDGAME_4}  # by players


class Measured(NamedTuple):
    """A position to measure from."""

    players: int  # living
    state: np.record
    map: np.record


def measured_from(game: Game) -> Measured:
    """A game's position, with players renamed so that player 0 is alive (their numbers never matter)."""
    living = game.living
    if len(living) < 2:
        raise HsctlError(f"a position with {len(living)} living players, expected 2 to 4")
    if 0 not in living:
        game = exchange(game, 0, living[0])
    return Measured(len(living), game.state, game.map)


def exchange(game: Game, one: int, other: int) -> Game:
    """The same position with two players swapped."""
    names = {one: other, other: one}
    boxes = boxes_on(game.state, game.map)
    players = [player._replace(id=names.get(player.id, player.id)) for player in game.players()]
    bombs = [bomb._replace(owner=names.get(bomb.owner, bomb.owner)) for bomb in game.bombs]
    return Game.build(boxes, players, bombs, game.items, seats=game.seats, turn=game.turn)


def midgames() -> list[Measured]:
    return [measured_from(parse_position(text)) for text in MIDGAMES.values()]


def read_positions(paths: list[Path]) -> list[Measured]:
    """The positions in files, each in the arena's text format."""
    return [read_position(path) for path in paths]


def read_position(path: Path) -> Measured:
    text = read_text(path, "a position in the arena's text")
    try:
        return measured_from(parse_position(text))
    except HsctlError as error:
        raise HsctlError(f"{path}: {error}") from None
