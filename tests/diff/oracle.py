# SPDX-License-Identifier: GPL-2.0-only
"""Significance of changes, computed in another way than by profil diff

Tails are sums and integrals of densities, derivatives are differences, and the
inverse is found by Newton's method."""
import math

LEVEL = 0.01
TESTED = 10


def log_choose(total, hits):
    return (math.lgamma(total + 1) - math.lgamma(hits + 1)
            - math.lgamma(total - hits + 1))


def binomial(hits, total, chance):
    """Twice the smaller tail"""
    def density(k):
        return math.exp(log_choose(total, k) + k * math.log(chance)
                        + (total - k) * math.log1p(-chance))
    least = math.fsum(density(k) for k in range(hits, total + 1))
    most = math.fsum(density(k) for k in range(hits + 1))
    return min(1, 2 * min(least, most))


def student(value, freedom):
    """Both tails, by Simpson's rule over the angle: t = sqrt(freedom) tan(u)"""
    if math.isinf(freedom):
        return math.erfc(abs(value) / math.sqrt(2))
    low = math.atan(abs(value) / math.sqrt(freedom))
    front = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
                     ) / math.sqrt(math.pi)
    parts = 4000
    step = (math.pi / 2 - low) / parts
    total = 0
    for i in range(parts + 1):
        weight = 1 if i in (0, parts) else 4 if i % 2 else 2
        total += weight * max(0, math.cos(low + i * step)) ** (freedom - 1)
    return 2 * front * total * step / 3


def trigamma(x):
    return sum(1 / (x + i) ** 2 for i in range(2000)) + 1 / (x + 1999.5)


def digamma(x):
    step = 1e-5 * x
    return (math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step)


def inverse_trigamma(value):
    """Newton's method on 1 / trigamma(x), which is nearly linear"""
    x = 0.5 + 1 / value
    for _ in range(60):
        here = trigamma(x)
        step = 1e-5 * x
        slope = (trigamma(x + step) - trigamma(x - step)) / (2 * step)
        x += here * (1 - here / value) / slope
    return x


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
    """Spread where the pseudo-likelihood's derivative is 0, by regula falsi"""
    known = [cell for row in rows for cell in cells(row, sides)]

    def slope(spread):
        return math.fsum(
            (c - m) ** 2 / (1 + spread * m) ** 2 - (1 - share) * m / (1 + spread * m)
            for c, m, share in known)
    low, high = 0, 1e-6
    if slope(low) <= 0:
        return 0
    while slope(high) > 0:
        low, high = high, 2 * high
    at_low, at_high = slope(low), slope(high)
    for _ in range(200):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = slope(middle)
        if value > 0:
            low, at_low, at_high = middle, value, at_high / 2
        else:
            high, at_high, at_low = middle, value, at_low / 2
        if high - low < 1e-13 * high or not value:
            break
    return middle


def pearson(row, sides, spread):
    """Pearson's statistic of the counts of row, and its degrees of freedom"""
    value = freedom = 0
    for count, mean, share in cells(row, sides):
        value += (count - mean) ** 2 / (mean + spread * mean ** 2)
    for side in sides:
        if any(row[run] for run in side["runs"]):
            freedom += len(side["runs"]) - 1
    return value, freedom


def prior(rows, sides, spread):
    """Value and degrees of freedom of the dispersion of all rows"""
    runs = sum(len(side["runs"]) for side in sides)
    full = runs - 2
    logs = []
    for row in rows:
        value, freedom = pearson(row, sides, spread)
        if full and freedom == full and value and sum(row) >= 5 * runs:
            logs.append(math.log(value / full) - digamma(full / 2)
                        + math.log(full / 2))
    if len(logs) < 3:
        return 0, 0
    mean = sum(logs) / len(logs)
    excess = (sum((x - mean) ** 2 for x in logs) / (len(logs) - 1)
              - trigamma(full / 2))
    if excess <= 0:
        return math.exp(mean), math.inf
    half = inverse_trigamma(excess)
    return math.exp(mean + digamma(half) - math.log(half)), 2 * half


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


def chance(row, sides, spread, of_all):
    """Probability of the counts of row without a change"""
    before, after = (sum(row[run] for run in side["runs"]) for side in sides)
    rates = [sum(side["exposure"]) for side in sides]
    share = rates[1] / sum(rates)
    total = before + after
    result = binomial(after, total, share)
    value, freedom = pearson(row, sides, spread)
    if math.isinf(of_all[1]):
        value, freedom = of_all
    elif freedom + of_all[1]:
        value = (value + of_all[0] * of_all[1]) / (freedom + of_all[1])
        freedom += of_all[1]
    if not freedom:
        return result
    value *= widening(row, sides, spread)
    deviance = 2 * sum(n * math.log(n / m) for n, m in
                       ((before, total * (1 - share)), (after, total * share))
                       if n)
    root = math.sqrt(max(0, deviance) / max(1, value))
    return max(result, student(root, freedom))


def sure_rows(names, rows, sides):
    """Names of the rows that changed, and of those too near to the level"""
    spread = 0
    if sum(len(side["runs"]) for side in sides) > 2:
        spread = common_spread(rows, sides)
    of_all = prior(rows, sides, spread)
    tested = sorted((chance(row, sides, spread, of_all), name)
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
