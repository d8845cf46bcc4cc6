"""Commands that show games and decisions."""
