"""Online fractional knapsack: policies with and without a prediction, their guarantees, and their adversaries."""

from learning_augmented.knapsack.adversaries import IntervalAdversary, ParetoAdversary, PointAdversary, XIncreasing
from learning_augmented.knapsack.bounds import (
    fr2int_floor_value,
    fr2int_guarantee,
    interval_lower_bound,
    interval_ratio,
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    pp_advanced_ratio,
    pp_basic_ratio,
    trust_for_robustness,
    zcl_integral_ratio,
    zcl_ratio,
)
from learning_augmented.knapsack.decision import Decision
from learning_augmented.knapsack.errors import (
    AdditiveError,
    AdversarialDirectionError,
    MultiplicativeError,
    PredictionError,
    StaleError,
)
from learning_augmented.knapsack.frequency_prediction import Sentinel
from learning_augmented.knapsack.frontier import ParetoBound, ParetoProgram, pareto_lower_bound, pareto_lp
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.instances import PriceSeries, power_law, price_windows, sp500_closes
from learning_augmented.knapsack.interval_prediction import IPA
from learning_augmented.knapsack.ledger import ExplainedPolicy, Guarantee
from learning_augmented.knapsack.live import LivePolicy
from learning_augmented.knapsack.mix import Mix
from learning_augmented.knapsack.point_prediction import PPAdvanced, PPBasic, PPNaive
from learning_augmented.knapsack.policy import BatchPolicy, OnlinePolicy, OnlineRun, run_batch
from learning_augmented.knapsack.predictions import (
    CriticalValue,
    RollingCriticalValuePredictor,
    critical_value,
)
from learning_augmented.knapsack.quantiles import IntervalForecast, quantile_interval
from learning_augmented.knapsack.recommend import Recommendation, recommend
from learning_augmented.knapsack.rounding import Fr2Int
from learning_augmented.knapsack.widening import RangedPolicy
from learning_augmented.knapsack.zcl import ZCL
from learning_augmented.knapsack.zcl_integral import ZCLIntegral

__all__ = [
    "IPA",
    "ZCL",
    "AdditiveError",
    "AdversarialDirectionError",
    "BatchPolicy",
    "CriticalValue",
    "Decision",
    "ExplainedPolicy",
    "Fr2Int",
    "Guarantee",
    "IntervalAdversary",
    "IntervalForecast",
    "LivePolicy",
    "Mix",
    "MultiplicativeError",
    "OnlineKnapsackInstance",
    "OnlinePolicy",
    "OnlineRun",
    "PPAdvanced",
    "PPBasic",
    "PPNaive",
    "ParetoAdversary",
    "ParetoBound",
    "ParetoProgram",
    "PointAdversary",
    "PredictionError",
    "PriceSeries",
    "RangedPolicy",
    "Recommendation",
    "RollingCriticalValuePredictor",
    "Sentinel",
    "StaleError",
    "XIncreasing",
    "ZCLIntegral",
    "critical_value",
    "fr2int_floor_value",
    "fr2int_guarantee",
    "interval_lower_bound",
    "interval_ratio",
    "mix_consistency",
    "mix_robustness",
    "no_prediction_lower_bound",
    "pareto_lower_bound",
    "pareto_lp",
    "point_lower_bound",
    "power_law",
    "pp_advanced_ratio",
    "pp_basic_ratio",
    "price_windows",
    "quantile_interval",
    "recommend",
    "run_batch",
    "sp500_closes",
    "trust_for_robustness",
    "zcl_integral_ratio",
    "zcl_ratio",
]
