"""Tallies, intervals and stopping rules; knows no games and no files."""
