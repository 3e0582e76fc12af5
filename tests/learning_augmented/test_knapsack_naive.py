"""The naive policy: what it takes, and that nothing can be promised for it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import OnlineKnapsackInstance, PPBasic, PPNaive, critical_value

ITEMS = st.lists(st.tuples(st.sampled_from([1.0, 2.0, 8.0]), st.floats(1e-3, 1.5)), min_size=1, max_size=15)


@given(items=ITEMS, prediction=st.sampled_from([0.5, 1.0, 2.0, 5.0, 9.0]))
def test_it_takes_what_is_strictly_dearer_while_there_is_room_and_nothing_else(items, prediction):
    policy, room = PPNaive(prediction), 1.0
    for value, weight in items:
        expected = min(weight, room) if value > prediction else 0.0
        taken = policy.offer(value, weight)
        assert taken == (pytest.approx(expected, abs=1e-15) if expected else 0.0)
        room = max(0.0, room - taken)


def test_where_all_items_are_critical_a_right_prediction_leaves_it_with_nothing():
    instance = OnlineKnapsackInstance([4.0, 4.0], [0.5, 0.75], 1, 8)
    prediction = critical_value(instance).value
    assert PPNaive(prediction).run(instance).value == 0.0
    assert PPBasic(prediction).run(instance).value == 2.0


def test_it_does_not_take_the_last_item_so_as_not_to_end_with_nothing():
    policy = PPNaive(10.0)
    assert [policy.offer(value, 0.5) for value in (9.0, 10.0, 10.0 * (1 + 1e-13), 3.0)] == [0.0] * 4
    assert policy.offer(10.1, 0.5) == 0.5


def test_it_shows_its_prediction_and_refuses_what_is_none():
    assert repr(PPNaive(2.5)) == "PPNaive(prediction=2.5)"
    assert PPNaive(2.5).state == {"policy": "PPNaive", "prediction": 2.5, "capacity": 1.0, "filled": 0.0}
    with pytest.raises(ValueError, match="prediction = nan: must be finite"):
        PPNaive(math.nan)
    with pytest.raises(ValueError, match=r"weight = 0.0: must be positive and finite"):
        PPNaive(2.5).offer(3.0, 0.0)
