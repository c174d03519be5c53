"""Composing mistakes: small changes of the plain text, alone and in pairs, that give the wrong answers of a port."""
