"""Slow twins: plain Python written from the rules and the papers alone, importing no kernels."""
