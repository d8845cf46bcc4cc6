"""What games say: intervals, ratings, tests."""
