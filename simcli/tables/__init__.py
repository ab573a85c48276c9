"""Records as polars tables, and SQL expressions over them."""
