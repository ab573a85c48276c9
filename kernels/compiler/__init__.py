"""Whatever reaches into numba and llvmlite, with the reason for each."""
