"""The public Python API: games, replays, agents, series and explanations (docs/reference/api.md).

game.py       a position that can be looked at and stepped
replay.py     a recorded game
thinking.py   an agent that decides on games
playing.py    games and leagues between players by name
explaining.py a decision with its reasons, a game with its mistakes
"""
