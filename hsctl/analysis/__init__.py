"""What happened in a game and why: explain, review and suites."""
