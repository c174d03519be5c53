"""`python -m tests.certify OUT_DIR [NAME ...]` writes the test vectors."""

import sys

from .writing import main

main(sys.argv[1:])
