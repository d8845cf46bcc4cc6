"""Alpha-beta between two players: the agent of an Expendibots report (Polychronopoulos and Shanmuganathan, 2020).

Expendibots is a board game of two sides whose stacks of pieces explode. Its terms and ours:

    the report                                          here
    sides take turns                                    we move, the opponent replies knowing it, then a round is played
    a ply                                               one side's action; two plies are a round
    pieces                                              boxes scored and bombs owned
    a stack of n pieces, n * n / 12                     range and bombs owned, (range * range + bombs * bombs) / 12
    isolation: distances between the two teams          the distance between the two players
    split board: 1 / rows from its own end              1 / (1 + distance from the player's corner)
    boom score: pieces hit minus own ones               boxes of bombs that were let off (destroyed since the decision
                                                        began, or to be destroyed), an opponent in their fire, minus
                                                        `risk` if the known bombs can't be survived
    boom potential: the best boom of the next move      boxes and opponents that the best next bomb hits; a bomb
                                                        without a way out of its fire counts nothing
    blow the bridge: cells that join groups of pieces   cells that hold the area together in which a player is safe
    evaluation control: baseline and -10 to 10          the same, drawn by the position and the seed
    no pieces left: lost                                dead: lost; both in one round: the boxes decide
    end game: the clock runs out                        few boxes are left
    sniper with more weight on aggression               mortar
    a book of four opening moves                        four turns towards the centre, where there is a way
    boom, then the farthest throw first                 bombs first, then moves, then staying
    table of evaluations, a special case for booms      table of bounds; a State holds its score, so none is special

Beyond the report go iterative deepening, killer moves (which it names as future work) and a potential that looks
further than the next move (`reach`).

    agent.py        opening, strategy, search: a decision
    strategies.py   weights, and which strategy when
    evaluate.py     the score of a state
    deepen.py       alpha-beta, depth after depth, with its transposition table
"""
