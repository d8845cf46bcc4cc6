"""Data out."""
