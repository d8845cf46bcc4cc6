"""Around a game, changing none of its rules: teams, limited sight, the events of a turn."""
