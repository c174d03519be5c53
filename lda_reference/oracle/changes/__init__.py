"""Changes of the plain text: what a port computes whose program differs in one place, or in two."""
