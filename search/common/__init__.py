"""Code that several agents share."""
