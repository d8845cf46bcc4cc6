"""Which values of its parameters make a player strongest? A search by games, whose results are noisy.

    --params ──▶ space ──▶ search ── candidates ──▶ boards ──▶ games (as a league plays them) ──▶ goal ──┐
                             ▲                                                                           │
                             └────────────────────── one generation after the other ◀────────────────────┘
    at the end the best is confirmed on other boards, against the unchanged player

A study is a file of finished games: a ledger. All else follows from the command and those games, so the same command
resumes a study that was stopped or killed: it comes to the same candidates, and no game is played twice.
"""
