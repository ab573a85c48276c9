"""Pictures of what games come to: planned as questions, asked, and drawn as text or into a file."""
