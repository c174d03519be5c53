"""Measures of the quality of estimates: prediction, matching of topics, labels, Monte Carlo error, validation."""
