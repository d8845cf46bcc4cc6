"""Players that are programs of their own, on the arena's protocol."""
