# SPDX-License-Identifier: MIT
"""The functions of Julia's package. Ops, reductions, scans and distributions are rows of tables there too."""

import re

from languages.definition import Definition, closed, one_line, split

FOLDER = "bindings/julia/src"
SKIPPED = {"generated.jl", "loader.jl", "LibArr.jl", "precompile.jl"}
HEAD = re.compile(r"(?:@inline |@noinline )*(?:function )?((?:\w+\.)*(?::[^\s\w(]+|[\w!]+))(?:\{[^()]*\})?\(")
# Ops that are functions of Base under the table's name; Arr.operations() lists them all.
BASE = set(
    """
    angle cbrt ceil copysign cos cosh exp exp10 exp2 expm1 fld floor gcd hypot imag isfinite isinf isnan isreal lcm ldexp log
    log10 log1p log2 real sign signbit sin sinc sinh sqrt tan tanh trunc
    """.split()
)
# Reductions under Base's and Statistics' names, and their forms into an array.
REDUCTIONS = {
    "sum": "sum",
    "prod": "prod",
    "min": "minimum",
    "max": "maximum",
    "mean": "mean",
    "any": "any",
    "all": "all",
    "argmin": "argmin",
    "argmax": "argmax",
}
INTO = {"sum", "prod", "min", "max", "any", "all"}


def without_comments(text):
    return re.sub(r"(?m)(^|\s)#(?![{]).*$", "", text)


def chunks(text):
    """(documented, text) of each definition that begins a line."""
    documented, lines, out = False, [], []
    parts = re.split(r'(?m)^("""(?:.|\n)*?""")[ \t]*$', text)
    for part in parts:
        if part.startswith('"""'):
            documented = True
            continue
        for line in without_comments(part).splitlines():
            if line and not line[0].isspace() and not re.match(r"end\b|\)|\]", line):
                lines = [line]
                out.append((documented, lines))
                documented = False
            elif lines:
                lines.append(line)
        lines = []
    return [(documented, "\n".join(lines)) for documented, lines in out]


def unrolled(loop):
    """The text of a loop that defines functions by @eval, once for each row of its values."""
    found = re.match(r"for (\(.*?\)|\w+) in (?=\()", loop)
    if not found:
        return
    end = closed(loop, found.end())
    names = [n.strip() for n in found[1].strip("()").split(",")]
    body = re.sub(r"(?m)^ {4}", "", loop[end:]).removesuffix("end").strip("\n")
    body = re.sub(r"(?ms)^@eval begin\n(.*?)^end", lambda m: re.sub(r"(?m)^ {4}", "", m[1]), body)
    body = re.sub(r"(?m)^@eval (?:@doc \$\(.*?\) (?=(?:function )?\$?\w+\())?", "", body)
    for value in split(loop[found.end() + 1 : end - 1]):
        values = split(value[1:-1]) if len(names) > 1 and value.startswith("(") else [value]
        made = dict(zip(names, (re.sub(r"^:\(?|\)$", "", v) for v in values)))
        for name, pieces in re.findall(r"(?m)^(\w+) = Symbol\((.*)\)", body):
            made[name] = "".join(made.get(p, p.lstrip(":")) for p in split(pieces))
        text = body
        for name, v in made.items():
            text = re.sub(rf"\$(?:{name}\b|\(QuoteNode\({name}\)\))", lambda _, v=v: v, text)
        yield text


def argument(text):
    return re.sub(r"(::.*?)(\.\.\.)?$", r"\2", re.sub(r"^::Type\{(\w+)\}$", r"\1", text))


def call(name, inside):
    places, _, keywords = inside.partition(";")
    given = [argument(a) for a in split(places) if not re.search(r"(?<![<>=!])=(?!=)", a)]
    must = [a for a in split(keywords) if "=" not in a and not a.endswith("...")]
    keys = ", ".join(f"{argument(a)} = {argument(a)}" for a in must)
    return f"{name}({', '.join(a for a in given if a)}{'; ' + keys if keys else ''})"


def definition(text, documented, generated):
    head = HEAD.match(text)
    if not head or re.match(
        r"(struct|mutable|abstract|const|module|for|if|let|macro|using|import|export|include|while)\b", text
    ):
        return None
    start = head.end() - 1
    end = closed(text, start)
    if (
        not text.startswith("function")
        and "@eval function" not in text
        and not re.match(r"[^=\n]*(?:\n[^=\n]*)?=", text[end:])
    ):
        return None
    module, _, name = head[1].rpartition(".")
    inside = one_line(text[start + 1 : end - 1])
    depth_safe = top_level(inside)
    foreign = module in ("Base", "LinearAlgebra", "Statistics", "Random", "Broadcast")
    shown = name.lstrip(":") if foreign else f"Arr.{name}"
    constructor = name[0].isupper()
    public = foreign or documented or generated or constructor
    return Definition(
        f"{module}.{name}" if foreign else name,
        f"{name if constructor else shown}({inside})",
        call(name if constructor else shown, depth_safe),
        public,
        text,
        foreign,
        int(not foreign),
        not public,
    )


def top_level(inside):
    """The arguments, with semicolons only where keywords begin."""
    out, depth = "", 0
    for c in inside:
        depth += (c in "([{") - (c in ")]}")
        out += "," if c == ";" and depth else c
    return out


def names_of_ops(root):
    table = re.search(
        r"(?s)const JULIA_NAMES = .*?\((.*?)\)\n\n", (root / FOLDER / "trace.jl").read_text(encoding="utf-8")
    )
    return {
        op: name.strip("()")
        for op, name in re.findall(r":(\w+) => :(\S+?|\(\S+\))(?:,|$)", table[1].replace(")\n", "\n"))
    }


def row(calls, signature, name, foreign=True):
    call_ = signature.removesuffix("; dims = :)") + ")" * signature.endswith("; dims = :)")
    return Definition(name, signature, call_, True, " ".join(calls), foreign)


def of_tables(root, api):
    names = names_of_ops(root)
    for op in api["ops"]:
        name, letters = names.get(op["name"], op["name"]), "xyz"[: op["arity"]]
        shown = name if op["name"] in names or name in BASE else f"Arr.{name}"
        call_ = f"{shown}.({', '.join(letters)})"
        if not re.match(r"\w", name):
            call_ = f"x .{name} y" if op["arity"] == 2 else f".{name}x"
        forms = [f"arr_{op['name']}", f"arr_{op['name']}_v"]
        yield row(forms, call_, name, not shown.startswith("Arr."))
        yield row([f + "_into" for f in forms], f"dst .= {call_}", name, False)
    for r in api["reductions"]:
        name = REDUCTIONS.get(r["name"])
        shown = name or f"Arr.{r['name']}"
        yield row([f"arr_{r['name']}"], f"{shown}(a; dims = :)", shown, bool(name))
        into = f"{name}!(dst, a)" if r["name"] in INTO else f"dst .= {shown}(a; dims = dims)"
        yield row([f"arr_{r['name']}_into"], into, f"{shown}!", r["name"] in INTO)
    for s in api["scans"]:
        base = s["name"] in ("cumsum", "cumprod")
        shown = s["name"] if base else f"Arr.{s['name']}"
        yield row([f"arr_{s['name']}"], f"{shown}(a; dims = dims)", shown, base)
        into = f"{shown}!(dst, a; dims = dims)" if base else f"dst .= {shown}(a; dims = dims)"
        yield row([f"arr_{s['name']}_into"], into, f"{shown}!", base)
    for f in api["functions"]:
        if f["header"] == "distributions.h":
            name = f["name"].removeprefix("arr_random_").removesuffix("_into")
            given = ["".join(f", {p['name']}" for p in f["parameters"] if p["type"].get("of") == "arr_value")]
            array = "dst" if f["name"].endswith("_into") else "ArrArray{T}(undef, dims)"
            yield row([f["name"]], f"Arr.draw!(:{name}, {array}{given[0]})", name, False)


def definitions(root, api):
    found = list(of_tables(root, api))
    for path in sorted((root / FOLDER).glob("*.jl")):
        if path.name in SKIPPED:
            continue
        for documented, text in chunks(path.read_text(encoding="utf-8")):
            parts = [(documented, text)]
            if re.match(r"(mutable )?struct ", text):  # its constructors
                inner = re.sub(r"(?m)^ {4}", "", text.partition("\n")[2])
                parts = [
                    (True, part) for _, part in chunks(inner) if re.match(r"(function )?[A-Z]\w*(\{.*?\})?\(", part)
                ]
            if text.startswith("for "):
                parts = [(True, part) for made in unrolled(text) for _, part in chunks(made)]
            made = (definition(part, said, path.name == "functions_generated.jl") for said, part in parts)
            found += [d for d in made if d]
    return found
