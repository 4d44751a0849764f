#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""profil diff on simulated recordings

Without a change, at most about one comparison of a hundred
reports one; a change of a known size is found; the rows that are sure are those
of oracle.py. The same holds of the totals of recordings with callers. The result is in
TAP."""
import json
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


def few(mean):
    """A number of samples of this mean, in as many steps as its number"""
    hits, limit, product = 0, math.exp(-mean), source.random()
    while product > limit:
        hits += 1
        product *= source.random()
    return hits


def poisson(mean):
    """The same for any mean. A large one takes one or two steps, by Hoermann's
    transformed rejection."""
    if mean < 30:
        return few(mean)
    width = 0.931 + 2.53 * math.sqrt(mean)
    slope = -0.059 + 0.02483 * width
    scale = math.log(1.1239 + 1.1328 / (width - 3.4))
    while True:
        at, height = source.random() - 0.5, 1 - source.random()
        edge = 0.5 - abs(at)
        hits = math.floor((2 * slope / edge + width) * at + mean + 0.43) if edge else -1
        if hits >= 0 and (
                math.log(height) + scale - math.log(slope / edge ** 2 + width)
                <= hits * math.log(mean) - mean - math.lgamma(hits + 1)):
            return hits


def write(path, samples, period):
    """Write a recording with samples, a dictionary by (object, function).

    The file is a new one: to truncate one makes the file system write it to disk."""
    if os.path.exists(path):
        os.unlink(path)
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


def callers_of(number):
    """Who calls the function of this number: one of five, of one or two others"""
    return ["main", f"outer{number % 2}", f"g{number % 5}"]


def record_stacks(path, means):
    """Simulate a recording with callers. Returns its samples in functions, and those with
    a caller on the stack."""
    self, total, folded = {}, {}, []
    for number, ((_, function), mean) in enumerate(means.items()):
        hits = self[function] = poisson(mean)
        names = callers_of(number)
        folded.append(";".join(f"program/{name}" for name in [*names, function]) +
                      f" {hits}\n")
        for name in names:
            total[name] = total.get(name, 0) + hits
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_data.awk")
    with open(path, "wb") as out:
        subprocess.run(["awk", "-v", "base=4096", "-v", "build=a", "-f", script],
                       input="".join(folded).encode(), stdout=out, check=True)
    return self, total


def compare_stacks(command, before, after, runs):
    """What profil diff and the oracle are sure of: functions, and totals of callers, which
    have no samples themselves; and the number of rows that have a path"""
    files, samples = [], []
    for side, means in enumerate((before, after)):
        names = [f"{side}-{run}.data" for run in range(runs)]
        samples += [record_stacks(name, means) for name in names]
        files.append(",".join(names))
    run = subprocess.run([command, "--json", "--limit", "0", *files],
                         stdout=subprocess.PIPE, check=True)
    rows = json.loads(run.stdout)["rows"]
    sure = {row["function"] for row in rows if row["sure"] or row["total_sure"]}
    names, counts = [], []
    for kind in range(2):
        for name in sorted({name for sample in samples for name in sample[kind]}):
            names.append(name)
            counts.append([sample[kind].get(name, 0) for sample in samples])
    sides = [{"runs": range(runs), "exposure": [1000] * runs},
             {"runs": range(runs, 2 * runs), "exposure": [1000] * runs}]
    of_totals = len(samples[0][1])
    return sure, oracle.sure_rows(names, counts, sides, len(counts) - of_totals), rows


def totals(command, pairs=60):
    """Callers whose change is that of many functions, none of which is sure"""
    different = totals_alone = 0
    for pair in range(pairs):
        before = {row: 2 * mean for row, mean in means_of_program().items()}
        after = {row: mean * (0.9 if pair % 2 and number % 5 == 1 else 1)
                 for number, (row, mean) in enumerate(before.items())}
        sure, (expected, near), rows = compare_stacks(command, before, after,
                                                      1 + pair % 3)
        different += bool((sure ^ expected) - near)
        totals_alone += sum(row["total_sure"] and not row["sure"] for row in rows)
    check("totals: the sure rows are those of the oracle",
          not different and totals_alone > pairs / 4,
          f"{different} of {pairs} comparisons differ, "
          f"{totals_alone} totals alone are sure")


def false_paths(command, pairs=300, limit=9):
    """Without a change, no row is sure, of itself or of its total."""
    means = means_of_program()
    reports = sum(bool(compare_stacks(command, means, means, 1)[0])
                  for _ in range(pairs))
    check("no change, with callers: at most about 1 % of the comparisons report one",
          reports <= limit, f"{reports} of {pairs} report a change")


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


def equal_rows(command):
    """By Holm's method, of rows with one chance all are sure, or none is."""
    parted = kinds = 0
    for nr in range(2, 6):
        sure = set()
        for more in range(20, 60, 2):
            for path, hits in ("before.data", 100), ("after.data", 100 + more):
                write(path, {("program", f"f{i}"): hits for i in range(nr)}, 1000000)
            run = subprocess.run([command, "--json", "before.data", "after.data"],
                                 stdout=subprocess.PIPE, check=True)
            sure.add(sum(row["sure"] for row in json.loads(run.stdout)["rows"]))
        parted += bool(sure - {0, nr})
        kinds += len(sure)
    check("rows with equal samples are sure together", not parted and kinds >= 8,
          f"{parted} numbers of rows are parted, of {kinds} numbers of sure rows")


def tests():
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "diff")
    print(f"# seed {SEED}")
    agreement(command, "seconds")
    agreement(command, "shares", shares=True)
    totals(command)
    equal_rows(command)
    false_paths(command)
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
