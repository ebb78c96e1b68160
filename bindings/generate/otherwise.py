# SPDX-License-Identifier: MIT
"""Functions of C that a language's layer does not name, and what a program writes instead, for the reference and for
tests/house/reach.py, which counts them: {regular expression of names without arr_: text}."""

import re

EVERYWHERE = {
    r"error_(release|status|take|text)|last_status|last_error|status_name": "an exception, a Result or a value of type arr_error",
    r"value_(array|bits|bool|bytes|c128|f32|f64|get_f64|get_i64|i32|i64|pointer|texture|weak)": "numbers and arrays are operands",
    r"check_abi": "the layer checks the library's version when it opens it",
}
ONE_AXIS = {r"i?(dct|dst|fft)|i?rfft": "the transform along a list of one dimension"}
JULIA = {
    **ONE_AXIS,
    r"ndim": "ndims(a)",
    r"shape": "size(a)",
    r"strides": "strides(a)",
    r"array_dtype": "eltype(a)",
    r"get_items": "a[I...]",
    r"set_items": "a[I...] = x",
    r"nonzero": "findall(mask)",
    r"take_along_axis": "a[CartesianIndex.(...)]",
    r"isin": "in.(a, Ref(values))",
    r"expand_dims": "reshape(a, dims)",
    r"squeeze": "dropdims(a; dims = dims)",
    r"broadcast_to": "broadcasts",
    r"solve|lstsq": "a \\ b",
    r"matrix_power": "a^n",
    r"stream_sync|event_sync": "synchronize(x)",
    r"stream_query|event_query": "Arr.isdone(x)",
    r"stream_device": "Arr.device(x)",
    r"graph_begin": "Arr.capture(f, stream)",
    r"random_sample": "Arr.choice(a, count)",
    r"op_find": "the function itself, f.(x)",
    r"expr_(create|input|constant|op|cast|index|gather|run|run_into|run_many_into|describe)": "f.(arrays...)",
    r"dist_apply": "f.(arrays...)",
    r"expr_reduce_into": "mapreduce(f, op, a; dims = dims)",
    r"memory_pressure": "the layer asks after each new array",
    r"size": "length(a)",
    r"array_sync": "synchronize(a)",
    r"select": "ifelse.(mask, a, b)",
    r"take": "a[indices]",
    r"tile": "repeat(a, counts...)",
    r"roll": "circshift(a, shifts)",
    r"stack": "Arr.stack(arrays...)",
    r"concatenate": "cat(arrays...; dims = dims)",
    r"contiguous": "copy(a)",
    r"matrix_transpose": "permutedims(a)",
    r"sort": "sort(a; dims = dims)",
    r"extract|compress": "a[mask]",
    r"diag": "diag(a), diagm(v)",
    r"ones": "Arr.ones(dims...)",
    r"ones_like": "fill!(similar(a), 1)",
    r"zeros": "Arr.zeros(dims...)",
    r"zeros_like": "zero(a)",
    r"empty_like": "similar(a)",
    r"linspace": "ArrArray(range(start, stop; length = n))",
    r"arange": "ArrArray(start:step:stop)",
    r"array_equal": "x == y",
    r"dot|matmul|matvec": "a * b",
    r"vecmat": "v' * a",
    r"norm": "norm(a)",
    r"lu": "lu(a)",
    r"stream_create": "Arr.Stream(device)",
    r"astype": "T.(a)",
    r"ufunc(_into)?": "f.(x)",
    r"random_integers": "Arr.rand(low:high, dims...)",
    r"random_draw|random_draw_into": "Arr.draw!(distribution, dst, parameters...)",
    r"generator_create": "Arr.Generator(seed)",
    r"divmod|frexp|modf": "broadcasts of the two operations",
    r"dtype_find|dtype_info|promote_types": "Julia's types",
    r"softmax|log_softmax": "Arr.softmax(a)",
    r"print": "print(a)",
    r"version": "the layer checks the library's version when it opens it",
}
RUST = {
    **ONE_AXIS,
    r"zeros|create": "device.zeros(shape)?",
    r"generator_create": "Generator::new(seed)?",
    r"graph_begin": "stream.capture(work)?",
}
FORTRAN = {
    r"broadcast_shapes": "the shape of a sum",
    r"release": "the finalizer of type(arr_array)",
    r"(\w+_)?retain": "b = a",
    r"from_host": "a = h",
    r"op_find": "the operation's name",
}
CPP = {r"release|\w+_release": "the destructor", "retain": "a copy of the object"}
JULIA |= {
    r"release|\w+_release": "the garbage collector, at once by finalize(x)",
    r"retain|\w+_retain": "a second name of the object",
}
RUST |= {r"release|\w+_release": "drop(x)", "retain": "x.clone()"}
BY_LANGUAGE = {"Julia": JULIA, "Rust": RUST, "Fortran": FORTRAN, "C++": CPP}


def pattern(language):
    return re.compile("|".join({**EVERYWHERE, **BY_LANGUAGE[language]}))


def said(language, name):
    """Returns the text for a C function, empty where there is none."""
    for names, text in {**EVERYWHERE, **BY_LANGUAGE[language]}.items():
        if re.fullmatch(names, name):
            return text
    return ""
