# SPDX-License-Identifier: MIT
"""Texts of random CUDA kernels whose results are defined to the bit.

Defined means: sums and products of integers wrap in unsigned types, shifts stay within the width, divisors are positive,
floats become integers within the range, a NaN becomes one number before its bits are looked at, and threads write to one
place by atomics alone, whose order changes nothing.
"""

import random

THREADS, BLOCKS = 64, 2
TYPES = {"i": "int", "u": "unsigned", "l": "unsigned long long", "s": "long long", "f": "float", "d": "double"}
WIDTHS = {"i": 32, "u": 32, "l": 64, "s": 64}
PER_TYPE = 2
HELPERS = """
__device__ __forceinline__ unsigned fbits(float x) { return x != x ? 7u : __float_as_uint(x); }
__device__ __forceinline__ unsigned long long dbits(double x) { return x != x ? 9ull : (unsigned long long)__double_as_longlong(x); }
__device__ __forceinline__ float fsafe(float x) { return x != x ? 3.5f : fminf(fmaxf(x, -1000000.0f), 1000000.0f); }
__device__ __forceinline__ double dsafe(double x) { return x != x ? 2.25 : fmin(fmax(x, -1e9), 1e9); }
"""
# The kernel's parameters: an array per kind of result, and places for atomics.
PARAMETERS = "unsigned* u, unsigned long long* l, float* f, double* d, unsigned* places, unsigned n"


class Text:
    """One kernel and the device functions that it calls."""

    def __init__(self, number, seed):
        self.r = random.Random(seed * 1000003 + number)
        self.name = f"k{number}"
        self.functions, self.lines = [], []
        self.depth, self.loops, self.counter = 0, 0, 0
        self.shared = {}

    # Expressions.

    def variable(self, t):
        return f"{t}{self.r.randrange(PER_TYPE)}"

    def leaf(self, t):
        kind = self.r.randrange(10)
        if kind < 6:
            return self.variable(t)
        if t in "fd":
            value = self.r.choice((0.0, 1.0, -1.5, 3.25, 1e-3, -7e5, 0.1, 1e30, -2.5e-40, 6.02e23))
            return f"{value!r}{'f' if t == 'f' else ''}"
        suffix = {"i": "", "u": "u", "l": "ull", "s": "ll"}[t]
        if kind < 8:
            return f"({TYPES[t]})threadIdx.x" if kind == 6 else f"({TYPES[t]})(blockIdx.x * 3u + n)"
        return f"{self.r.choice((0, 1, 2, 3, 7, 31, 100, 255, 65535, 1000003, 2147483647))}{suffix}"

    def expression(self, t, depth=3):
        if depth == 0 or self.r.random() < 0.1:
            return self.leaf(t)
        if self.r.random() < 0.2:
            return self.converted(t, depth - 1)
        if self.r.random() < 0.1:
            return f"({self.condition(depth - 1)} ? {self.expression(t, depth - 1)} : {self.expression(t, depth - 1)})"
        return self.floating(t, depth - 1) if t in "fd" else self.whole(t, depth - 1)

    def whole(self, t, depth):
        a, b, c = (self.expression(t, depth) for _ in range(3))
        w, name = WIDTHS[t], TYPES[t]
        wrap, signed = ("unsigned" if w == 32 else "unsigned long long"), t in "is"
        forms = [f"({name})(({wrap}){a} {op} ({wrap}){b})" for op in ("+", "-", "*", "+", "^")]
        forms += [f"({a} {op} {b})" for op in "&|^"]
        forms += [f"({name})(({wrap}){a} << (({wrap}){b} & {w - 1}u))", f"({a} >> (({wrap}){b} & {w - 1}u))", f"(~{a})"]
        forms += [f"({a} {op} (({b} & 1023) | 1))" for op in "/%"]
        forms += [f"min({a}, {b})", f"max({a}, {b})", f"({name})(({wrap}){a} * ({wrap}){b} + ({wrap}){c})"]
        high = {"i": "__mulhi", "u": "__umulhi", "l": "__umul64hi", "s": "__mul64hi"}[t]
        forms.append(f"{high}({a}, {b})")
        l = "" if w == 32 else "ll"
        forms += [f"({name})__{op}{l}(({wrap}){a})" for op in ("popc", "clz", "brev", "ffs")]
        narrow = self.r.choice(("short", "unsigned short", "signed char", "unsigned char"))
        forms.append(f"({name})({narrow}){a}")
        if w == 32:
            u, v, x = f"(unsigned){a}", f"(unsigned){b}", f"(unsigned){c}"
            more = (
                f"__byte_perm({u}, {v}, {x})",
                f"__funnelshift_l({u}, {v}, {x})",
                f"__funnelshift_rc({u}, {v}, {x})",
            )
            more += (
                f"__vadd2({u}, {v})",
                f"__dp4a({u}, {v}, {x})",
                f"__umul24({u}, {v})",
                f"__usad({u}, {v}, {x})",
                f"__uhadd({u}, {v})",
            )
            forms += [f"({name}){m}" for m in more]
        if signed:
            forms.append(f"({name})(({wrap})0 - ({wrap}){a})")
        return self.r.choice(forms)

    def floating(self, t, depth):
        a, b, c = (self.expression(t, depth) for _ in range(3))
        s, i = ("f", "f") if t == "f" else ("", "d")
        forms = [f"({a} {op} {b})" for op in "+-*+*/"]
        forms += [
            f"fma{s}({a}, {b}, {c})",
            f"sqrt{s}(fabs{s}({a}))",
            f"(- {a})",
            f"fabs{s}({a})",
            f"copysign{s}({a}, {t}safe({b}))",
        ]
        forms += [f"{f}{s}({a})" for f in ("floor", "ceil", "trunc", "rint")]
        zero = "0.0f" if t == "f" else "0.0"  # of zeros of both signs either may be the least
        forms += [f"fmin{s}({a} + {zero}, {b} + {zero})", f"fmax{s}({a} + {zero}, {b} + {zero})"]
        mode = self.r.choice(("rn", "rz", "ru", "rd"))
        forms += [f"__{i}{op}_{mode}({a}, {b})" for op in ("add", "mul", "div")]
        forms += [f"__{'fmaf' if t == 'f' else 'fma'}_{mode}({a}, {b}, {c})", f"__{i}sqrt_{mode}(fabs{s}({a}))"]
        return self.r.choice(forms)

    def converted(self, t, depth):
        of = self.r.choice([o for o in TYPES if o != t])
        e = self.expression(of, depth)
        if t not in "fd" and of in "fd":
            if self.r.random() < 0.3:
                return f"({TYPES[t]}){'fbits' if of == 'f' else 'dbits'}({e})"
            rounds = self.r.choice(("", "rint", "floor"))
            inner = f"{of}safe({e})"
            inner = f"{rounds}{'f' if of == 'f' else ''}({inner})" if rounds else inner
            # g++ takes (double)(long long)x for trunc(x), which may be -0; the 0 that it does not know keeps them apart.
            return f"({TYPES[t]})(({'long long' if t in 'ls' else 'int'}){inner} ^ (int)(n >> 31))"
        return f"({TYPES[t]}){e}"

    def condition(self, depth=1):
        t = self.r.choice("iulsfd")
        simple = f"({self.expression(t, depth)} {self.r.choice(('<', '<=', '>', '>=', '==', '!='))} {self.expression(t, depth)})"
        if self.r.random() < 0.25:
            return f"({simple} {self.r.choice(('&&', '||'))} {self.condition(depth)})"
        return simple

    # Statements.

    def line(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def unique(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def block(self, n, together):
        self.depth += 1
        for _ in range(n):
            self.statement(together)
        self.depth -= 1

    def statement(self, together):
        """together: all threads of the block come here, so they may wait for each other."""
        kinds = [self.assign] * 6
        if self.depth < 3:
            kinds += [self.branch, self.branch, self.loop, self.switch]
        kinds += [self.atomic, self.call, self.local_array]
        if self.loops and not together:
            kinds.append(self.leave)
        if together:
            kinds += [self.exchange, self.shuffle, self.shuffle, self.vote, self.uniform_loop, self.shared_atomic]
        self.r.choice(kinds)()

    def assign(self):
        t = self.r.choice("iulsfd")
        self.line(f"{self.variable(t)} = {self.expression(t)};")

    def branch(self):
        self.line(f"if {self.condition()} {{")
        self.block(self.r.randrange(1, 3), False)
        if self.r.random() < 0.5:
            self.line("} else {")
            self.block(self.r.randrange(1, 3), False)
        self.line("}")

    def loop(self):
        i = self.unique("t")
        bound = self.r.choice(
            (f"(threadIdx.x & {self.r.randrange(1, 8)}u)", f"({self.variable('u')} & 3u)", f"{self.r.randrange(2, 6)}u")
        )
        self.line(f"for (unsigned {i} = 0, end = {bound}; {i} < end; ++{i}) {{")
        self.loops += 1
        self.block(self.r.randrange(1, 3), False)
        self.loops -= 1
        self.line(f"  u0 += {i};")
        self.line("}")

    def leave(self):
        self.line(f"if {self.condition()} {self.r.choice(('break', 'continue'))};")

    def switch(self):
        loops, self.loops = self.loops, 0  # a break would be the switch's
        self.line(f"switch ({self.variable('u')} & 7u) {{")
        for value in self.r.sample(range(8), self.r.randrange(2, 6)):
            self.line(f"  case {value}:")
            self.block(1, False)
            if self.r.random() < 0.8:
                self.line("    break;")
        self.line(f"  default: i0 ^= {self.r.randrange(100)};")
        self.line("}")
        self.loops = loops

    def local_array(self):
        a, t = self.unique("a"), self.r.choice("iulfd")
        n = self.r.choice((4, 8, 16))
        self.line(f"{TYPES[t]} {a}[{n}];")
        self.line(f"for (unsigned q = 0; q < {n}u; ++q) {a}[q] = ({TYPES[t]})(q * {self.r.randrange(1, 9)}u);")
        for _ in range(2):
            self.line(f"{a}[{self.variable('u')} & {n - 1}u] = {self.expression(t, 2)};")
        self.line(f"{self.variable(t)} = {a}[(unsigned){self.variable('i')} & {n - 1}u];")

    def call(self):
        t = self.r.choice("iulsfd")
        name = f"{self.name}_{self.unique('g')}"
        kinds = [self.r.choice("iulsfd") for _ in range(2)]
        outer, self.r = self.r, random.Random(self.r.random())
        parameters = ", ".join(f"{TYPES[k]} {k}{i}" for i, k in enumerate(kinds))
        missing = [f"{k}{i}" for k in TYPES for i in range(PER_TYPE) if kinds[i] != k]
        declared = " ".join(f"{TYPES[m[0]]} {m} = ({TYPES[m[0]]}){int(m[1]) + 2};" for m in missing)
        self.functions.append(
            f"__device__ __noinline__ {TYPES[t]} {name}({parameters}, unsigned n) {{\n  {declared}\n"
            f"  if {self.condition()} return {self.expression(t, 2)};\n  return {self.expression(t, 3)};\n}}\n"
        )
        self.r = outer
        self.line(f"{self.variable(t)} = {name}({self.variable(kinds[0])}, {self.variable(kinds[1])}, n);")

    def atomic(self):
        """To a place of its own kind of atomic: the order of the threads changes nothing."""
        kind = self.r.randrange(6)
        op = ("Add", "Max", "Min", "And", "Or", "Xor")[kind]
        self.line(f"atomic{op}(&places[{kind * 4} + ({self.variable('u')} & 3u)], {self.expression('u', 2)});")

    def shared_atomic(self):
        a, n = self.unique("c"), self.r.choice((1, 4, 32))
        self.shared[a] = f"unsigned {a}[{n}]"
        op = self.r.choice(("Add", "Max", "Xor"))
        self.line(f"if (threadIdx.x < {n}u) {a}[threadIdx.x] = {self.r.randrange(9)};")
        self.line("__syncthreads();")
        self.line(f"atomic{op}(&{a}[{self.variable('u')} & {n - 1}u], {self.expression('u', 2)});")
        self.line("__syncthreads();")
        self.line(f"{self.variable('u')} = {a}[threadIdx.x & {n - 1}u];")
        self.line("__syncthreads();")

    def exchange(self):
        t = self.r.choice("iulsfd")
        a = f"x_{t}"
        self.shared[a] = f"{TYPES[t]} {a}[{THREADS}]"
        step = self.r.randrange(1, THREADS)
        other = self.r.choice(
            (f"(threadIdx.x + {step}u) & {THREADS - 1}u", f"threadIdx.x ^ {step}u", f"{THREADS - 1}u - threadIdx.x")
        )
        self.line(f"{a}[threadIdx.x] = {self.expression(t, 2)};")
        self.line("__syncthreads();")
        self.line(f"{self.variable(t)} = {a}[{other}];")
        self.line("__syncthreads();")

    def shuffle(self):
        t, width = self.r.choice("iulsfd"), self.r.choice((32, 32, 16, 8))
        how, last = self.r.choice(
            (
                ("xor", self.r.randrange(32)),
                ("up", self.r.randrange(1, 32)),
                ("down", self.r.randrange(1, 32)),
                ("", None),
            )
        )
        source = f"(int)({self.variable('u')} & 31u)" if last is None else last
        self.line(
            f"{self.variable(t)} = __shfl_{how + '_' if how else ''}sync(~0u, {self.expression(t, 2)}, {source}, {width});"
        )

    def vote(self):
        form = self.r.choice(
            (
                "__ballot_sync(~0u, {c})",
                "(unsigned)__any_sync(~0u, {c})",
                "(unsigned)__all_sync(~0u, {c})",
                "(unsigned)__syncthreads_count({c})",
                "__reduce_add_sync(~0u, {u})",
                "__reduce_max_sync(~0u, {u})",
                "__reduce_xor_sync(~0u, {u})",
                "__match_any_sync(~0u, {u} & 3u)",
                "(unsigned)__syncthreads_or({c})",
            )
        )
        self.line(f"{self.variable('u')} ^= {form.format(c=self.condition(), u=self.expression('u', 2))};")

    def uniform_loop(self):
        if self.depth >= 2:
            return self.assign()
        i = self.unique("t")
        self.line(f"for (unsigned {i} = 0; {i} < {self.r.randrange(2, 4)}u; ++{i}) {{")
        self.block(self.r.randrange(1, 4), True)
        self.line(f"  i1 ^= (int){i};")
        self.line("}")

    def text(self):
        self.block(self.r.randrange(6, 14), True)
        body = "\n".join(self.lines)
        shared = "".join(f"  __shared__ {s};\n" for s in self.shared.values())
        return (
            "".join(self.functions)
            + f'extern "C" __global__ void {self.name}({PARAMETERS}) {{\n{shared}'
            + f"  const unsigned t = blockIdx.x * {THREADS}u + threadIdx.x;\n"
            + "  unsigned u0 = u[t], u1 = u0 * 2654435761u + t;\n  unsigned long long l0 = l[t], l1 = l0 ^ ((unsigned long long)u1 << 20);\n"
            + "  int i0 = (int)u1 >> 3, i1 = (int)(u0 ^ t);\n  long long s0 = (long long)l1 >> 7, s1 = (long long)l0 - i0;\n"
            + "  float f0 = f[t], f1 = (float)i1;\n  double d0 = d[t], d1 = f0 * 0.5;\n"
            + f"{body}\n"
            + "  u[t] = u0 ^ u1 * 3u ^ (unsigned)i0 * 5u ^ (unsigned)i1 * 7u;\n"
            + "  l[t] = l0 ^ l1 * 3u ^ (unsigned long long)s0 * 5u ^ (unsigned long long)s1 * 7u ^ (dbits(d1) >> 1) ^ fbits(f1);\n"
            + "  f[t] = f0 != f0 ? 7.0f : f0;\n  d[t] = d0 != d0 ? 9.0 : d0;\n}\n"
        )


def source(numbers, seed):
    """The kernels k0, k1 ... of these numbers as one text."""
    return HELPERS + "".join(Text(n, seed).text() for n in numbers)
