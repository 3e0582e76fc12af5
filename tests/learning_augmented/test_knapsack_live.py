"""Live decisions: the bare policy's amounts, reasons from hand-computed cases, and guarantees tried by brute force."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    Fr2Int,
    LivePolicy,
    Mix,
    PPAdvanced,
    PPBasic,
    PPNaive,
    Sentinel,
    ZCLIntegral,
)

ALPHA = 1 + math.log(10)
POLICIES = [
    ZCL(1, 10),
    PPBasic(4.0),
    PPAdvanced(4.0),
    Mix(PPAdvanced(4.0), ZCL(1, 10), trust=0.4),
    PPNaive(4.0),
    IPA(1.7, 4.0),
    Mix(IPA(1.7, 4.0), ZCL(1, 10), trust=0.4),
    ZCLIntegral(1, 10),
    Sentinel({1.0: 0.5, 4.0: 0.25}, {1.0: 2.0, 4.0: 0.5}),
]
RANGED = (0, 3, 6, 7)
ITEMS = st.lists(st.tuples(st.sampled_from([1.0, 1.7, 4.0, 6.5, 10.0]), st.floats(1e-3, 1.2)), max_size=12)
WILD_ITEMS = st.lists(st.tuples(st.floats(0.2, 40.0), st.floats(1e-3, 1.2)), max_size=12)


def best_value(items, capacity=1.0):
    """Solve the offline problem by a general solver, not by sorting."""
    if not items:
        return 0.0
    values, weights = np.array(items).T
    found = linprog(-values, A_ub=[np.ones(len(items))], b_ub=[capacity], bounds=[(0, weight) for weight in weights])
    return -found.fun


def quick_best(items, capacity=1.0):
    room, total = capacity, 0.0
    for value, weight in sorted(items, reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


@given(items=ITEMS, which=st.sampled_from(range(len(POLICIES))), capacity=st.sampled_from([0.5, 1.0, 40.0]))
def test_amounts_are_those_of_the_bare_policy(items, which, capacity):
    bare, live, quiet = POLICIES[which], LivePolicy(POLICIES[which]), LivePolicy(POLICIES[which])
    bare.reset(capacity)
    live.reset(capacity)
    quiet.reset(capacity)
    for unit_value, weight in items:
        amount = bare.offer(unit_value, weight)
        assert quiet.offer(unit_value, weight) == amount
        decision = live.decide(unit_value * weight, weight, id="x")
        assert decision.amount == pytest.approx(amount, abs=1e-12 * capacity)  # the division may move the last digit
        assert decision.accepted == (decision.amount > 0)
        assert decision.id == "x"
    assert live.state["used"] == pytest.approx(quiet.state["used"], abs=1e-12 * capacity)
    assert live.utilisation == pytest.approx(live.state["used"] / capacity)


def test_a_stream_computed_by_hand_gets_its_numbers_and_reasons():
    live = LivePolicy(ZCL(1, 10))
    first = live.decide(value=9.0, weight=1.0)  # may fill up to (1 + ln 9) / alpha
    assert first.amount == pytest.approx((1 + math.log(9)) / ALPHA)
    assert first.threshold == 1.0
    assert first.reason == (
        "Accepted 0.9681 of 1: its unit value 9 passes the threshold 1, and the room that is left asks for more."
    )
    second = live.decide(value=0.8, weight=0.2)
    assert (second.amount, second.accepted) == (0.0, False)
    assert second.threshold == pytest.approx(9.0)
    assert second.reason == "Refused: its unit value 4 does not pass the threshold 9."
    third = live.decide(value=1.0, weight=0.1)
    assert third.utilisation == 1.0
    assert third.reason == (
        "Accepted 0.0319 of 0.1: its unit value 10 passes the threshold 9, and the knapsack is full now."
    )
    fourth = live.decide(value=1.0, weight=0.1)
    assert fourth.reason == "Refused: nothing more is accepted, with 100.0% of the capacity in use."
    assert fourth.threshold == math.inf


def test_policies_with_a_prediction_explain_themselves():
    live = LivePolicy(PPBasic(2.0))
    whole = live.decide(value=5.0, weight=1.0)
    assert (whole.threshold, whole.guarantee_now, whole.guarantee_if_right) == (2.0, math.inf, 2.0)
    live.reset()
    live.decide(value=4.0, weight=2.0)  # at the prediction: half a capacity, and no more
    again = live.decide(value=1.0, weight=0.5)
    assert again.reason == "Refused: its unit value 2 does not pass the threshold 2."
    mix = LivePolicy(Mix(PPBasic(2.0), ZCL(1, 10), trust=0.5)).decide(value=1.0, weight=1.0)
    assert mix.threshold == 1.0
    assert mix.guarantee_if_right < mix.guarantee_now


def test_dearer_items_that_fill_the_knapsack_refute_the_prediction():
    live = LivePolicy(PPAdvanced(2.0), lower=1.0, upper=10.0)
    assert live.decide(value=1.5, weight=0.5).guarantee_if_right == 2.0
    refuted = live.decide(value=1.5, weight=0.5)
    assert refuted.guarantee_now == pytest.approx(10 / 3)  # full of items worth 3: at most 10 / 3 was missed
    assert refuted.guarantee_if_right == refuted.guarantee_now


def test_policies_without_explanations_are_served_as_well():
    class Half:
        """Accepts half of everything while it lasts."""

        def __init__(self):
            self.reset()

        def reset(self, capacity=1.0):
            self.room = capacity

        def offer(self, unit_value, weight):
            amount = min(weight / 2, self.room)
            self.room -= amount
            return amount

        @property
        def state(self):
            return {"room": self.room}

        def restore(self, state):
            self.room = state["room"]

        def run(self, instance):
            raise NotImplementedError

    decision = LivePolicy(Half()).decide(value=1.0, weight=0.5)
    assert math.isnan(decision.threshold)
    assert decision.guarantee_now == math.inf
    assert decision.reason == (
        "Accepted 0.25 of 0.5: its unit value 2 suits the policy, and the room that is left asks for more."
    )

    class Greedy(Half):
        def offer(self, unit_value, weight):
            return 2 * weight

    with pytest.raises(ValueError, match=r"accepted 2\.0 of weight 1.0 with 0.0 of 1.0 in use"):
        LivePolicy(Greedy()).decide(value=1.0, weight=1.0)


def ratio(optimum, value):
    """OPT / ALG, 1 when there is nothing to gain."""
    if value > 0:
        return optimum / value
    return math.inf if optimum > 0 else 1.0


def continuations(prices, weights, length):
    steps = list(itertools.product(prices, weights))
    return itertools.chain.from_iterable(itertools.product(steps, repeat=count) for count in range(length + 1))


@pytest.mark.parametrize("policy", [ZCL(1, 10), Mix(PPAdvanced(4.0), ZCL(1, 10), trust=0.4)], ids=["zcl", "mix"])
@pytest.mark.parametrize("rule", ["widen", "reject"])
def test_no_continuation_of_any_short_stream_beats_the_stated_guarantee(policy, rule):
    rng = np.random.default_rng(3)
    for _ in range(10):
        live = LivePolicy(policy, out_of_range=rule)
        seen = [(float(rng.choice([0.4, 1.0, 3.0, 8.0, 25.0])), float(rng.choice([0.05, 0.3, 1.0]))) for _ in range(3)]
        for unit_value, weight in seen:
            live.offer(unit_value, weight)
        guarantee, state = live.guarantee().always, live.state
        low, high = live.range
        for more in continuations(np.geomspace(low, high, 5).tolist(), [0.1, 1.0], length=3):
            live.restore(state)
            for unit_value, weight in more:
                live.offer(unit_value, weight)
            assert ratio(quick_best([*seen, *more]), live.value) <= guarantee * (1 + 1e-9)


@given(items=WILD_ITEMS, later=WILD_ITEMS, rule=st.sampled_from(["widen", "reject"]))
def test_every_guarantee_given_on_the_way_holds_at_the_end(items, later, rule):
    live = LivePolicy(ZCL(1, 10), out_of_range=rule)
    seen = []
    for unit_value, weight in items:
        live.offer(unit_value, weight)
        seen.append((unit_value, weight))
    guarantee, (low, high) = live.guarantee().always, live.range
    for unit_value, weight in later:
        seen.append((min(max(unit_value, low), high), weight))
        live.offer(*seen[-1])
    assert ratio(best_value(seen), live.value) <= guarantee * (1 + 1e-7)


@given(items=st.lists(st.tuples(st.floats(1, 10), st.floats(1e-4, 1e-3)), max_size=200), later=st.integers(0, 200))
def test_a_rounded_policy_guarantees_what_its_fractional_one_does_and_the_loss(items, later):
    live = LivePolicy(Fr2Int(ZCL(1, 10), 1, 10, mode="ceil", max_weight=1e-3))
    for unit_value, weight in items[:later]:
        live.offer(unit_value, weight)
    guarantee = live.guarantee().always
    for unit_value, weight in items[later:]:
        live.offer(unit_value, weight)
    assert ratio(quick_best(items), live.value) <= guarantee * (1 + 1e-9)
    assert 1.0 < guarantee < 1.3 * ALPHA


@given(items=ITEMS.filter(bool), shift=st.floats(0.8, 1.25))
def test_a_right_interval_keeps_its_ratio_at_every_decision(items, shift):
    critical = min(value for value, amount in zip(*taken(items), strict=True) if amount > 1e-12)
    live = LivePolicy(IPA(critical / 1.25 * min(shift, 1.0), critical * 1.25), lower=0.5, upper=20)
    told = [live.decide(unit_value * weight, weight).guarantee_if_right for unit_value, weight in items]
    assert ratio(quick_best(items), live.value) <= min(told) * (1 + 1e-9)
    assert told[0] <= 2 + math.log(1.25**2 / min(shift, 1.0)) + 1e-9


def taken(items):
    """What the offline optimum accepts of each item, dearest first."""
    room, prices, amounts = 1.0, [], []
    for value, weight in sorted(items, reverse=True):
        prices.append(value)
        amounts.append(min(weight, room))
        room -= amounts[-1]
    return prices, amounts


def test_thresholds_of_the_other_policies_computed_by_hand():
    ipa = LivePolicy(IPA(2.0, 8.0))
    assert ipa.decide(value=2.0, weight=1.0).threshold == 2.0
    assert ipa.decide(value=2.0, weight=1.0).threshold == pytest.approx(2.0)  # Phi(1 / alpha') is the lowest price
    ipa.decide(value=8.0, weight=1.0)  # its own policy is full: only dearer items count
    assert ipa.decide(value=8.0, weight=1.0).threshold == 8.0
    whole = LivePolicy(ZCLIntegral(1, 10))
    whole.decide(value=1.0, weight=0.5)
    refused = whole.decide(value=4.5, weight=0.6)
    assert refused.threshold == pytest.approx(math.exp(ALPHA * 0.5 - 1))
    assert refused.reason == "Refused: its unit value 7.5 passes the threshold 1.918, but no room is kept for it."
    assert math.isnan(LivePolicy(POLICIES[8]).decide(value=1.0, weight=1.0).threshold)
    assert LivePolicy(POLICIES[8]).guarantee().if_right == POLICIES[8].ratio


def test_price_classes_are_fixed_so_that_their_range_is_not_widened():
    with pytest.raises(ValueError, match="its price classes are fixed"):
        LivePolicy(Fr2Int(PPBasic(2.0), 1, 10), "widen")
    assert LivePolicy(Fr2Int(PPBasic(2.0), 1, 10), "reject").decide(20.0, 1.0).amount == 0.0
    wide = LivePolicy(ZCLIntegral(1, 10), "widen")
    assert wide.decide(value=20.0, weight=1.0).accepted
    assert wide.range == (1.0, 20.0)


@given(items=ITEMS)
def test_without_events_the_guarantee_never_exceeds_that_of_the_theorem(items):
    live = LivePolicy(ZCL(1, 10))
    assert live.guarantee().always == pytest.approx(ALPHA)
    for unit_value, weight in items:
        assert live.decide(unit_value * weight, weight).guarantee_now <= ALPHA * (1 + 1e-9)


@pytest.mark.parametrize(("first_top", "upper"), [(4.0, 30.0), (10.0, 30.0), (2.0, 12.0)])
def test_the_guarantee_after_widening_is_reached_by_rising_prices(first_top, upper):
    """Rise to `first_top` in the old range, one speck at the new highest price, then rise again and stop anywhere."""
    live = LivePolicy(ZCL(1, 10), out_of_range="widen")
    seen = [(price, 1.0) for price in np.geomspace(1.0, first_top, 1500).tolist()] + [(upper, 1e-9)]
    for unit_value, weight in seen:
        live.offer(unit_value, weight)
    guarantee = live.guarantee().always
    worst = quick_best(seen) / live.value
    for price in np.geomspace(1.0, upper, 3000).tolist():
        live.offer(price, 1.0)
        seen.append((price, 1.0))
        worst = max(worst, price / live.value)  # rising prices: the last one fills the optimum by itself
    assert 0.98 * guarantee <= worst <= guarantee * (1 + 1e-9)


def test_widening_is_counted_and_takes_the_item_with_its_new_threshold():
    live = LivePolicy(ZCL(1, 10), out_of_range="widen", margin=2.0)
    decision = live.decide(value=20.0, weight=1.0, id=7)
    assert live.range == (1.0, 40.0)
    assert decision.amount == pytest.approx((1 + math.log(20)) / (1 + math.log(40)))
    assert decision.reason.startswith("The range was widened to [1, 40]; accepted 0.8522 of 1: its unit value 20")
    live.decide(value=0.25, weight=1.0)
    assert live.range == (0.125, 40.0)
    assert (live.state["widened"], live.state["rejected"]) == (2, 0)
    assert live.state["policy"]["lower"] == 0.125


def test_rejected_items_are_counted_and_weaken_the_guarantee_by_what_they_were_worth():
    live = LivePolicy(ZCL(1, 10), out_of_range="reject")
    nothing_yet = live.decide(value=20.0, weight=1.0)
    assert nothing_yet.reason == "Rejected: its unit value 20 lies outside the range [1, 10]."
    assert nothing_yet.guarantee_now == math.inf  # the stream might end here
    after = live.decide(value=10.0, weight=1.0)  # full of the best price in the range
    assert after.guarantee_now == pytest.approx(2.0)  # the optimum is 20: the bound of the value in hand
    assert live.state["rejected"] == 1


@pytest.mark.parametrize("which", range(len(POLICIES)))
def test_the_rule_raise_changes_nothing(which):
    policy = POLICIES[which]
    live = LivePolicy(policy) if which in RANGED else LivePolicy(policy, lower=1, upper=10)
    live.decide(value=2.0, weight=0.5)
    before = live.state
    with pytest.raises(ValueError, match=r"unit_value = 12.0: must lie in \[1, 10\]"):
        live.decide(value=6.0, weight=0.5)
    assert live.state == before


@given(items=WILD_ITEMS, cut=st.integers(0, 12), which=st.sampled_from(range(len(POLICIES))))
def test_a_state_saved_as_json_in_the_middle_of_a_stream_gives_the_same_decisions_after(items, cut, which):
    def fresh():
        own = which in RANGED
        return LivePolicy(POLICIES[which], "widen", lower=None if own else 1, upper=None if own else 10)

    whole, before, after = fresh(), fresh(), fresh()
    expected = [repr(whole.decide(unit_value * weight, weight)) for unit_value, weight in items]
    told = [repr(before.decide(unit_value * weight, weight)) for unit_value, weight in items[:cut]]
    after.restore(json.loads(json.dumps(before.state)))
    told += [repr(after.decide(unit_value * weight, weight)) for unit_value, weight in items[cut:]]
    assert told == expected
    assert after.state == whole.state


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"out_of_range": "reject"}, "out_of_range"),
        ({"lower": 2.0}, "must not exceed"),
        ({"upper": 9.0}, "must not exceed"),
        ({"used": -1.0}, "state\\['used'\\] = -1.0"),
        ({"widened": 1.5}, "widened"),
        ({"ledger": {}}, "missing"),
        ({"extra": 1}, "unknown entry"),
    ],
)
def test_damaged_states_are_named_and_change_nothing(change, told):
    live = LivePolicy(ZCL(1, 10), "widen")
    live.decide(value=2.0, weight=0.5)
    before = live.state
    with pytest.raises((ValueError, TypeError), match=told):
        live.restore({**before, **change})
    assert live.state == before


@pytest.mark.parametrize(
    ("value", "weight", "told"),
    [
        (math.nan, 1.0, "value = nan"),
        (-1.0, 1.0, "value = -1.0: must be positive"),
        (1.0, 0.0, "weight = 0.0: must be positive"),
        (1e-300, 1e300, "value / weight = 0.0: must be positive and finite"),
        (1e300, 1e-300, "value / weight = inf: must be positive and finite"),
    ],
)
def test_items_that_are_none_are_named(value, weight, told):
    with pytest.raises(ValueError, match=told):
        LivePolicy(PPBasic(2.0)).decide(value, weight)


def test_parameters_are_checked():
    with pytest.raises(TypeError, match="policy = 3: must be a policy"):
        LivePolicy(3)
    with pytest.raises(ValueError, match="out_of_range = 'ignore': must be one of"):
        LivePolicy(ZCL(1, 10), "ignore")
    with pytest.raises(ValueError, match="has a range of its own"):
        LivePolicy(ZCL(1, 10), lower=1, upper=20)
    with pytest.raises(ValueError, match="give both ends"):
        LivePolicy(PPBasic(2.0), lower=1)
    with pytest.raises(ValueError, match=r"margin = 0\.5: must be at least 1"):
        LivePolicy(ZCL(1, 10), margin=0.5)
