"""The offline knapsack: the optima that online policies are measured against."""

from algos.knapsack.fractional import FractionalKnapsack, fractional_knapsack, tied_with
from algos.knapsack.zero_one import Knapsack01, knapsack_01

__all__ = ["FractionalKnapsack", "Knapsack01", "fractional_knapsack", "knapsack_01", "tied_with"]
