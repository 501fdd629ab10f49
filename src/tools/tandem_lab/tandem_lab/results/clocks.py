"""Peers stamp with CLOCK_MONOTONIC; strace and tcpdump stamp with the time of day."""

import time


def ahead():
    """By how many ns the time of day is ahead of CLOCK_MONOTONIC: the reading that was interrupted least of some."""
    readings = []
    for _ in range(20):
        before, day, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        readings.append((after - before, day - (before + after) // 2))
    return min(readings)[1]
