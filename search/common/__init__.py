"""What several agents share."""
