"""What is shown of games and leagues: tables, live views, plots."""
