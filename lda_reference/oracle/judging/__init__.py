"""Judging answers: comparison within tolerances, the sampler test, levels and reports."""
