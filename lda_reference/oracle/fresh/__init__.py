"""Fresh cases: new inputs, made from a seed, and their answers."""
