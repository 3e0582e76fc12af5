"""Behind the command `boundlab`: what it shows and what it loads."""
