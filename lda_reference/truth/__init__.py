"""Exact results: enumeration of tiny corpora, and the divergences that the algorithms minimise."""
