"""YAML with places, overrides and defaults to a Scenario."""
