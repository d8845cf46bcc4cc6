"""Agents of one's own."""
