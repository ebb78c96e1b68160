# SPDX-License-Identifier: MIT
"""hostile.py: arguments for any public function that are wrong in one or two places, from bindings/api.json.

    pool = hostile.Pool(random.Random(7), "host")
    status, text = pool.call("arr_matvec")

A call begins with what goes together: arrays of one shape, axes that are there, scalars of usual size. Then one or two
of its arguments change to something that may be wrong: another dtype, shape or rank, an axis far off, nan, a huge
number, NULL, a handle that was released or is of another kind, a text that is no UTF-8.
"""

import ctypes

import numpy as np

import arr_ctypes as c
import arrapi
import arrpy
from arrapi import BASES, FUNCTIONS
from failing_calls import RELEASES

ROOM = 64  # entries behind each pointer, whatever its count says
SHAPES = [(), (3,), (2, 2), (3, 3), (4,), (0,), (3, 0), (2, 3, 4), (5, 3), (1,) * 32, (2,) * 17]
DTYPES = [
    "float64",
    "float64",
    "int64",
    "int32",
    "bool",
    "uint8",
    "int8",
    "uint64",
    "float32",
    "float16",
    "bfloat16",
    "complex64",
    "complex128",
]
INT64S = [0, 1, 2, 3, 5, -1, -7, 31, 2**31, 2**40, 2**62, 2**63 - 1, -(2**63)]
INT32S = [0, 1, 2, 3, -1, -2, -3, 4, 7, 31, 32, 33, -33, 99, 2**31 - 1, -(2**31)]
DOUBLES = [0.0, 0.5, 1.0, 2.0, -1.0, 1e308, 5e-324, float("nan"), float("inf"), float("-inf")]
WORDS = [
    b"",
    b"x",
    b"a+b",
    "\u00e9".encode(),
    b"\xe9",
    b"\xff\xfe\x00",
    b"ij,jk->ik",
    b"line\nline",
    b"float64",
    "\u00e9".encode() * 700,
    b"x" + "\U0001f600".encode() * 300,
    b"x\xc3",
    b"0" * 2000,
]
WORDS_OF = {
    "subscripts": [
        b"ij,jk->ik",
        b"ii",
        b"i,i",
        b"ij->ji",
        b"...i",
        b"i->\xc3",
        "\u00e9".encode(),
        b"i\xe9->i",
        b"ij->ii",
        b"i.j",
    ],
    "path": [b"/nonexistent/a.npy", b"/nonexistent/\xe9.npy", b"", "/nonexistent/\u00e9".encode() * 90],
    "in_params": [b"T x", b"T x, T x", b"float32 \xe9", b"x", b"T x, raw U y", "T \u00e9".encode()],
    "out_params": [b"T y", b"T x", b"", b"\xff y"],
    "identity": [b"0", None],
}
EXPRESSIONS = [
    b"a + b",
    b"4*c - u - e",
    b"a ^ 2",
    b"x if a",
    b"\xe9 + 1",
    "\u00e9 * 2".encode(),
    b"sin(a, b)",
    b"a +",
    b"(" * 300,
]
RELEASED = {kind.__name__: name for kind, name in RELEASES.items()} | {"arr_error": "arr_error_release"}
USUAL = {
    "order": 0,
    "casting": 0,
    "axis": 0,
    "axis1": 0,
    "axis2": 1,
    "axisa": 0,
    "axisb": 0,
    "axisc": 0,
    "degree": 2,
    "n": 3,
    "m": 3,
    "type": 2,
    "length": -1,
    "capacity": ROOM,
    "correction": 0.0,
    "jumps": 1,
    "size": -1,
    "step": 1,
    "ind": 1,
    "block_size": 0,
}


class Pool:
    """Arrays and other objects to call with, and a generator of numbers that chooses."""

    def __init__(self, random, device, counts=None):
        self.random, self.device = random, device
        self.arrays = {}
        self.stale = self._stale()
        event = arrpy.made("arr_event_create", arrpy.device_of(device), 0, of=c.arr_event)
        self.live = {
            "arr_event": event,
            "arr_generator": arrpy.made("arr_generator_create", 1, arrpy.int64s([3]), of=c.arr_generator),
        }
        degrees = ctypes.c_int32()
        self.live["arr_expr"] = expression = c.arr_expr()
        arrpy.call("arr_expr_parse", b"a * 2 + b", -1, 0, None, ctypes.byref(degrees), ctypes.byref(expression))
        self.live["arr_fft_plan"] = arrapi.call(
            "arr_fft_plan_create", ndim=1, shape=arrpy.int64s([4]), real=c.ARR_FLOAT64, device=arrpy.device_of(device)
        )["out"]

        alone = (c.arr_comm * 1)()
        arrpy.call("arr_comm_local", 1, (c.arr_device * 1)(arrpy.device_of(device)), alone)
        self.live["arr_comm"] = alone[0]
        one = {"comm": alone[0], "ndim": 2, "shape": arrpy.int64s([4, 3])}
        self.live["arr_decomposition"] = arrapi.call("arr_decomposition_create", **one)["out"]
        self.live["arr_dist"] = arrapi.call(
            "arr_dist_create",
            decomposition=self.live["arr_decomposition"],
            dtype=c.ARR_FLOAT64,
            nhalo=2,
            halo=arrpy.int64s([1, 0]),
        )["out"]
        self.live["arr_sparse"] = self._sparse(device)
        self.live["arr_dist_sparse"] = arrapi.call(
            "arr_dist_sparse_create", comm=alone[0], rows=self.live["arr_sparse"]
        )["out"]
        where = arrpy.device_of(device)
        self.live["arr_linop"] = arrapi.call("arr_linop_identity", n=3, dtype=c.ARR_FLOAT64, device=where)["out"]
        # Factors of a matrix on the host: none are offered on CUDA.
        eye = self._sparse("host")
        self.live["arr_sparse_factor"] = arrapi.call("arr_sparse_ilu0", a=eye)["out"]
        arrpy.call("arr_sparse_release", eye)

    def _sparse(self, device):
        """A matrix; on the host where the device cannot compile the kernels that make it."""
        for where in (device, "host"):
            try:
                return arrapi.call(
                    "arr_sparse_eye", rows=3, columns=3, dtype=c.ARR_FLOAT64, device=arrpy.device_of(where)
                )["out"]
            except arrpy.Error as e:
                if e.status != c.ARR_E_UNAVAILABLE:
                    raise

    def _stale(self):
        gone = c.arr_array()
        arrpy.call("arr_zeros", c.ARR_FLOAT32, 0, None, 0, None, None, ctypes.byref(gone))
        arrpy.call("arr_release", gone)
        return gone.value

    def close(self):
        for handle in self.live.values():
            arrpy.call(RELEASES[type(handle)], handle)
        self.arrays.clear()

    # Sets the shape and the dtype that most arrays of a call have.
    def _begin(self):
        self.shape = self.random.choice(SHAPES[1:5])
        self.dtype = self.random.choice(DTYPES)
        self.keep = []

    def array(self, shape, dtype):
        made = self.arrays.get((shape, dtype))
        if made is None:
            values = np.arange(int(np.prod(shape)), dtype="f8").reshape(shape) - 1
            here = arrpy.array(values.astype(np.dtype("f4" if dtype == "bfloat16" else dtype)))
            here = here.astype("bfloat16") if dtype == "bfloat16" else here
            # Elements go to a GPU as they are, which needs no compiler.
            made = self.arrays[shape, dtype] = here if self.device == "host" else here.to_device(self.device)
        return made

    def _array(self, wrong):
        if not wrong:
            return self.array(self.shape, self.dtype).handle
        kind = self.random.randrange(10)
        if kind == 0:
            return c.arr_array(None)
        if kind == 1:
            return c.arr_array(self.random.choice([self.stale, 12345, self.live["arr_generator"].value]))
        if kind == 2:  # it cannot be written
            view = self.array((1,), self.dtype).broadcast_to((3,))
            self.keep.append(view)
            return view.handle
        if kind in (3, 4):
            return self.array(self.shape, self.random.choice(DTYPES)).handle
        return self.array(
            self.random.choice(SHAPES), self.random.choice([self.dtype, self.random.choice(DTYPES)])
        ).handle

    def _handle(self, of, wrong):
        if of == "arr_array":
            return self._array(wrong)
        kind = getattr(c, of)
        if wrong:
            return kind(self.random.choice([None, self.stale, 2**63 + 5]))
        live = self.live.get(of)
        return kind(live.value if live is not None else None)

    def _value(self, wrong):
        v = c.arr_value()
        choice = self.random.randrange(6) if wrong else self.random.randrange(2)
        if choice == 0:
            v = arrpy.value(self.random.choice([0, 1, 2, 0.5]))
        elif choice == 1 or choice == 2:
            arrpy.lib.arr_value_array(v, self._array(wrong))
        elif choice == 3:
            v.kind, v.dtype = self.random.choice([(77, 0), (c.ARR_VALUE_SCALAR, 99), (c.ARR_VALUE_SCALAR, 0)])
        else:
            v = arrpy.value(
                self.random.choice([-1, 2**62, 1 + 1j, float("nan"), float("inf"), -1e308, True, np.float32(-3)])
            )
        return v

    def _struct(self, of, wrong):
        if of == "arr_value":
            return self._value(wrong)
        s = getattr(c, of)()
        fields = [f for f, _ in s._fields_ if f != "struct_size"]
        if hasattr(s, "struct_size"):
            s.struct_size = ctypes.sizeof(s)
        if of == "arr_device":
            here = arrpy.device_of(self.device)
            s.type, s.index = here.type, here.index
        if wrong:
            field = self.random.choice([f for f, _ in s._fields_])
            kind = dict(s._fields_)[field]
            if kind is c.arr_array:
                s.__setattr__(field, self._array(self.random.random() < 0.7))
            elif kind in (ctypes.c_int32, ctypes.c_int64):
                setattr(s, field, self.random.choice(INT32S))
            elif kind is ctypes.c_double:
                setattr(s, field, self.random.choice(DOUBLES))
        assert fields
        return s

    def _number(self, p, wrong, counted):
        base, name = p["type"]["base"], p["name"]
        if name in counted:
            return (
                self.random.choice([-1, 0, 1, 4, 33, ROOM])
                if wrong
                else len(self.shape)
                if name in ("ndim",)
                else self.random.choice([0, 1, 2])
            )
        if p["type"]["c"] == "arr_dtype":
            return self.random.choice([99, -1, 0, *range(1, 16)]) if wrong else c_number(self.dtype)
        if not wrong:
            return USUAL.get(
                name,
                self.random.choice([0, 1]) if base == "bool" or name == "columns" else 0.5 if base == "double" else 0,
            )
        if name in ("capacity", "length", "nbytes", "bytes"):
            return self.random.choice([-1, -2, 0, 1, 5])
        if name == "seconds":  # which the call waits for a device that does not come
            return self.random.choice([0.0, -1.0, 0.01, float("nan"), float("-inf")])
        if name in ("count", "total"):  # of elements to make: 2^31 of them would fit, and take the machine's memory
            return self.random.choice([n for n in INT64S if n != 2**31])
        return self.random.choice({"bool": [0, 1, 255], "int32": INT32S, "int64": INT64S, "double": DOUBLES}[base])

    def _text(self, p, wrong):
        words = WORDS_OF.get(p["name"], WORDS)
        if p["name"] in ("text", "operation", "map_expr"):
            words = EXPRESSIONS
        word = self.random.choice(words) if wrong else words[0] or b"name"
        return word if word is None else word + bytes(ROOM)  # a wrong length reads no further than this

    def _pointer(self, p, wrong):
        t, size = p["type"], p.get("length")
        base = t["base"]
        if wrong and self.random.random() < 0.25:
            return None
        if t["c"].startswith("const char *const *"):
            words = [self.random.choice(WORDS) if wrong else b"v%d" % i for i in range(ROOM)]
            return (ctypes.c_char_p * ROOM)(*words)
        if base == "char":
            return self._text(p, wrong)
        if base == "handle":
            return (getattr(c, t["of"]) * ROOM)(
                *(self._handle(t["of"], wrong and self.random.random() < 0.5) for _ in range(ROOM))
            )
        if base == "struct":
            if size is None:
                return (
                    None
                    if p.get("nullable") and not wrong and self.random.random() < 0.8
                    else ctypes.pointer(self._struct(t["of"], wrong))
                )
            return (getattr(c, t["of"]) * ROOM)(
                *(self._struct(t["of"], wrong and self.random.random() < 0.5) for _ in range(ROOM))
            )
        if base in BASES:
            few = {"int32": [0, 1], "int64": [1, 2, 3], "double": [0.25, 0.5]}[base]
            many = {"int32": INT32S, "int64": INT64S, "double": DOUBLES}[base]
            if p["name"] == "shape" and not wrong:
                return (ctypes.c_int64 * ROOM)(*self.shape)
            if not wrong:
                first = list(range(ROOM)) if base == "int32" else [self.random.choice(few) for _ in range(ROOM)]
                return (BASES[base] * ROOM)(*first)
            return (BASES[base] * ROOM)(
                *(self.random.choice(many if self.random.random() < 0.3 else few) for _ in range(ROOM))
            )
        return ctypes.create_string_buffer(8 * ROOM)

    def argument(self, p, wrong, counted):
        t = p["type"]
        if p["direction"] != "in":
            if wrong and self.random.random() < 0.3:
                return None
            if t["base"] == "opaque":
                room = (ctypes.c_void_p * 1)()
            elif t["base"] == "void" and t["pointer"] == 1:
                room = ctypes.create_string_buffer(8 * ROOM)
            else:
                room = arrapi._out(p)
            if t["base"] in ("handle", "struct") and not (t["base"] == "struct" and hasattr(room, "struct_size")):
                room = (type(room) * ROOM)()
            elif t["base"] in BASES and t["pointer"] == 1:
                room = (BASES[t["base"]] * (8 * ROOM))()
            self.outs.append((p, room))
            return room if isinstance(room, ctypes.Array) else ctypes.byref(room)
        if t["base"] in ("callback", "opaque"):
            return None if t["base"] == "opaque" else getattr(arrpy.lib, self.name).argtypes[self.at]()
        if t["pointer"]:
            return self._pointer(p, wrong)
        if t["base"] == "handle":
            if t["of"] == "arr_array" and p.get("length"):
                return self._array(wrong)
            if p.get("nullable") and not wrong and (t["of"] == "arr_stream" or self.random.random() < 0.7):
                return None
            return self._handle(t["of"], wrong)
        return self._number(p, wrong, counted)

    def call(self, name, wrongs=None):
        """Calls it, and releases what it made: (status, text of what failed)."""
        self._begin()
        self.name, self.outs = name, []
        parameters = FUNCTIONS[name]["parameters"]
        counted = {str(p.get("length")).split()[0] for p in parameters} | {"ndim"}
        number = self.random.choice([0, 1, 1, 2]) if wrongs is None else wrongs
        wrong = set(self.random.sample(range(len(parameters)), min(number, len(parameters))))
        arguments = []
        for self.at, p in enumerate(parameters):
            arguments.append(self.argument(p, self.at in wrong, counted))
        before = arrpy.lib.arr_live_handles()
        status = getattr(arrpy.lib, name)(*arguments)
        self.left = arrpy.lib.arr_live_handles() - before  # handles that a call which failed has made all the same
        if status != c.ARR_OK:
            return status, arrpy.lib.arr_last_error()
        for p, room in self.outs:
            if p.get("owned") and p["type"]["base"] == "handle" and p["type"]["of"] in RELEASED:
                self._release(p["type"]["of"], room)
        return status, b""

    def call_with_nothing(self, name):
        """Calls it with NULL and 0 everywhere."""
        function = getattr(arrpy.lib, name)
        self.left = 0
        arguments = [
            0
            if t in (ctypes.c_int32, ctypes.c_int64, ctypes.c_double, ctypes.c_char)
            else t()
            if issubclass(t, ctypes._CFuncPtr)
            else None
            for t in function.argtypes
        ]
        status = function(*arguments)
        return status, arrpy.lib.arr_last_error() if status != c.ARR_OK else b""

    def _release(self, of, room):
        for handle in room:
            if handle.value if isinstance(handle, ctypes.c_void_p) else handle:
                getattr(arrpy.lib, RELEASED[of])(handle)


def c_number(dtype):
    return c.ARR_BFLOAT16 if dtype == "bfloat16" else arrpy.number(dtype)
