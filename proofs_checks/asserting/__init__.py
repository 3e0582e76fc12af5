"""Behind the public asserts: tests of laws, and how a failed case is told."""
