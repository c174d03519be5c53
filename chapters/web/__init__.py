"""The book's site: Sphinx with myst-nb and sphinx-book-theme, over pages that `stage` makes from the repository."""
