"""What must be set before numpy and numba are imported, for every entry point of the laboratory."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from proofs_checks.running.packages import refuse_intruders

__all__ = ["available_cores", "machine", "prepare"]

_SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare() -> None:
    """Give every linear-algebra library one thread, compiled kernels their folder, and refuse intruding packages.

    One thread because sums in another order have other last digits; worker processes inherit all of it.

    Raises
    ------
    ImportError
        If another package shadows one of ours.
    """
    for variable in _SINGLE_THREADED:
        os.environ[variable] = "1"
    refuse_intruders()
    from algos.kernel_cache import use_kernel_cache  # after the check: another `algos` may be in the way

    use_kernel_cache()


def available_cores() -> int:
    """Return the number of cores that this process may use.

    Returns
    -------
    int
        At least 1.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def machine() -> dict[str, str]:
    """Return what a reader of timings wants to know about this machine.

    Returns
    -------
    dict of str to str
        Processor, cores, memory and load average, as far as the system tells.
    """
    facts = {"system": f"{platform.system()} {platform.machine()}", "cores": str(available_cores())}
    cpu = Path("/proc/cpuinfo")
    if cpu.is_file():
        names = [line.partition(":")[2].strip() for line in cpu.read_text().splitlines() if "model name" in line]
        facts |= {"processor": names[0]} if names else {}
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        facts["memory"] = f"{size / 2**30:.0f} GiB"
    if hasattr(os, "getloadavg"):
        facts["load average"] = f"{os.getloadavg()[0]:.2f}"
    return facts
