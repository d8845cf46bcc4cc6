"""The tables and figures of the main paper, measured again, and the questions it left open."""
