"""What a bot says to hsctl on stderr: the grammar of its lines, and what becomes of each word (docs/remarks.md)."""
