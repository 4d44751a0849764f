#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""profil diff of random profiles: each function is in one row of the JSON, with its shares
as counted in the text of both files, and in the same row of the table. The result is in
TAP."""
import collections
import gzip
import json
import os
import re
import subprocess
import sys

import tap

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = 8
SIDES = "before", "after"
LINE = re.compile(r" *([\d.]+) +([\d.]+) +([-+][\d.]+)  (.*)")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False, timeout=300)
    if done.returncode:
        sys.exit(f"{command} has failed")
    return done.stdout.decode("latin-1")


def samples(seed):
    """Samples of each function, by the kind and path of its object and its name"""
    run(HERE + "/properties", str(seed), f"{seed}.data")
    with gzip.open(f"{seed}.data", "rt", encoding="latin-1", newline="\n") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    objects = [line[1:3] for line in lines if line[0] == "object"]
    # Functions without a symbol are one row of a file without a build ID.
    builds = [line[3] != "-" for line in lines if line[0] == "object"]
    names = [(line[5] or builds[int(line[1])]) and (line[6] or line[5])
             for line in lines if line[0] == "function"]
    programs = [line[1] for line in lines if line[0] == "program"]
    counts = collections.Counter()
    for line in lines:
        if line[0] == "place" and programs[int(line[2])].endswith("profil itself"):
            counts["itself"] += int(line[6]) + int(line[7])
        elif line[0] == "place":
            name = "" if line[5] == "-" else names[int(line[5])]
            counts[(*objects[int(line[1])], name)] += int(line[6]) + int(line[7])
        elif line[0] == "totals":
            counts["outside"] += int(line[3])
            counts["lost"] += int(line[4])
    return +counts


def shares(counts):
    total = sum(counts.values())
    return {key: 100 * count / total for key, count in counts.items()}


def is_near(numbers, others, error):
    return len(numbers) == len(others) and all(
        abs(one - other) <= error for one, other in zip(numbers, others))


def try_pair(seed):
    sides = [shares(samples(seed + i)) for i in range(2)]
    keys = sides[0].keys() | sides[1].keys()
    expected = sorted([side.get(key, 0) for side in sides] for key in keys)
    command = [HERE + "/profil", "diff", "--shares", "--limit=0",
               f"{seed}.data", f"{seed + 1}.data"]
    rows = json.loads(run(*command, "--json"))["rows"]
    # A function may have samples in what it calls alone.
    found = sorted([row[side] for side in SIDES] for row in rows
                   if row["before"] or row["after"])
    name = f"profiles {seed} and {seed + 1}:"
    names = collections.Counter((row["object"], row["function"]) for row in rows)
    twice = [key for key, count in names.items() if count > 1]
    tap.check(f"{name} each function is in one row", names and not twice,
              f"rows: {twice[:5]}")
    wrong = [pair for pair in zip(expected, found) if not is_near(*pair, 2e-6)]
    tap.check(f"{name} the shares are those of the files",
              len(expected) == len(found) and not wrong,
              f"{len(expected)} and {len(found)}; expected and found: {wrong[:5]}")
    tap.check(f"{name} the shares add up to 100 %",
              all(is_near([sum(row[side] for row in rows)], [100], 1e-6 * len(rows))
                  for side in SIDES), "they do not")
    lines = [match for match in map(LINE.fullmatch, run(*command).splitlines()) if match]
    wrong = [line[0] for line, row in zip(lines, rows)
             if not line[4].endswith(row["function"]) or not is_near(
                 [float(number) for number in line.groups()[:3]],
                 [row[side] for side in (*SIDES, "change")], 0.00501)]
    tap.check(f"{name} the table has the same rows",
              len(lines) == len(rows) and not wrong,
              f"{len(lines)} and {len(rows)} rows: {wrong[:5]}")


def tests():
    first = int(os.environ.get("SEED", 1))
    for seed in range(first, first + PAIRS):
        try_pair(seed)


tap.run(tests)
