"""Measures a run of a second program as a model asks: final, at, max, first, count, ... of docs/language.md.

A run is a dictionary of columns: "t", and for each state or force of the model its samples, an array of numbers, or a list
of such arrays for a vector; members have dots ("f.a", for f[i].a a list over i). What the run does not have is taken from
the text of the model: measures, parameters, and quantities that follow from others.
"""

import math

import numpy as np

PLAIN = {"abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan,
         "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
         "floor": np.floor, "atan2": np.arctan2, "hypot": np.hypot, "pos": lambda x: np.maximum(0.0, x),
         "sat": lambda z, x: np.clip(x, -z, z), "norm": lambda x: np.sqrt(sum(each*each for each in x)),
         "dot": lambda a, b: sum(each*other for each, other in zip(a, b))}
OVER_THE_RUN = ("max", "min", "mean", "rms", "integral", "first", "last", "count")
COMPARISONS = {"==": lambda d: d == 0, "!=": lambda d: d != 0, "<": lambda d: d < 0, "<=": lambda d: d <= 0,
               ">": lambda d: d > 0, ">=": lambda d: d >= 0}
ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a*b, "/": lambda a, b: a/b,
              "^": lambda a, b: a**b}


class Missing(Exception):
    """Neither the run nor the text has this name."""


def spread(operate, a, b):
    """`operate` on numbers, or entry by entry on vectors."""
    if isinstance(a, list) and isinstance(b, list):
        return [spread(operate, x, y) for x, y in zip(a, b)]
    if isinstance(a, list):
        return [spread(operate, x, b) for x in a]
    if isinstance(b, list):
        return [spread(operate, a, y) for y in b]
    return operate(a, b)


class Measurer:
    def __init__(self, model, run):
        self.model, self.run, self.t, self.known = model, run, np.asarray(run["t"], float), {}

    def value(self, tree, names=None):
        """The value of a tree: a number, an array over the samples, or a list of them. `names`: of loops and arguments."""
        names = names or {}
        kind = tree[0]
        if kind == "number":
            return tree[1]
        if kind == "name":
            return self.name(tree[1], names)
        if kind == "list":
            return [self.value(each, names) for each in tree[1]]
        if kind == "index":
            return self.entry(self.value(tree[1], names), tree[2], names)
        if kind == "member":
            return self.entry(self.column(tree[1] + "." + tree[3]), tree[2], names)
        if kind == "call":
            return self.call(tree[1], tree[2], names)
        if kind == "if":
            yes, no = self.value(tree[2], names), self.value(tree[3], names)
            return np.where(np.asarray(self.value(tree[1], names)) != 0, yes, no)
        return self.operation(kind, [self.value(each, names) for each in tree[1:]])

    def operation(self, kind, values):
        if kind == "minus":
            return spread(lambda a, _: -a, values[0], 0)
        if kind == "not":
            return 1.0*(np.asarray(values[0]) == 0)
        if kind in COMPARISONS:
            return 1.0*COMPARISONS[kind](values[0] - values[1])
        if kind in ("and", "or"):
            a, b = (np.asarray(each) != 0 for each in values)
            return 1.0*((a & b) if kind == "and" else (a | b))
        return spread(ARITHMETIC[kind], *values)

    def entry(self, value, indices, names):
        for index in indices:
            value = value[round(float(self.value(index, names))) - 1]
        return value

    def column(self, name):
        if name not in self.run:
            raise Missing(name)
        return self.run[name]

    def name(self, name, names):
        if name in names:
            return names[name]
        if name in self.run:
            return self.run[name]
        if name not in self.known:
            self.known[name] = self.from_text(name)
        return self.known[name]

    def from_text(self, name):
        for table in (self.model.measures, self.model.parameters):
            if name in table:
                return self.value(table[name])
        if name in ("pi", "inf"):
            return getattr(math, name)
        if name in self.model.quantities:
            return self.quantity(self.model.quantities[name])
        raise Missing(name)

    def quantity(self, rows):
        found = {}
        for index, tree, loop in rows:
            if index is None:
                return self.value(tree)
            for names in self.turns(loop, {}) if loop else [{}]:
                found[round(float(self.value(index, names)))] = self.value(tree, names)
        return [found[i] for i in sorted(found)]

    def turns(self, loop, names):
        name, first, last = loop
        for i in range(round(float(self.value(first, names))), round(float(self.value(last, names))) + 1):
            yield {**names, name: float(i)}

    def call(self, function, arguments, names):
        if function in OVER_THE_RUN and len(arguments) == 1:
            return self.over_the_run(function, arguments[0], names)
        if function == "sum":
            tree, _, loop = arguments[0]
            return sum(self.value(tree, each) for each in self.turns(loop, names)) if loop else sum(self.value(tree, names))
        values = [self.value(tree, names) for tree, _, _ in arguments]
        if function == "final":
            return self.at(values[0], self.t[-1])
        if function == "at":
            return self.at(*values)
        if function in ("max", "min"):
            return (max if function == "max" else min)(values)
        if function in self.model.functions:
            given, tree = self.model.functions[function]
            return self.value(tree, {**names, **dict(zip(given, values))})
        if function not in PLAIN:
            raise Missing(function + "()")
        return PLAIN[function](*values)

    def samples(self, value):
        return np.broadcast_to(np.asarray(value, float), self.t.shape)

    def at(self, value, time):
        if isinstance(value, list):
            return [self.at(each, time) for each in value]
        return float(np.interp(float(time), self.t, self.samples(value)))

    def window(self, value, window, names):
        """Times and values from a to b; the ends lie on straight lines between the samples."""
        samples = self.samples(value)
        if window is None:
            return self.t, samples
        a, b = (float(self.value(end, names)) for end in window)
        inside = (self.t > a) & (self.t < b)
        ends = np.interp([a, b], self.t, samples)
        return np.concatenate([[a], self.t[inside], [b]]), np.concatenate([ends[:1], samples[inside], ends[1:]])

    def over_the_run(self, function, argument, names):
        tree, window, _ = argument
        if function in ("first", "last", "count"):
            return self.moment(function, tree, window, names)
        t, x = self.window(self.value(tree, names), window, names)
        if function in ("max", "min"):
            return float(np.max(x) if function == "max" else np.min(x))
        y = x*x if function == "rms" else x
        area = float(np.trapz(y, t))
        if function == "integral":
            return area
        return area/(t[-1] - t[0]) if function == "mean" else math.sqrt(area/(t[-1] - t[0]))

    def moment(self, function, tree, window, names):
        """When a condition becomes true, or ceases to be; between samples if it compares two numbers."""
        between = tree[0] in ("<", ">")
        gap = self.operation("-", [self.value(tree[1], names), self.value(tree[2], names)]) if between else \
            self.value(tree, names)
        t, g = self.window(gap, window, names)
        true = COMPARISONS[tree[0]](g) if between else g != 0
        begins = np.flatnonzero(true & ~np.concatenate([[False], true[:-1]]))
        if function == "count":
            return len(begins)
        if not len(begins):
            return math.nan
        if function == "first":
            k = begins[0]
            return float(t[k] if k == 0 or not between else t[k] - g[k]*(t[k] - t[k - 1])/(g[k] - g[k - 1]))
        k = np.flatnonzero(true)[-1]
        return float(t[k] if k == len(t) - 1 or not between else t[k] - g[k]*(t[k + 1] - t[k])/(g[k + 1] - g[k]))
