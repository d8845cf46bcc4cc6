"""People at the keyboard: `hsctl play me beam`.

keys (screen's thread)  ──press──▶  Hands  ◀──take──  PersonSeat (game's thread, as any other player in a match)
screen                  ◀─────────  Session: plays the game, takes back turns, keeps what was played
"""
