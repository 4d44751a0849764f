# SPDX-License-Identifier: GPL-2.0-only
"""Significance of changes, computed in another way than by profil diff

Tails are sums and integrals of densities."""
import math

LEVEL = 0.01
TESTED = 10
PRIOR = 20


def log_choose(total, hits):
    return (math.lgamma(total + 1) - math.lgamma(hits + 1)
            - math.lgamma(total - hits + 1))


def binomial(hits, total, chance):
    """Twice the smaller tail; a density from that of the number before, up to those
    that add nothing"""
    odds = chance / (1 - chance)
    density = least = most = math.exp(
        log_choose(total, hits) + hits * math.log(chance)
        + (total - hits) * math.log1p(-chance))
    for k in range(hits, total):
        ratio = (total - k) / (k + 1) * odds
        density *= ratio
        least += density
        if ratio < 1 and density < 1e-18 * least:
            break
    density = most
    for k in range(hits, 0, -1):
        ratio = k / (total - k + 1) / odds
        density *= ratio
        most += density
        if ratio < 1 and density < 1e-18 * most:
            break
    return min(1, 2 * min(least, most))


def student(value, freedom):
    """Both tails, by Simpson's rule over the angle: t = sqrt(freedom) tan(u)

    Of 20 to 40 degrees of freedom 400 parts give six digits."""
    low = math.atan(abs(value) / math.sqrt(freedom))
    front = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
                     ) / math.sqrt(math.pi)
    parts = 400
    step = (math.pi / 2 - low) / parts
    total = 0
    for i in range(parts + 1):
        weight = 1 if i in (0, parts) else 4 if i % 2 else 2
        total += weight * max(0, math.cos(low + i * step)) ** (freedom - 1)
    return 2 * front * total * step / 3


def cells(row, sides):
    """(count, mean, share of the side) of each run of the sides with samples"""
    for side in sides:
        counts = [row[run] for run in side["runs"]]
        rates = side["exposure"]
        if sum(counts):
            for count, rate in zip(counts, rates):
                share = rate / sum(rates)
                yield count, sum(counts) * share, share


def common_spread(rows, sides):
    """Weighted squares beyond those of sampling, by weighted squares of the means"""
    known = [cell for row in rows for cell in cells(row, sides)]
    spread = 0
    for _ in range(5):
        weights = [(1 + spread * mean) ** -2 for _, mean, _ in known]
        excess = math.fsum(w * ((c - m) ** 2 - (1 - share) * m)
                           for w, (c, m, share) in zip(weights, known))
        scale = math.fsum(w * (1 - share) * m ** 2
                          for w, (_, m, share) in zip(weights, known))
        spread = max(0, excess / scale) if scale else 0
    return spread


def pearson(row, sides, spread):
    """Pearson's statistic of the counts of row, and its degrees of freedom"""
    value = freedom = 0
    for count, mean, share in cells(row, sides):
        value += (count - mean) ** 2 / (mean + spread * mean ** 2)
    for side in sides:
        if any(row[run] for run in side["runs"]):
            freedom += len(side["runs"]) - 1
    return value, freedom


def widening(row, sides, spread):
    """Variance of the difference of the sides' rates, with and without spread"""
    rate = sum(row) / sum(sum(side["exposure"]) for side in sides)
    without, wide = 0, 0
    for side in sides:
        total = sum(side["exposure"])
        without += rate / total
        wide += rate / total + spread * sum((rate * e / total) ** 2
                                            for e in side["exposure"])
    return wide / without


def chance(row, sides, spread):
    """Probability of the counts of row without a change"""
    before, after = (sum(row[run] for run in side["runs"]) for side in sides)
    rates = [sum(side["exposure"]) for side in sides]
    share = rates[1] / sum(rates)
    total = before + after
    result = binomial(after, total, share)
    if sum(len(side["runs"]) for side in sides) == 2:
        return result
    value, freedom = pearson(row, sides, spread)
    freedom += PRIOR
    value = (value + PRIOR) / freedom * widening(row, sides, spread)
    deviance = 2 * sum(n * math.log(n / m) for n, m in
                       ((before, total * (1 - share)), (after, total * share))
                       if n)
    root = math.sqrt(max(0, deviance) / max(1, value))
    return max(result, student(root, freedom))


def sure_rows(names, rows, sides, apart=None):
    """Names of the rows that changed, and of those too near to the level

    The spread is that of the first rows, which have different samples."""
    spread = common_spread(rows[:apart], sides)
    tested = sorted((chance(row, sides, spread), name)
                    for name, row in zip(names, rows) if sum(row) >= TESTED)
    sure, near = set(), set()
    for i, (value, name) in enumerate(tested):
        value *= len(tested) - i
        if abs(value / LEVEL - 1) < 1e-4:
            near.add(name)
        if value > LEVEL:
            break
        sure.add(name)
    return sure, near
