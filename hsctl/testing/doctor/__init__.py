"""`hsctl doctor`: what this machine gives hsctl, and what to fix first in a bot.

facts.py     a fact, a section of facts, and the whole report: on a screen or as JSON
machine.py   versions, processor, compiled code, folders, protection, clock, terminal, extras
bot.py       a bot examined by `hsctl check`, `play` and `review`, its problems ranked
"""
