# SPDX-License-Identifier: MIT
"""bindings/rust/arr/src/ops_generated.rs: rows for the macros of ops.rs, one for each op, reduction and scan.

The type of a result follows from a row's domain, lift and output, as Element's associated types say it.
"""

import rust_examples as examples
import text
from rust_arguments import escaped
from rust_names import aliases

KEYWORDS = {"where", "in", "type", "fn", "impl", "move", "ref", "match", "mod", "use", "loop", "box", "self", "as"}
KINDS = "BIUFC"  # bool, signed, unsigned, float, complex: each lifts to a later one
# Kinds that an op takes -> the trait that says so. For others the library's own check serves.
TRAITS = {"BIUFC": "Element", "IUFC": "Number", "BIU": "Integral", "BIUF": "Ordered"}
OTHERS = "yz"


def accepted(op):
    """The kinds of operands: those of the domain and, with a lift, those that lift into it."""
    lifts = op["lift"] != "NONE"
    return "".join(
        k
        for i, k in enumerate(KINDS)
        if k in op["domain"] or lifts and any(later in op["domain"] for later in KINDS[i + 1 :])
    )


def computed(op):
    """The type computed in, of operands of T."""
    if op["lift"] == "NONE":
        return "T"
    if op["lift"] == "WIDE":
        return "T::Wide"
    if op["lift"].startswith("F64"):
        return "T::Quotient"
    if op["lift"] == "UP_INT":
        return "T::Angle"
    return "T::Lifted" if set("IU") <= set(op["domain"]) else "T::Float"


def result(op):
    if op["output"] == "BOOL":
        return "bool"
    if op["output"] in ("INT32", "UINT8"):
        return {"INT32": "i32", "UINT8": "u8"}[op["output"]]
    base = computed(op)
    if op["output"] == "REAL":
        return "T::Real" if base == "T" else f"<{base} as Element>::Real"
    return base


def reduced(r):
    if r["output"] == "BOOL":
        return "bool"
    if r["output"] == "INT64":
        return "i64"
    if r["output"] == "REAL":
        return "<T::Mean as Element>::Real"
    return {"SUM": "T::Sum", "MEAN": "T::Mean"}.get(r["acc"], "T") if r["output"] == "ACC" else "T"


def doc(row):
    """A line of documentation, and the names under which others look for it."""
    return f"    /// {escaped(row['doc'])}\n" + "".join(
        f'    #[doc(alias = "{a}")]\n' for a in aliases(row["name"], row["cupy"], [row["name"]])
    )


def typed_row(op):
    n, name = op["name"], text.name(op["name"], KEYWORDS)
    new = f"arr_{n}" if op["arity"] == 1 else f"arr_{n} arr_{n}_v"
    others = ", ".join(OTHERS[: op["arity"] - 1])
    into = f"arr_{n}_into" if op["arity"] == 1 else f"arr_{n}_into arr_{n}_v_into"
    return (
        doc(op)
        + f"    {name} try_{n} {n}_into {n}_assign = {new} / {into} ({others}) -> {result(op)}{examples.literal(n)};\n"
    )


def emit(api):
    ops = api["ops"]
    out = text.banner("//", "ops_generated.rs: the element-wise ops, the reductions and the scans.") + "use super::*;\n"
    groups = {}
    for op in ops:
        if op["inputs"] not in ("COND", "INT64"):  # operands with fixed types
            groups.setdefault(TRAITS.get(accepted(op), "Element"), []).append(op)
    for trait, rows in groups.items():
        out += f"\ntyped_ops! {{ Array<T>, [T: {trait}];\n" + "".join(map(typed_row, rows)) + "}\n"
    out += "\nchoices! {\n"
    for op in ops:
        if op["inputs"] == "COND":
            n, name = op["name"], text.name(op["name"], KEYWORDS)
            out += (
                doc(op)
                + f"    {name} try_{n} = arr_{n}_v ({', '.join(OTHERS[: op['arity'] - 1])}){examples.literal(n)};\n"
            )
    out += "}\n\ndynamic_ops! {\n"
    for op in ops:
        n, name = op["name"], text.name(op["name"], KEYWORDS)
        new = f"arr_{n}" if op["arity"] == 1 else f"arr_{n} arr_{n}_v"
        out += doc(op) + f"    {name} try_{n} = {new} / ARR_OP_{n.upper()} ({', '.join(OTHERS[: op['arity'] - 1])});\n"
    out += "}\n\nreductions! {\n"
    for r in api["reductions"]:
        n, name = r["name"], text.name(r["name"], KEYWORDS)
        out += doc(r) + f"    {name} try_{n} {n}_into = arr_{n} arr_{n}_into -> {reduced(r)}{examples.literal(n)};\n"
    out += "}\n"
    for form, macro in (("PLAIN", "scans"), ("INITIAL", "initial_scans")):
        out += f"\n{macro}! {{\n"
        for s in api["scans"]:
            if s["form"] == form:
                n = s["name"]
                out += (
                    doc(s) + f"    {n} try_{n} {n}_into = arr_{n} arr_{n}_into -> {reduced(s)}{examples.literal(n)};\n"
                )
        out += "}\n"
    out += "\nreduction_numbers! {\n"
    for c in api["constants"]:
        if c["name"].startswith("ARR_REDUCTION_"):
            out += f"    {c['name'][len('ARR_REDUCTION_') :]} = {c['name']};\n"
    return {"bindings/rust/arr/src/ops_generated.rs": out + "}\n"}
