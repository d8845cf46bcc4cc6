"""Is a bot fit for the arena? Checks of the protocol, timing, robustness, limits, a suite and strength, a line each.

    run.py ──▶ probes  timing  strength ──▶ session.py ──▶ hsctl/match/bots

`ladder.json` has the levels of built-in players. An agent in Python is checked by its contract
(hsctl/match/user_agents/) and its strength.
"""
