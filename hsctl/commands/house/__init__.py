"""Commands for what hsctl keeps for itself."""
