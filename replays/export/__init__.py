"""Games and positions as HTML pages, SVG, GIF and text."""
