"""Questions and their answers."""
