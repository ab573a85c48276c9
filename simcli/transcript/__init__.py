"""Games written as transcripts, and transcripts checked."""
