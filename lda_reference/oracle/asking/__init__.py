"""Asking a port: the cases, the program that is asked, the run, the command and the plugin for pytest."""
