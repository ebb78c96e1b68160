# SPDX-License-Identifier: MIT
"""The arguments of a generated Julia function: their declarations, and the values that the C function gets for them.

A kind follows from the C parameter: its type, its length, its index, its name. A row of julia_table.py may say another.
"""

from dataclasses import dataclass, field

import julia_table as table

# Numbers that become elements of the array that a function writes.
WRITTEN = {"fill", "value", "values"}
NUMBERS = {"bool": "Bool", "int32": "Int32", "int64": "Int64", "double": "Float64"}


class Unfit(Exception):
    """A function is not one of arrays, numbers, dimensions and texts."""


@dataclass
class Argument:
    """An argument: its declaration, whether it is a keyword, the statements in front, what C gets."""

    name: str
    declared: str
    keyword: bool = False
    kind: str = ""
    before: list = field(default_factory=list)
    kept: list = field(default_factory=list)  # variables that have to live during the call
    passed: dict = field(default_factory=dict)
    length: tuple = ()


def kind_of(p, parameters):
    t, name = p["type"], p["name"]
    base, pointer, length = t["base"], t["pointer"], p.get("length")
    if base == "handle" and not pointer and t["of"] == "arr_array":
        return "optional" if p["nullable"] else "written" if p.get("written") else "array"
    if base == "handle" and not pointer and t["of"] == "arr_generator":
        return "generator"
    if base == "handle" and t["of"] == "arr_array" and isinstance(length, str) and not p["nullable"]:
        return "arrays"
    if base == "struct" and pointer == 1 and length is None and t["of"] == "arr_device":
        return "device"
    if base == "struct" and pointer == 1 and length is None and t["of"] == "arr_value" and not p["nullable"]:
        return "value"
    if base == "char" and pointer == 1 and p["string"] in ("nul", "sized"):
        return {"nul": "text", "sized": "counted_text"}[p["string"]] + ("_or_none" if p["nullable"] else "")
    if base in NUMBERS and not pointer:
        return kind_of_number(p, parameters)
    if base in NUMBERS and pointer == 1 and isinstance(length, str):
        if p.get("index") == "axis":
            return "reduced" if p["nullable"] and "keepdims" in [q["name"] for q in parameters] else "dims"
        if base == "int64" and name == "shape":
            return "extents"
        return {"index": "indices"}.get(p.get("index"), "list") if not p["nullable"] else "list_or_none"
    raise Unfit(f"{name}: {t['c']}")


def kind_of_number(p, parameters):
    base, name = p["type"]["base"], p["name"]
    if base == "bool":
        return "flag"
    if base == "int32" and name in table.ENUMS:
        return "enum"
    if base == "int32" and name == "dtype":
        return (
            "type_or_none"
            if any(q["type"].get("of") == "arr_array" and q["direction"] == "in" for q in parameters)
            else "type"
        )
    if p.get("index") == "axis":
        return "axis" if name == "axis" else "dimension"
    return {"index": "index", None: "int", "stop": "int"}[p.get("index")]


def of_array(made, name, p):
    return Argument(name, f"{name}::AnyArr", passed={p["name"]: name})


def of_vector(made, name, p):
    """Vectors only: for other arrays the library would take the last dimension, which in Julia is the first."""
    return Argument(name, f"{name}::Vect", passed={p["name"]: name})


def of_optional(made, name, p):
    return Argument(name, f"{name} = nothing", True, passed={p["name"]: f"coordinates({name})"})


def of_arrays(made, name, p):
    if p.get("positions"):
        one = f"{name}_list = AnyArr[zero_based(x) for x in {name}]"
    else:
        one = f"{name}_list = AnyArr[x for x in {name}]"
    before = [one, f"{name}_handles = LibArr.arr_array[x.handle for x in {name}_list]"]
    return Argument(
        name,
        name,
        before=before,
        kept=[f"{name}_list"],
        passed={p["name"]: f"{name}_handles"},
        length=(p["length"], f"length({name}_list)"),
    )


def of_device(made, name, p):
    return Argument(name, f"{name}::DeviceLike = device()", True, passed={p["name"]: f"Ref(Device({name}))"})


def of_value(made, name, p):
    # A number that is written becomes one of the array's, or is an InexactError.
    to = next((q["name"] for q in made.parameters.values() if q.get("written")), None)
    if made.f["name"] == "arr_full_like":
        to = "T === nothing ? eltype(a) : T"
    kept = f"written({to}, {name})" if to and p["name"] in WRITTEN else f"loose({name})"
    before = [f"{name}_value = Ref({kept})"]
    return Argument(
        name, f"{name}::Union{{Number,AnyArr}}", before=before, kept=[name], passed={p["name"]: f"{name}_value"}
    )


def of_text(made, name, p):
    return Argument(name, f"{name}::AbstractString", passed={p["name"]: f"String({name})"})


def of_optional_text(made, name, p):
    return Argument(
        name, f"{name} = nothing", True, passed={p["name"]: f"({name} === nothing ? C_NULL : String({name}))"}
    )


def of_counted_text(made, name, p):
    passed = {p["name"]: f"String({name})", p["length"]: f"Int64(sizeof(String({name})))"}
    return Argument(name, f"{name}::AbstractString", passed=passed)


def of_flag(made, name, p):
    default = "true" if p["name"] in table.ON else "false"
    return Argument(name, f"{name}::Bool = {default}", True, passed={p["name"]: name})


def of_enum(made, name, p):
    prefix, default = table.ENUMS[p["name"]]
    passed = {p["name"]: f'chosen("{prefix}", {name})'}
    return Argument(name, f"{name}::Symbol = :{default}", True, passed=passed)


def of_type(made, name, p):
    return Argument("T", "::Type{T}", passed={p["name"]: "dtype(T)"})


def of_optional_type(made, name, p):
    return Argument("T", "T = nothing", True, passed={p["name"]: "(T === nothing ? Int32(0) : dtype(T))"})


def of_int(made, name, p):
    base = p["type"]["base"]
    declared = f"{name}::{'Real' if base == 'double' else 'Integer'}"
    return Argument(name, declared, passed={p["name"]: f"{NUMBERS[base]}({name})"})


def of_index(made, name, p):
    return Argument(name, f"{name}::Integer", passed={p["name"]: f"{NUMBERS[p['type']['base']]}({name} - 1)"})


def of_axis(made, name, p):
    if made.first is None:
        return Argument(name, f"{name}::Integer = 1", True, passed={p["name"]: f"axis({name})"})
    return Argument(name, f"{name} = nothing", True, passed={p["name"]: f"axis(along({made.first}, {name}))"})


def of_axis_or_all(made, name, p):
    passed = {p["name"]: f"({name} === (:) ? LibArr.ARR_AXIS_NONE : axis(along({made.first}, {name})))"}
    return Argument(name, f"{name} = :", True, passed=passed)


def of_dims(made, name, p):
    all_of = f"1:ndims({made.first})"
    made_ = Argument(
        name, f"{name} = {all_of}", True, before=[f"{name}_list = Int32[axis(along({made.first}, d)) for d in {name}]"]
    )
    if p["name"] in ("source", "destination"):
        made_ = Argument(name, name, before=[f"{name}_list = Int32[axis(d) for d in {name}]"])
    made_.passed = {p["name"]: f"{name}_list"}
    made_.length = (p["length"], f"length({name}_list)")
    return made_


def of_reduced(made, name, p):
    before = [f"{name}_list = {name} === (:) ? Int32[] : axes_of(inner({made.first}, {name}))"]
    made_ = Argument(name, f"{name} = :", True, before=before)
    made_.passed = {
        p["length"]: f"Int32(length({name}_list))",
        p["name"]: f"(isempty({name}_list) ? C_NULL : {name}_list)",
        "keepdims": f"{name} !== (:)",
    }
    return made_


def of_extents(made, name, p):
    passed = {p["name"]: f"extents({name})"}
    return Argument(name, name, passed=passed, length=(p["length"], f"length({name})"))


def of_turned_extents(made, name, p):
    passed = {p["name"]: f"extents(reverse(collect({name})))"}
    return Argument(name, name, passed=passed, length=(p["length"], f"length({name})"))


def of_indices(made, name, p):
    passed = {p["name"]: f"{NUMBERS[p['type']['base']]}[i - 1 for i in {name}]"}
    return Argument(name, name, passed=passed, length=(p["length"], f"length({name})"))


def of_list(made, name, p):
    passed = {p["name"]: f"{NUMBERS[p['type']['base']]}[x for x in {name}]"}
    return Argument(name, name, passed=passed, length=(p["length"], f"length({name})"))


def of_quantiles(made, name, p):
    before = [f'isempty({name}) && throw(ArgumentError("{name}: got no quantiles, expected some"))']
    passed = {p["name"]: f"Float64[x for x in {name}]", p["length"]: f"Int32({name} isa Number ? 0 : length({name}))"}
    return Argument(name, name, before=before, passed=passed)


def of_op(made, name, p):
    return Argument(name, f"{name}::Symbol", passed={p["name"]: f"operation_number({name})"})


def of_generator(made, name, p):
    return Argument("g", "g::Generator", passed={p["name"]: "g"})


KINDS = {
    "array": of_array,
    "arrays": of_arrays,
    "axis": of_axis,
    "axis_or_all": of_axis_or_all,
    "counted_text": of_counted_text,
    "counted_text_or_none": of_counted_text,
    "device": of_device,
    "dimension": of_index,
    "dims": of_dims,
    "enum": of_enum,
    "extents": of_extents,
    "flag": of_flag,
    "generator": of_generator,
    "index": of_index,
    "indices": of_indices,
    "int": of_int,
    "list": of_list,
    "op": of_op,
    "optional": of_optional,
    "quantiles": of_quantiles,
    "reduced": of_reduced,
    "text": of_text,
    "text_or_none": of_optional_text,
    "turned_extents": of_turned_extents,
    "type": of_type,
    "type_or_none": of_optional_type,
    "value": of_value,
    "vector": of_vector,
    "written": of_array,
}
