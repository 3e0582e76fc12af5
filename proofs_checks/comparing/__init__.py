"""Behind `compare`: contests, their rows, paired differences, and what is guaranteed."""
