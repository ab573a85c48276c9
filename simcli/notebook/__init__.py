"""The program as a Python module: what commands do, called with values and answering with objects."""
