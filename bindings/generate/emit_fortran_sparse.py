# SPDX-License-Identifier: MIT
"""arr_sparse_operators: what sparse matrices and linear operators have for each kind of numbers."""

import text
from emit_fortran_ops import OPERATORS, function, module_head
from fortran_kinds import KINDS, SCALARS, interface

NUMBERS = [k for k in SCALARS if k[0] != "l4"]
PAIRS = ("add", "subtract", "multiply")  # of two matrices
SCALES = {"multiply": (False, True), "divide": (False,), "power": (False,)}  # False: the matrix is the first operand

USES = """    use arr_c_types
    use arr_errors, only: arr_error
    use arr_functions, only: arr_to_dense, matmul
    use arr_host_memory, only: array_value, let_go
    use arr_kinds, only: arr_download, value_of
    use arr_sparse_matrices, only: copied, each, elements, pairs, scaled
    use arr_handle_types, only: arr_linop, arr_sparse
    use arr_linear_operators, only: scaled_operator
    use arr_types, only: arr_array, arr_stream, done
"""
PRODUCT = """    function matmul_{name}(matrix_a, matrix_b, stream, err) result(z_)
{declared}        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z_
        type(arr_array) :: data, copy
        call elements({matrix}, data)
        call copied(value_of({host}, data), copy)
        z_ = matmul({factors}, stream, err)
        z_%temporary = .true.
    end function matmul_{name}

"""
ASSIGNMENTS = """    subroutine assign_to_array(lhs, rhs)
        type(arr_array), intent(inout) :: lhs
        type(arr_sparse), intent(in) :: rhs
        lhs = arr_to_dense(rhs)
    end subroutine assign_to_array

"""
ASSIGNMENT = """    subroutine assign_to_{0}(h, a)
        {1}, intent(inout) :: h(..)
        type(arr_sparse), intent(in) :: a
        call arr_download(arr_to_dense(a), h)
    end subroutine assign_to_{0}

"""


def scale(op, kind, first):
    """A matrix and an array or, of a kind, a number or a host array, which comes first or second."""
    x, y = ("y", "x") if first else ("x", "y")
    declared = {x: "        type(arr_sparse), intent(in) :: " + x + "\n"}
    declared[y] = f"        {kind[1] if kind else 'type(arr_array)'}, intent(in) :: {y}{'(..)' if kind else ''}\n"
    other = kind[0] if kind else "a"
    name = f"{op}_{other}s" if first else f"{op}_s{other}"
    number = f"ARR_OP_{op.upper()}"
    if kind:
        body = (
            "        type(arr_array) :: data\n        type(arr_value) :: v\n"
            f"        call elements({x}, data)\n        v = value_of({y}, data)\n"
            f"        call scaled({number}, {x}, v, z_)\n        call let_go(v)\n"
        )
    else:
        body = f"        call scaled({number}, {x}, array_value({y}), z_)\n        call done({y})\n"
    return name, function(name, ["x", "y"], declared["x"] + declared["y"], body, "arr_sparse")


def multiple(kind, first):
    """A linear operator times a number, which comes first or second."""
    x, y = ("y", "x") if first else ("x", "y")
    name = f"multiply_{kind[0]}l" if first else f"multiply_l{kind[0]}"
    declared = f"        type(arr_linop), intent(in) :: {x}\n        {kind[1]}, intent(in) :: {y}\n"
    return name, function(name, ["x", "y"], declared, f"        call scaled_operator({x}, {y}, z_)\n", "arr_linop")


def product(kind, first):
    """The product with a host array, which comes first or second."""
    host, matrix = ("matrix_a", "matrix_b") if first else ("matrix_b", "matrix_a")
    declared = [f"        {kind[1]}, intent(in) :: {host}(..)\n", f"        type(arr_sparse), intent(in) :: {matrix}\n"]
    return PRODUCT.format(
        name=f"{kind[0]}s" if first else f"s{kind[0]}",
        declared="".join(declared if first else declared[::-1]),
        matrix=matrix,
        host=host,
        factors=f"copy, {matrix}" if first else f"{matrix}, copy",
    )


def emit(api):
    operators, functions = {}, ""

    def add(op, name, made):
        operators.setdefault(f"operator({OPERATORS[op]})", []).append(name)
        return made

    both = "        type(arr_sparse), intent(in) :: x, y\n"
    for op in PAIRS:
        body = f"        call pairs(ARR_OP_{op.upper()}, x, y, z_)\n"
        functions += add(op, f"{op}_ss", function(f"{op}_ss", ["x", "y"], both, body, "arr_sparse"))
    for op, orders in SCALES.items():
        for first in orders:
            for kind in [None] * (op != "power") + NUMBERS:
                functions += add(op, *scale(op, kind, first))
    for kind in NUMBERS:
        functions += add("multiply", *multiple(kind, True)) + add("multiply", *multiple(kind, False))
    one = "        type(arr_sparse), intent(in) :: x\n"
    body = "        call each(ARR_OP_NEGATIVE, x, z_)\n"
    functions += add("negative", "negative_s", function("negative_s", ["x"], one, body, "arr_sparse"))
    assignments = ["assign_to_array", *(f"assign_to_{k[0]}" for k in KINDS)]
    out = module_head(
        "arr_sparse_operators",
        "arr_sparse_operators_generated.f90: operators of sparse matrices, products with host arrays, assignment to arrays.",
        USES,
        ["assignment(=)", "matmul", *operators],
    )
    out += text.wrap("a = s makes a dense array of a sparse matrix, in libarr or the program.", "    !", 118)
    out += interface("assignment(=)", assignments) + "".join(interface(g, s) for g, s in operators.items())
    out += interface("matmul", [f"matmul_{n}" for k in NUMBERS for n in (f"s{k[0]}", f"{k[0]}s")])
    functions += "".join(product(k, first) for k in NUMBERS for first in (False, True))
    out += "contains\n\n" + functions + ASSIGNMENTS + "".join(ASSIGNMENT.format(k[0], k[1]) for k in KINDS)
    out = out.rstrip("\n") + "\nend module arr_sparse_operators\n"
    return {"bindings/fortran/src/arr_sparse_operators_generated.f90": out}
