# SPDX-License-Identifier: MIT
"""The arguments of a generated Rust method: their types, and the values that the C function gets for them.

A kind follows from the C parameter: its type, its length, its index, its name. A row of rust_table.py may say another.
"""

import re
from dataclasses import dataclass, field

import rust_table as table
import text

NULL = "arr_array::NULL"
KEYWORDS = {"where", "in", "type", "fn", "impl", "move", "ref", "match", "mod", "use", "loop", "box", "self", "as"}
# Enums of the hand-written layer, by the names of C's parameters; {} is the argument.
ENUMS = {
    "bitorder": ("BitOrder", "{} as i32"),
    "bounds": ("Bounds", "{} as i32"),
    "casting": ("Casting", "{} as i32"),
    "mode": ("Convolve", "{}.code()"),
    "norm": ("Norm", "{}.code()"),
    "order": ("Order", "{}.code()"),
    "scale": ("DftScale", "{} as i32"),
    "side": ("Side", "{} as i32"),
}
CODED = ("Reduction", "Ufunc")  # types that are numbers, not enums
NUMBERS = {"bool": "bool", "int32": "i32", "int64": "i64", "double": "f64"}


def escaped(line):
    """Brackets and angle brackets would be links and tags."""
    return re.sub(r"([\[\]<>|*_`+])", r"\\\1", line)


class Unfit(Exception):
    """A function is not one of arrays, numbers, axes and texts."""


@dataclass
class Argument:
    """An argument: its type in both forms of a method, the statements in front of the call, what C gets."""

    name: str
    declared: str = ""
    typed: str = ""  # in the form with element types, where that is another type
    generic: str = ""  # a type parameter of that form
    before: list = field(default_factory=list)
    passed: dict = field(default_factory=dict)  # {C parameter: expression}
    kind: str = ""
    length: tuple = ()  # (C parameter, the argument's own length): several lists may share one

    def declaration(self, typed):
        return f"{self.name}: {self.typed if typed and self.typed else self.declared}"


def kind_of(p, parameters):
    t, name = p["type"], p["name"]
    base, pointer, length = t["base"], t["pointer"], p.get("length")
    if base == "handle" and t["of"] == "arr_array":
        if not pointer:
            return "optional" if p["nullable"] else "array"
        if isinstance(length, str) and not p["nullable"]:
            return "arrays"
    if base == "struct" and pointer == 1 and length is None and t["of"] == "arr_device":
        return "device"
    if base == "struct" and pointer == 1 and length is None and t["of"] == "arr_value" and not p["nullable"]:
        return "value"
    if base == "char" and pointer == 1 and p["string"] in ("nul", "sized"):
        return {"nul": "text", "sized": "counted_text"}[p["string"]] + ("?" if p["nullable"] else "")
    if base in NUMBERS and not pointer:
        return kind_of_number(p, parameters)
    if pointer == 1 and isinstance(length, str) and base in NUMBERS:
        return kind_of_list(p, parameters)
    raise Unfit(f"{name}: {t['c']}")


def kind_of_number(p, parameters):
    base, name = p["type"]["base"], p["name"]
    if base == "bool":
        return "flag"
    if base == "int32" and name in ENUMS:
        return "enum"
    if base == "int32" and name == "dtype":
        return (
            "dtype?"
            if any(q["type"].get("of") == "arr_array" and q["direction"] == "in" for q in parameters)
            else "dtype"
        )
    return base


def kind_of_list(p, parameters):
    base, names = p["type"]["base"], [q["name"] for q in parameters]
    if base == "int32" and p["name"] == "axes" and p["nullable"]:
        return "reduced" if p["length"] == "naxes" and "keepdims" in names else "axes?"
    if base == "int64" and p["name"] == "shape":
        return "new_shape" if {"order", "dtype"} <= set(names) else "extents"
    return f"list_{NUMBERS[base]}" + ("?" if p["nullable"] else "")


def make(kind, name, p, parameters):
    """The Argument of a kind. `p` is the C parameter, None for an argument that only expressions use."""
    name = text.name(name, KEYWORDS)
    if p is None:
        return Argument(name, kind)
    c = p["name"]
    if kind in NUMBERS and p["type"]["base"] != "handle":
        return Argument(name, NUMBERS[kind], passed={c: name})
    if kind.startswith("list_"):
        return of_list(kind, name, p)
    if kind in KINDS:
        return KINDS[kind](name, p, parameters)
    if p["type"]["base"] == "handle":
        return of_element(kind, name, p)
    if p["type"]["base"] == "struct":
        return Argument(name, kind, before=[f"let {name}_c = {name}.raw();"], passed={c: f"&{name}_c"})
    if kind[0].isupper():
        return Argument(name, kind, passed={c: f"{name}.code()" if kind in CODED else f"{name} as i32"})
    raise Unfit(f"{name}: no kind {kind}")


def of_element(kind, name, p):
    made = of_optional(name, p, None) if p["nullable"] else of_array(name, p, None)
    made.typed = made.typed.replace("<T>", f"<{kind}>")
    made.generic = f"{kind}: Element" if len(kind) == 1 and kind != "T" else ""
    return made


def of_array(name, p, parameters):
    return Argument(name, "&DynArray", "&Array<T>", passed={p["name"]: f"{name}.as_raw()"})


def of_optional(name, p, parameters):
    passed = {p["name"]: f"{name}.map_or({NULL}, |x| x.as_raw())"}
    return Argument(name, "Option<&DynArray>", "Option<&Array<T>>", passed=passed)


def of_arrays(name, p, parameters):
    made = Argument(name, "&[&DynArray]", "&[&Array<T>]", length=(p["length"], f"{name}.len()"))
    made.before.append(f"let {name}_c: Vec<arr_array> = {name}.iter().map(|x| x.as_raw()).collect();")
    made.passed[p["name"]] = f"{name}_c.as_ptr()"
    return made


def of_list(kind, name, p):
    element = kind[5:].rstrip("?")
    if kind.endswith("?"):
        raise Unfit(f"{name}: a list that may be absent")
    return Argument(
        name, f"&[{element}]", length=(p["length"], f"{name}.len()"), passed={p["name"]: f"{name}.as_ptr()"}
    )


def of_value(name, p, parameters):
    made = Argument(name, "impl DynOperand", passed={p["name"]: f"&{name}_c"})
    made.before.append(f"let {name}_c = {name}.dyn_value();")
    return made


def of_flag(name, p, parameters):
    return Argument(name, "bool", passed={p["name"]: name})


def of_enum(name, p, parameters):
    declared, expression = ENUMS[p["name"]]
    return Argument(name, declared, passed={p["name"]: expression.format(name)})


def of_dtype(name, p, parameters):
    return Argument(name, "DType", passed={p["name"]: f"{name}.code()"})


def of_optional_dtype(name, p, parameters):
    return Argument(name, "Option<DType>", passed={p["name"]: f"{name}.map_or(0, DType::code)"})


def of_device(name, p, parameters):
    return Argument(name, "Device", before=[f"let {name}_c = {name}.raw();"], passed={p["name"]: f"&{name}_c"})


def of_reduced(name, p, parameters):
    """Axes of a reduction, with whether they stay."""
    names = [q["name"] for q in parameters]
    keep = "keepdims" if "keepdims" in names else ""
    made = Argument(name, "impl Axes", before=[f"let (n_axes, list, {'keep' if keep else '_'}) = axes_of(&{name})?;"])
    made.passed = {p["length"]: "n_axes", p["name"]: "list"}
    if keep:
        made.passed[keep] = "keep"
    return made


def of_some_axes(name, p, parameters):
    """A list of axes, of which none stands for all."""
    return Argument(name, "&[i32]", length=(p["length"], f"{name}.len()"), passed={p["name"]: f"some({name})"})


def of_one_axis(name, p, parameters):
    return Argument(name, "impl Axes", before=[f"let {name}_c = axis_of(&{name})?;"], passed={p["name"]: f"{name}_c"})


def of_extents(name, p, parameters):
    made = Argument(name, "&[usize]", before=[f"let {name}_c = dims({name})?;"], length=(p["length"], f"{name}.len()"))
    made.passed = {p["name"]: f"{name}_c.as_ptr()"}
    return made


def of_new_shape(name, p, parameters):
    made = Argument(name, "impl IntoShape", length=(p["length"], "extents.len()"))
    made.before = [f"let {name} = {name}.into_shape();", f"let extents = {name}.dims()?;"]
    made.passed = {p["name"]: "extents.as_ptr()", "order": f"{name}.order()"}
    return made


def of_size(name, p, parameters):
    return Argument(name, "usize", before=[f"let {name}_c = dims(&[{name}])?[0];"], passed={p["name"]: f"{name}_c"})


def of_given(name, p, parameters):
    """A number, for whose absence the library has -1."""
    base = p["type"]["base"]
    absent = "-1.0" if base == "double" else "-1"
    return Argument(name, f"Option<{NUMBERS[base]}>", passed={p["name"]: f"{name}.unwrap_or({absent})"})


def of_quantiles(name, p, parameters):
    made = Argument(name, "&[f64]", before=[f"let {name}_c = quantiles_of({name})?;"])
    made.passed = {p["length"]: f"{name}_c.0", p["name"]: f"{name}_c.1"}
    return made


def of_text(name, p, parameters):
    return Argument(name, "&str", before=[f"let {name}_c = c_text({name})?;"], passed={p["name"]: f"{name}_c.as_ptr()"})


def of_optional_text(name, p, parameters):
    made = Argument(name, "Option<&str>", before=[f"let {name}_c = {name}.map(c_text).transpose()?;"])
    made.passed[p["name"]] = f"{name}_c.as_ref().map_or(std::ptr::null(), |t| t.as_ptr())"
    return made


def of_counted_text(name, p, parameters):
    passed = {p["name"]: f"{name}.as_ptr().cast()", p["length"]: f"{name}.len() as i64"}
    return Argument(name, "&str", passed=passed)


def of_matrix_norm(name, p, parameters):
    made = Argument(name, "MatrixNorm", before=[f"let (which, p) = {name}.codes();"])
    made.passed = {"kind": "which", "ord": "p"}
    return made


KINDS = {
    "array": of_array,
    "arrays": of_arrays,
    "axes?": of_reduced,
    "counted_text": of_counted_text,
    "counted_text?": of_counted_text,
    "device": of_device,
    "direction": lambda name, p, _: Argument(name, "Direction", passed={p["name"]: f"{name} == Direction::Descending"}),
    "dtype": of_dtype,
    "dtype?": of_optional_dtype,
    "enum": of_enum,
    "extents": of_extents,
    "flag": of_flag,
    "given": of_given,
    "matrix_norm": of_matrix_norm,
    "new_shape": of_new_shape,
    "one": of_one_axis,
    "optional": of_optional,
    "quantiles": of_quantiles,
    "reduced": of_reduced,
    "size": of_size,
    "some": of_some_axes,
    "text": of_text,
    "text?": of_optional_text,
    "value": of_value,
}
