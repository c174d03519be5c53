"""Make the vectors with a second version of every algorithm: the printed equations in plain loops, at 50 digits.

    python certify.py OUT_DIR [NAME ...]

writes OUT_DIR/<algorithm>.json, mistakes.json, samplers.json, starts.json and operations.json, or only those named, and
manifest.json, which lists all files of OUT_DIR with their checksums (the NAME `manifest` writes nothing else). The work
is done in the folder `certificate`, which imports the standard library and mpmath, but no part of the package that it
certifies.
Inputs are short decimals, read as float64 numbers and taken exactly; answers are rounded once, to float64.
Distributions of counts are convolved; no integral is approximated. The output is the same to the last byte on every
machine.
"""

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))  # `certificate` is found here, and lda_reference is not needed
    importlib.import_module("certificate.writing").main(sys.argv[1:])
