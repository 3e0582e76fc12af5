"""Published experiments and code, repeated as they were; for findings and peer tests, never an option of a function."""
