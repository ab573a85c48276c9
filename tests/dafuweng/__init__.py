"""Tests of Da Fu Weng."""
