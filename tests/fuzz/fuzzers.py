# SPDX-License-Identifier: MIT
"""The fuzzers of fuzz.py: each makes a case from its number, runs it, and returns the faults that it found.

FUZZERS maps a name to a class with `environment`, variables that its process starts with, and `case(number)`.
"""

import ast
import ctypes
import itertools
import os
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(TESTS / "conformance"), str(TESTS / "kernels" / "ptx"), str(TESTS / "support")]


class Faults:
    """Stands for a suite's oracle.Report: collects what fails."""

    device, only, whole, seed, labels_one_in = "host", None, False, 0, 1

    def __init__(self):
        self.found = []

    @property
    def failures(self):
        return len(self.found)

    def check(self, label, good, detail=""):
        if not good:
            self.found.append(f"{label} {detail}"[:1500])

    def array(self, x):
        import arrpy

        return arrpy.array(x, device=self.device)

    def take(self):
        found, self.found = self.found, []
        return found


class Fuzzer:
    environment = {}

    def __init__(self):
        import oracle  # noqa: F401 - adds the folders of the suites

        self.report = Faults()

    def wants(self, number, only):
        return only is None or only in self.label(number)

    def label(self, number):
        return str(number)

    def case(self, number):
        self.run(number)
        return self.report.take()


class Index(Fuzzer):
    """Index expressions, read, written and updated, against NumPy."""

    def run(self, number):
        import arrpy
        from index_fuzz import Case

        case = Case(self.report, number)
        try:
            case.run()
        except arrpy.Error as e:
            self.report.check(case.label, False, f"refused: {e}")


class Manipulation(Fuzzer):
    """Joins, cuts, borders, insertions against NumPy."""

    def label(self, number):
        from manipulation_fuzz import FUNCTIONS

        return list(FUNCTIONS)[number % len(FUNCTIONS)]

    def run(self, number):
        from manipulation_fuzz import FUNCTIONS, Case

        name = self.label(number)
        FUNCTIONS[name](Case(self.report, name, number))


class Sparse(Fuzzer):
    """Calls on sparse matrices against SciPy's."""

    def label(self, number):
        from sparse_fuzz import FUNCTIONS

        return list(FUNCTIONS)[number % len(FUNCTIONS)]

    def run(self, number):
        import arrpy
        from sparse_fuzz import Case

        case = Case(self.report, self.label(number), number)
        try:
            case.run()
        except arrpy.Error as e:
            case.check(False, f"refused: {e}")


class Api(Fuzzer):
    """Every public function with arguments that are wrong in some places: handles that were released or belong to another
    kind, numbers far off, texts that are no UTF-8. Errors keep their promises, and a failed call makes nothing."""

    environment = {"ARR_MEMORY_LIMIT": "256M", "OPENBLAS_NUM_THREADS": "1"}

    def __init__(self):
        super().__init__()
        import error_texts
        from arrapi import FUNCTIONS

        skipped = (error_texts.WITH_NOTHING, error_texts.COMPILES)
        self.names = [
            name
            for name, f in FUNCTIONS.items()
            if f["returns"]["type"].get("typedef") == "arr_status"
            and name != "arr_last_status"
            and not name.endswith("_release")
            and not any(s.fullmatch(name) for s in skipped)
        ]

    def label(self, number):
        return self.names[number % len(self.names)]

    def run(self, number):
        import arrpy
        import hostile
        from error_texts import fault_of

        name = self.label(number)
        pool = hostile.Pool(random.Random(number), "host")
        for _ in range(8):
            status, text = pool.call(name)
            if status != arrpy.c.ARR_OK:
                fault = fault_of(name, status, text)
                self.report.check(name, fault is None, f"{fault}: {text!r}")
                self.report.check(name, pool.left == 0, f"{pool.left} handles are left after {text!r}")
        pool.close()


class Programs(Fuzzer):
    """Random expressions of every dtype against NumPy, step by step."""

    def run(self, number):
        from programs_wide import run

        run(self.report, number)


class Ptx(Fuzzer):
    """PTX texts that are changed at random: a module, or an error with its line."""

    environment = {"ARR_HOST_FISSION": "0"}

    def run(self, number):
        import hostile_ptx

        text = hostile_ptx.changed(random.Random(number))
        message = hostile_ptx.said(text)
        good = message is None or re.search(r"m\.ptx:[0-9]+: ", message)
        self.report.check("text", good, f"{text!r}\n{message}")
        if message is None and number % 100 == 0:  # the compiler takes what the translator lets through
            error = hostile_ptx.compiled(text)
            self.report.check("compiled text", error is None, f"{text!r}\n{error}")


def changed_bytes(r, data):
    """The bytes with some of them replaced, dropped or doubled."""
    data = bytearray(data)
    for _ in range(r.randint(1, 4)):
        if not data:
            break
        at, n = r.randrange(len(data)), r.choice((1, 1, 1, 2, 4, 8, 30))
        kind = r.randrange(5)
        if kind == 0:
            data[at] = r.randrange(256)
        elif kind == 1:
            data[at : at + n] = r.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * n
        elif kind == 2:
            del data[at : at + n]
        elif kind == 3:
            data[at:at] = data[at : at + n]
        else:
            data = data[:at]
    return bytes(data)


class Files(Fuzzer):
    """Files that are changed at random: what NumPy loads too is the same, everything else is an error."""

    environment = {"ARR_MEMORY_LIMIT": "256M"}

    def __init__(self):
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.seeds = {}

    def label(self, number):
        return ("npy", "npz", "text", "values")[number % 4]

    def seed_file(self, kind, r):
        """A good file of this kind: (bytes, name of a member)."""
        import io

        import numpy as np
        import oracle

        names = [d for d in oracle.ALL if d != "bfloat16"]
        shape = r.choice([(3, 4), (7,), (), (0, 5), (2, 3, 2)])
        x = oracle.sample(shape, r.choice(names), r.randrange(1000))
        out = io.BytesIO()
        if kind == "npy":
            np.save(out, np.asfortranarray(x) if r.random() < 0.3 else x)
        elif kind == "npz":
            (np.savez_compressed if r.random() < 0.5 else np.savez)(out, a=x, b=np.arange(40))
        else:
            y = np.arange(12.0).reshape(4, 3) / 7 - 0.5
            np.savetxt(out, y, delimiter=r.choice([" ", ","]), fmt=r.choice(["%g", "%.3e", "%d"]))
        return out.getvalue()

    def run(self, number):
        import arrpy
        import numpy as np

        kind, r = self.label(number), random.Random(number)
        data = changed_bytes(r, self.seed_file(kind, r))
        path = os.path.join(self.folder.name, "f." + ("npz" if kind == "npz" else "npy"))
        with open(path, "wb") as f:
            f.write(data)
        name, given = os.fsencode(path), {"npz": (b"a",)}.get(kind, ())
        try:
            if kind in ("npy", "npz"):
                got = arrpy.made(f"arr_load_{kind}", name, -1, *given, arrpy.device_of("host"), None)
            elif kind == "text":
                got = arrpy.made("arr_loadtxt", name, -1, None, arrpy.device_of("host"), None)
            else:
                dtype = r.choice([arrpy.c.ARR_FLOAT64, arrpy.c.ARR_INT32, arrpy.c.ARR_BOOL, arrpy.c.ARR_COMPLEX64])
                separator = r.choice([None, b",", b" "])
                got = arrpy.made("arr_fromfile", name, -1, dtype, -1, 0, separator, arrpy.device_of("host"), None)
            got = got.numpy()
        except arrpy.Error as e:
            from error_texts import fault_of

            function = str(e).split(":")[0]
            fault = fault_of(function, e.status, str(e).encode())
            return self.report.check(f"{kind} error", fault is None, f"{data!r}: {fault}: {e}")
        self.compare(kind, data, path, got, np)

    def compare(self, kind, data, path, got, np):
        """Checks that NumPy loads the same array from the same bytes."""
        if kind not in ("npy", "npz"):
            return
        try:
            want = np.load(path)
            if kind == "npz":
                want = want["a"]
        except Exception:  # noqa: BLE001 - NumPy refuses bytes by errors of many kinds; libarr may read them
            return
        import oracle

        self.report.check(f"{kind} values", oracle.same(got, np.asarray(want)), f"{data!r}: {got!r}, NumPy {want!r}")


class Powers(ast.NodeTransformer):
    """Makes each x ** y a call of power(x, y): with the number 0.5, NumPy computes sqrt(x), which is nan of -inf."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name("power", ast.Load()), [node.left, node.right], [])


class Formulas(Fuzzer):
    """Formulas: random ones against Python's on NumPy arrays, and texts that are changed at random, which are errors that
    keep their promises."""

    BINARY = ("+", "-", "*", "/", "%", "//", "**", "<", "<=", "==", "!=", ">", ">=")
    UNARY = ("sqrt", "exp", "sin", "abs", "floor", "tanh", "-", "+")

    def label(self, number):
        return ("good", "changed")[number % 2]

    def formula(self, r, depth):
        """Text that Python and libarr read alike; integers alone are in decimals, so that both compute in float64."""
        if depth == 0 or r.random() < 0.15:
            return r.choice(("a", "b", "c", "2.5", "1e-3", ".5", "3.0", "pi"))
        kind = r.randrange(10)
        if kind < 6:
            op = r.choice(self.BINARY[:7])
            parts = [self.formula(r, depth - 1), self.formula(r, depth - 1)]
            text = f"{parts[0]} {op} {parts[1]}" if r.random() < 0.5 else f"{parts[0]}{op}{parts[1]}"
            return f"({text})" if r.random() < 0.7 or op == "**" else text
        if kind < 8:
            name, inner = r.choice(self.UNARY), self.formula(r, depth - 1)
            return f"({name}({inner}))" if name in "+-" else f"{name}({inner})"
        if kind == 8:
            condition = f"{self.formula(r, depth - 1)} {r.choice(self.BINARY[7:])} {self.formula(r, depth - 1)}"
            return f"where({condition}, {self.formula(r, depth - 1)}, {self.formula(r, depth - 1)})"
        return f"maximum({self.formula(r, depth - 1)}, {self.formula(r, depth - 1)})"

    def run(self, number):
        r = random.Random(number)
        text = self.formula(r, r.randint(1, 4))
        if number % 2:
            return self.changed(r, text)
        self.good(r, text)

    @staticmethod
    def in_numpy(text, arrays, error, rounding):
        """The value of the formula in Python; each number is wrong by the relative error, and each value of a function
        by that of rounding."""
        import numpy as np

        names = {k: getattr(np, k) for k in ("abs", "floor", "where", "maximum")}
        names.update({k: lambda x, f=getattr(np, k): f(x) * (1 + rounding) for k in ("sqrt", "exp", "sin", "tanh")})
        names.update({k: x * (1 + error) for k, x in arrays.items()}, pi=np.float64(np.pi * (1 + error)))
        # NumPy's numbers, since Python's own raise where these overflow.
        python = re.sub(r"(?<![\w.])(\d+\.?\d*(e-?\d+)?|\.\d+)", r"number(\1)", text)
        scope = {
            "__builtins__": {},
            "number": lambda x: np.float64(x) * (1 + error),
            "power": lambda x, y: np.power(x, np.full((5, 7), y)),
        }
        tree = ast.fix_missing_locations(Powers().visit(ast.parse(python, mode="eval")))
        with np.errstate(all="ignore"):
            value = eval(compile(tree, "formula", "eval"), {**scope, **names})  # noqa: S307 - its own text
            return np.broadcast_to(np.asarray(value, "f8"), (5, 7))

    def good(self, r, text):
        import arrexpr
        import arrpy
        import numpy as np

        numbers = np.random.default_rng(r.randrange(1 << 30))
        arrays = {name: numbers.uniform(-3, 3, (5, 7)) for name in "abc"}
        try:
            e = arrexpr.parse(text, *"abc")
            got = e.run(*(arrpy.array(x) for x in arrays.values())).numpy()
        except arrpy.Error as error:
            limit = "at most" in str(error) or "more than" in str(error)
            return self.report.check("formula refused", limit, f"{text!r}: {error}")
        want, got = self.in_numpy(text, arrays, 0, 0), np.broadcast_to(got, (5, 7))
        # Last bits of functions differ, and what follows may enlarge that: the formula itself says how much.
        errors = itertools.product((1e-13, -1e-13), repeat=2)
        others = [self.in_numpy(text, arrays, *error) for error in errors]
        with np.errstate(all="ignore"):
            room = 1e-12 + 5 * sum(abs(other - want) for other in others) + 1e-10 * abs(want)
            room[np.isnan(room)] = np.inf  # the smallest error makes it nan
            good = (abs(got - want) <= room) | (np.isnan(got) & np.isnan(want)) | (got == want)
            # The sign of the zero that a maximum of two zeros is decides the sign of an infinity.
            good |= np.isinf(got) & np.isinf(want)
        steps = re.search(r"floor|%|//|<|>|==|!=|\*\*", text)  # near a step the two may stand on either side
        self.report.check("formula", good.all() or (steps and good.mean() > 0.5), f"{text!r}: {got} NumPy {want}")

    def changed(self, r, text):
        import arrpy

        data = changed_bytes(r, text.encode())
        expression, node = arrpy.c.arr_expr(), ctypes.c_int32()
        arguments = (data, len(data), 0, None, ctypes.byref(node), ctypes.byref(expression))
        status = arrpy.lib.arr_expr_parse(*arguments)
        if status == arrpy.c.ARR_OK:
            arrpy.lib.arr_expr_release(expression)
            return
        import error_texts

        message = arrpy.lib.arr_last_error()
        fault = error_texts.fault_of("arr_expr_parse", status, message)
        self.report.check("formula error", fault is None, f"{data!r}: {fault}: {message!r}")


FUZZERS = {
    "index": Index,
    "manipulation": Manipulation,
    "sparse": Sparse,
    "api": Api,
    "files": Files,
    "formulas": Formulas,
    "ptx": Ptx,
    "programs": Programs,
}
