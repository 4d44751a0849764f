# SPDX-License-Identifier: GPL-2.0-only
"""Tests in Python, with results in TAP"""
import os
import sys
import tempfile

results = []


def check(name, passed, details=""):
    results.append(bool(passed))
    if details != "" and not passed:
        print(f"# {details}")
    print(f"{'ok' if passed else 'not ok'} {len(results)} - {name}", flush=True)


def run(tests):
    """Run the function in a directory of its own, and exit with the result of all."""
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        tests()
        os.chdir("/")
    print(f"1..{len(results)}")
    sys.exit(not all(results))
