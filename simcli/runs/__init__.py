"""Runs on disk: part files, folders, making, merging, verifying, summing up."""
