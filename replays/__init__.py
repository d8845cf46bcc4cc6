"""The record of a game and how it looks."""
