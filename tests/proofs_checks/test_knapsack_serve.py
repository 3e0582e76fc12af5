"""The server of decisions: what a line gets, and that a kill at any moment changes no decision and loses none."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import ZCL, LivePolicy
from proofs_checks.cli import main
from proofs_checks.command.knapsack.decision_store import DecisionStore
from proofs_checks.command.knapsack.server import POLICIES, ItemServer, PolicyChoice

KILLS = int(os.environ.get("BOUNDLAB_KILLS", "5"))
CHOICE = PolicyChoice(kind="mix", lower=1.0, upper=10.0, prediction=6.0, out_of_range="widen")
OPTIONS = ["--policy", "mix", "--lower", "1", "--upper", "10", "--prediction", "6", "--out-of-range", "widen"]


def request(id, value, weight):
    return json.dumps({"id": id, "value": value, "weight": weight}).encode() + b"\n"


def requests(count, seed):
    rng = np.random.default_rng(seed)
    prices, weights = np.exp(rng.uniform(-0.2, 2.5, count)), rng.uniform(0.001, 0.02, count)
    return [
        request(f"item {n}", price * weight, weight)
        for n, (price, weight) in enumerate(zip(prices, weights, strict=True))
    ]


def served(lines, *arguments):
    done = CliRunner().invoke(main, ["knapsack", "serve", *map(str, arguments)], input=b"".join(lines))
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def uninterrupted(lines):
    server = ItemServer(CHOICE.live_policy())
    return [server.answer(line) for line in lines]


def ask_until_killed(state: Path, lines: list[bytes], patience: int, delay: float) -> list[str]:
    """Start the command, send everything, and kill it `delay` seconds after its `patience`-th answer."""
    command = [sys.executable, "-m", "proofs_checks.cli", "knapsack", "serve", *OPTIONS, "--state", str(state)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def send() -> None:
            with contextlib.suppress(BrokenPipeError):  # killed while we were writing: as intended
                process.stdin.write(b"".join(lines))
                process.stdin.flush()

        sender = threading.Thread(target=send)
        sender.start()
        answers = [process.stdout.readline() for _ in range(patience)]
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=delay)
        process.send_signal(signal.SIGKILL)
        answers += process.stdout.readlines()
        sender.join()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    return [line.decode().rstrip("\n") for line in answers if line.endswith(b"\n")]


def test_kills_at_random_moments_change_no_decision_and_lose_none(tmp_path):
    lines, state, rng = requests(8_000, seed=1), tmp_path / "state.json", np.random.default_rng()
    told: list[str] = []
    for _ in range(KILLS):
        # Whoever asks goes on behind the last answer that arrived; what was decided but not told is asked again.
        told += ask_until_killed(state, lines[len(told) :], int(rng.integers(1, 100)), float(rng.uniform(0, 0.02)))
    assert KILLS <= len(told) < len(lines)
    last = lines[len(told) : len(told) + 50]
    done, _ = served(last, *OPTIONS, "--state", state)
    told += done.stdout.splitlines()
    expected = uninterrupted(lines[: len(told)])
    assert told == expected
    log = (tmp_path / "state.json.decisions.jsonl").read_text().splitlines()
    assert [json.loads(line)["answer"] for line in log] == [json.loads(answer) for answer in expected]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state.json", "state.json.decisions.jsonl"]


class Killed(Exception):
    """Stands for a kill at one step of a commit."""


@pytest.mark.parametrize("step", ["log written", "state file half written", "state file written", "state replaced"])
@pytest.mark.parametrize("decision", [1, 2, 5])
def test_a_kill_after_each_step_of_a_commit_is_recovered_from(tmp_path, monkeypatch, step, decision):
    lines, path = requests(8, seed=2), tmp_path / "state.json"
    flush, replace, flushed = os.fsync, os.replace, []

    def server():
        live = CHOICE.live_policy()
        store = DecisionStore(path, CHOICE.configuration, live.state)
        return ItemServer(live, store), store

    def kill_at_flush(descriptor):
        flushed.append(descriptor)
        if step == "log written" or (step == "state file half written" and len(flushed) == 2):
            os.truncate(descriptor, os.fstat(descriptor).st_size - 5)  # not all of it had reached the disk
            raise Killed
        flush(descriptor)

    def kill_at_replace(source, target):
        if step == "state replaced":
            replace(source, target)
        raise Killed

    first, store = server()
    told = [first.answer(line) for line in lines[: decision - 1]]
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", kill_at_flush)
        patch.setattr(os, "replace", kill_at_replace)
        with pytest.raises(Killed):
            first.answer(lines[decision - 1])
    store.close()
    second, store = server()
    assert len(store) == decision - (step != "state replaced")
    told += [second.answer(line) for line in lines[decision - 1 :]]
    store.close()
    assert told == uninterrupted(lines)
    assert not list(tmp_path.glob(".*.part"))


def test_an_id_that_was_answered_is_answered_identically_also_after_a_restart(tmp_path):
    lines, state = requests(5, seed=3), tmp_path / "sub" / "state.json"
    done, answers = served([*lines, lines[2], lines[0]], *OPTIONS, "--state", state)
    assert done.exit_code == 0
    assert answers[5:] == [answers[2], answers[0]]
    before = state.read_bytes()
    _, again = served(lines, *OPTIONS, "--state", state)
    assert again == answers[:5]
    assert state.read_bytes() == before  # the policy saw nothing a second time
    without_state, repeated = served([lines[0], lines[0]], *OPTIONS)
    assert without_state.exit_code == 0
    assert repeated[0] == repeated[1] == answers[0]


def test_an_id_that_comes_again_for_another_item_is_an_error():
    _, answers = served(
        [request("a", 2.0, 0.5), request("a", 2.0, 0.6), request(1, 2, 1), request("1", 2, 1)], *OPTIONS
    )
    assert answers[1]["error"] == """id = 'a': was decided on before, as {"value": 2.0, "weight": 0.5}"""
    assert answers[2]["id"] == 1
    assert answers[3]["id"] == "1"
    assert "error" not in answers[3]  # 1 and "1" are two ids


def test_amounts_are_those_of_the_policy_and_infinite_guarantees_are_null():
    lines = [request(n, value, 0.4) for n, value in enumerate([0.8, 2.0, 0.8, 4.0])]
    _, answers = served(lines, "--lower", 1, "--upper", 10)
    policy = ZCL(1, 10)
    assert [answer["amount"] for answer in answers] == [policy.offer(price, 0.4) for price in (2.0, 5.0, 2.0, 10.0)]
    _, trusting = served(lines, "--policy", "pp-basic", "--prediction", 5)
    assert trusting[0]["guarantee_now"] is None
    assert trusting[0]["guarantee_if_right"] == 2.0


@pytest.mark.parametrize("kind", POLICIES)
def test_every_policy_is_served_and_goes_on_after_a_restart(tmp_path, kind):
    about = ["--policy", kind, "--lower", 1, "--upper", 10]
    about += ["--interval", 3, 6] if kind in ("ipa", "mix") else ["--prediction", 4]
    lines = [request(n, 0.02 * (1 + n % 9), 0.02) for n in range(60)]
    _, whole = served(lines, *about)
    _, first = served(lines[:25], *about, "--state", tmp_path / "state.json")
    _, rest = served(lines[25:], *about, "--state", tmp_path / "state.json")
    assert first + rest == whole
    assert any(answer["accepted"] for answer in whole)


MALFORMED = [
    (b"\xff\xfe\n", "not UTF-8"),
    (b"{\n", "not JSON"),
    (b"[1, 2]\n", "must be an object with id, value and weight, got list"),
    (b"null\n", "got NoneType"),
    (b"[" * 200_000 + b"\n", "nested too deeply"),
    (b'{"id": 1, "value": 1}\n', "weight: missing"),
    (b'{"id": null, "value": 1, "weight": 1}\n', "id = None: must be a string or an integer"),
    (b'{"id": true, "value": 1, "weight": 1}\n', "id = True: must be a string or an integer"),
    (b'{"id": 1, "value": NaN, "weight": 1}\n', "value = nan: must be finite"),
    (b'{"id": 1, "value": 1e999, "weight": 1}\n', "value = inf: must be finite"),
    (b'{"id": 1, "value": "2", "weight": 1}\n', "value = '2': must be a real number"),
    (b'{"id": 1, "value": 2, "weight": -1}\n', "weight = -1.0: must be positive"),
    (b'{"id": 1, "value": 2, "weight": [1]}\n', "weight = [1]: must be a real number"),
    (b'{"id": 1, "value": 200, "weight": 1}\n', "unit_value = 200.0: must lie in [1, 10]"),
    (b'{"id": 1, "value": ' + b"9" * 5000 + b', "weight": 1}\n', "not JSON"),
    (b'{"id": 1, "value": ' + b"9" * 400 + b', "weight": 1}\n', "beyond the range of floats"),
]


def test_malformed_lines_get_an_error_object_and_change_nothing():
    good = request("good", 2.0, 0.5)
    done, answers = served(
        [line for bad, _ in MALFORMED for line in (bad, b"\n")] + [good], "--lower", 1, "--upper", 10
    )
    assert done.exit_code == 0
    for number, ((_, told), answer) in enumerate(zip(MALFORMED, answers, strict=False)):
        assert told in answer["error"]
        assert answer["line"] == 2 * number + 1
    assert answers[7]["id"] is None
    assert answers[8]["id"] == 1
    assert answers[-1]["amount"] == 0.5
    assert len(answers) == len(MALFORMED) + 1


@given(line=st.binary(max_size=60) | st.text(alphabet='{}[]":,idvaluewght0123e.-+ nult', max_size=40).map(str.encode))
def test_no_line_crashes_the_server(line):
    server = ItemServer(LivePolicy(ZCL(1, 10)))
    answer = server.answer(line.replace(b"\n", b" "))
    assert answer is None or isinstance(json.loads(answer), dict)


def test_values_beyond_what_floats_can_add_up_are_an_error():
    lines = [request(1, 1.5e308, 1e8), request(2, 1.5e308, 1e8)]
    _, answers = served(lines, "--lower", 1, "--upper", 1.7e308, "--capacity", 1e9)
    assert "amount" in answers[0]
    assert "largest float" in answers[1]["error"]
    assert all(not isinstance(entry, float) or math.isfinite(entry) for entry in answers[0].values())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--lower", "1"], "upper: policy 'zcl' needs it"),
        (["--policy", "mix", "--lower", "1", "--upper", "2"], "prediction: policy 'mix' needs it"),
        (["--policy", "ipa", "--prediction", "2"], "interval: policy 'ipa' needs it"),
        (["--policy", "ipa", "--interval", "3", "2"], "low must not exceed high"),
        (["--lower", "2", "--upper", "1"], "lower must not exceed upper"),
        (["--policy", "pp-basic", "--prediction", "2", "--lower", "1"], "give both ends of the range"),
    ],
)
def test_options_that_do_not_make_a_policy_are_named(arguments, told):
    done, _ = served([], *arguments)
    assert done.exit_code == 2
    assert told in done.output


def test_state_files_of_others_and_damaged_ones_are_refused(tmp_path):
    state, zcl = tmp_path / "state.json", ("--lower", 1, "--upper", 10)
    served([request("a", 2.0, 0.5), request("b", 2.0, 0.5)], *zcl, "--state", state)
    log = tmp_path / "state.json.decisions.jsonl"
    kept, kept_log = state.read_bytes(), log.read_bytes()

    def refusal(*arguments):
        done, _ = served([request("c", 2.0, 0.5)], *arguments, "--state", state)
        assert done.exit_code == 2
        assert "Traceback" not in done.output
        return done.output

    assert "was written with upper = 10.0, not 20.0" in refusal("--lower", 1, "--upper", 20)
    log.write_bytes(kept_log[:-5])
    assert "the state vouches for" in refusal(*zcl)
    log.write_bytes(b"x" * len(kept_log))
    assert "line 1 is damaged" in refusal(*zcl)
    log.write_bytes(kept_log)
    state.write_bytes(b"{")
    assert "not a state file, or damaged" in refusal(*zcl)
    state.write_bytes(kept.replace(b'"format": 1', b'"format": 2'))
    assert "format 2, not 1" in refusal(*zcl)
    state.write_bytes(kept.replace(b'"filled": ', b'"filled": -'))
    assert "filled" in refusal(*zcl)
    state.unlink()
    assert "missing, but" in refusal(*zcl)
    state.write_bytes(kept)
    done, answers = served([request("a", 2.0, 0.5)], *zcl, "--state", state)
    assert done.exit_code == 0
    assert answers[0] == json.loads(kept_log.splitlines()[0])["answer"]


def test_two_servers_cannot_share_a_state_file(tmp_path):
    live = CHOICE.live_policy()
    with DecisionStore(tmp_path / "state.json", CHOICE.configuration, live.state):
        done, _ = served([], *OPTIONS, "--state", tmp_path / "state.json")
    assert done.exit_code == 2
    assert "in use by another process" in done.output


def test_a_disk_that_refuses_stops_the_server_before_it_tells(tmp_path, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    lines, state = requests(3, seed=5), tmp_path / "state.json"
    _, first = served(lines[:1], *OPTIONS, "--state", state)
    with monkeypatch.context() as patch:
        patch.setattr("proofs_checks.command.knapsack.decision_store.write_atomically", full)
        done, answers = served(lines[1:], *OPTIONS, "--state", state)
    assert done.exit_code == 1
    assert answers == []
    assert "was not told" in done.stderr
    _, rest = served(lines[1:], *OPTIONS, "--state", state)
    assert [json.dumps(answer) for answer in [*first, *rest]] == uninterrupted(lines)
