"""What every test run shares: one thread, compiled kernels in their folder, no network, and hypothesis profiles."""

from __future__ import annotations

import os
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from proofs_checks.running.environment import prepare

prepare()

settings.register_profile(
    "ci", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any socket that connects to something else than this machine raises."""
    connect = socket.socket.connect

    def connect_to_loopback(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not str(address[0]).startswith(_LOOPBACK):
            raise RuntimeError(f"a test tried to reach {address!r}: tests stay on this machine")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_to_loopback)
