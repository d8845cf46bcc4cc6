"""One game: who sits in it, where it begins, how long a turn lasts."""
