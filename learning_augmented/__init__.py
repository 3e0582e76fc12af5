"""Algorithms that take advice: good when it is good, safe when it is bad."""
