"""A league as a page to share: all numbers, and the games behind each of them."""
