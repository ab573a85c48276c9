"""Da Fu Weng: a team game around a shared count, with cards that reverse, point, exchange, take, revive and kill."""
