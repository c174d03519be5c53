"""The command `table-1`: TNW06's Table 1."""

import argparse

from ..table_1 import printed


def add_arguments(p: argparse.ArgumentParser) -> None:
    """None."""


def run(a: argparse.Namespace) -> None:
    print(printed())
