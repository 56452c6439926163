#!/usr/bin/python3
"""The Python package loads a model, and what it expects of the physics is met: debian/tests/first_run.py MODEL."""

import sys

import drystone as dry

result = dry.load(sys.argv[1]).run()
assert abs(result.measures["creep"]) < 1e-12, result.measures
assert len(result["p"]) == len(result.t) > 1000
print("drystone", dry.__version__, "creep", result.measures["creep"])
