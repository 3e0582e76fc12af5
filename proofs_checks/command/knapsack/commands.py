"""The commands `boundlab knapsack`: backtest and serve."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

__all__ = ["knapsack"]

_SERVED = ["zcl", "zcl-integral", "pp-basic", "pp-advanced", "ipa", "mix"]
_POSITIVE = click.FloatRange(min=0, min_open=True)


@click.group()
def knapsack() -> None:
    """Online knapsack on your own data, replayed or live."""


@knapsack.command("backtest")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--value", default="value", show_default=True, help="Column of the item's whole value.")
@click.option("--per-weight", is_flag=True, help="The value column is per weight, as a price is.")
@click.option("--weight", default=None, help="Column of the weight; without it every row weighs 1.")
@click.option("--capacity", type=_POSITIVE, default=1.0, show_default=True, help="In every window anew.")
@click.option("--window", "window_rows", type=click.IntRange(min=1), help="Rows in a window (default: all).")
@click.option("--window-by", "window_column", help="Column; consecutive rows that agree in it are a window.")
@click.option(
    "--forecast", "forecasts", multiple=True, help="Column; forecast critical value, in a window's first row."
)
@click.option("--lower", type=_POSITIVE, help="Known least unit value (default: read off the file).")
@click.option("--upper", type=_POSITIVE, help="Known greatest unit value (default: read off the file).")
@click.option("--trust", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of the policy that hedges.")
@click.option("--delimiter", default=",", show_default=True, help="Between two cells.")
@click.option("--skip-bad-rows", is_flag=True, help="Count rows that cannot be read, instead of stopping at the first.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("build/backtest"), show_default=True
)
def backtest(file: Path, **options: Any) -> None:
    """Replay policies over the arrival windows of a CSV file: value lost to hindsight, and when trust stops paying.

    Items arrive in the order of the rows. Files policies.csv, windows.csv and trust.csv are written to --out.
    """
    from proofs_checks.command.knapsack.backtest import backtest as replay
    from proofs_checks.command.knapsack.backtest_report import backtest_lines, write_backtest
    from proofs_checks.command.knapsack.item_table import ColumnChoice, read_items
    from proofs_checks.command.terminal import search_bar

    names = ("value", "per_weight", "weight", "window_rows", "window_column", "forecasts")
    try:
        columns = ColumnChoice(**{name: options[name] for name in names})
        delimiter = "\t" if options["delimiter"] == "\\t" else options["delimiter"]
        with search_bar(f"read {file.name}") as progress:
            table = read_items(
                file, columns, delimiter=delimiter, skip_bad_rows=options["skip_bad_rows"], progress=progress
            )
        with search_bar("replay") as progress:
            told = {name: options[name] for name in ("capacity", "lower", "upper", "trust")}
            result = replay(table, **told, progress=progress)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    files = write_backtest(options["out"], result)
    click.echo("\n".join([*backtest_lines(table, result), "", *(f"wrote {path}" for path in files)]))


@knapsack.command("serve")
@click.option("--policy", "kind", type=click.Choice(_SERVED), default="zcl", show_default=True)
@click.option("--lower", type=_POSITIVE, help="Known least unit value; zcl, zcl-integral and mix need it.")
@click.option("--upper", type=_POSITIVE, help="Known greatest unit value; as --lower.")
@click.option("--prediction", type=_POSITIVE, help="Predicted critical value, for pp-basic, pp-advanced and mix.")
@click.option("--interval", type=_POSITIVE, nargs=2, help="Interval for the critical value, for ipa and mix.")
@click.option("--trust", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of mix.")
@click.option("--capacity", type=_POSITIVE, default=1.0, show_default=True)
@click.option("--out-of-range", type=click.Choice(["raise", "widen", "reject"]), default="raise", show_default=True)
@click.option("--margin", type=click.FloatRange(min=1), default=1.0, show_default=True, help="Of --out-of-range widen.")
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help="Decisions that survive a kill.")
def serve(state: Path | None, **options: Any) -> None:
    """Decide on items as they come: JSON lines in, JSON lines out.

    A line in: {"id": "a", "value": 3.5, "weight": 0.25}, the value being that of the whole item. With --state, the
    state is on the disk before a decision is printed, and a restart goes on where it stood; an id that was answered
    before is given the same answer. A line that is no request is answered with an error object.
    """
    from proofs_checks.command.knapsack.decision_store import DecisionStore
    from proofs_checks.command.knapsack.server import ItemServer, PolicyChoice

    with ExitStack() as stack:
        try:
            choice = PolicyChoice(**options)
            live = choice.live_policy()
            store = None
            if state is not None:
                store = stack.enter_context(DecisionStore(state, choice.configuration, live.state))
            server = ItemServer(live, store)
        except (ValueError, TypeError) as error:
            raise click.UsageError(str(error)) from error
        try:
            for line in sys.stdin.buffer:
                answer = server.answer(line)
                if answer is not None:
                    click.echo(answer)
        except BrokenPipeError:
            sys.exit(0)  # nobody listens any more; what was decided is in the state
        except OSError as error:
            raise click.ClickException(f"a decision could not be stored, and was not told: {error}") from error
