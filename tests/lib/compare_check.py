# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes a comparison (fcap-compare/1) anew from the values of its runs, with nothing but the
standard library, and says where the two differ by more than 1e-9.

    python3 compare_check.py COMPARE.json
"""
import json
import math
import sys

RTOL = 1e-9
FAILED = []
CHECKED = 0


def near(what, got, want):
    global CHECKED
    CHECKED += 1
    if got is None or want is None:
        if got is not None or want is not None:
            FAILED.append(f"{what}: {got}, not {want}")
        return
    if abs(got - want) > RTOL * max(1e-3, abs(want)) + 1e-12:
        FAILED.append(f"{what}: {got!r}, not {want!r}")


def same(what, got, want):
    global CHECKED
    CHECKED += 1
    if got != want:
        FAILED.append(f"{what}: {got!r}, not {want!r}")


# Student's t by the incomplete beta function (continued fraction of Lentz).
def beta_fraction(a, b, x):
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    h = d
    for m in range(1, 2000):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + step / c
            c = c if abs(c) > tiny else tiny
            h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return h


def incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def two_sided_p(t, df):
    return incomplete_beta(df / 2, 0.5, df / (df + t * t))


def quantile(level, df):
    """The t whose two-sided p is 1 - level."""
    lo, hi = 0.0, 1.0
    while two_sided_p(hi, df) > 1 - level:
        hi *= 2
    for _ in range(200):
        mid = (lo + hi) / 2
        if two_sided_p(mid, df) > 1 - level:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


def moments(x):
    x = [v for v in x if v is not None]
    if not x:
        return 0, None, None
    mean = math.fsum(x) / len(x)
    var = math.fsum((v - mean) ** 2 for v in x) / (len(x) - 1) if len(x) > 1 else None
    return len(x), mean, var


def one_sample(x):
    """value, se, df"""
    n, mean, var = moments(x)
    return mean, math.sqrt(var / n) if var is not None else None, n - 1


def welch(x, y):
    nx, mx, vx = moments(x)
    ny, my, vy = moments(y)
    if mx is None or my is None:
        return None, None, None
    if vx is None or vy is None:
        return my - mx, None, None
    vx, vy = vx / nx, vy / ny
    if vx + vy == 0:
        return my - mx, 0.0, None
    df = (vx + vy) ** 2 / ((vx ** 2 / (nx - 1) if vx else 0) + (vy ** 2 / (ny - 1) if vy else 0))
    return my - mx, math.sqrt(vx + vy), df


def minus(a, b):
    return None if a is None or b is None else a - b


def log(x):
    return None if x is None else math.log(x)


class Comparison:
    def __init__(self, c):
        self.c = c
        self.vms = sorted({g["name"] for r in c["runs"] for g in r["groups"]})
        self.blocks = sorted({r["block"] for r in c["runs"]}) if c["paired"] else None
        self.runs = {k["label"]: [r for r in c["runs"] if r["config"] == k["label"]]
                     for k in c["configurations"]}

    @staticmethod
    def of_vm(run, vm):
        return next((g for g in run["groups"] if g["name"] == vm), None)

    def value(self, run, vm, quantity):
        if vm == "total":
            if quantity == "forced_idle_pct":
                return run[quantity]
            if quantity == "efficiency":
                score, cpus = (self.value(run, vm, q) for q in ("score", "cpus"))
                return score / cpus if score is not None and cpus else None
            parts = [self.value(run, v, quantity) for v in self.vms]
            return None if None in parts else sum(parts)
        g = self.of_vm(run, vm)
        if g is None:
            return None
        if quantity == "efficiency":
            return g["score"] / g["cpus"] if g["score"] is not None and g["cpus"] else None
        if quantity in ("share", "deviation"):
            return g[quantity]["value"]
        return g[quantity]

    def column(self, config, get):
        """By run, or by block with None where it has no run."""
        runs = self.runs[config]
        if self.blocks is None:
            return [get(r) for r in runs]
        at = {r["block"]: get(r) for r in runs}
        return [at.get(b) for b in self.blocks]

    def difference(self, base, treatment, get):
        x, y = self.column(base, get), self.column(treatment, get)
        if self.blocks is None:
            return welch(x, y)
        return one_sample([minus(b, a) for a, b in zip(x, y)])

    # Each gap as (value, se, df) on the scale on which it is tested; and whether that is of logs.
    def between(self, gap):
        q = "cpus" if gap["of"] == "cpu_time" else "score"
        d = [minus(log(self.value(r, gap["a"], q)), log(self.value(r, gap["b"], q)))
             for r in self.runs[gap["config"]]]
        return one_sample(d), True

    def gap_change(self, gap, in_points):
        a, b = gap["per"].split(" over ")
        q = "cpus" if gap["of"] == "cpu_time" else "score"

        def get(r):
            return minus(log(self.value(r, a, q)), log(self.value(r, b, q)))

        if not in_points:
            return self.difference(gap["b"], gap["a"], get), True
        x, y = self.column(gap["b"], get), self.column(gap["a"], get)
        if self.blocks is not None:
            both = [(i, k) for i, k in zip(x, y) if i is not None and k is not None]
            x, y = [i for i, _ in both], [k for _, k in both]
        gx, gy = (100 * math.exp(moments(v)[1]) for v in (x, y))
        # delta method: the derivative of 100 exp(m) is itself
        if self.blocks is None:
            _, se, df = welch([gx * v for v in x if v is not None],
                              [gy * v for v in y if v is not None])
        else:
            _, se, df = one_sample([gy * k - gx * i for i, k in zip(x, y)])
        return (gy - gx, se, df), False

    def scale(self, gap):
        name = gap["name"]
        if name == "between_vm":
            return self.between(gap)
        if name.startswith("gap_change"):
            return self.gap_change(gap, name.endswith("_pp"))
        ratio = {"coresched_change": "score", "config_change": "score",
                 "cpu_time_change": "cpus", "efficiency_change": "efficiency"}
        point = {"share_change_pp": "share", "deviation_change_pp": "deviation",
                 "forced_idle_change": "forced_idle_pct"}
        if name in ratio:
            return self.difference(gap["b"], gap["a"],
                                   lambda r: log(self.value(r, gap["per"], ratio[name]))), True
        return self.difference(gap["b"], gap["a"],
                               lambda r: self.value(r, gap["per"], point[name])), False


def ends(value, se, df, level, is_log):
    if not se or not df:
        return None, None
    half = quantile(level, df) * se
    lo, hi = value - half, value + half
    return (100 * math.expm1(lo), 100 * math.expm1(hi)) if is_log else (lo, hi)


def word_of(value, se, df, margin, alpha, words):
    outside, inside, nonzero, none = words
    if se == 0:
        return none
    if se is None:
        return None
    half = quantile(1 - alpha, df) * se
    lo, hi = value - half, value + half
    if lo > margin or hi < -margin:
        return outside
    half = quantile(1 - 2 * alpha, df) * se
    if value - half >= -margin and value + half <= margin:
        return inside
    return nonzero if lo > 0 or hi < 0 else none


def check_est(what, est, scale, is_log, m):
    value, se, df = scale
    near(f"{what}.value", est["value"],
         100 * math.expm1(value) if is_log and value is not None else value)
    near(f"{what}.se", est["se"],
         100 * math.exp(value) * se if is_log and se is not None else se)
    lo, hi = ends(value, se, df, est["level"], is_log)
    near(f"{what}.lo", est["lo"], lo)
    near(f"{what}.hi", est["hi"], hi)
    if lo is not None:
        near(f"{what}.df", est["df"], df)
    if m is not None:
        same(f"{what}.m", est["m"], m)
    lo, hi = ends(value, se, df, 1 - (1 - est["level"]) / est["m"], is_log)
    near(f"{what}.lo_adj", est["lo_adj"], lo if est["m"] > 1 else None)
    near(f"{what}.hi_adj", est["hi_adj"], hi if est["m"] > 1 else None)


def holm(ps):
    order = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    ret, worst = [None] * len(ps), 0.0
    for rank, (p, i) in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - rank) * p))
        ret[i] = worst
    return ret


def check_gaps(c):
    comparison = Comparison(c)
    scales = [comparison.scale(g) for g in c["gaps"]]
    ps = [two_sided_p(s[0] / s[1], s[2]) if s[1] and s[2] else None for s, _ in scales]
    words = ("material", "equivalent", "different", "inconclusive")
    for name in {g["name"] for g in c["gaps"]}:
        family = [i for i, g in enumerate(c["gaps"]) if g["name"] == name]
        m = max(1, sum(ps[i] is not None for i in family))
        adjusted = holm([ps[i] for i in family])
        for i, p_adj in zip(family, adjusted):
            gap, (scale, is_log) = c["gaps"][i], scales[i]
            what = f"{name} {gap['config'] or gap['a']} {gap['per']}"
            check_est(what, gap["est"], scale, is_log, m)
            near(f"{what}.p", gap["p"], ps[i])
            if m <= 20:
                near(f"{what}.p_adj", gap["p_adj"], p_adj)
            margin = math.log1p(c["margin"] / 100) if is_log else c["margin"]
            same(f"{what}.word", gap["verdict"]["word"],
                 word_of(*scale, margin, (1 - c["level"]) / m, words))


def check_whole(k, runs, comparison):
    what = f"{k['label']} total"
    columns = {"mean": "score", "cpus": "cpus", "efficiency": "efficiency",
               "forced_idle": "forced_idle_pct"}
    for key, name in columns.items():
        x = [comparison.value(r, "total", name) for r in runs]
        check_est(f"{what}.{key}", k["total"][key], one_sample(x), False, 1)
    iso = k["isolation"]
    said = [r["isolation"]["verdict"] for r in runs]
    for word in ("isolated", "shared", "untested", "cannot_tell", "not_applicable"):
        same(f"{what}.{word}", iso[word], said.count(word))
    same(f"{what}.not_told", iso["not_told"], said.count(None))
    words = set(said) - {None}
    same(f"{what}.word", iso["word"], None if not words else
         words.pop() if len(words) == 1 else "disagree")
    judged = [r["isolation"]["judged_pct"] for r in runs]
    for run in runs:
        same(f"{run['name']} is judged", run["isolation"]["judged_pct"] is not None,
             run["isolation"]["verdict"] in ("isolated", "shared"))
    check_est(f"{what}.judged_pct", iso["judged_pct"], one_sample(judged), False, 1)
    near(f"{what}.worst_pct", iso["worst_pct"],
         max((v for v in judged if v is not None), default=None))


def check_configurations(c):
    comparison = Comparison(c)
    family = sum(g["deviation"]["value"] is not None
                 for k in c["configurations"] for g in k["groups"])
    for k in c["configurations"]:
        runs = comparison.runs[k["label"]]
        same(f"{k['label']}.runs", k["runs"], len(runs))
        check_whole(k, runs, comparison)
        for g in k["groups"]:
            what = f"{k['label']} {g['name']}"
            of = [Comparison.of_vm(r, g["name"]) for r in runs]
            of = [v for v in of if v]
            same(f"{what}.n", g["n"], len(of))
            check_est(f"{what}.efficiency", g["efficiency"],
                      one_sample([v["score"] / v["cpus"] for v in of]), False, 1)
            columns = {"mean": "score", "cpus": "cpus", "share": "share",
                       "share_window_mean": "share_window_mean_pct", "deviation": "deviation",
                       "forced_idle": "forced_idle_pct"}
            for key, name in columns.items():
                x = [v[name]["value"] if key in ("share", "deviation") else v[name] for v in of]
                check_est(f"{what}.{key}", g[key], one_sample(x), False,
                          family if key == "deviation" else 1)
            near(f"{what}.expected_pct", g["expected_pct"],
                 moments([v["expected_pct"] for v in of])[1])
            same(f"{what}.word", g["verdict"]["word"],
                 word_of(*one_sample([v["deviation"]["value"] for v in of]), c["margin"],
                         (1 - c["level"]) / family, ("unfair", "fair", "off", "inconclusive")))
            total = moments([v["share"]["value"] for v in of])[2]
            within = math.fsum(v["share"]["se"] ** 2 for v in of) / len(of)
            near(f"{what}.between", g["spread"]["between"], max(0, total - within))
        if len(comparison.vms) == 2:
            check_jain(k, runs, comparison)


def check_jain(k, runs, comparison):
    a, b = comparison.vms
    d = []
    for r in runs:
        of = [Comparison.of_vm(r, v) for v in (a, b)]
        if None not in of:
            d.append(math.log(of[0]["share"]["value"] / of[0]["expected_pct"])
                     - math.log(of[1]["share"]["value"] / of[1]["expected_pct"]))
    value, se, df = one_sample(d)
    half = quantile(k["jain"]["level"], df) * se
    lo, hi = value - half, value + half

    def index(x):
        return (1 + 1 / math.cosh(x)) / 2

    near(f"{k['label']}.jain", k["jain"]["value"], index(value))
    near(f"{k['label']}.jain.lo", k["jain"]["lo"], index(max(abs(lo), abs(hi))))
    near(f"{k['label']}.jain.hi", k["jain"]["hi"],
         1.0 if lo <= 0 <= hi else index(min(abs(lo), abs(hi))))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        c = json.load(f)
    # the tool that checks is checked first, by tables
    near("t 0.975 of 2", quantile(0.95, 2), 4.302652729911275)
    near("t 0.975 of 9", quantile(0.95, 9), 2.262157162798205)
    check_configurations(c)
    check_gaps(c)
    print("\n".join(FAILED[:20]))
    print(f"{CHECKED} numbers, {len(FAILED)} differ")
    return 1 if FAILED or CHECKED < 100 else 0


sys.exit(main())
