# SPDX-License-Identifier: MIT
"""arr_ops, arr_operators, arr_reductions, arr_nodes: Fortran's procedures of the rows of the op tables.

Every op is arr_<name>. Where Fortran has an intrinsic for it, the intrinsic's generic name serves too, and an
operator where there is one.
"""

import text
from fortran_kinds import INTRINSIC_MODULES, SCALARS, interface

# Intrinsics that are called differently; an op with the intrinsic's own name (sqrt) needs no entry.
INTRINSIC_NAMES = {
    "absolute": "abs",
    "ceil": "ceiling",
    "conjugate": "conjg",
    "imag": "aimag",
    "remainder": "modulo",
    "fmod": "mod",
    "copysign": "sign",
    "minimum": "min",
    "maximum": "max",
    "invert": "not",
    "bitwise_and": "iand",
    "bitwise_or": "ior",
    "bitwise_xor": "ieor",
    "left_shift": "shiftl",
    "right_shift": "shifta",
    "arctan2": "atan2",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "trunc": "aint",
    "bitwise_count": "popcnt",
    "gammaln": "log_gamma",
    "j0": "bessel_j0",
    "j1": "bessel_j1",
    "y0": "bessel_y0",
    "y1": "bessel_y1",
    "prod": "product",
    "argmin": "minloc",
    "argmax": "maxloc",
}
INTRINSICS = set(INTRINSIC_NAMES.values()) | set(
    """
    acos acosh aint anint asin asinh atan atanh bessel_j0 bessel_j1 bessel_y0 bessel_y1 cos cosh erf erfc exp
    floor gamma hypot log log10 log_gamma real sin sinh sqrt tan tanh popcnt leadz trailz sum any all count
    norm2 parity iall iany iparity
    """.split()
)
# Ops whose name another op's intrinsic has: Fortran's sign(a, b) is copysign.
HIDDEN = {"sign"}
REDUCED = {"min": "minval", "max": "maxval"}
OPERATORS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "power": "**",
    "equal": "==",
    "not_equal": "/=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "logical_and": ".and.",
    "logical_or": ".or.",
    "logical_xor": ".neqv.",
    "logical_not": ".not.",
    "negative": "-",
    "positive": "+",
}
MASK = next(k for k in SCALARS if k[0] == "l4")  # the kind of a condition of the host
NODE_SCALARS = [k for k in SCALARS if k[0] in ("r4", "r8", "i4", "i8")]
LETTERS = "xyz"
OPTIONAL = (
    "        type(arr_stream), intent(in), optional :: stream\n        type(arr_error), intent(out), optional :: err\n"
)


def patterns(op, scalars, mask=None):
    """Suffix and one entry per operand: None for an array, a kind for a number or a host array."""
    n = op["arity"]
    found = [("a" * n, [None] * n)]
    if n == 2:
        for k in scalars:
            found += [("a" + k[0], [None, k]), (k[0] + "a", [k, None])]
    elif n == 3:
        for k in scalars:
            found += [("a" + k[0] * 2, [None, k, k]), ("aa" + k[0], [None, None, k]), (f"a{k[0]}a", [None, k, None])]
        if mask and op["inputs"] == "COND":
            found += [(mask[0] + s[1:], [mask, *p[1:]]) for s, p in found if None in p[1:]]
    return found


def operands(pattern, of="arr_array"):
    """The declarations of operands; beside arrays a number or a host array of any rank."""
    same = {}
    for x, kind in zip(LETTERS, pattern):
        same.setdefault(kind and kind[1], []).append(x + ("(..)" if kind and of == "arr_array" else ""))
    return "".join(f"        {k or f'type({of})'}, intent(in) :: {', '.join(xs)}\n" for k, xs in same.items())


def operand(x, kind):
    return f"        {kind[1] + ', intent(in) :: ' + x + '(..)' if kind else 'type(arr_array), intent(in) :: ' + x}\n"


def body(op, pattern, named):
    """The call that computes an op, and the release of its operands. An operator has no stream and no err."""
    name, ends = op["name"], "z_, stream, err" if named else "z_"
    if pattern == [None]:
        return f"        call unary(c_{name}, x, {ends})\n"
    if pattern == [None, None]:
        return f"        call binary(c_{name}, x, y, {ends})\n"
    if len(pattern) == 2:
        first = pattern[0] is not None
        array, number = ("y", "x") if first else ("x", "y")
        side = "number_first" if first else "number_last"
        return f"        call {side}(c_{name}_v, {array}, value_of({number}, {array}), {ends})\n"
    return ternary(op, pattern)


def ternary(op, pattern):
    xs = LETTERS[:3]
    arrays = [x for x, k in zip(xs, pattern) if k is None]
    if len(arrays) == 3:
        called, given = f"c_{op['name']}", [f"{x}%handle" for x in xs]
    else:
        # The condition of a choice says nothing of the type of what is chosen from.
        partner = arrays[-1] if op["inputs"] == "COND" and len(arrays) > 1 else arrays[0]
        given = [f"array_value({x})" if k is None else f"v_{x}" for x, k in zip(xs, pattern)]
        called = f"c_{op['name']}_v"
    numbers = [x for x in xs if x not in arrays]
    values = f"        type(arr_value) :: {', '.join('v_' + x for x in numbers)}\n" if numbers else ""
    before = "".join(f"        v_{x} = value_of({x}, {partner})\n" for x in numbers)
    after = "".join(f"        call let_go(v_{x})\n" for x in numbers)
    return (
        f"        integer(c_int32_t) :: status\n{values}{before}"
        f"        status = {called}({', '.join(given)}, stream_of(stream), z_%handle)\n"
        f"        call ended(status, z_, err, {', '.join(arrays)})\n{after}"
    )


def function(name, arguments, declarations, statements, result="arr_array"):
    return (
        f"    function {name}({', '.join(arguments)}) result(z_)\n{declarations}"
        f"        type({result}) :: z_\n{statements}    end function {name}\n\n"
    )


def renames(api, module, header, wanted):
    names = [f["name"] for f in api["functions"] if f["header"] == header and wanted(f)]
    items = [f"c_{n[len('arr_') :]} => {n}" for n in names]
    lines = text.join(f"    use {module}, only: ", items, "", 118, "        ").rstrip("\n").split("\n")
    return " &\n".join(lines) + "\n"


def new_and_values(f):
    return (f.get("family") or {}).get("form") in ("new", "values")


def module_head(name, what, uses, public):
    lines = text.join("    public :: ", public, "", 118, "        ").rstrip("\n").split("\n")
    return (
        text.banner("!", what)
        + f"module {name}\n{INTRINSIC_MODULES}{uses}    implicit none\n    private\n"
        + " &\n".join(lines)
        + "\n\n"
    )


def generic_names(op):
    """arr_<name> and the intrinsic's name, if there is one."""
    other = INTRINSIC_NAMES.get(op["name"], op["name"])
    return [f"arr_{op['name']}"] + ([other] if other in INTRINSICS and op["name"] not in HIDDEN else [])


ENGINE = (
    "    use arr_c_types\n    use arr_errors, only: arr_error\n"
    "    use arr_types, only: arr_array, arr_stream, ended, stream_of\n"
    "    use arr_kinds, only: value_of\n    use arr_host_memory, only: array_value, let_go\n"
    "    use arr_operands, only: unary, binary, number_first, number_last\n"
)


def emit_ops(api):
    ops = api["ops"]
    public, interfaces, functions = [], "", ""
    for op in ops:
        specifics = []
        for suffix, pattern in patterns(op, SCALARS, MASK):
            name = f"{op['name']}_{suffix}"
            specifics.append(name)
            xs = list(LETTERS[: len(pattern)])
            functions += function(name, xs + ["stream", "err"], operands(pattern) + OPTIONAL, body(op, pattern, True))
        for generic in generic_names(op):
            public.append(generic)
            interfaces += text.wrap(op["doc"], "    !", 118) + interface(generic, specifics)
    choose = next(op for op in ops if op["inputs"] == "COND" and op["arity"] == 3)
    merged, merge = merge_functions(choose)
    public.append("merge")
    interfaces += "    ! tsource where mask is true, fsource elsewhere.\n" + interface("merge", merged)
    return (
        module_head(
            "arr_ops",
            "arr_ops_generated.f90: the element-wise ops by name.",
            ENGINE + renames(api, "arr_c_ops", "ops.h", new_and_values),
            public,
        )
        + interfaces
        + "contains\n\n"
        + functions
        + merge
        + "end module arr_ops\n"
    )


def merge_functions(op):
    """merge(tsource, fsource, mask): the intrinsic's order of arguments."""
    names, out = [], ""
    for suffix, (mask, t, f) in patterns(op, SCALARS, MASK):
        names.append(f"merge_{suffix}")
        declared = "".join(operand(x, k) for x, k in (("tsource", t), ("fsource", f), ("mask", mask)))
        out += function(
            names[-1],
            ["tsource", "fsource", "mask", "stream", "err"],
            declared + OPTIONAL,
            f"        z_ = {op['name']}_{suffix}(mask, tsource, fsource, stream, err)\n        z_%temporary = .true.\n",
        )
    return names, out


def emit_operators(api):
    interfaces, functions, public = {}, "", []
    for op in api["ops"]:
        symbol = OPERATORS.get(op["name"])
        if not symbol:
            continue
        generic = f"operator({symbol})"
        if generic not in interfaces:
            interfaces[generic] = []
            public.append(generic)
        for suffix, pattern in patterns(op, SCALARS):
            name = f"{op['name']}_{suffix}"
            interfaces[generic].append(name)
            functions += function(name, list(LETTERS[: len(pattern)]), operands(pattern), body(op, pattern, False))
    used = {op["name"] for op in api["ops"] if op["name"] in OPERATORS}
    out = module_head(
        "arr_operators",
        "arr_operators_generated.f90: operators between arrays, host arrays and scalars.",
        "    use arr_types, only: arr_array\n    use arr_kinds, only: value_of\n"
        "    use arr_operands, only: unary, binary, number_first, number_last\n"
        + renames(api, "arr_c_ops", "ops.h", lambda f: new_and_values(f) and f["family"]["name"] in used),
        public,
    )
    return (
        out
        + "".join(interface(g, s) for g, s in interfaces.items())
        + "contains\n\n"
        + functions
        + "end module arr_operators\n"
    )


REDUCTION = """    function {0}_array(array, dim, keepdims, stream, err) result(z_)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z_
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)      ! gfortran 12 does not pass an absent argument of any rank on
        call {1}(c_{0}, array, axes, keepdims, z_, stream, err)
    end function {0}_array

"""
LOCATION = """    function {0}_location(array, dim, keepdims, stream, err) result(z_)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z_
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call locate(c_{0}, array, axes, keepdims, z_, stream, err)
    end function {0}_location

"""


def emit_reductions(api):
    interfaces, functions, public = "", "", []
    for row in api["reductions"]:
        index = row["kind"] == "INDEX"
        doc = text.wrap(row["doc"], "    !", 118) + (
            "    ! Indices count from 1 in array element order.\n" if index else ""
        )
        own = f"arr_{row['name']}"
        interfaces += doc + interface(own, [f"{row['name']}_array"])
        functions += REDUCTION.format(row["name"], "reduce_index" if index else "reduce")
        public.append(own)
        other = REDUCED.get(row["name"], INTRINSIC_NAMES.get(row["name"], row["name"]))
        if other not in INTRINSICS | set(REDUCED.values()):
            continue
        public.append(other)
        if index:
            interfaces += "    ! As the intrinsic: without dim the subscripts, with dim the index along it.\n"
            functions += LOCATION.format(row["name"])
        interfaces += interface(other, [f"{row['name']}_{'location' if index else 'array'}"])
    uses = (
        "    use arr_errors, only: arr_error\n    use arr_types, only: arr_array, arr_stream\n"
        "    use arr_engine, only: reduce, reduce_index, locate, dims_of\n"
        + renames(api, "arr_c_reduce", "reduce.h", new_and_values)
    )
    return (
        module_head(
            "arr_reductions", "arr_reductions_generated.f90: reductions over all or some dimensions.", uses, public
        ).replace(INTRINSIC_MODULES, "    use, intrinsic :: iso_c_binding\n")
        + interfaces
        + "contains\n\n"
        + functions
        + "end module arr_reductions\n"
    )


def emit_nodes(api):
    """Operators and functions of fused expressions: they build a program and compute nothing."""
    operators, interfaces, functions, public = {}, "", "", []
    for op in api["ops"]:
        specifics = []
        for suffix, pattern in patterns(op, NODE_SCALARS):
            name = f"{op['name']}_{suffix}"
            specifics.append(name)
            xs = LETTERS[: len(pattern)]
            partner = xs[pattern.index(None)]
            nodes = [x if k is None else f"constant({x}, {partner})" for x, k in zip(xs, pattern)]
            functions += function(
                name,
                list(xs),
                operands(pattern, "arr_node"),
                f"        z_ = node_of(ARR_OP_{op['name'].upper()}, [{', '.join(nodes)}])\n",
                "arr_node",
            )
        for generic in generic_names(op):
            public.append(generic)
            interfaces += interface(generic, specifics)
        symbol = OPERATORS.get(op["name"])
        if symbol:
            operators.setdefault(f"operator({symbol})", []).extend(specifics)
    choose = next(op for op in api["ops"] if op["inputs"] == "COND" and op["arity"] == 3)
    functions += (
        "    function merge_nodes(tsource, fsource, mask) result(z_)\n"
        "        type(arr_node), intent(in) :: tsource, fsource, mask\n        type(arr_node) :: z_\n"
        f"        z_ = node_of(ARR_OP_{choose['name'].upper()}, [mask, tsource, fsource])\n"
        "    end function merge_nodes\n\n"
    )
    interfaces += interface("merge", ["merge_nodes"])
    uses = "    use arr_c_types\n    use arr_expressions, only: arr_node, node_of, constant\n"
    return (
        module_head(
            "arr_nodes",
            "arr_nodes_generated.f90: the ops on nodes of fused expressions.",
            uses,
            public + ["merge"] + list(operators),
        ).replace(INTRINSIC_MODULES, INTRINSIC_MODULES.replace("int8, int16, int32, int64", "int32, int64"))
        + interfaces
        + "".join(interface(g, s) for g, s in operators.items())
        + "contains\n\n"
        + functions
        + "end module arr_nodes\n"
    )


def emit(api):
    folder = "bindings/fortran/src/"
    return {
        folder + "arr_ops_generated.f90": emit_ops(api),
        folder + "arr_operators_generated.f90": emit_operators(api),
        folder + "arr_reductions_generated.f90": emit_reductions(api),
        folder + "arr_nodes_generated.f90": emit_nodes(api),
    }
