"""What several tests of the command line need."""

from lda_reference.app import command_line


def run(*arguments):
    """The exit status of a command."""
    return command_line.main([str(a) for a in arguments])
