"""Compiled kernels: shuffling, dealing, rules, slam detection, play and scoring.

Importing this package loads nothing heavy; `kernels.compiler.jit` is what brings numba in.
"""

VERSION = 1
"""Version of the engine: raised whenever the same identity would give other games."""
