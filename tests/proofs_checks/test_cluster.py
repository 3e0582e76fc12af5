from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from distributed import LocalCluster

from proofs_checks.running.cluster import dask_client


@pytest.fixture
def scheduler_with() -> Iterator[Any]:
    """Start a cluster that lives as long as the test; call with workers and threads to get its address."""
    started: list[LocalCluster] = []

    def start(workers: int, threads: int) -> str:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=":0")
        started.append(cluster)
        return str(cluster.scheduler_address)

    yield start
    for cluster in started:
        cluster.close()


def test_workers_with_several_threads_are_refused_with_the_command_that_starts_right_ones(scheduler_with: Any) -> None:
    address = scheduler_with(1, 2)
    with (
        pytest.raises(ValueError, match=r"has 2 threads, must have 1: dask worker .* --nthreads 1"),
        dask_client(address, 1),
    ):
        pass


def test_a_cluster_without_workers_is_refused(scheduler_with: Any) -> None:
    address = scheduler_with(0, 1)
    with pytest.raises(ValueError, match="the cluster has no worker"), dask_client(address, 1):
        pass


def test_an_address_where_nobody_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs_checks.running.cluster._SECONDS_TO_CONNECT", 0.2)
    nobody = "tcp://127.0.0.1:1"
    with pytest.raises(ValueError, match=f"address = '{nobody}': no scheduler answers"), dask_client(nobody, 1):
        pass


def test_a_running_cluster_is_used_by_its_address_and_left_running(scheduler_with: Any) -> None:
    address = scheduler_with(2, 1)
    for _ in range(2):
        with dask_client(address, 1) as client:
            assert client.submit(sum, [1, 2]).result() == 3
