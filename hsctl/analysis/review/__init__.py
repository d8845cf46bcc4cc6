"""Review: what lost a game, which move would have saved it, and the proof.

saving.py    the exact search: could a player who died have lived, given what the others really did?
deaths.py    a death: its bombs, the last turn on which it could be survived, the safe moves, the cause
proof.py     the game in which the player lives, checked on the plain rules
regret.py    what every move cost, by a reference search, and how noisy that is
rollouts.py  what a mistake was worth: games played on from both moves
habits.py    what was wasted: moves there and back, idle bombs, boxes and items that were near, slow turns
report.py    all of it as one document
verdict.py   what happened, in a sentence
view.py      the screen
marks.py     the game to step through, mistakes marked
suite.py     a mistake as a test for a bot
folder.py    many games of one player: a table of causes
run.py       reviews carried out
"""
