"""How the test vectors are made."""
