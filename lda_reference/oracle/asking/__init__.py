"""Asking a port: the cases, the program that is asked, the run and the command."""
