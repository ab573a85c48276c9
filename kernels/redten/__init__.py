"""Jiaxing Red Ten: a climbing game of four with hidden partners."""
