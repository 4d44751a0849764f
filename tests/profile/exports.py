#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each export of random profiles has every sample, for a decoder that shares no code
with it. Those for compilers have a part of the samples, or the largest
count of a line: tests/golden/exports. The result is in TAP."""
import collections
import gzip
import os
import re
import subprocess
import sys

import tap

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = 12


def check(name, expected, counts):
    keys = expected.keys() | counts.keys()
    wrong = [(key, expected[key], counts[key]) for key in sorted(keys, key=str)
             if expected[key] != counts[key]]
    tap.check(name, expected and not wrong,
              f"place, expected and decoded: {wrong[:5]}")


def run(command, data=None):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=False,
                          timeout=300)
    if done.returncode:
        sys.exit(f"{command} has failed")
    return done.stdout


def export(form, *options):
    return run([HERE + "/profil", "export", "-f", form, "-o", "-", *options])


def decode(form, *options):
    data = export(form, *options)
    if form == "pprof":
        data = gzip.decompress(data)
    return run([f"{HERE}/decode_{form}"], data).decode("latin-1").splitlines()


def places(text):
    """(kind and path of the object, symbol, address, user, kernel) of each place"""
    lines = [line.split("\t") for line in text.splitlines()]
    objects = [line[1:3] for line in lines if line[0] == "object"]
    symbols = [line[5] for line in lines if line[0] == "function"]
    for line in lines:
        if line[0] == "place":
            symbol = "" if line[5] == "-" else symbols[int(line[5])]
            yield (*objects[int(line[1])], symbol, int(line[4], 16),
                   int(line[6]), int(line[7]))


def totals(text):
    line = re.search(r"^totals\t.*", text, re.M).group().split("\t")
    return {"outside": int(line[3]), "lost": int(line[4])}


def low(address):
    """The part of an address that each format keeps"""
    return address & 0xfff


def in_text(text, modes):
    counts = collections.Counter(totals(text))
    for _, _, _, address, user, kernel in places(text):
        counts[low(address), modes[0]] += user
        counts[low(address), modes[1]] += kernel
    return +counts


def in_pprof():
    counts = collections.Counter()
    for line in decode("pprof"):
        found = re.match(r"sample (\d+) .*\+(0|0x\w+)(?: program=.*)?$",
                         line.split(" <- ")[0])
        mode = re.search(r" mode=(\w+)(?: callers=by frame pointers)?$", line)
        if found and mode:
            counts[low(int(found[2], 16)), mode[1]] += int(found[1])
        elif line.startswith("sample"):
            counts[re.search(r"\[(\w+)\]", line)[1]] += int(line.split()[1])
    return counts


def in_perf():
    counts = collections.Counter()
    # A name may have a newline.
    text = "\n".join(decode("perf")).split("\nfeature ")[0]
    for sample in text.split("\nsample ")[1:]:
        place, count = sample.split(" <- ")[0], int(sample.rsplit(None, 1)[1])
        special = re.match(r"\[(\w+)\] \[\1\]\+", place)
        found = re.search(r"\+(\w+)(?: \d+ \d+)?$", place)
        if special:
            counts[special[1]] += count
        else:
            counts[low(int(found[1], 16)), "all"] += count
    return counts


def in_callgrind():
    counts, names, name, last = collections.Counter(), {}, "", ""
    for line in export("callgrind").decode("latin-1").split("\n"):
        is_call, last = last.startswith("calls="), line
        if is_call:
            continue
        found = re.match(r"(c?)fn=\((\d+)\)(?: \[(\w+)\]$)?", line)
        if found:
            names.setdefault(found[2], found[3])
            name = name if found[1] else names[found[2]]
        fields = line.split()
        if line.startswith("0 0 "):
            counts[name] += int(fields[2])
        elif line.startswith("0x"):
            kernel = int((fields + ["0"])[3])
            counts[low(int(fields[0], 16)), "user"] += int(fields[2]) - kernel
            counts[low(int(fields[0], 16)), "kernel"] += kernel
    return +counts


def added_up(form):
    """Samples of each function by itself, and with those that it has called"""
    data = export(form)
    if form == "pprof":
        data = gzip.decompress(data)
    if form in ("pprof", "otlp"):
        data = run([f"{HERE}/decode_{form}", "stacks"], data)
    kind = [form] if form in ("folded", "callgrind") else []
    lines = run([HERE + "/add_up", *kind], data).decode("latin-1").splitlines()
    counts = collections.Counter()
    for line in lines:
        counts[line.split(" ", 2)[2], "self"] = int(line.split()[0])
        counts[line.split(" ", 2)[2], "total"] = int(line.split()[1])
    return counts


def last_fields(lines):
    """The sum of the last fields of the lines"""
    return collections.Counter(
        all=sum(int(line.rsplit(None, 1)[1]) for line in lines))


def try_profile(seed):
    run([HERE + "/properties", str(seed), "profil.data"])
    with gzip.open("profil.data", "rt", encoding="latin-1", newline="\n") as file:
        text = file.read()
    both = in_text(text, ("user", "kernel"))
    name = f"profile {seed}:"
    check(f"{name} pprof has each count", both, in_pprof())
    check(f"{name} callgrind has each count", both, in_callgrind())
    check(f"{name} perf has each count", in_text(text, ("all", "all")), in_perf())
    decode("otlp")  # by the rules of the format
    total = collections.Counter(all=sum(both.values()))
    folded = export("folded").decode("latin-1").strip("\n").split("\n")
    check(f"{name} folded stacks have all samples", total, last_fields(folded))
    if "\nstack\t" in text:
        # Folded lines have one name for all code of a file in no function.
        sums = added_up("pprof")
        for form in "callgrind", "otlp":
            check(f"{name} {form} has the total of each function", sums,
                  added_up(form))
    files = {place[1] for place in places(text) if place[0] == "file"}
    for path in sorted(files & {"/lib/o0", "/lib/o4"}):
        bins = [line for line in decode("gmon", "--object", f"^{path}$")
                if line.startswith("0x")]
        check(f"{name} gmon has the samples of {path}",
              collections.Counter(all=sum(
                  place[4] + place[5] for place in places(text)
                  if place[1] == path)), last_fields(bins))


def tests():
    first = int(os.environ.get("SEED", 1))
    for seed in range(first, first + PROFILES):
        try_profile(seed)


tap.run(tests)
