"""Review: what lost a game, which move would have saved it, and the proof.

document.py  all of it as one document
deaths.py    a death: its bombs, the last turn on which it could be survived, the safe moves, the cause
saving.py    the exact search behind that: could the player have lived, given what the others really did? The proof
mistakes.py  what every move cost, by a reference search, and how noisy that is; games played on from both moves
habits.py    what was wasted: moves there and back, idle bombs, boxes and items that were near, slow turns
run.py       a game or a folder reviewed; the verdict, the causes of losses
view.py      the screen, and the game to step through with its mistakes marked
"""
