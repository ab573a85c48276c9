"""Highest card: a game of one folder, to prove that the house takes a new game as it is."""
