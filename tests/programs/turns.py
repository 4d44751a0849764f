# SPDX-License-Identifier: GPL-2.0-only
"""A program of Python that profil is attached to; run describes its arguments.

The first function's work is in libz, and the second one's in the interpreter.
"""

import sys
import time
import zlib

DATA = bytes(range(256)) * 4096


def first():
    zlib.crc32(DATA)


def second():
    total = 0
    for number in range(20000):
        total += number & total


def work(function, nanoseconds):
    """Call function for some CPU time, and return the CPU time in nanoseconds."""
    begin = time.process_time_ns()
    while time.process_time_ns() - begin < nanoseconds:
        function()
    return time.process_time_ns() - begin


def main():
    used = [0, 0]
    print('ready', flush=True)
    sys.stdin.readline()
    for _ in range(10):
        used[0] += work(first, int(sys.argv[1]) // 10)
        used[1] += work(second, int(sys.argv[2]) // 10)
    print('used', *used, flush=True)
    sys.stdin.readline()


main()
