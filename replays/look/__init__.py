"""How a game looks on a terminal: renderables."""
