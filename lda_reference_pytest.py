"""The options of the pytest plugin: `pytest --lda-port ./port` makes each case of the oracle a test.

pytest loads this module in every run, so it imports nothing of the package. With `--lda-port` it loads
`lda_reference.oracle.asking.pytest_plugin`, which does the work. Where plugins are not loaded by themselves, add
`-p lda_reference_pytest`.
"""

from __future__ import annotations

from typing import Any


def pytest_addoption(parser: Any) -> None:
    """Add the options."""
    group = parser.getgroup("lda", "test vectors of lda_reference, for a port of LDA inference")
    group.addoption("--lda-port", metavar="COMMAND", help="the program and its arguments; each case becomes a test")
    group.addoption("--lda-only", metavar="NAME[,NAME]", help="algorithms, or beginnings of ids such as cvb0/update")
    group.addoption("--lda-timeout", metavar="S", type=float, default=10.0, help="seconds for each case; default 10")
    group.addoption("--lda-vectors", metavar="DIR", help="exported vectors, to be used instead of the package's")
    failures_help = "cases that are known to fail: a name and, after #, the reason on each line; they are strict xfails"
    group.addoption("--lda-expected-failures", metavar="FILE", help=failures_help)


def pytest_configure(config: Any) -> None:
    """Load the plugin if a port is to be tested."""
    config.addinivalue_line("markers", "lda: a case of the oracle of lda_reference (--lda-port)")
    if config.getoption("--lda-port") is not None:
        from lda_reference.oracle.asking import pytest_plugin

        config.pluginmanager.register(pytest_plugin.plugin(config), "lda-oracle")
