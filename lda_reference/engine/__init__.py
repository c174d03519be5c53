"""The engine: one update, its schedules and its assignments."""

from .core import *  # noqa: F403
