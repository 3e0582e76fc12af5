"""Figures: table in, Axes out; one module a topic, called by the report and the notebooks alike."""
