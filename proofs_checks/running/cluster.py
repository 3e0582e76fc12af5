"""A Dask cluster for `validate`: one given by address, or one on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["dask_client"]

_SECONDS_TO_CONNECT = 20


@contextmanager
def dask_client(address: str | None, jobs: int) -> Iterator[Any]:
    """Connect to a scheduler, or start `jobs` workers here, and refuse workers with more than one thread.

    Parameters
    ----------
    address : str or None
        Of a running scheduler, such as ``tcp://10.0.0.1:8786``.
    jobs : int
        Workers of a local cluster.

    Yields
    ------
    distributed.Client
        Connected.

    Raises
    ------
    ImportError
        If dask or distributed is missing.
    ValueError
        If no scheduler answers, there is no worker, or one has several threads: joblib's backend runs tasks in threads
        then, and two threads that call one parallel kernel abort the process.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ImportError('backend = "dask": needs dask and distributed, pip install "boundlab[cluster]"') from error
    cluster = (
        None if address else LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=":0")
    )
    try:
        with _connected(Client, address or cluster) as client:
            _require_single_threads(client, address)
            yield client
    finally:
        if cluster is not None:
            cluster.close()


def _connected(client: Any, scheduler: Any) -> Any:
    try:
        return client(scheduler, timeout=_SECONDS_TO_CONNECT)
    except OSError as error:
        raise ValueError(f"address = {str(scheduler)!r}: no scheduler answers there: {error}") from error


def _require_single_threads(client: Any, address: str | None) -> None:
    threads = client.nthreads()
    scheduler = address or client.scheduler.address
    command = f"dask worker {scheduler} --nthreads 1 --nworkers 2"
    if not threads:
        raise ValueError(f"address = {scheduler!r}: the cluster has no worker; start one with: {command}")
    many = {worker: count for worker, count in threads.items() if count != 1}
    if many:
        worker, count = next(iter(many.items()))
        raise ValueError(f"address = {scheduler!r}: worker {worker} has {count} threads, must have 1: {command}")
