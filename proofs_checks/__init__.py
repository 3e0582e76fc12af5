"""The laboratory: every theorem as a claim that runs, and the tools to try to break it."""
