"""What the referees of all games share: transcripts checked line by line."""
