"""A Scenario on threads: blocks of records."""
