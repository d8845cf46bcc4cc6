"""Suites: what a bot is held against, one file an entry.

demands.py   what an answer must be, in words
entry.py     the format: all that the bot reads up to a turn, and what its answer must be
"""
