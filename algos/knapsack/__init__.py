"""The offline knapsack: the optimum that online policies are measured against."""

from algos.knapsack.fractional import FractionalKnapsack, fractional_knapsack, tied_with

__all__ = ["FractionalKnapsack", "fractional_knapsack", "tied_with"]
