"""Tests of the record of a game and how it looks."""
