"""One page about some games: what is asked for it, how it is drawn, and how it is put together."""
