"""REDOX: runs, sets and slams."""
