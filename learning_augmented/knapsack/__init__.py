"""Online fractional knapsack: policies with and without a prediction, their guarantees, and their adversaries."""

from learning_augmented.knapsack.adversaries import ParetoAdversary, PointAdversary, XIncreasing
from learning_augmented.knapsack.bounds import (
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    pp_advanced_ratio,
    pp_basic_ratio,
    trust_for_robustness,
    zcl_ratio,
)
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.instances import PriceSeries, power_law, price_windows, sp500_closes
from learning_augmented.knapsack.mix import Mix
from learning_augmented.knapsack.point_prediction import PPAdvanced, PPBasic
from learning_augmented.knapsack.policy import BatchPolicy, OnlinePolicy, OnlineRun, run_batch
from learning_augmented.knapsack.predictions import (
    CriticalValue,
    RollingCriticalValuePredictor,
    critical_value,
)
from learning_augmented.knapsack.zcl import ZCL

__all__ = [
    "ZCL",
    "BatchPolicy",
    "CriticalValue",
    "Mix",
    "OnlineKnapsackInstance",
    "OnlinePolicy",
    "OnlineRun",
    "PPAdvanced",
    "PPBasic",
    "ParetoAdversary",
    "PointAdversary",
    "PriceSeries",
    "RollingCriticalValuePredictor",
    "XIncreasing",
    "critical_value",
    "mix_consistency",
    "mix_robustness",
    "no_prediction_lower_bound",
    "point_lower_bound",
    "power_law",
    "pp_advanced_ratio",
    "pp_basic_ratio",
    "price_windows",
    "run_batch",
    "sp500_closes",
    "trust_for_robustness",
    "zcl_ratio",
]
