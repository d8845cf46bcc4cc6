"""Two players that don't think."""
