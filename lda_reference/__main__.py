"""`python -m lda_reference` is the command `lda-reference`. It is imported inside, so that Ctrl-C ends in one line."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    try:
        from .app.command_line import main as run

        return run(argv)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
