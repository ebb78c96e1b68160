# SPDX-License-Identifier: MIT
"""arrexpr.py: fused expressions for tests, beside arrpy.py.

e = arrexpr.parse("sqrt(a*a + b*b)")
e.run(a, b); e.reduce("sum", a, b, axis=0); e.describe(a, b)
"""

import ctypes

import arr_ctypes as c
import arrpy


def handles(arrays):
    return (c.arr_array * max(len(arrays), 1))(*(a.handle for a in arrays))


def values(operands):
    return (c.arr_value * max(len(operands), 1))(*(arrpy.value(o) for o in operands))


def evaluate(text, *operands, out=None):
    data = text.encode()
    if out is None:
        return arrpy.made("arr_evaluate", data, len(data), len(operands), values(operands), None)
    arrpy.call("arr_evaluate_into", out.handle, data, len(data), len(operands), values(operands), None)
    return out


class Expr:
    """An expression, built node by node; `node` is the one that run() and reduce() compute."""

    def __init__(self, handle=None, node=-1):
        self.handle = handle or arrpy.made("arr_expr_create", of=c.arr_expr)
        self.node = node

    def __del__(self):
        if self.handle:
            arrpy.lib.arr_expr_release(self.handle)
            self.handle = None

    def _node(self, name, *arguments):
        out = ctypes.c_int32()
        arrpy.call(name, self.handle, *arguments, ctypes.byref(out))
        return out.value

    def input(self, index):
        return self._node("arr_expr_input", index)

    def constant(self, x):
        return self._node("arr_expr_constant", ctypes.byref(arrpy.value(x)))

    def index(self, axis):
        return self._node("arr_expr_index", axis)

    def gather(self, index, *indices, bounds=c.ARR_BOUNDS_RAISE):
        """indices: nodes, None for an axis that is taken whole."""
        nodes = [-1 if i is None else i for i in indices]
        return self._node("arr_expr_gather", index, len(nodes), arrpy.int32s(nodes), bounds)

    def op(self, name, *args):
        return self._node("arr_expr_op", c.OPS[name][0], len(args), arrpy.int32s(args))

    def cast(self, node, dtype):
        return self._node("arr_expr_cast", node, arrpy.number(dtype))

    def run(self, *arrays, out=None, node=None):
        node = self.node if node is None else node
        if out is not None:
            arrpy.call("arr_expr_run_into", out.handle, self.handle, node, len(arrays), handles(arrays), None)
            return out
        return arrpy.made("arr_expr_run", self.handle, node, len(arrays), handles(arrays), None)

    def run_many(self, nodes, *arrays):
        out = (c.arr_array * len(nodes))()
        arrpy.call(
            "arr_expr_run_many", self.handle, len(nodes), arrpy.int32s(nodes), len(arrays), handles(arrays), None, out
        )
        return [arrpy.Array(c.arr_array(h.value)) for h in out]

    def call(self, nodes, *operands):
        """operands: arrays and numbers."""
        out = (c.arr_array * len(nodes))()
        list_ = arrpy.int32s(nodes)
        arrpy.call("arr_expr_call", self.handle, len(nodes), list_, len(operands), values(operands), None, out)
        return [arrpy.Array(c.arr_array(h.value)) for h in out]

    def call_into(self, outs, nodes, *operands):
        to, list_, n = handles(outs), arrpy.int32s(nodes), len(operands)
        arrpy.call("arr_expr_call_into", len(nodes), to, self.handle, list_, n, values(operands), None)

    def reduce(self, name, *arrays, axis=None, keepdims=False, out=None, node=None, options=None):
        """options: an arr_reduce_options."""
        rest = (
            *self._reduction(name, axis, keepdims, options, self.node if node is None else node),
            len(arrays),
            handles(arrays),
            None,
        )
        with_options = "" if options is None else "_with"
        if out is not None:
            arrpy.call(f"arr_expr_reduce{with_options}_into", out.handle, *rest)
            return out
        return arrpy.made(f"arr_expr_reduce{with_options}", *rest)

    def _reduction(self, name, axis, keepdims, options, node):
        n, axes = arrpy.axes_of(axis)
        number = getattr(c, "ARR_REDUCTION_" + name.upper())
        return (
            self.handle,
            node,
            number,
            n,
            axes,
            int(keepdims),
            *(() if options is None else (ctypes.byref(options),)),
        )

    def describe_reduce(self, name, *arrays, axis=None, options=None):
        options = options or c.arr_reduce_options(ctypes.sizeof(c.arr_reduce_options))
        return arrpy.text_of(
            "arr_expr_describe_reduce",
            *self._reduction(name, axis, False, options, self.node),
            len(arrays),
            handles(arrays),
        )

    def source_reduce(self, name, *arrays, axis=None, options=None, device_type=c.ARR_CUDA):
        options = options or c.arr_reduce_options(ctypes.sizeof(c.arr_reduce_options))
        return arrpy.text_of(
            "arr_expr_source_reduce",
            *self._reduction(name, axis, False, options, self.node),
            len(arrays),
            handles(arrays),
            device_type,
        )

    def describe_scan(self, name, *arrays, axis):
        number = getattr(c, "ARR_REDUCTION_" + name.upper())
        return arrpy.text_of(
            "arr_expr_describe_scan", self.handle, self.node, number, axis, len(arrays), handles(arrays)
        )

    def source_scan(self, name, *arrays, axis, device_type=c.ARR_CUDA):
        number = getattr(c, "ARR_REDUCTION_" + name.upper())
        return arrpy.text_of(
            "arr_expr_source_scan", self.handle, self.node, number, axis, len(arrays), handles(arrays), device_type
        )

    def scan(self, name, *arrays, axis):
        number = getattr(c, "ARR_REDUCTION_" + name.upper())
        return arrpy.made("arr_expr_scan", self.handle, self.node, number, axis, len(arrays), handles(arrays), None)

    def describe(self, *arrays):
        return arrpy.text_of("arr_expr_describe", self.handle, self.node, len(arrays), handles(arrays))

    def source(self, *arrays, device_type=c.ARR_CUDA):
        return arrpy.text_of("arr_expr_source", self.handle, self.node, len(arrays), handles(arrays), device_type)

    def names(self):
        n = ctypes.c_int32()
        arrpy.call("arr_expr_nvars", self.handle, ctypes.byref(n))
        return [arrpy.text_of("arr_expr_var", self.handle, i) for i in range(n.value)]


def parse(text, *names):
    node, handle = ctypes.c_int32(), c.arr_expr()
    data = text if isinstance(text, bytes) else text.encode()
    list_ = (ctypes.c_char_p * max(len(names), 1))(*(n.encode() for n in names))
    arrpy.call("arr_expr_parse", data, len(data), len(names), list_, ctypes.byref(node), ctypes.byref(handle))
    return Expr(handle, node.value)


def stats():
    s = c.arr_expr_stats(ctypes.sizeof(c.arr_expr_stats))
    arrpy.call("arr_expr_info", ctypes.byref(s))
    return s
