"""YAML with places, overrides and defaults to a Scenario.

`loading.load` reads a file, `loading.from_plain` what is data already; `settings` makes several scenarios of one
config. Whatever is wrong is a UserError at `FILE:LINE:COLUMN key`, or at the option of the command line.
"""
