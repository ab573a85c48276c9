"""Jiaxing Red Ten: rules, twin, transcripts, players, exact values."""
