"""Intervals and tests: exact or valid at every sample size where the setting allows, approximate ones say so.

==================================================  ==========================================================
You have                                            Use
==================================================  ==========================================================
successes in independent trials                     `binomial_interval` (exact)
values on a known bounded support                   `empirical_bernstein_interval`; few of them: `hoeffding_interval`
many values, none dominating, no known support      `mean_interval` (Student)
any other statistic                                 `bootstrap_interval`; grouped values: `cluster_bootstrap_interval`
paired differences, no assumption on their size     `sign_test_p_value` (exact)
several p-values                                    `holm`
frequencies against an unknown distribution         `total_variation_bound`
==================================================  ==========================================================
"""

from algos.statistics.binomial import binomial_interval, sign_test_p_value
from algos.statistics.bootstrap import bootstrap_interval, cluster_bootstrap_interval
from algos.statistics.interval import Interval
from algos.statistics.means import empirical_bernstein_interval, hoeffding_interval, mean_interval
from algos.statistics.multiple_testing import holm
from algos.statistics.total_variation import total_variation_bound

__all__ = [
    "Interval",
    "binomial_interval",
    "bootstrap_interval",
    "cluster_bootstrap_interval",
    "empirical_bernstein_interval",
    "hoeffding_interval",
    "holm",
    "mean_interval",
    "sign_test_p_value",
    "total_variation_bound",
]
