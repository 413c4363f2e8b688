"""Limits of waits that the SDKs do not limit. The drivers share this module."""

import signal
from collections.abc import Iterable


def all_within(seconds: int, what: str, items: Iterable) -> list:
    """The items, if the last one comes in time. Heartbeats keep a stream open for as long as its job hangs."""
    found = []

    def end(*_) -> None:
        raise AssertionError(f"{what} do not end: {found}")

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        for item in items:
            found.append(item)
    finally:
        signal.alarm(0)
    return found
