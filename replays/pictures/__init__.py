"""Positions as pictures: SVG, GIF and a page to step through."""
