"""Stand-alone algorithms, and the rooms that every package shares: validation, random streams, statistics."""
