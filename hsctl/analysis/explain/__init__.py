"""Why an agent decided as it did: which decision, the reason in words, the views, the JSON."""
