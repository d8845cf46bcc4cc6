"""One step look-ahead."""
