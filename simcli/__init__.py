"""Command line of the simulator: configs in, runs and answers out."""
