"""What claims are tried on, where an instance alone is not enough: plain data, one module a topic."""
