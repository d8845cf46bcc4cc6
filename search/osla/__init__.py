"""One step look-ahead: the action with the best section-5 value after one step, the others staying."""
