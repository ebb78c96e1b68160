# SPDX-License-Identifier: MIT
"""bindings/julia/src/functions_generated.jl: Julia functions of C functions of arrays, numbers, dimensions and texts.

Arrays and numbers are arguments by position; dimensions, flags, choices, element types and devices are keywords. A
function that writes an array ends in `!` and has it first. Dimensions and indices count from 1. A function that a
hand-written file calls gets none here, unless julia_table.py has a row for it.
"""

import re

import julia_table as table
import swigxml
import text
from julia_arguments import KINDS, NUMBERS, Argument, Unfit, kind_of

SOURCES = swigxml.ROOT / "bindings" / "julia" / "src"
FILE = "functions_generated.jl"
ENTRY = re.compile(r"(\w+)(~)?(?:\{(\w+)\})?(?::(\w+))?(?:=(.+))?$")
RESERVED = {"in", "end", "function", "module", "begin", "let", "global", "local", "where", "type"}
BUFFER = {"capacity", "text", "path", "length"}


def called_by_hand():
    """C functions that the hand-written files name."""
    found = set()
    for path in sorted(SOURCES.glob("*.jl")):
        if not path.name.endswith("generated.jl"):
            code = "\n".join(line.split("# ")[0] for line in path.read_text(encoding="utf-8").splitlines())
            found |= set(re.findall(r"\barr_\w+", code))
    return found


class Made:
    """A C function as a Julia function, by a row of the table."""

    def __init__(self, f, row):
        self.f, self.row = f, row
        self.parameters = {p["name"]: p for p in f["parameters"]}
        if f["returns"]["type"].get("typedef") != "arr_status":
            raise Unfit(f"{f['name']} returns {f['returns']['type']['c']}")
        self.left = dict(self.parameters)
        self.passed, self.before, self.kept, self.arguments, self.default_type = {}, [], [], [], None
        for c, value in {**table.FIXED, **row.fixed}.items():
            if c in self.left:
                p = self.left.pop(c)
                value = f"LibArr.{value}" if value.startswith("ARR_") else value
                number = p["type"]["base"] in NUMBERS and not p["type"]["pointer"]
                self.passed[c] = (
                    f"{NUMBERS[p['type']['base']]}({value.replace(',', ', ').replace('+', ' + ')})" if number else value
                )
        if "stream" in self.left:
            self.left.pop("stream")
            self.passed["stream"] = "stream()"
        self.choose_outputs()
        arrays = [
            c
            for c, p in self.left.items()
            if p["type"].get("of") == "arr_array" and not p["type"]["pointer"] and not p["nullable"]
        ]
        listed = [ENTRY.match(e) for e in row.entries]
        if not all(listed):
            raise Unfit(f"{f['name']}: {row.entries} has no entry")
        # Dimensions are those of the first array that is read.
        read = [c for c in arrays if not (self.parameters[c].get("written") and c.startswith("dst"))]
        self.first = next((m.group(1) for m in listed if (m.group(4) or m.group(1)) in read), None) or (
            read[0] if read else None
        )
        for m in listed:
            name, reverse, kind, c, default = m.groups()
            c = c or {"dims": "axis" if "axis" in self.left else "axes"}.get(name, name)
            if kind == "option":
                self.arguments.append(Argument(name, f"{name}::Bool = {default or 'false'}", True))
            elif c in self.left or (name == "T" and "dtype" in self.left):
                self.add(name, kind, "dtype" if name == "T" and c == "T" else c, bool(reverse), default)
            else:
                raise Unfit(f"{f['name']}: no parameter {c} is left")
        for c in list(self.left):
            if c in self.left:
                self.add(c, None, c, False, None)
        missing = [c for c in self.parameters if c not in self.passed and c not in dict(self.outputs)]
        if missing:
            raise Unfit(f"{f['name']}: {missing} have no value")
        if not any(
            a.kind in ("array", "vector", "written", "arrays", "type", "generator", "device") for a in self.arguments
        ):
            raise Unfit(f"{f['name']}: no array, generator or device")

    def choose_outputs(self):
        self.outputs, self.buffer = [], False
        if {"capacity", "length"} <= set(self.left) and any(p.get("string") == "buffer" for p in self.left.values()):
            for c in [c for c in self.left if c in BUFFER]:
                self.left.pop(c)
                self.passed[c] = c
            self.buffer = True
        for c, p in list(self.left.items()):
            if p["direction"] == "in":
                continue
            t, many = p["type"], isinstance(p.get("length"), str)
            array = t["base"] == "handle" and t["of"] == "arr_array"
            if p["direction"] != "out" or t["pointer"] != 1 or not (array or t["base"] in NUMBERS and not many):
                raise Unfit(f"{self.f['name']}: {t['c']} as a result")
            if self.buffer:
                raise Unfit(f"{self.f['name']}: a text beside other results")
            self.outputs.append((c, self.left.pop(c)))

    def add(self, name, kind, c, reverse, default):
        p = self.left.pop(c)
        if "length_of" in p and kind is None:
            others = [n for n in p["length_of"] if n in self.left]
            if others:
                self.add(others[0], None, others[0], False, None)
                return
        kind = kind or kind_of(p, self.f["parameters"])
        name = text.name({"axis": "dims", "axes": "dims"}.get(name, name), RESERVED)
        make = KINDS.get(kind)
        if make is None:
            raise Unfit(f"{self.f['name']}: {name}: no kind {kind}")
        made = make(self, name, p)
        made.kind = kind
        if reverse:
            made.before.append(f"{name}_rows = turned({name})")
            made.passed[c] = f"{name}_rows"
        elif p.get("positions") and kind == "array":
            made.before.append(f"{name}_zero = zero_based({name})")
            made.passed[c] = f"{name}_zero"
        if kind == "type" and default is not None:
            self.default_type = default
        elif default is not None:
            made.declared, made.keyword = f"{made.declared.partition(' = ')[0]} = {default}", True
        self.before += made.before
        self.kept += made.kept
        for parameter, value in made.passed.items():
            self.passed[parameter] = value
            self.left.pop(parameter, None)
        if made.length:
            counted, length = made.length
            if counted in self.passed:
                first = next(a for a in self.arguments if a.length and a.length[0] == counted)
                self.before.append(
                    f'length({name}) == length({first.name}) || throw(DimensionMismatch("{self.name()}: {name} has '
                    f'$(length({name})) entries, expected $(length({first.name}))"))'
                )
            else:
                self.left.pop(counted, None)
                self.passed[counted] = f"{NUMBERS[self.parameters[counted]['type']['base']]}({length})"
        self.arguments.append(made)

    def name(self):
        written = [p for p in self.f["parameters"] if p.get("written")]
        name = self.row.julia.removeprefix("random_")
        if written and not name.endswith("!"):
            name = name.removesuffix("_into") + "!"
        return name

    # ------------------------------------------------------------------------------------------------- text

    def call(self, outs):
        values = [outs.get(p["name"]) or self.passed[p["name"]] for p in self.f["parameters"]]
        return f"@check LibArr.{self.f['name']}({', '.join(values)})"

    def body(self):
        keep = f"GC.@preserve {' '.join(self.kept)} " if self.kept else ""
        if self.buffer:
            return [f"fetch_text((capacity, text, length) -> {self.call({}).replace('@check ', '')})"]
        arrays = [(c, p) for c, p in self.outputs if p["type"]["base"] == "handle"]
        numbers = [(c, p) for c, p in self.outputs if p["type"]["base"] != "handle"]
        many = [(c, p) for c, p in arrays if isinstance(p.get("length"), str)]
        lines, outs, results = [], {}, []
        for c, p in numbers:
            lines.append(f"{c} = Ref(zero({NUMBERS[p['type']['base']]}))")
            outs[c] = c
        for c, p in arrays:
            outs[c] = c
            lines.append(
                f"{c} = Base.fill(NO_ARRAY, {self.passed[p['length']]})" if (c, p) in many else f"{c} = Ref(NO_ARRAY)"
            )
        lines.append(keep + self.call(outs))
        for c, p in self.outputs:
            if p["type"]["base"] != "handle":
                results.append(f"{c}[]")
                continue
            take = "adopt" if p.get("view") else "packed_handle"
            value = f"Tuple({take}(h) for h in {c})" if (c, p) in many else f"{take}({c}[])"
            if p.get("positions"):
                value = f"map(x -> x .+ 1, {value})" if (c, p) in many else f"{value} .+ 1"
            results.append(value)
        wrap = {"turned": "column_major(turned({0}))", "turned_view": "turned({0})", "columns": "({0})[:, end:-1:1]"}
        wrap["number"] = "plain({0})"
        if any(a.kind == "reduced" for a in self.arguments):
            results = [f"(dims === (:) ? plain({r}) : {r})" for r in results]
        results = [wrap.get(self.row.result, "{0}").format(r) for r in results]
        written = next((a.name for a in self.arguments if a.kind == "written"), None)
        for a in self.arguments:
            if a.kind == "written" and self.parameters.get(a.name, {}).get("positions"):
                lines.append(f"{a.name} .+= 1")
        if not results:
            results = [written or "nothing"]
        lines += ["relieve_pressure()"] if arrays else []
        lines.append(results[0] if len(results) == 1 else f"({', '.join(results)})")
        return lines

    def signature(self):
        order = {"type": 0, "generator": 1}
        given = sorted((a for a in self.arguments if not a.keyword), key=lambda a: order.get(a.kind, 2))
        head = [a.declared for a in given]
        keys = [a.declared for a in self.arguments if a.keyword]
        return f"{self.name()}({', '.join(head)}{'; ' + ', '.join(keys) if keys else ''})"

    def where(self):
        return " where {T}" if any(a.kind == "type" for a in self.arguments) else ""

    def emit(self):
        shown = re.sub(r"::(\w+(\{[^}]*\})?)", "", self.signature()).replace("::Type{T}", "T")
        doc = text.one_line(self.f["doc"])
        out = '"""\n    Arr.' + shown.replace("(, ", "(T, ").replace("()", "(T)") + "\n\n"
        for line in text.wrap(doc, "", 112).splitlines():
            out += line.strip().replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + "\n"
        if self.f["doc"]["cupy"]:
            out += "\nNumPy's and CuPy's name: " + ", ".join(f"`{n}`" for n in self.f["doc"]["cupy"]) + ".\n"
        out += f'"""\nfunction {self.signature()}{self.where()}\n'
        out += "".join(f"    {line}\n" for line in [*self.before, *self.body()]) + "end\n"
        return out + self.shorter() + "\n"

    def shorter(self):
        """The method without a generator, or without the type of a new array's elements."""
        given = [a for a in self.arguments if not a.keyword]
        others = [a for a in given if a.kind not in ("type", "generator")]
        declared, names = ", ".join(a.declared for a in others), ", ".join(a.name for a in others)
        if any(a.kind == "generator" for a in given):
            return f"{self.name()}({declared}; kw...) = {self.name()}(generator(), {names}; kw...)\n"
        if self.is_new():
            return (
                f"{self.name()}({declared}; kw...) = {self.name()}({self.default_type or 'Float64'}, {names}; kw...)\n"
            )
        return ""

    def is_new(self):
        """True if the function makes an array from numbers alone."""
        kinds = {a.kind for a in self.arguments}
        return (
            "type" in kinds
            and not kinds & {"array", "arrays", "vector", "written"}
            and bool(self.outputs)
            and "device" in kinds
        )


def functions(api):
    """[Made] in the order of the headers."""
    found, said = [], table.rows()
    unknown = set(said) - {f["name"] for f in api["functions"]}
    if unknown:
        raise SystemExit(f"julia_table.py: no header declares {sorted(unknown)}")
    scans = {f"arr_{s['name']}{into}" for s in api["scans"] for into in ("", "_into")}
    skip = called_by_hand() | scans | {f"arr_{n}" for n in table.BY_HAND}
    skip |= {f["name"] for f in api["functions"] if f["family"] or f["header"] == "distributions.h"}
    for f in sorted(api["functions"], key=lambda f: (f["header"], f["name"])):
        listed = said.get(f["name"])
        if not listed and f["name"] in skip:
            continue
        for row in listed or [table.Row(f["name"][len("arr_") :])]:
            try:
                found.append(Made(f, row))
            except Unfit as unfit:
                if listed:
                    raise SystemExit(f"julia_table.py: {f['name']}: {unfit}") from unfit
    return found


def emit(api):
    out = text.banner("#", f"{FILE}: the functions of arrays, numbers, dimensions and texts.") + "\n"
    out += "".join(m.emit() for m in functions(api))
    return {f"bindings/julia/src/{FILE}": out.rstrip("\n") + "\n"}
