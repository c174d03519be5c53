"""Cases: the vectors, and how far rounding may move a right answer. The rest of the oracle stands on them."""
