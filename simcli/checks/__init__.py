"""Speed, and tests on the user's machine."""
