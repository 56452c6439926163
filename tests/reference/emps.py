#!/usr/bin/env python3
"""What the record of the EMPS axis says without any model of the axis; docs/truth.md has these numbers.

    tests/reference/emps.py estimation.csv

The controller of the benchmark is u = kv (kp (qg - q) - w). From the measured q it gives the measured signal, if w is the
speed that it used: least squares for kv, kp and the speed's place, with differences over one and over two samples. The
reference comes back after 6.24 s: what two rounds of the record differ by, over the root of 2, is what no model comes below.
"""
import sys
import numpy as np

record = np.genfromtxt(sys.argv[1], delimiter=",", names=True)
t, reference, q, signal = (record[name] for name in ("t", "qg", "qm", "vir"))
T = np.median(np.diff(t))


def rms(x):
    return np.sqrt(np.mean(np.square(x)))


for samples in (1, 2):
    w = np.zeros_like(q)
    w[samples:] = (q[samples:] - q[:-samples]) / (samples * T)
    rows = slice(4, None)
    columns = np.column_stack([reference - q, w])[rows]
    gains = np.linalg.lstsq(columns, signal[rows], rcond=None)[0]
    known = columns @ [160.18 * 243.45, -243.45]  # the gains of the model
    miss, as_known = (100 * rms(u - signal[rows]) / rms(signal[rows]) for u in (columns @ gains, known))
    print(f"speed over {samples} sample{'s'[:samples - 1]}: kv = {-gains[1]:.2f} V s/m, kp = {-gains[0] / gains[1]:.2f} 1/s, "
          f"misses the signal by {miss:.2f} %; with 243.45, 160.18 by {as_known:.2f} %")

period = int(round(6.24 / T))
for name, x, scale, unit in (("position", q, 1e6, "um"), ("signal", signal, 100 / rms(signal), "%")):
    again = x[period:] - x[:-period]
    print(f"{name}: rounds of {period} samples differ by {scale * rms(again) / np.sqrt(2):.3f} {unit}")
