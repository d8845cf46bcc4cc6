"""Tests for bots: check for the arena, conform for the rules."""
