#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new_function.py - a new function of arrays, numbers and axes in a header appears in Fortran, Rust and Julia by itself.

Functions that no row of fortran_table.py knows are added to a copy of the description, each with the parameters of one
that there is; the procedures made of them are compared word for word with what a Fortran program calls.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bindings" / "generate"))
import emit_fortran_functions  # noqa: E402
import emit_julia_functions  # noqa: E402
import emit_rust_functions  # noqa: E402

# The text copied, the procedure that follows, a word of each declaration, and of the call of the C function.
EXPECTED = [
    (
        "arr_average",
        "function new_1(a, weights, dim, keepdims, stream, err) result(result_)",
        ["type(arr_array), intent(in) :: a", "type(arr_array), intent(in), optional :: weights", "optional :: dim(..)"],
        "c_new(a%handle, handle_of(weights), length(dim_c), dim_c, flag(keepdims), stream_of(stream), result_%handle)",
    ),
    (
        "arr_slogdet",
        "subroutine new_1(a, sign, logdet, stream, err)",
        ["type(arr_array), intent(inout) :: sign", "type(arr_array_handle) :: logdet_new"],
        "c_new(a%handle, stream_of(stream), sign_new, logdet_new)",
    ),
    (
        "arr_random_beta",
        "function new_1(generator, a, b, shape, dtype, device, stream, err) result(result_)",
        ["class(*), intent(in) :: b", "integer(int64), intent(in) :: shape(:)", "type(arr_array_handle) :: rows"],
        "shape(size(shape):1:-1), device, stream_of(stream), rows)",
    ),
    (
        "arr_convolution_matrix",
        "function new_1(a, n, mode, stream, err) result(result_)",
        ["class(*), intent(in) :: n", "integer(c_int32_t), intent(in), optional :: mode"],
        "c_new(a%handle, n_c, choice(mode, ARR_CONVOLVE_FULL)",
    ),
    (
        "arr_device_name",
        "function new_1(device, err) result(result_)",
        ["type(arr_device), intent(in), optional :: device", "character(len=:), allocatable :: result_"],
        "c_new(device, 0_c_int64_t, length=length_c)",
    ),
]
# The text copied, the emitter, what Rust and Julia programs call, the call of the C function.
ELSEWHERE = [
    (
        "arr_average",
        emit_rust_functions,
        "pub fn new(&self, weights: Option<&DynArray>, axes: impl Axes) -> Result<DynArray> {",
        "call!(arr_new(self.as_raw(), weights.map_or(arr_array::NULL, |x| x.as_raw()), n_axes, list, keep, current(), &mut out))",
    ),
    (
        "arr_split_at",
        emit_rust_functions,
        "pub fn new(&self, positions: &[i64], axis: i32",
        "call!(arr_new(self.as_raw(), n_c, positions.as_ptr(), axis, out_n, out.as_mut_ptr()))",
    ),
    (
        "arr_put",
        emit_rust_functions,
        "pub fn new(&mut self, indices: &DynArray, value: impl DynOperand, bounds: Bounds) -> Result<()> {",
        "call!(arr_new(a_c, indices.as_raw(), &value_c, bounds as i32, current()))",
    ),
    (
        "arr_slogdet",
        emit_julia_functions,
        "function new(a::AnyArr)",
        "@check LibArr.arr_new(a, stream(), out_sign, out_logdet)",
    ),
    (
        "arr_var_into",
        emit_julia_functions,
        "function new!(dst::AnyArr, a::AnyArr, correction::Real; dims = :)",
        "dims !== (:), Float64(correction), stream())",
    ),
    (
        "arr_put",
        emit_julia_functions,
        "function new!(a::AnyArr, indices::AnyArr, value::Union{Number,AnyArr}; bounds::Symbol = :raise)",
        "indices_zero = zero_based(indices)",
    ),
]
# Functions with a callback, an options struct or several results in a list stay by hand.
BY_HAND = ["arr_log_set", "arr_cov", "arr_histogramdd"]


def emitted(api, name, emitter=emit_fortran_functions):
    """The text of the layer with a function arr_new that has the parameters of another."""
    row = next(f for f in api["functions"] if f["name"] == name)
    more = {**api, "functions": [*api["functions"], {**row, "name": "arr_new", "family": None}]}
    return next(iter(emitter.emit(more).values()))


def flat(text):
    return re.sub(r" &\n\s*", " ", text)


def declares(body, declaration):
    """Returns whether a declaration is in the text, maybe together with others of its type."""
    kind, found, name = declaration.partition(" :: ")
    if not found or not kind:
        return declaration in body
    return re.search(rf"{re.escape(kind)} :: (.*, )?{re.escape(name)}(,|$)", body, re.M) is not None


def main():
    api = json.loads((ROOT / "bindings" / "api.json").read_text(encoding="utf-8"))
    faults = 0
    for name, head, declarations, call in EXPECTED:
        text = flat(emitted(api, name))
        start = text.find("    " + head)
        body = text[start : text.find("    end ", start)] if start >= 0 else ""
        missing = [w for w in ["interface arr_new\n", head] if w not in text]
        missing += [w for w in declarations if not declares(body, w)]
        missing += [w for w in (call, "call fail(problem%status") if w not in body]
        faults += len(missing)
        for words in missing:
            print(f"like {name}: no {words.strip()!r} in\n{body}")
    for name, emitter, head, call in ELSEWHERE:
        text = emitted(api, name, emitter)
        for words in (head, call):
            if words not in text:
                faults += 1
                print(f"{emitter.__name__}, like {name}: no {words!r}")
    for name in BY_HAND:
        if "arr_new" in emitted(api, name):
            print(f"like {name}: expected no procedure")
            faults += 1
    print(f"{len(EXPECTED) + len(ELSEWHERE) + len(BY_HAND)} new functions, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
