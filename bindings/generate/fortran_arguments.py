# SPDX-License-Identifier: MIT
"""Arguments of generated Fortran procedures: their declarations, and the C function's arguments for them.

A kind follows from the C parameter: its type, its length, its index, its name (flags.DEFAULTS). A row
of the table may say another one.
"""

import dataclasses
import re
from dataclasses import dataclass, field

import fortran_table as table

# Handles whose types have nothing but a release; others are bases that hand-written modules extend.
PLAIN_HANDLES = ("comm", "decomposition", "dist", "dist_sparse", "event", "generator", "graph", "sparse_factor")
# Handles that are assigned, and are results of functions, as arrays are (emit_fortran_handles.py).
VALUES = ("array", "sparse", "linop")


def handle_type(kind):
    """The declared type of a handle's object."""
    if kind in VALUES or kind == "stream" or kind in PLAIN_HANDLES:
        return f"type(arr_{kind})"
    return f"class(arr_{kind}_base)"


RESULTS = {
    "bool": ("logical(c_bool)", ".false._c_bool"),
    "int32": ("integer(c_int32_t)", "0"),
    "int64": ("integer(c_int64_t)", "0"),
    "double": ("real(c_double)", "0"),
}


class Unfit(Exception):
    """A function is not one of arrays, numbers, dimensions, texts and streams."""


@dataclass
class Argument:
    """An argument: how it is declared, and what its use takes."""

    name: str
    declared: str = ""
    optional: bool = False
    intent: str = "in"
    shape: str = ""
    kind: str = ""
    locals: list = field(default_factory=list)
    before: list = field(default_factory=list)  # statements
    fallible: bool = False  # a statement before the call may set `problem`
    passed: dict = field(default_factory=dict)  # {C parameter: expression}
    done: list = field(default_factory=list)  # statements after the call
    variants: list = field(default_factory=list)  # other forms of the same argument: procedures of one generic name

    def declaration(self):
        intent = f", intent({self.intent})" if self.intent else ""
        optional = ", optional" if self.optional else ""
        return f"{self.declared}{intent}{optional} :: {self.name}{self.shape}"


def kind_of(p, parameters):
    """The kind of an input by its description."""
    t, name = p["type"], p["name"]
    base, pointer, length = t["base"], t["pointer"], p.get("length")
    if base == "handle":
        if not pointer:
            return t["of"][4:] if t["of"] in ("arr_array", "arr_stream") else "handle"
        if t["of"] in ("arr_array", "arr_sparse") and isinstance(length, str) and not p["nullable"]:
            return "arrays" if t["of"] == "arr_array" else "matrices"
    if base == "struct" and pointer == 1 and length is None:
        if t["of"] in ("arr_device", "arr_value"):
            return {"arr_device": "device", "arr_value": "value"}[t["of"]]
        if not p["nullable"]:
            return "struct"
    if base == "char" and pointer == 1 and p["string"] in ("nul", "sized"):
        return {"nul": "text", "sized": "counted_text"}[p["string"]]
    if base in RESULTS and not pointer:
        if t.get("typedef") == "arr_dtype":
            return "dtype"
        if p.get("index") == "axis":
            return "axis"
        if base == "bool":
            return "flag"
        return {
            "int32": "position" if p.get("index") else "int",
            "int64": "position" if p.get("index") else "whole",
        }.get(base, "real")
    if pointer == 1 and length is None and base in ("int64", "double") and p["nullable"]:
        return {"int64": "given_whole", "double": "given_real"}[base]
    if pointer == 1 and isinstance(length, str):
        return kind_of_list(p, parameters)
    raise Unfit(f"{name}: {t['c']}")


def kind_of_list(p, parameters):
    base, name, names = p["type"]["base"], p["name"], [q["name"] for q in parameters]
    if base == "int32" and p.get("index") == "axis":
        return "reversed_axes" if "s" in names else "axes"
    if base == "int64" and name == "s" and "axes" in names:
        return "s"
    if base == "int64" and name == "shape":
        return "extents" if "order" in names or names[0] == "a" else "reversed_extents"
    if base == "int64" and p.get("index"):
        return "indices" if p["index"] == "index" else "stops"
    if base == "double":
        return "reals"
    raise Unfit(f"{name}: {p['type']['c']}")


def simple(name, declared, expression, p, optional=False, default=None, chosen="choice({}, {})"):
    """A number: with a default it is optional. `expression` has {} for the value."""
    made = Argument(name, declared, optional or default is not None)
    if p:
        made.passed[p["name"]] = expression.format(name if default is None else chosen.format(name, default))
    return made


def make(kind, name, p, optional, default, reverse):
    """An Argument. `p` is the C parameter, None for an argument that only expressions use."""
    rule = KINDS.get(kind)
    if rule is None:
        raise Unfit(f"{name}: no kind {kind}")
    made = rule(name, p, optional, default)
    made.kind = kind
    if reverse:
        rows = f"{name}_rows"
        made.locals.append(f"type(arr_array_handle) :: {rows}")
        made.before.append(f"call reversed({name}, {rows}, problem)")
        made.done.insert(0, f"call drop({rows})")
        made.passed[p["name"]] = rows
        made.fallible = True
    return made


def of_array(name, p, optional, default):
    made = Argument(name, "type(arr_array)", optional)
    if p:
        made.passed[p["name"]] = f"handle_of({name})" if optional else f"{name}%handle"
    made.done.append(f"call done_if({name})" if optional else f"call done({name})")
    return made


def of_subscripts(call):
    """An array of indices that count from 1; the library gets them counted from 0."""

    def rule(name, p, optional, default):
        made = of_array(name, p, optional, default)
        shifted = f"{name}_from_zero"
        made.locals.append(f"type(arr_array_handle) :: {shifted}")
        made.before.append(f"call {call}({name}, {shifted}, stream, problem)")
        made.done.insert(0, f"call drop({shifted})")
        made.passed[p["name"]] = shifted
        made.fallible = True
        return made

    return rule


def of_handle(name, p, optional, default):
    of = p["type"]["of"]
    made = Argument(name, handle_type(of[4:]), optional)
    made.passed[p["name"]] = f"{name}%handle"
    if of[4:] in VALUES:
        made.done.append(f"{'if (present(' + name + ')) ' if optional else ''}call done({name})")
    if optional:
        made.locals.append(f"type({of}_handle) :: {name}_c")
        made.before.append(f"if (present({name})) {name}_c = {name}%handle")
        made.passed[p["name"]] = f"{name}_c"
    return made


def of_operator(name, p, optional, default):
    """A linear operator, or a matrix of which one is made."""
    made = of_handle(name, p, False, default)
    made.locals.append(f"type(arr_linop_handle) :: {name}_c")
    made.before.append(f"call operator_of({name}, {name}_c, problem)")
    made.done = [f"call drop_operator({name}_c)", f"call done({name})"]
    made.passed[p["name"]] = f"{name}_c"
    made.fallible = True
    made.variants = [dataclasses.replace(made, declared=f"type(arr_{kind})") for kind in ("sparse", "array")]
    return made


def size_of(name, p):
    return f"size({name}, kind={p['length_kind']})"


def of_arrays(name, p, optional, default):
    made = Argument(name, "type(arr_array)", shape="(:)")
    made.passed = {p["length"]: size_of(name, p), p["name"]: f"handles({name})"}
    made.done.append(f"call all_done({name})")
    return made


def of_matrices(name, p, optional, default):
    made = Argument(name, "type(arr_sparse)", shape="(:)")
    made.passed = {p["length"]: size_of(name, p), p["name"]: f"{name}%handle"}
    made.done.append(f"call done({name})")
    return made


def of_value(converted):
    def rule(name, p, optional, default):
        made = Argument(name, "class(*)", optional)
        made.locals.append(f"type(arr_value), allocatable :: {name}_c")
        made.before.append(f"call {converted}({name}, {name}_c, problem)")
        made.done.append(f"call done_value({name})")
        made.fallible = True
        made.passed[p["name"]] = f"{name}_c"
        return made

    return rule


def of_drawn_value(name, p, optional, default):
    """A parameter of random numbers: an array of them is reversed as the result is."""
    made = of_value("reversed_value")(name, p, optional, default)
    made.locals.append(f"type(arr_array_handle) :: {name}_rows")
    made.before = [f"call reversed_value({name}, {name}_c, {name}_rows, problem)"]
    made.done.insert(0, f"call drop({name}_rows)")
    return made


def of_flag(name, p, optional, default):
    made = Argument(name, "logical", optional)
    if p:
        on = (p["name"] in table.ON) if default is None else default == ".true."
        made.passed[p["name"]] = f"set_unless({name})" if on else f"flag({name})"
    return made


def of_simple(declared, expression, chosen="choice({}, {})"):
    return lambda name, p, optional, default: simple(name, declared, expression, p, optional, default, chosen)


of_dtype = of_simple("type(arr_dtype)", "dtype_number({})", "{}, {}")
of_int = of_simple("integer(c_int32_t)", "{}")


def of_number(local, converted):
    """A number of any kind: a literal or a variable."""

    def rule(name, p, optional, default):
        made = Argument(name, "class(*)", optional or default is not None, fallible=True)
        made.locals.append(f"{local} :: {name}_c")
        if made.optional:
            made.before.append(f"{name}_c = {default or '0'}")
        made.before.append(f"call {converted}('{{function}}: argument {name}', {name}, {name}_c, problem)")
        if p:
            made.passed[p["name"]] = f"{name}_c"
        return made

    return rule


def of_given(number):
    """The same that C takes by a pointer: absent is NULL."""

    def rule(name, p, optional, default):
        made = number(name, p, True, None)
        made.locals = [d.replace(" ::", ", allocatable ::") for d in made.locals]
        made.before[0] = f"if (present({name})) allocate ({name}_c)"
        return made

    return rule


of_whole = of_number("integer(c_int64_t)", "integer_number")
of_real = of_number("real(c_double)", "real_number")


def of_axis(name, p, optional, default):
    made = Argument(name, "integer", optional)
    if p:
        made.passed[p["name"]] = f"axis_or_first({name})" if optional else f"axis_of({name})"
    return made


def of_axes(name, p, optional, default):
    made = Argument(name, "integer", optional, shape="(..)")
    made.locals.append(f"integer(c_int32_t), allocatable :: {name}_c(:)")
    # gfortran 12 does not pass an absent argument of any rank on.
    made.before.append(
        f"if (present({name})) {name}_c = dims_of({name})"
        if optional
        else f"allocate ({name}_c, source=dims_of({name}))"
    )
    if optional and not p["nullable"]:
        made.before.append(f"if (.not. present({name})) allocate ({name}_c(0))")
    made.passed = {p["length"]: f"length({name}_c)", p["name"]: f"{name}_c"}
    return made


def of_reversed_axes(name, p, optional, default):
    """The dimensions of a transform, which go to the library in reverse; of_s makes both lists."""
    made = Argument(name, "integer", True, shape="(:)")
    made.passed = {p["length"]: "length(axes_c)", p["name"]: "axes_c"}
    return made


def of_s(name, p, optional, default):
    made = Argument(name, "integer", True, shape="(:)")
    made.locals = ["integer(c_int32_t), allocatable :: axes_c(:)", "integer(c_int64_t), allocatable :: s_c(:)"]
    made.before = ["call lay_out('{function}', a, s, dim, axes_c, s_c, problem)"]
    made.fallible = True
    made.passed[p["name"]] = "s_c"
    return made


def of_position(name, p, optional, default):
    made = of_whole(name, p, optional, None)
    index = f"index_of({name}_c)"
    made.passed[p["name"]] = index if p["type"]["base"] == "int64" else f"int({index}, c_int32_t)"
    return made


def of_list(name, p, expression):
    """Integers of default kind, or of 64 bits."""
    made, long = (Argument(name, kind, shape="(:)") for kind in ("integer(int32)", "integer(int64)"))
    made.passed = long.passed = {p["length"]: size_of(name, p), p["name"]: expression.format(name)}
    made.variants.append(long)
    return made


def of_indices(name, p, optional, default):
    return of_list(name, p, "index_of({})")


def of_stops(name, p, optional, default):
    """Ends that C does not include and counts from 0 are those that Fortran includes and counts from 1."""
    return of_list(name, p, "int({}, c_int64_t)")


def of_reals(name, p, optional, default):
    made = Argument(name, "class(*)", shape="(:)", fallible=True)
    made.locals.append(f"real(c_double), allocatable :: {name}_c(:)")
    made.before.append(f"call real_numbers('{{function}}: argument {name}', {name}, {name}_c, problem)")
    made.passed = {p["length"]: size_of(name, p), p["name"]: f"{name}_c"}
    return made


def of_quantiles(name, p, optional, default):
    """One number, for which the length is 0, or a list."""
    made = of_reals(name, p, optional, default)
    one = of_real(name, p, optional, default)
    one.passed = {p["length"]: f"0_{p['length_kind']}", p["name"]: f"[{name}_c]"}
    made.variants.append(one)
    return made


def of_extents(name, p, optional, default):
    """Integers of default kind, or of 64 bits."""
    made = Argument(name, "integer(int64)", shape="(:)")
    made.passed = {p["length"]: size_of(name, p), p["name"]: name}
    short = Argument(name, "integer(int32)", shape="(:)")
    short.passed = {p["length"]: size_of(name, p), p["name"]: f"int({name}, int64)"}
    made.variants.append(short)
    return made


def of_reversed_extents(name, p, optional, default):
    """The library's order of elements is row-major: the result has its dimensions reversed again."""
    made = of_extents(name, p, optional, default)
    for a in (made, made.variants[0]):
        a.passed[p["name"]] = a.passed[p["name"]].replace(name, f"{name}(size({name}):1:-1)")
    return made


def of_turned_extents(name, p, optional, default):
    """Integers of default kind, in the library's order."""
    made = Argument(name, "integer", shape="(:)")
    made.passed = {p["length"]: size_of(name, p), p["name"]: f"int({name}(size({name}):1:-1), int64)"}
    return made


def of_integers(value, declared="integer", turned=True):
    """A list of integers or logicals of default kind: in the library's order, or as it is."""

    def rule(name, p, optional, default):
        kind = "c_int32_t" if p["type"]["base"] == "int32" else "c_int64_t"
        made = Argument(name, declared, optional, shape="(:)")
        given = f"int({value.format(f'{name}(size({name}):1:-1)' if turned else name)}, {kind})"
        made.passed = {p["length"]: size_of(name, p), p["name"]: given}
        if optional:
            made.locals.append(f"integer({kind}), allocatable :: {name}_c(:)")
            made.before.append(f"if (present({name})) allocate ({name}_c, source={given})")
            made.passed = {p["length"]: f"length({name}_c)", p["name"]: f"{name}_c"}
        return made

    return rule


def of_turned_axis(name, p, optional, default):
    """A dimension of an array that the library has with its axes in reverse."""
    made = Argument(name, "integer")
    made.passed[p["name"]] = f"turned_axis_of({name})"
    return made


def of_text(name, p, optional, default):
    made = Argument(name, "character(len=*)", optional)
    if optional:
        made.locals.append(f"character(kind=c_char, len=:), allocatable :: {name}_c")
        made.before.append(f"if (present({name})) {name}_c = trim({name}) // c_null_char")
        made.passed[p["name"]] = f"{name}_c"
    else:
        made.passed[p["name"]] = f"trim({name}) // c_null_char"
    return made


def of_counted_text(name, p, optional, default):
    if optional:
        raise Unfit(f"{name}: a counted text that may be absent")
    made = Argument(name, "character(len=*)")
    made.passed = {p["name"]: name, p["length"]: f"len_trim({name}, kind=int64)"}
    return made


def of_op(name, p, optional, default):
    made = Argument(name, "character(len=*)")
    made.locals.append(f"integer(c_int32_t) :: {name}_c")
    made.before.append(f"call operation({name}, {name}_c, problem)")
    made.fallible = True
    made.passed[p["name"]] = f"{name}_c"
    return made


def of_device(name, p, optional, default):
    made = Argument(name, "type(arr_device)", optional)
    made.passed[p["name"]] = name
    return made


def of_struct(name, p, optional, default):
    made = Argument(name, f"type({p['type']['of']})")
    made.passed[p["name"]] = name
    if p["direction"] != "in":
        made.intent = "out"
        made.before.append(f"{name}%struct_size = c_sizeof({name})")
    return made


def of_field(name, kind, options):
    """An optional argument that is a field of an options struct, the local variable OPTIONS_c."""
    local = f"{options['name']}_c"
    target, given = f"{local}%{name}", f"if (present({name})) "
    made = Argument(name, "class(*)", True, kind=kind)
    made.locals.append(f"type({options['type']['of']}) :: {local}")
    made.before.append(f"{local}%struct_size = c_sizeof({local})")
    made.passed[options["name"]] = local
    if kind in ("real", "nonzero_real", "whole", "nonzero_whole"):
        number = "real_number" if "real" in kind else "integer_number"
        made.fallible = True
        made.before.append(f"call {number}('{{function}}: argument {name}', {name}, {target}, problem)")
        if kind.startswith("nonzero"):  # 0 selects the default in C, where negative numbers mean 0
            made.before.append(f"if (present({name}) .and. {target} == 0) {target} = -1")
    elif kind == "given_real":
        made.fallible = True
        made.locals.append(f"real(c_double), target :: {name}_c")
        made.before.append(f"{name}_c = 0")
        made.before.append(f"call real_number('{{function}}: argument {name}', {name}, {name}_c, problem)")
        made.before.append(f"{given}{target} = c_loc({name}_c)")
    elif kind == "int":
        made.declared = "integer(c_int32_t)"
        made.before.append(f"{given}{target} = {name}")
    elif kind == "flag":
        made.declared = "logical"
        made.before.append(f"{target} = one_if({name})")
    elif kind == "array":
        made.declared = "type(arr_array)"
        made.before.append(f"{target} = handle_of({name})")
        made.done.append(f"call done_if({name})")
    elif kind == "operator":
        made.fallible = True
        made.before.append(f"call any_operator('{{function}}: argument {name}', {name}, {target}, problem)")
        made.done += [f"call drop_operator({target})", f"call done_any({name})"]
    elif kind == "progress":
        made.declared, made.intent = "procedure(arr_solve_callback)", ""
        made.locals.append("type(solver_progress), target :: reports")
        made.before.append(f"{given}call report_to({name}, reports, {target}, {local}%ctx)")
    else:
        raise Unfit(f"{name}: no kind {kind} of fields")
    return made


def of_pointer(name, p, optional, default):
    made = Argument(name, "type(c_ptr)")
    made.passed[p["name"]] = name
    return made


KINDS = {
    "array": of_array,
    "arrays": of_arrays,
    "axes": of_axes,
    "axis": of_axis,
    "counted_text": of_counted_text,
    "device": of_device,
    "drawn_value": of_drawn_value,
    "extents": of_extents,
    "flag": of_flag,
    "given_whole": of_given(of_whole),
    "given_real": of_given(of_real),
    "indices": of_indices,
    "double": of_simple("real(real64)", "{}"),  # the same for a real number
    "dtype": of_dtype,
    "int": of_int,
    "matrices": of_matrices,
    "int64": of_simple("integer(int64)", "{}"),  # beside a real number of the same position
    "number": of_value("plain_value"),
    "op": of_op,
    "operator": of_operator,
    "pointer": of_pointer,
    "positions": of_subscripts("positions_from_zero"),  # where C's negative numbers count from the end
    "position": of_position,
    "quantiles": of_quantiles,
    "real": of_real,
    "reals": of_reals,
    "reversed_axes": of_reversed_axes,
    "reversed_extents": of_reversed_extents,
    "s": of_s,
    "handle": of_handle,
    "stops": of_stops,
    "stream": of_handle,
    "struct": of_struct,
    "subscripts": of_subscripts("from_zero"),
    "text": of_text,
    "list": of_integers("{}", turned=False),
    "turned_axes": of_integers("turned_axis_of({})"),
    "turned_axis": of_turned_axis,
    "turned_extents": of_turned_extents,
    "turned_flags": of_integers("merge(1, 0, {})", "logical"),
    "turned_list": of_integers("{}"),
    "value": of_value("weak_value"),
    "whole": of_whole,
}

ENTRY = re.compile(r"(?:(\w+)\.)?(\w+)(~)?(?:\{(\w+)([?!]?)\})?(?::(\w+))?([?!]?)(?:=(.+))?$")
