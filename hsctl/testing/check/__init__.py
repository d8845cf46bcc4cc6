"""Is a bot fit for the arena? Checks of the protocol, timing, robustness, limits, a suite and strength, a line each.

    run.py ──▶ protocol  timing  robustness  strength ──▶ session.py ──▶ hsctl/match/bots

`view.py` shows the lines. `ladder.json` has the levels of built-in players; `remake.py` plays the league that orders
them. An agent in Python is checked by its contract (hsctl/match/user_agents/) and its strength.
"""
