# SPDX-License-Identifier: MIT
"""bindings/fortran/src/arr_generated.f90: bind(C) interfaces, one module per header, all together in arr_c.

Names are C's. Handles are called arr_array_handle and so on, because module arr calls its own type arr_array; a
constant whose name is also that of a function (Fortran has one case) gets _number: ARR_VERSION_NUMBER.
Where NULL may be passed the argument is optional. Output arguments are inout: they stay as they are on failure.
Comments are the summaries of the headers.
"""

import tables
import text

PLAIN = {
    "bool": "logical(c_bool)",
    "int32": "integer(c_int32_t)",
    "int64": "integer(c_int64_t)",
    "double": "real(c_double)",
}
KINDS = {"int32": "c_int32_t", "int64": "c_int64_t"}


def value_type(t):
    if t["base"] == "handle":
        return f"type({t['of']}_handle)"
    if t["base"] == "struct":
        return f"type({t['of']})"
    return "character(kind=c_char)" if t["base"] == "char" else PLAIN[t["base"]]


def field(t):
    """The type of a struct's component."""
    if t.get("typedef") == "arr_dtype":
        return "type(arr_dtype)"
    if t["base"] == "callback":
        return "type(c_funptr)"
    return "type(c_ptr)" if t["pointer"] else value_type(t)


def zero(t):
    if t["base"] == "callback":
        return "c_null_funptr"
    if t["pointer"]:
        return "c_null_ptr"
    if t["base"] == "handle":
        return f"{t['of']}_handle()"
    if t.get("typedef") == "arr_dtype":
        return "arr_dtype()"
    return "0.0_c_double" if t["base"] == "double" else f"0_{KINDS[t['base']]}"


def declaration(p):
    """(type and attributes, name) of an argument."""
    t, n = p["type"], p["name"]
    if t["base"] == "callback":
        return "type(c_funptr), value", n
    if not t["pointer"]:
        return f"{value_type(t)}, value", n
    if t["pointer"] == 1 and t["base"] in ("void", "opaque"):
        return "type(c_ptr), value", n
    kind = "type(c_ptr)" if t["pointer"] == 2 else value_type(t)
    intent = "in" if p["direction"] == "in" else "inout"
    many = "(*)" if "length" in p or (t["base"] == "char" and t["pointer"] == 1) else ""
    return f"{kind}, intent({intent}){', optional' if p['nullable'] else ''}", f"{n}{many}"


def declarations(parameters):
    """One line for each type."""
    names = {}
    for p in parameters:
        kind, name = declaration(p)
        names.setdefault(kind, []).append(name)
    return "".join(continued(f"            {kind} :: ", found, "", "            ") for kind, found in names.items())


def continued(head, items, tail, indent):
    """A statement with continuation lines."""
    lines = text.join(head, items, tail, 120, indent + "    ").rstrip("\n").split("\n")
    if len(lines[-1]) > 120 and ") bind(" in lines[-1]:
        lines[-1:] = lines[-1].replace(") bind(", f")\n{indent}    bind(").split("\n")
    return " &\n".join(lines) + "\n"


def emit_function(f):
    """An interface. Not by procedure(interface), with which gfortran 12 passes expressions wrongly by value."""
    returns = f["returns"]["type"]
    kind = "subroutine" if returns["base"] == "void" and not returns["pointer"] else "function"
    names = [p["name"] for p in f["parameters"]]
    tail = ") bind(c)" + ("" if kind == "subroutine" else " result(result_)")
    out = text.wrap(f["doc"]["summary"], "        !", 120)
    out += continued(f"        {kind} {f['name']}(", names, tail, "        ") + "            import\n"
    out += declarations(f["parameters"])
    if kind == "function":
        result = "type(c_ptr)" if returns["pointer"] else value_type(returns)
        out += f"            {result} :: result_\n"
    return out + f"        end {kind}\n"


# Infinity and nan by their bits: a constant expression that no compiler warns of.
REALS = [f"transfer({bits}_c_int64_t, 0.0_c_double)" for bits in (0x7FF0 << 48, 0x7FF8 << 48)]


def constant_names(api):
    """{C name: Fortran name}"""
    taken = {f["name"] for f in api["functions"]} | {s["name"] for s in api["structs"]}
    return {c["name"]: c["name"] + ("_NUMBER" if c["name"].lower() in taken else "") for c in api["constants"]}


def documented(statement, doc):
    """A declaration with its comment beside it, or before it if the line would be too long."""
    if doc and len(statement) + len(doc) + 4 > 120:
        indent = " " * (len(statement) - len(statement.lstrip()))
        return text.wrap(doc, indent + "!", 120) + statement + "\n"
    return statement + (f"  ! {doc}" if doc else "") + "\n"


PUBLIC = ["arr_dtype", "operator(==)", "operator(/=)", "dtype_number", "dtype_from"]
# Numbers of the library's element types are default integers in C; in module arr they are of this type.
ELEMENT_TYPES = """! Element types.
module arr_element_types
    use, intrinsic :: iso_c_binding
    implicit none
    private
{public}
    ! An element type, ARR_FLOAT64 and so on. It is no integer, so that a kind such as real64 does not compile instead.
    type, bind(c) :: arr_dtype
        private
        integer(c_int32_t) :: number = 0_c_int32_t
    end type arr_dtype

{constants}
    interface operator(==)
        module procedure same_dtype
    end interface

    interface operator(/=)
        module procedure other_dtype
    end interface

contains

    elemental function same_dtype(x, y) result(yes)
        type(arr_dtype), intent(in) :: x, y
        logical :: yes
        yes = x%number == y%number
    end function same_dtype

    elemental function other_dtype(x, y) result(yes)
        type(arr_dtype), intent(in) :: x, y
        logical :: yes
        yes = x%number /= y%number
    end function other_dtype

    ! Returns the library's number of an element type; without one the default, or 0.
    pure function dtype_number(given, default) result(number)
        type(arr_dtype), intent(in), optional :: given
        integer(c_int32_t), intent(in), optional :: default
        integer(c_int32_t) :: number
        number = 0
        if (present(default)) number = default
        if (present(given)) number = given%number
    end function dtype_number

    ! Returns the element type of the library's number.
    elemental function dtype_from(number) result(dtype)
        integer(c_int32_t), intent(in) :: number
        type(arr_dtype) :: dtype
        dtype%number = number
    end function dtype_from
end module arr_element_types

"""


def dtypes():
    """{Fortran name: number}"""
    return {f"ARR_{r[0]}": r[1] for r in tables.table.rows("dtypes.def", "ARR_DTYPE")}


def emit_element_types():
    named = dtypes()
    names = continued("    public :: ", [*PUBLIC, *named], "", "    ")
    constants = "".join(f"    type(arr_dtype), parameter :: {n} = arr_dtype({k}_c_int32_t)\n" for n, k in named.items())
    return ELEMENT_TYPES.format(public=names, constants=constants)


def emit_types(api):
    out = "! Handles, structs and constants.\nmodule arr_c_types\n    use, intrinsic :: iso_c_binding\n"
    out += "    use arr_element_types, only: arr_dtype\n"
    out += "    implicit none\n    public\n\n"
    for h in api["handles"]:
        out += f"    type, bind(c) :: {h}_handle\n        type(c_ptr) :: ptr = c_null_ptr\n    end type {h}_handle\n\n"
    for s in api["structs"]:
        out += text.wrap(s["doc"], "    !", 120) + f"    type, bind(c) :: {s['name']}\n"
        for f in s["fields"]:
            out += documented(f"        {field(f['type'])} :: {f['name']} = {zero(f['type'])}", f["doc"])
        out += f"    end type {s['name']}\n\n"
    for c, name in sorted(constant_names(api).items()):
        row = next(r for r in api["constants"] if r["name"] == c)
        kind = "real(c_double)" if row.get("type") == "double" else "integer(c_int32_t)"
        value = text.constant(row, "{}_c_int32_t", "{}_c_double", *REALS)
        out += documented(f"    {kind}, parameter :: {name} = {value}", row["doc"])
    return out + "end module arr_c_types\n\n"


def emit(api):
    out = text.banner("!", "arr_generated.f90: the C API of libarr with C's own names; use module arr_c.")
    out += "\n" + emit_element_types() + emit_types(api)
    modules = []
    for header in sorted({f["header"] for f in api["functions"]}):
        module = "arr_c_" + header[: -len(".h")]
        modules.append(module)
        out += f"! {header}\nmodule {module}\n    use, intrinsic :: iso_c_binding\n    use arr_c_types\n"
        out += "    implicit none\n    public\n\n    interface\n"
        out += "".join(emit_function(f) for f in api["functions"] if f["header"] == header)
        out += f"    end interface\nend module {module}\n\n"
    out += "! Everything.\nmodule arr_c\n    use arr_c_types\n"
    out += "".join(f"    use {m}\n" for m in modules) + "    implicit none\n    public\nend module arr_c\n"
    return {"bindings/fortran/src/arr_generated.f90": out}
