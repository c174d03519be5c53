"""Public implementations of LDA inference, asked the oracle's questions; `runs` writes wild.csv and WILD.md."""
