"""Independent re-computation, one module a topic: slow optima, step-wise replays, invariant checks."""
