"""Games between players: built-in agents and external bots, one game or many."""
