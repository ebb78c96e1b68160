# SPDX-License-Identifier: MIT
"""float_modes.py: makes every call of arrcall a test of what the caller's floating-point environment changes.

install() replaces arrcall.call, before anything imports it by name. A call that only makes new handles runs in the
usual environment first and then in each of the others, and what it makes must have the same bytes; any other call
runs once, in one environment after the other in turn, and whoever called compares its result. After each call the
environment must be as it was before: rounding, traps, subnormals and exception flags.

The environments: each rounding mode; subnormals taken and given as 0, as programs linked with -ffast-math have it; all
exceptions trapping but inexact and underflow, as gfortran -ffpe-trap sets them; all of them at once.
"""

import ctypes
import ctypes.util
import platform

import arrcall
import failing_calls

TRAPS = 0x1 | 0x4 | 0x8  # invalid, division by zero, overflow
FLUSHED = 0x8000 | 0x0040  # flush to zero, denormals are zero
FLAG = 0x20  # inexact: a flag that the caller has
ENVIRONMENTS = {
    "up": (0x2, 0, 0),
    "down": (0x1, 0, 0),
    "to zero": (0x3, 0, 0),
    "flushed": (0, FLUSHED, 0),
    "traps": (0, 0, TRAPS),
    "all of it": (0x2, FLUSHED, TRAPS),
}  # rounding, bits of MXCSR, traps
# Calls whose result is another each time, or that make what has no elements of a value.
OTHERS = failing_calls.CHANGING


class Counts:
    calls = 0
    repeated = 0
    faults = []
    capturing = 0
    names = set()


class FloatEnvironment(ctypes.Structure):
    """fenv_t of x86-64."""

    _fields_ = [
        ("control", ctypes.c_uint16),
        ("_0", ctypes.c_uint16),
        ("status", ctypes.c_uint16),
        ("_1", ctypes.c_uint8 * 22),
        ("mxcsr", ctypes.c_uint32),
    ]


def works_here():
    return platform.machine() == "x86_64"


libm = ctypes.CDLL(ctypes.util.find_library("m"))
USUAL = FloatEnvironment()
libm.fegetenv(ctypes.byref(USUAL))


def environment(rounding, bits, traps):
    e = FloatEnvironment.from_buffer_copy(USUAL)
    e.control = (e.control & ~0xC00 & ~traps) | rounding << 10
    e.mxcsr = (e.mxcsr & ~0x6000 & ~0x3F & ~(traps << 7)) | rounding << 13 | bits | FLAG
    return e


MADE = {name: environment(*bits) for name, bits in ENVIRONMENTS.items()}


def run_in(e, function, arguments):
    """The status of a call in an environment, and what of it was another afterwards."""
    after = FloatEnvironment()
    usual, set_to, got = ctypes.byref(USUAL), ctypes.byref(e), ctypes.byref(after)
    libm.fesetenv(set_to)  # Python computes nothing until the next but one
    status = function(*arguments)
    libm.fegetenv(got)
    libm.fesetenv(usual)
    seen = [(n, getattr(e, n), getattr(after, n)) for n in ("control", "status", "mxcsr")]
    # Only the flags of the status: it also has the outcome of the last comparison. That an operand was subnormal is left
    # out: Python's own look at a subnormal argument says so too.
    changed = [(n, b & 0x3D, a & 0x3D) if n == "status" else (n, b & ~2, a & ~2) for n, b, a in seen]
    return status, [f"{n} {b:#x} is {a:#x} afterwards" for n, b, a in changed if a != b]


def _fault(name, mode, text):
    if len(Counts.faults) < 50:
        Counts.faults.append(f"{name} in '{mode}': {text}")


def _once(name, function, arguments):
    mode = list(MADE)[Counts.calls % len(MADE)]
    status, changed = run_in(MADE[mode], function, arguments)
    if changed:
        _fault(name, mode, str(changed))
    return status


def _in_each(name, function, arguments):
    """The results of the call in each environment; those of the last run stay, which is in the usual one."""
    Counts.repeated += 1
    before, seen = failing_calls._written(arguments), {}
    for mode, e in MADE.items():
        status, changed = run_in(e, function, arguments)
        if changed:
            _fault(name, mode, str(changed))
        seen[mode] = failing_calls._undone(name, arguments, before) if status == 0 else status
    status = function(*arguments)
    usual = [failing_calls._bytes(h) for h in failing_calls._made(name, arguments)] if status == 0 else status
    for mode, made in seen.items():
        if made != usual:
            _fault(name, mode, f"gives {made}, usually {usual}"[:300])
    return status


def install():
    def call(name, *arguments):
        function = getattr(arrcall.lib, name)
        Counts.calls += 1
        Counts.names.add(name)
        Counts.capturing += (name in ("arr_fuse_begin", "arr_graph_begin")) - (
            name in ("arr_fuse_end", "arr_graph_end")
        )
        again = name in failing_calls.MAKERS and name not in failing_calls.ONCE and not Counts.capturing
        status = (_in_each if again else _once)(name, function, arguments)
        return arrcall.check(status)

    arrcall.call = call
