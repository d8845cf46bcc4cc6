"""What each kind of search left behind, read after its decision: one reader per agent."""
