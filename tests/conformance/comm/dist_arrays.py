# SPDX-License-Identifier: MIT
"""Distributed arrays for tests: arr_dist functions as methods, and programs of all ranks."""

import ctypes

from oracle import arrpy
from ranks import handle
from sparse_matrix import reduction

C = arrpy.c


def op_number(name):
    return getattr(C, "ARR_OP_" + name.upper())


class Decomposition:
    """A decomposition of one rank."""

    def __init__(self, value):
        self.value = value

    def __del__(self):
        arrpy.lib.arr_decomposition_release(self.value)

    @staticmethod
    def blocks(comm, shape, grid=(), blocks=()):
        n = (len(shape), arrpy.int64s(shape), len(grid), arrpy.int32s(grid), len(blocks), arrpy.int64s(blocks))
        return Decomposition(arrpy.made("arr_decomposition_create", comm.value, *n, of=C.arr_decomposition))

    @staticmethod
    def counts(comm, shape, counts, axis=0):
        n = (len(shape), arrpy.int64s(shape), axis, len(counts), arrpy.int64s(counts))
        return Decomposition(arrpy.made("arr_decomposition_counts", comm.value, *n, of=C.arr_decomposition))

    @staticmethod
    def owners(comm, shape, owners, axis=0):
        n = (len(shape), arrpy.int64s(shape), axis, len(owners), arrpy.int32s(owners))
        return Decomposition(arrpy.made("arr_decomposition_owners", comm.value, *n, of=C.arr_decomposition))

    def shape(self, rank=-1):
        shape, ndim = (ctypes.c_int64 * 64)(), ctypes.c_int32()
        arrpy.call("arr_decomposition_shape", self.value, rank, 64, shape, ctypes.byref(ndim))
        return tuple(shape[: ndim.value])

    def indices(self, rank, axis):
        return arrpy.made("arr_decomposition_indices", self.value, rank, axis, None).numpy()


class Dist:
    """A distributed array as one rank has it."""

    def __init__(self, value):
        self.value = value

    def __del__(self):
        arrpy.lib.arr_dist_release(self.value)

    @staticmethod
    def create(by, d="float64", halo=()):
        return dist(
            "create", by.value, d if isinstance(d, int) else arrpy.number(d), len(halo), arrpy.int64s(halo), None
        )

    @staticmethod
    def of_part(by, part):
        return dist("from_part", by.value, part.handle)

    @staticmethod
    def scatter(by, whole, root=0):
        return dist("scatter", by.value, handle(whole), root, None)

    def array(self, name, *arguments):
        out = C.arr_array()
        arrpy.call("arr_dist_" + name, self.value, *arguments, ctypes.byref(out))
        return arrpy.Array(out) if out else None

    def gather(self, root=-1):
        return self.array("gather", root, None)

    def part(self, *offsets):
        return self.array("part", len(offsets), arrpy.int64s(offsets))

    def memory(self):
        return self.array("memory")

    def decomposition(self):
        return Decomposition(arrpy.made("arr_dist_decomposition", self.value, of=C.arr_decomposition))

    def exchange(self, periodic=()):
        arrpy.call("arr_dist_exchange", self.value, len(periodic), arrpy.int32s(periodic), None)

    def assign(self, src):
        arrpy.call("arr_dist_assign", self.value, src.value, None)

    def redistribute(self, by):
        return dist("redistribute", self.value, by.value, None)

    def transpose(self, *axes):
        return dist("transpose", self.value, len(axes), arrpy.int32s(axes))

    def reduce(self, by, axes=None, keepdims=False):
        n = 0 if axes is None else len(axes)
        list_ = None if axes is None else arrpy.int32s(axes)
        return dist("reduce", self.value, reduction(by), n, list_, keepdims, None)

    def slice(self, axis, from_, to):
        return dist("slice", self.value, axis, from_, to)

    def sort(self, axis=0):
        return dist("sort", self.value, axis, None)

    def fftn(self, axes=(), inverse=False, norm=0, keep=True):
        return dist("fftn", self.value, len(axes), arrpy.int32s(axes), inverse, norm, keep, None)

    def rfftn(self, axes=(), norm=0, keep=True):
        return dist("rfftn", self.value, len(axes), arrpy.int32s(axes), norm, keep, None)

    def irfftn(self, n=-1, axes=(), norm=0, keep=True):
        return dist("irfftn", self.value, n, len(axes), arrpy.int32s(axes), norm, keep, None)

    @staticmethod
    def load(by, path):
        return dist("load_npy", by.value, str(path).encode(), -1, None)

    def save(self, path):
        arrpy.call("arr_dist_save_npy", self.value, str(path).encode(), -1, None)

    def accumulate(self, op, axis=0):
        return dist("accumulate", op_number(op), self.value, axis, None)


def dist(name, *arguments):
    return Dist(arrpy.made("arr_dist_" + name, *arguments, of=C.arr_dist))


def dists(all_):
    return len(all_), (C.arr_dist * len(all_))(*[a.value for a in all_])


def apply(op, *inputs):
    return dist("apply", op_number(op), *dists(inputs), None)


def evaluate(text, *inputs):
    return dist("evaluate", text.encode(), -1, *dists(inputs), None)


def matmul(a, b):
    return dist("matmul", a.value, b.value, None)


def random(by, generator, distribution, parameters, d=None):
    n = len(parameters)
    return dist("random_draw", by.value, generator, distribution, n, parameters or None, arrpy.number(d), None)
