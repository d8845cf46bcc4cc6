"""hsctl for Python."""
