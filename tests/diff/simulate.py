#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""profil diff on simulated recordings

Without a change, at most about one comparison of a hundred
reports one; a change of a known size is found; the rows that are sure are those
of oracle.py. The result is in TAP."""
import math
import os
import random
import subprocess
import sys

import oracle
import recording
import tap

SEED = 20261122
source = random.Random(SEED)


def check(name, passed, details):
    print(f"# {details}")
    tap.check(name, passed)


def means_of_program():
    """Samples that functions get on average: few have many, many have few."""
    return {("program", f"f{i}"): 2000 / (i + 1) ** 1.3 for i in range(60)}


def poisson(mean):
    hits = 0
    while mean > 0:
        part = min(mean, 500)
        mean -= part
        limit, product = math.exp(-part), source.random()
        while product > limit:
            hits += 1
            product *= source.random()
    return hits


def write(path, samples, period):
    """Write a recording with samples, a dictionary by (object, function)."""
    known = recording.Recording(["./program"], period)
    owners = {name: known.object(f"/bin/{name}", 4096, 0)
              for name in sorted({name for name, _ in samples})}
    for index, ((name, function), hits) in enumerate(sorted(samples.items())):
        number = known.function(owners[name], 16 * index, 16, function)
        if hits:
            known.place(owners[name], 16 * index, number, hits)
    known.write(path)


def record(path, means, period=1000000, spread=0, uneven=False):
    """Simulate a recording; spread is the deviation of a function's time.

    Of uneven functions, one of five deviates by twice as much, and the others by a
    quarter of it."""
    samples = {}
    for number, (row, mean) in enumerate(means.items()):
        own = spread * (0.25 if number % 5 else 2) if uneven else spread
        if own:
            mean *= source.gammavariate(own ** -2, own ** 2)
        samples[row] = poisson(mean * 1000000 / period)
    write(path, samples, period)
    return samples


class Comparison:
    """Recordings of both sides, and the rows that profil diff calls sure"""

    def __init__(self, command, before, after, runs=(1, 1), **options):
        periods = options.pop("periods", (1000000, 1000000))
        self.shares = options.pop("shares", False)
        sides, self.samples, files = [], [], []
        for side, means in enumerate((before, after)):
            names = [f"{side}-{run}.data" for run in range(runs[side])]
            sides.append({
                "runs": range(len(self.samples), len(self.samples) + runs[side]),
                "exposure": [1e9 / periods[side]] * runs[side]})
            self.samples += [record(name, means, periods[side], **options)
                             for name in names]
            files.append(",".join(names))
        self.sides = sides
        run = subprocess.run([command, "--exit-code", *["--shares"] * self.shares, *files],
                             stdout=subprocess.PIPE, check=False, text=True)
        fields = [line.split() for line in run.stdout.splitlines()]
        self.sure = {words[5] for words in fields if words[3:4] == ["yes"]}
        if run.returncode != bool(self.sure):
            sys.exit(f"exit status {run.returncode} with {run.stdout}")

    def expected(self):
        names = sorted({name for run in self.samples for name in run})
        rows = [[run[name] for run in self.samples] for name in names]
        if self.shares:
            for side in self.sides:
                side["exposure"] = [sum(self.samples[run].values())
                                    for run in side["runs"]]
        return oracle.sure_rows([name for _, name in names], rows, self.sides)


def false_reports(command, name, pairs=600, limit=14, length=1, **options):
    """With 1 %, more reports than the limit have a chance of 0.2 %."""
    means = means_of_program()
    after = {row: mean * length for row, mean in means.items()}
    reports = sum(bool(Comparison(command, means, after, **options).sure)
                  for _ in range(pairs))
    check(f"no change, {name}: at most about 1 % of the comparisons report one",
          reports <= limit, f"{reports} of {pairs} report a change")


def true_reports(command, name, factor, pairs=100, **options):
    before = means_of_program()
    after = dict(before)
    changed = ("program", "f2")
    after[changed] *= factor
    found = others = 0
    for _ in range(pairs):
        sure = Comparison(command, before, after, **options).sure
        found += changed[1] in sure
        others += bool(sure - {changed[1]})
    check(f"a change, {name}: it is found, and hardly any other",
          found >= 0.98 * pairs and others <= 0.03 * pairs,
          f"found in {found} of {pairs}, another in {others}")


def agreement(command, name, pairs=100, **options):
    """Random comparisons of all kinds, with changes of all sizes"""
    different = rows = 0
    for _ in range(pairs):
        before = means_of_program()
        after = {row: mean * source.choice([1, 1, 1, 0.9, 0.7, 0.3, 1.4])
                 for row, mean in before.items()}
        runs = source.choice([(1, 1), (1, 3), (2, 2), (3, 3), (5, 4), (10, 10)])
        comparison = Comparison(
            command, before, after, runs, spread=source.choice([0, 0.05, 0.2]),
            periods=source.choice([(1000000, 1000000), (4000000, 1000000)]),
            **options)
        sure, near = comparison.expected()
        rows += len(sure)
        different += bool((sure ^ comparison.sure) - near)
    check(f"{name}: the sure rows are those of the oracle", not different and rows > pairs,
          f"{different} of {pairs} comparisons differ, {rows} rows are sure")


def tests():
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "diff")
    print(f"# seed {SEED}")
    agreement(command, "seconds")
    agreement(command, "shares", shares=True)
    false_reports(command, "one run on each side")
    false_reports(command, "rates of 250 Hz and 1 kHz", 300, 9,
                  periods=(4000000, 1000000))
    false_reports(command, "3 runs on each side", 300, 9,
                  runs=(3, 3))
    false_reports(command, "3 runs that vary by 5 %", runs=(3, 3),
                  spread=0.05)
    false_reports(command, "5 runs that vary by 20 %", 300, 9,
                  runs=(5, 5), spread=0.2)
    false_reports(command, "10 runs that vary by 3 % or 20 %", 300, 9,
                  runs=(10, 10), spread=0.1, uneven=True)
    false_reports(command, "shares, half of the length", 300, 9, length=0.5,
                  shares=True)
    true_reports(command, "half of the time, one run on each side", 0.5)
    true_reports(command, "two fifths of the time more, 3 runs on each side",
                 1.4, runs=(3, 3))
    true_reports(command, "a third more, 5 runs that vary by 5 %", 1.33,
                 runs=(5, 5), spread=0.05)


tap.run(tests)
