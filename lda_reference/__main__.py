"""`python -m lda_reference` is the command `lda-reference`."""

import sys

from .app.command_line import main

if __name__ == "__main__":
    sys.exit(main())
