"""What commands share towards the user: options, and how things are printed."""
