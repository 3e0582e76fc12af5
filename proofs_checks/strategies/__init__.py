"""Hypothesis strategies for every instance type, one module a topic."""
