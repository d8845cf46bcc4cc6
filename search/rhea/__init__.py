"""A rolling horizon evolutionary algorithm."""
