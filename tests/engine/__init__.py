"""Tests of the game itself."""
