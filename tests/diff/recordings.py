# SPDX-License-Identifier: GPL-2.0-only
"""profil.data files with known numbers of samples, as text"""
import math


def poisson(source, mean):
    """A Poisson number from the random numbers of source."""
    hits = 0
    while mean > 0:
        part = min(mean, 500)
        mean -= part
        limit, product = math.exp(-part), source.random()
        while product > limit:
            hits += 1
            product *= source.random()
    return hits


def write(path, samples, period=1000000, recordings=None):
    """Write a recording with samples, a dictionary by (object, function)."""
    total = sum(samples.values())
    objects = sorted({name for name, _ in samples})
    lines = ["profil.data\t1", "command\t./program", "host\thost\tx86_64\t6.12",
             f"time\t0\t{total * period}\t{total * period}\t0",
             f"clock\t{period}\t0", "end\t1\t0\t0\t0",
             f"totals\t{total}\t{total}\t0\t0\t0\t0\t1\t1\t0",
             f"processes\t1\t1\t0\t0\t0\t0\t0\t{recordings or 1}",
             "program\t/bin/program"]
    lines += [f"object\tfile\t/bin/{name}\t-\tread\t0\t0\t" for name in objects]
    places = []
    for index, (name, function) in enumerate(sorted(samples)):
        offset = 16 * index
        lines.append(f"function\t{objects.index(name)}\t{offset:#x}\t16\t-\t"
                     f"{function}\t\t-\t0")
        if samples[name, function]:
            places.append(f"place\t{objects.index(name)}\t0\t{offset:#x}\t"
                          f"{offset:#x}\t{index}\t{samples[name, function]}\t0")
    lines += places
    lines.append(f"eof\t{len(lines)}")
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
