# SPDX-License-Identifier: MIT
"""bindings/julia/src/generated.jl: every exported function as a ccall; included by LibArr.jl after loader.jl."""

import text

RESERVED = {"in", "end", "function", "module", "type", "begin", "let", "global", "local", "where"} - {"type", "where"}
PLAIN = {"void": "Cvoid", "bool": "Bool", "char": "UInt8", "int32": "Int32", "int64": "Int64", "double": "Float64"}


def julia_type(t, string=None):
    """The ccall type; arrays, Refs, strings and C_NULL convert to these pointers by themselves."""
    if t["base"] == "callback":
        return "Ptr{Cvoid}"
    if string == "nul" and t["pointer"] == 1:
        return "Cstring"
    base = {"handle": t.get("of"), "struct": t.get("of"), "opaque": "Cvoid"}.get(t["base"]) or PLAIN[t["base"]]
    for _ in range(t["pointer"]):
        base = f"Ptr{{{base}}}"
    return base


def docstring(lines):
    return '"""\n' + "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '\n"""\n'


def emit_function(f):
    names = [text.name(p["name"], RESERVED) for p in f["parameters"]]
    kinds = [julia_type(p["type"], p.get("string")) for p in f["parameters"]]
    returns = f["returns"]["type"]
    result = "Cstring" if returns["base"] == "char" else julia_type(returns)
    doc = ["    " + text.join(f["name"] + "(", names, ")", 88, "        ").rstrip("\n").replace("\n", "\n    "), ""]
    doc += [text.one_line(f["doc"]), ""]
    lengths = [f"[{p['length']}] " if "length" in p else "" for p in f["parameters"]]
    doc += [f"- `{n}::{k}`: {of}{p['doc']}" for n, k, of, p in zip(names, kinds, lengths, f["parameters"])]
    doc += [f"- returns {f['returns']['doc']}"]
    out = docstring(doc)
    out += text.join(f"function {f['name']}(", names, ")")
    # Not a name that a parameter of C can have.
    out += f"    entry_ = _{f['name']}[]\n    entry_ == C_NULL && (entry_ = bind!(_{f['name']}, :{f['name']}))\n"
    types = "(" + ", ".join(kinds) + ("," if len(kinds) == 1 else "") + ")"
    out += f"    ccall(entry_, {result}, {types}{',' if names else ')'}\n"
    out += text.join("          ", names, ")", 110, "          ") if names else ""
    return f"const _{f['name']} = Ref{{Ptr{{Cvoid}}}}(C_NULL)\n" + out + "end\n\n"


def emit_struct(s):
    out = docstring(
        ["    " + s["name"], "", s["doc"], ""] + [f"- `{f['name']}`: {f['doc']}".rstrip(": ") for f in s["fields"]]
    )
    out += f"struct {s['name']}\n"
    out += "".join(f"    {f['name']}::{julia_type(f['type'])}\n" for f in s["fields"]) + "end\n"
    out += f"@assert sizeof({s['name']}) == {s['size']} && Base.datatype_alignment({s['name']}) == {s['align']}\n"
    for i, f in enumerate(s["fields"], 1):
        out += f"@assert fieldoffset({s['name']}, {i}) == {f['offset']}\n"
    return out + "\n"


def emit_op(o):
    doc = o["doc"].replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return (
        f"    (name = :{o['name']}, number = Int32({o['number']}), arity = {o['arity']}, inputs = :{o['inputs']}, "
        f'output = :{o["output"]}, domain = "{o["domain"]}", lift = :{o["lift"]},\n     doc = "{doc}"),\n'
    )


def emit_reduction(r):
    return (
        f'    (name = :{r["name"]}, number = Int32({r["number"]}), kind = :{r["kind"]}, domain = "{r["domain"]}", '
        f"acc = :{r['acc']}, output = :{r['output']}),\n"
    )


def emit_scan(s):
    doc = s["doc"].replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return (
        f'    (name = :{s["name"]}, reduction = :{s["reduction"]}, kind = :VALUE, domain = "{s["domain"]}", '
        f'acc = :{s["acc"]}, output = :{s["output"]}, form = :{s["form"]},\n     doc = "{doc}"),\n'
    )


def emit(api):
    out = text.banner("#", "generated.jl: the C API of libarr with C's own names; see LibArr.jl.")
    out += "\n# Handles: opaque names in the library's table, not addresses.\n"
    for h in api["handles"]:
        out += f"struct {h}\n    ptr::Ptr{{Cvoid}}\nend\n{h}() = {h}(C_NULL)\n"
    out += "\n"
    for n, base in sorted(api["typedefs"].items()):
        out += f"const {n} = {PLAIN[base]}\n"
    out += "\n"
    for c in api["constants"]:
        value = text.constant(c, "Int32({})", "{}", "Inf", "NaN")
        out += f"const {c['name']} = {value}" + (f" # {c['doc']}" if c["doc"] else "") + "\n"
    out += "\n" + "".join(emit_struct(s) for s in api["structs"])
    out += "# The rows of the tables of operations, reductions and scans, as the idiomatic layer needs them.\n"
    out += "const OPS = (\n" + "".join(emit_op(o) for o in api["ops"]) + ")\n"
    out += "const REDUCTIONS = (\n" + "".join(emit_reduction(r) for r in api["reductions"]) + ")\n"
    out += "const SCANS = (\n" + "".join(map(emit_scan, api["scans"])) + ")\n\n"
    out += "".join(emit_function(f) for f in api["functions"])
    names = ", ".join(f":{f['name']}" for f in api["functions"])
    out += text.join("const FUNCTIONS = (", names.split(", "), ")")
    return {"bindings/julia/src/generated.jl": out}
