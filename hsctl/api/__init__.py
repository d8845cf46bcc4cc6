"""What `import hsctl` shows to Python: games, replays, agents, series and explanations; docs/api.md is its page.

game.py       a position that can be looked at and stepped
replay.py     a recorded game
thinking.py   an agent that decides on games
playing.py    games and leagues between players by name
explaining.py a decision with its reasons, a game with its mistakes
"""
