"""Diagnosing failures: the known mistake that explains them, or what the failed cases share."""
