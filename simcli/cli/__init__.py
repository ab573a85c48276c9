"""What commands have in common: options, and how things are printed."""
