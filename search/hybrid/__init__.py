"""A state machine that searches in tight spots: the hybrid agent of Zhou et al., Pommerman 2018.

    there                                          here
    ---------------------------------------------  ------------------------------------------------------------------
    Explore, Attack, Evade (algorithm 1)           the same (machine.py)
    wooden wall, power-up                          box, item; near a wall = its bomb hits a box that no other bomb does
    bomb_count                                     bombs within 5 cells of the agent
    InRangeOfBomb(direction, 5)                    near=cells: fire of a dangerous bomb at most 5 cells away reaches the
                                                   cell; near=ticks: fire within 5 ticks does
    BOMB takes the turn                            the bomb is dropped together with the first step away from it
    a fuse has 25 ticks                            8 turns; tick = timer x fuse / 8, in the danger threshold and in
                                                   equation 1. Scaled (fuse = 25) danger begins at a timer of 2, a step
                                                   before the fire; but a step takes one tick in both games, and the
                                                   thresholds are times for flight. So a tick is a turn (fuse = 8), and
                                                   with one bomb around danger begins at a timer of 6
    a move that leads to immediate death           after it the agent burns in the coming round: fire comes before moves
    a move that changes nothing                    one that is not legal (engine/rules.py)
    flood-fill area within 2 spaces: 13            the tiles of the board within 2 cells, walls too
    agents block the way                           they don't
    the target moves at random                     the opponent takes any legal action, bombs too; the others stay
    no suicide: two passable neighbours            the same, but any safe cell while boxes keep others off
    no way to the opponent: not given              Explore
    score of the dead: not given                   -100, below any loss by bombs

The no-suicide rule holds for the bombs of the rules and for the first moves of the searches. It remembers only the
cells visited so far from turn to turn; `see` rebuilds them from the game.
"""
