"""The instance checks its input at the door and does not change afterwards."""

import dataclasses
import math

import numpy as np
import pytest

from learning_augmented.knapsack import OnlineKnapsackInstance


def instance(**changes):
    arguments = {"unit_values": [2.0, 8.0, 5.0], "weights": [0.5, 3.0, 0.1], "lower": 1.0, "upper": 10.0}
    return OnlineKnapsackInstance(**(arguments | changes))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"unit_values": [2.0, math.nan, 5.0]}, r"unit_values\[1\] = nan: must be finite"),
        ({"unit_values": [2.0, 8.0, math.inf]}, r"unit_values\[2\] = inf: must be finite"),
        ({"unit_values": [0.0, 8.0, 5.0]}, r"unit_values\[0\] = 0.0: must be positive"),
        ({"unit_values": [2.0, 8.0]}, "unit_values has length 2, weights has length 3"),
        ({"unit_values": [[2.0, 8.0, 5.0]]}, "unit_values: must have shape"),
        ({"unit_values": [0.5, 8.0, 5.0]}, r"unit_values\[0\] = 0.5: must lie in \[1.0, 10.0\]"),
        ({"unit_values": [2.0, 10.1, 5.0]}, r"unit_values\[1\] = 10.1: must lie in \[1.0, 10.0\]"),
        ({"weights": [0.5, 0.0, 0.1]}, r"weights\[1\] = 0.0: must be positive"),
        ({"weights": [0.5, -3.0, 0.1]}, r"weights\[1\] = -3.0: must be positive"),
        ({"weights": [math.nan, 3.0, 0.1]}, r"weights\[0\] = nan: must be finite"),
        ({"lower": 0.0}, "lower = 0.0: must be positive"),
        ({"lower": math.nan}, "lower = nan: must be finite"),
        ({"upper": math.inf}, "upper = inf: must be finite"),
        ({"upper": 0.5}, "lower = 1.0, upper = 0.5: lower must not exceed upper"),
        ({"capacity": 0.0}, "capacity = 0.0: must be positive"),
        ({"capacity": math.inf}, "capacity = inf: must be finite"),
    ],
)
def test_bad_input_is_refused_by_name(changes, told):
    with pytest.raises(ValueError, match=told):
        instance(**changes)


def test_words_are_not_weights():
    with pytest.raises(TypeError, match="weights: must hold real numbers"):
        instance(weights=["a", "b", "c"])


def test_unit_values_may_miss_the_range_by_a_rounding_error_and_are_kept_as_they_are():
    above = 10.0 * (1 + 5e-13)
    assert instance(unit_values=[1.0 - 5e-13, 8.0, above]).unit_values[2] == above
    with pytest.raises(ValueError, match="must lie in"):
        instance(unit_values=[1.0 - 5e-12, 8.0, 5.0])


def test_weights_above_the_capacity_and_no_items_at_all_are_legal():
    assert instance(weights=[7.0, 8.0, 9.0]).weights.max() == 9.0
    assert len(instance(unit_values=[], weights=[])) == 0


def test_the_arrays_are_read_only_copies():
    mine = np.array([2.0, 8.0, 5.0])
    built = instance(unit_values=mine)
    mine[0] = 9.0
    assert built.unit_values[0] == 2.0
    with pytest.raises(ValueError, match="read-only"):
        built.unit_values[0] = 9.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        built.capacity = 2.0


def test_every_input_layout_becomes_the_same_contiguous_float64():
    strided = np.arange(1, 7, dtype=np.int32)[::2]
    built = instance(unit_values=strided, weights=np.float32([1, 2, 3]))
    for array in (built.unit_values, built.weights):
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
    assert built.unit_values.tolist() == [1.0, 3.0, 5.0]


@pytest.mark.parametrize(
    "changes",
    [
        {"unit_values": [2.0, 8.0, 5.5]},
        {"weights": [0.5, 3.0, 0.2]},
        {"lower": 0.9},
        {"upper": 11.0},
        {"capacity": 2.0},
    ],
)
def test_equality_compares_everything(changes):
    assert instance() == instance()
    assert hash(instance()) == hash(instance())
    assert instance() != instance(**changes)
    assert instance() != "an instance"


def test_a_prefix_keeps_the_first_items_and_the_rest_of_the_problem():
    assert instance(capacity=3.0).prefix(2) == instance(unit_values=[2.0, 8.0], weights=[0.5, 3.0], capacity=3.0)
    assert instance().prefix(3) == instance()
    assert len(instance().prefix(0)) == 0
    with pytest.raises(ValueError, match="count = 4: must be at most the number of items, 3"):
        instance().prefix(4)


def test_whole_values_are_divided_by_weights():
    built = OnlineKnapsackInstance.from_values([1.0, 24.0], [0.5, 3.0], lower=1, upper=10, capacity=2)
    assert built.unit_values.tolist() == [2.0, 8.0]
    assert built.capacity == 2.0
    with pytest.raises(ValueError, match=r"weights\[0\] = 0.0: must be positive"):
        OnlineKnapsackInstance.from_values([1.0], [0.0], lower=1, upper=10)


def test_the_repr_says_what_a_reader_wants_to_know():
    assert repr(instance(capacity=2.5)) == "OnlineKnapsackInstance(3 items, lower=1, upper=10, capacity=2.5)"
    assert repr(instance().prefix(1)).startswith("OnlineKnapsackInstance(1 item,")
