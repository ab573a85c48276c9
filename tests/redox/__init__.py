"""Tests of REDOX."""
