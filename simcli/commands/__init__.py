"""One thin file a command: parse, call, print. Each has `main`, or `app` where it has subcommands.

Heavy modules are imported inside the functions, so that help and errors in a config come at once.
"""
