"""Backtests on small files computed by hand, on files as people have them, and on a million rows."""

import csv
import math

import numpy as np
import pytest
from click.testing import CliRunner

from learning_augmented.knapsack import PPAdvanced
from proofs_checks.cli import main
from proofs_checks.command.knapsack.backtest import backtest
from proofs_checks.command.knapsack.item_table import ColumnChoice, read_items

TWO_DAYS = """day,price,forecast
mon,2,8
mon,8,8
tue,1,2
tue,4,2
tue,4,2
"""


def written(tmp_path, text, name="items.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
    return path


def command(*arguments):
    return CliRunner().invoke(main, ["knapsack", "backtest", *map(str, arguments)])


def refusal(path, **options):
    skip = options.pop("skip_bad_rows", False)
    delimiter = options.pop("delimiter", ",")
    with pytest.raises(ValueError) as caught:
        read_items(path, ColumnChoice(**options), skip_bad_rows=skip, delimiter=delimiter)
    return str(caught.value)


def test_two_windows_computed_by_hand(tmp_path):
    columns = ColumnChoice(value="price", per_weight=True, window_column="day", forecasts=["forecast"])
    table = read_items(written(tmp_path, TWO_DAYS), columns)
    result = backtest(table, lower=1, upper=8)
    assert result.windows == ("mon", "tue")
    assert result.items.tolist() == [2, 3]
    assert result.hindsight.tolist() == [8.0, 4.0]
    assert result.critical_values.tolist() == [8.0, 4.0]
    alpha = 1 + math.log(8)
    zcl, trusting, mixed = result.policies
    monday = (2 * (1 + math.log(2)) + 8 * (alpha - 1 - math.log(2))) / alpha
    tuesday = (1 + 4 * math.log(4)) / alpha
    assert zcl.values == pytest.approx([monday, tuesday])
    assert zcl.lost == pytest.approx(1 - (monday + tuesday) / 12)
    assert (zcl.worst_ratio, zcl.worst_window) == (pytest.approx(4 / tuesday), "tue")
    # Monday's forecast is right: half of one capacity at 8. Tuesday's is too low: all of the first item at 4.
    assert trusting.values.tolist() == [4.0, 4.0]
    assert trusting.lost == pytest.approx(1 / 3)
    assert (trusting.worst_ratio, trusting.worst_window) == (2.0, "mon")
    assert mixed.values == pytest.approx((zcl.values + trusting.values) / 2)
    assert (zcl.always, trusting.if_right, trusting.always) == (pytest.approx(alpha), 2.0, math.inf)
    assert mixed.always == pytest.approx(2 * alpha)


def total_value(table, scale, truth, forecast, capacity):
    """The trusting policy at a rescaled error, item by item."""
    total = 0.0
    for start, end, right, given in zip(table.starts[:-1], table.starts[1:], truth, forecast, strict=True):
        policy = PPAdvanced(right * (given / right) ** scale)
        policy.reset(capacity)
        for price, weight in zip(table.unit_values[start:end], table.weights[start:end], strict=True):
            total += price * policy.offer(float(price), float(weight))
    return total


@pytest.mark.parametrize(("spread", "pays"), [(0.15, True), (1.5, False)])
def test_the_error_at_which_trust_stops_paying_is_that_of_a_fine_scan(tmp_path, spread, pays):
    rng = np.random.default_rng(5)
    path = tmp_path / "items.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["p", "w", "day", "f"])
        for day in range(40):
            level = math.exp(rng.normal(3, 0.4))
            prices = np.clip(level * np.exp(rng.normal(0, 0.5, 60)), 1, 400)
            forecast = sorted(prices)[-12] * math.exp(rng.normal(0, spread))
            rows.writerows([price, rng.uniform(0.5, 1.5), day, forecast] for price in prices)
    columns = ColumnChoice(value="p", per_weight=True, weight="w", window_column="day", forecasts=["f"])
    table = read_items(path, columns)
    result = backtest(table, capacity=10.0, lower=1, upper=400)
    (curve,) = result.curves
    truth, forecast = result.critical_values, table.forecasts["f"]
    assert curve.error == pytest.approx(math.exp(np.abs(np.log(forecast / truth)).mean()))
    robust = math.fsum(result.policies[0].values)
    scales = np.arange(0.0, 30.0, 0.01)
    stop = next(s for s in scales if total_value(table, s, truth, forecast, 10.0) < robust)
    assert curve.stops_at == pytest.approx(stop, abs=0.02)
    assert (curve.stops_at > 1) == pays
    assert curve.stopping_error == pytest.approx(curve.error**curve.stops_at)
    assert ("pays, and stops paying at" in curve.sentence) == pays
    for scale, value in list(zip(curve.scales, curve.values, strict=True))[::10]:
        assert value == pytest.approx(total_value(table, scale, truth, forecast, 10.0), rel=1e-9)


def test_a_right_forecast_has_no_error_to_rescale(tmp_path):
    text = TWO_DAYS.replace(",2\n", ",4\n")
    columns = ColumnChoice(value="price", per_weight=True, window_column="day", forecasts=["forecast"])
    (curve,) = backtest(read_items(written(tmp_path, text), columns)).curves
    assert curve.error == 1.0
    assert curve.sentence.startswith("forecast: right in every window")


def test_the_command_prints_losses_and_writes_three_files(tmp_path):
    path = written(tmp_path, TWO_DAYS)
    options = ["--value", "price", "--per-weight", "--window-by", "day", "--forecast", "forecast"]
    done = command(path, *options, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "5 items in 2 windows; unit values in [1, 8], read off the items in hindsight" in done.output
    assert "PPAdvanced on forecast" in done.output
    with (tmp_path / "out" / "policies.csv").open(newline="") as file:
        policies = list(csv.DictReader(file))
    assert [row["policy"] for row in policies] == ["ZCL", "PPAdvanced on forecast", "Mix on forecast, trust 0.5"]
    assert float(policies[1]["lost_to_hindsight"]) == pytest.approx(1 / 3)
    with (tmp_path / "out" / "windows.csv").open(newline="") as file:
        assert [row["hindsight"] for row in csv.DictReader(file)] == ["8.0", "4.0"]
    assert (tmp_path / "out" / "trust.csv").read_text().startswith("forecast,error_scale,error_factor,")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_strange_headers_are_read_as_they_stand(tmp_path, encoding):
    text = " Wert, ,  weight (kg) \n" + "3,x,2\r\n\r\n5,y,1\n"
    path = written(tmp_path, text, encoding=encoding)
    table = read_items(path, ColumnChoice(value="Wert", weight="weight (kg)"))
    assert table.unit_values.tolist() == [1.5, 5.0]
    quoted = written(tmp_path, 'day;"Preis, €";"two\nlines"\n1;2;3\n')
    table = read_items(quoted, ColumnChoice(value="Preis, €", weight="two\nlines"), delimiter=";")
    assert table.unit_values.tolist() == [2 / 3]
    tabs = command(written(tmp_path, "a\tb\n1\t2\n"), "--value", "a", "--delimiter", "\\t", "--out", tmp_path / "out")
    assert tabs.exit_code == 0, tabs.output


def test_headers_that_do_not_fit_are_named(tmp_path):
    path = written(tmp_path, "price,w,w\n1,2,3\n")
    assert "no column 'prize' among 'price', 'w', 'w'; did you mean 'price'?" in refusal(path, value="prize")
    assert "column 'w' is there 2 times (columns 2, 3)" in refusal(path, value="price", weight="w")
    assert "is the delimiter another one?" in refusal(written(tmp_path, "a;b\n1;2\n"), value="a")
    assert "empty, not even a header" in refusal(written(tmp_path, "\n\n"), value="a")
    assert "no usable row below the header" in refusal(written(tmp_path, "a\n"), value="a")


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("nan", "column 'v' = 'nan': must be positive and finite"),
        ("-inf", "column 'v' = '-inf': must be positive and finite"),
        ("0", "column 'v' = '0': must be positive and finite"),
        ("", "column 'v' = '': must be a number"),
        ("1.5 €", "column 'v' = '1.5 €': must be a number"),
        ('"1,5"', "column 'v' = '1,5': must be a number"),
        ("1e300", "column 'v': value / weight = inf"),
    ],
)
def test_cells_that_are_no_number_are_named_with_row_line_and_column(tmp_path, cell, told):
    path = written(tmp_path, f"v,w\n1,1\n\n{cell},1e-300\n")
    assert refusal(path, value="v", weight="w").startswith(f"items.csv: row 2 (line 4): {told}")


def test_files_that_are_no_table_are_named(tmp_path):
    assert "row 2 (line 3): has 1 cells, the header has 2" in refusal(written(tmp_path, "v,w\n1,1\n2\n"), value="v")
    assert "not UTF-8" in refusal(written(tmp_path, b"v\n1\n\xff\n"), value="v")
    assert "line 2: no CSV" in refusal(written(tmp_path, 'v\n"1"2\n'), value="v")
    assert "row 1 (line 2): column 'f' = 'x': must be a number" in refusal(
        written(tmp_path, "v,f\n1,x\n"), value="v", forecasts=["f"]
    )
    again = written(tmp_path, "v,day\n1,a\n1,b\n1,a\n")
    assert "row 3 (line 4): window 'a' begins again" in refusal(again, value="v", window_column="day")
    assert "begins again" in refusal(again, value="v", window_column="day", skip_bad_rows=True)
    assert "column 'day': must not be empty" in refusal(
        written(tmp_path, "v,day\n1,\n"), value="v", window_column="day"
    )


def test_skipped_rows_and_windows_left_empty_by_them_are_counted_and_named(tmp_path):
    path = written(tmp_path, "v,f\n1,9\nnan,x\nx,8\n,7\n5,x\n3,6\n7,\n")
    columns = ColumnChoice(value="v", window_rows=2, forecasts=["f"])
    table = read_items(path, columns, skip_bad_rows=True)
    assert table.unit_values.tolist() == [1.0, 3.0]
    assert table.rows.tolist() == [1, 6]
    assert table.windows == ("rows 1-2", "rows 5-6")
    assert table.empty_windows == ("rows 3-4", "rows 7-8")
    assert table.forecasts["f"].tolist() == [9.0, 6.0]  # a window's first row that can be read
    assert table.skipped_rows == 5
    assert table.skipped[0] == "row 2 (line 3): column 'v' = 'nan': must be positive and finite"
    options = ["--value", "v", "--window", 2, "--forecast", "f", "--skip-bad-rows", "--out", tmp_path / "out"]
    done = command(path, *options)
    assert done.exit_code == 0, done.output
    assert "5 rows were skipped:" in done.output
    assert "2 windows have no usable row and are left out: rows 3-4, rows 7-8" in done.output
    nothing = refusal(written(tmp_path, "v\nx\ny\n"), value="v", skip_bad_rows=True)
    assert "no usable row below the header: 2 were skipped, the first: row 1 (line 2)" in nothing


def test_a_unit_value_outside_the_known_range_is_named_by_its_row(tmp_path):
    path = written(tmp_path, "v\n1\n2\n30\n")
    done = command(path, "--value", "v", "--lower", 1, "--upper", 10, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert "row 3: unit value 30.0 lies outside the range [1.0, 10.0]" in done.output
    assert not (tmp_path / "out").exists()


def test_windows_are_given_by_rows_or_by_a_column(tmp_path):
    path = written(tmp_path, "v\n1\n2\n3\n")
    assert read_items(path, ColumnChoice(value="v")).windows == ("all rows",)
    assert read_items(path, ColumnChoice(value="v", window_rows=2)).starts.tolist() == [0, 2, 3]
    with pytest.raises(ValueError, match="give one"):
        ColumnChoice(window_rows=2, window_column="day")
    with pytest.raises(ValueError, match="window_rows = 0: must be at least 1"):
        ColumnChoice(window_rows=0)


def test_a_million_rows_are_read_and_replayed_with_progress(tmp_path):
    rng = np.random.default_rng(0)
    prices = rng.uniform(1, 9, 1_000_000).round(4)
    path = tmp_path / "large.csv"
    path.write_text("v,f\n" + "".join(f"{price},5\n" for price in prices.tolist()))
    reading, replaying = [], []
    columns = ColumnChoice(value="v", window_rows=10_000, forecasts=["f"])
    table = read_items(path, columns, progress=lambda done, total: reading.append((done, total)))
    result = backtest(
        table, capacity=1000.0, lower=1, upper=9, progress=lambda done, total: replaying.append((done, total))
    )
    assert np.array_equal(table.unit_values, prices)
    assert len(result.windows) == 100
    expected = [math.fsum(np.sort(window)[-1000:]) for window in prices.reshape(100, -1)]
    assert result.hindsight == pytest.approx(expected)
    for calls in (reading, replaying):
        done = [step for step, _ in calls]
        assert len(calls) > 10
        assert done == sorted(done)
        assert calls[-1][0] == calls[-1][1]
    assert reading[-1][0] == path.stat().st_size
