"""Is a bot fit for the arena? A sheet of pass, fail and warn lines, each with what was seen.

run.py  ──▶  protocol  timing  robustness  limits  suite  strength     a chapter each: checks that give a line
                 └────────┴── scenes.py ──▶ session.py ──▶ hsctl/bots       a position, played on with the bot
                                                               an agent in Python: contract (hsctl/own/), strength
sheet.py  the lines; view.py, junit.py show them
ladder.py reads ladder.json, the levels of built-in players; remake.py plays the league that orders them
"""
