"""The tables and figures of the main paper, asked again."""
