"""A rule bot."""
