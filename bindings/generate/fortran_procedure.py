# SPDX-License-Identifier: MIT
"""A C function as a Fortran procedure: its arguments in their order, its result, its body."""

import itertools
import re

import flags
import fortran_arguments as arguments
import fortran_table as table
import text
from fortran_arguments import RESULTS, Argument, Unfit

WIDTH = 118
# Names that the procedures call: an argument of such a name ends in an underscore.
TAKEN = set("bits bytes choice flag found int length merge present problem result_ rows size trim".split())


def with_kinds_of_lengths(f):
    """The function, whose pointers know of which kind the parameter with their length is."""
    bases = {p["name"]: p["type"]["base"] for p in f["parameters"]}
    kinds = {"int32": "c_int32_t", "int64": "c_int64_t"}
    return {**f, "parameters": [{**p, "length_kind": kinds.get(bases.get(p.get("length")))} for p in f["parameters"]]}


DTYPE = "type(arr_dtype)"
NUMBERS_GIVEN = ("int", "whole", "real")  # kinds of arguments that have defaults by their names


def outputs(f):
    """The C parameters that are results; what fills a text counts as one."""
    return [p for p in f["parameters"] if p["direction"] != "in"]


def is_buffer(p):
    return p.get("string") == "buffer"


class Procedure:
    """One C function as a Fortran procedure of a generic name."""

    def __init__(self, f, row, twin):
        f = with_kinds_of_lengths(f)
        self.f, self.row, self.twin = f, row, twin
        self.parameters = {p["name"]: p for p in f["parameters"]}
        self.fixed = {**table.FIXED, **row.fixed}
        self.counts = {
            q: p["name"]
            for p in f["parameters"]
            if isinstance(p.get("length"), str)
            for q in [p["length"].split(" ")[0]]
        }
        self.result = None
        self.stream = self.parameters.get("stream")
        self.buffer = next((p for p in f["parameters"] if is_buffer(p)), None)
        self.returned = None  # the type of what the C function returns where that is no status
        returns = f["returns"]["type"]
        if returns.get("typedef") != "arr_status":
            if returns["base"] not in ("bool", "int32", "int64") or returns["pointer"] or f["parameters"]:
                raise Unfit(f"{f['name']} returns {returns['c']}")
            self.returned = "logical" if returns["base"] == "bool" else RESULTS[returns["base"]][0]
        self.arguments = self.ordered()

    def target(self, name, given):
        """The C parameter that an entry of the row speaks of."""
        for candidate in (given or name, f"out_{name}", *(("axis", "axes") if name == "dim" else ())):
            if candidate in self.parameters and candidate not in self.fixed:
                return candidate
        return None

    def listed(self):
        """The arguments that the row names, with "stream" and "err" where it puts them, and their C parameters."""
        said, mentioned = [], set()
        for entry in self.row.entries:
            if entry == "err" or (entry == "stream" and self.stream and self.stream["nullable"]):
                said.append(entry)
                continue
            options, name, reverse, kind, must, given, must_too, default = arguments.ENTRY.match(entry).groups()
            if options:
                said.append(self.field(name, kind, options))
                mentioned.add(options)
                continue
            c = self.target(name, given)
            if c is None and not kind:
                raise SystemExit(f"fortran_table.py: {self.f['name']} has no {entry}")
            mentioned.add(c)
            said.append(self.argument(name, c, kind, must or must_too, default, bool(reverse)))
        return said, mentioned

    def ordered(self):
        """All arguments in their order: required ones of the row and others, results, optional ones of both."""
        said, mentioned = self.listed()
        passed_over = mentioned | set(self.fixed)
        outs = [p for p in outputs(self.f) if p["name"] not in passed_over and not self.consumed(p)]
        if len(outs) == 1 and self.returnable(outs[0]):
            self.result = outs[0]
        required, results, optional = [], [], []
        for p in self.f["parameters"]:
            if p["name"] in passed_over or self.consumed(p) or p is self.result:
                continue
            if p["name"] == "stream" and self.nullable(p):
                continue
            name = "dim" if p.get("index") == "axis" else text.name(re.sub(r"^out_", "", p["name"]), TAKEN)
            made = self.argument(name, p["name"], None, "", None, False)
            (results if p["direction"] != "in" else optional if made.optional else required).append(made)
        at = next((i for i, a in enumerate(said) if isinstance(a, str) or a.optional), len(said))
        optional.sort(key=lambda a: a.name == "generator")  # stable
        return said[:at] + required + results + said[at:] + optional

    def nullable(self, p):
        return p.get("nullable", False)

    def consumed(self, p):
        """Lengths, and what goes with a text that is filled."""
        n = p["name"]
        if n in self.counts and p["direction"] == "in":
            return True
        return bool(self.buffer) and (n == "length" and p["direction"] == "out")

    def returnable(self, p):
        t = p["type"]
        if is_buffer(p):
            return True
        if "length" in p:
            return False
        if t["base"] == "handle":
            return t["of"][4:] in arguments.VALUES
        return (t["base"] in RESULTS or t["base"] == "struct") and t["pointer"] == 1 or t["base"] in ("void", "opaque")

    def argument(self, name, c, kind, must, default, reverse):
        p = self.parameters.get(c)
        if p and p["direction"] != "in" and kind in (None, "subscripts"):
            return self.output(name, p, must == "?", kind)
        kind = kind or arguments.kind_of(p, self.f["parameters"])
        if kind == "value" and self.draws():
            kind = "drawn_value"
        if default is None and p and not p["type"]["pointer"]:
            default = flags.number_default(self.f["name"], c, table.DEFAULTS) if kind in NUMBERS_GIVEN else None
            if c == "dtype" and any(
                q["type"].get("of") == "arr_array" and q is not p for q in self.parameters.values()
            ):
                default = "0_c_int32_t"
        optional = self.optional(p, kind, must)
        if must == "!":
            default = None
        drawn = self.draws() and kind == "array" and p.get("written")
        made = arguments.make(kind, name, p, optional, default, reverse or drawn)
        for form in (made, *made.variants):
            form.before = [s.replace("{function}", self.f["name"]) for s in form.before]
        return made

    def field(self, name, kind, options):
        made = arguments.of_field(name, kind, self.parameters[options])
        made.before = [s.replace("{function}", self.f["name"]) for s in made.before]
        return made

    def draws(self):
        """True if one array is filled with independent random numbers: they come in Fortran's order of elements."""
        arrays = [q for q in self.f["parameters"] if q["type"].get("of") == "arr_array"]
        return len(arrays) == 1 and "generator" in self.parameters

    def optional(self, p, kind, must):
        if must:
            return must == "?"
        if p is None:
            return False
        if kind in ("axis", "s", "reversed_axes"):
            return True
        if kind == "flag":
            return p["name"] not in table.REQUIRED
        plain = kind == "handle" and p["type"]["of"][4:] in arguments.PLAIN_HANDLES
        return self.nullable(p) and (not plain or self.draws_from(p))

    def draws_from(self, p):
        """True if an argument is the generator of random numbers. Without one they come from the default generator."""
        return p["name"] == "generator" and self.f["name"].startswith(("arr_random_", "arr_sparse_random"))

    def output(self, name, p, optional, kind=None):
        """A result that is an argument; where the call fails it becomes no array, or 0."""
        t, new = p["type"], f"{name}_new"
        if "length" in p:
            return self.output_list(name, p)
        if t["base"] == "handle" and t["of"][4:] in arguments.VALUES:
            made = Argument(name, f"type({t['of']})", optional, "inout")
            made.locals.append(f"type({t['of']}_handle) :: {new}")
            made.passed[p["name"]] = new
            made.done.append(
                f"call give{'_from_one' if kind else ''}({new}, {name}{', stream, problem' if kind else ''})"
            )
        elif t["base"] == "handle":
            made = Argument(name, arguments.handle_type(t["of"][4:]), False, "inout")
            made.before.append(f"call {name}%release()")
            made.passed[p["name"]] = f"{name}%handle"
        elif t["base"] in RESULTS and t["pointer"] == 1:
            declared, zero = RESULTS[t["base"]]
            dtype = t.get("typedef") == "arr_dtype"
            made = Argument(name, DTYPE if dtype else declared, optional, "out")
            made.locals.append(f"{declared} :: {new}")
            made.before.append(f"{new} = {zero}")
            made.passed[p["name"]] = new
            taken = f"dtype_from({new})" if dtype else new
            made.done.append(f"{'if (present(' + name + ')) ' if optional else ''}{name} = {taken}")
        elif t["base"] == "struct" and t["pointer"] == 1 and p["nullable"] and t["of"] != "arr_value":
            made = Argument(name, f"type({t['of']})", True, "out")
            made.before.append(f"if (present({name})) {name}%struct_size = c_sizeof({name})")
            made.passed[p["name"]] = name
        else:
            raise Unfit(f"{name}: {t['c']} as a result")
        return made

    def output_list(self, name, p):
        """Several arrays as results: as many as the argument has elements."""
        t, new, counted = p["type"], f"{name}_new", p["length"]
        if t["base"] != "handle" or t["of"] != "arr_array" or counted not in self.parameters:
            raise Unfit(f"{name}: {t['c']} as a list of results")
        made = Argument(name, "type(arr_array)", False, "inout", "(:)")
        made.locals.append(f"type(arr_array_handle) :: {new}(size({name}))")
        for q in self.f["parameters"]:
            if q.get("length") == counted and q["direction"] == "in":
                made.before.append(f"call same_size('{self.f['name']}', size({name}), size({q['name']}), problem)")
                made.fallible = True
        made.passed = {counted: f"size({name}, kind={p['length_kind']})", p["name"]: new}
        made.done.append(f"call give_all({new}, {name})")
        return made

    def result_parts(self):
        """Declarations, statements before, what is passed, statements after."""
        p = self.result
        if p is None:
            return [], [], {}, []
        t = p["type"]
        if is_buffer(p):
            return self.text_parts(p)
        if t["base"] == "handle":
            declared, made = [f"type({t['of']}) :: result_"], "result_%handle"
            after = ["result_%temporary = .true."]
            if any(isinstance(a, Argument) and a.kind == "reversed_extents" for a in self.arguments):
                declared, made = [*declared, "type(arr_array_handle) :: rows"], "rows"
                after.insert(0, "call turned(rows, result_, problem)")
            return declared, [], {p["name"]: made}, after
        if t["base"] == "struct":
            sized = t["of"] != "arr_device"
            before = ["result_%struct_size = c_sizeof(result_)"] if sized else []
            return [f"type({t['of']}) :: result_"], before, {p["name"]: "result_"}, []
        if t["base"] not in RESULTS:
            return ["type(c_ptr) :: result_"], ["result_ = c_null_ptr"], {p["name"]: "result_"}, []
        declared, zero = RESULTS[t["base"]]
        kind = self.row.result or {"arr_dtype": "dtype"}.get(t.get("typedef")) or {"bool": "flag"}.get(t["base"])
        if kind:
            outside, made = {
                "flag": ("logical", "logical(found)"),
                "integer": ("integer", "int(found)"),
                "dtype": (DTYPE, "dtype_from(found)"),
            }[kind]
            return (
                [f"{outside} :: result_", f"{declared} :: found"],
                [f"found = {zero}"],
                {p["name"]: "found"},
                [f"result_ = {made}"],
            )
        return [f"{declared} :: result_"], [f"result_ = {zero}"], {p["name"]: "result_"}, []

    def text_parts(self, p):
        capacity, length = p["length"], "length"
        declared = ["character(len=:), allocatable :: result_", "character(kind=c_char), allocatable :: bytes(:)"]
        declared.append("integer(c_int64_t) :: length_c")
        passed = {capacity: "size(bytes, kind=c_int64_t)", p["name"]: "bytes", length: "length_c"}
        return declared, ["length_c = 0"], passed, ["call as_text(bytes, length_c, result_)"]

    def call(self, passed, name, extra=None):
        """The call of the C function; after an argument that is left out come keywords."""
        given, keywords = [], False
        for p in self.f["parameters"]:
            if extra and p is self.f["parameters"][1]:
                given.append(extra)
            expression = passed.get(p["name"])
            if not expression:
                keywords = True
                continue
            given.append(f"{p['name']}={expression}" if keywords else expression)
        return f"{name}({', '.join(given)})"

    def variants(self):
        """The same procedure for every form of its arguments."""
        forms = [[a, *a.variants] if isinstance(a, Argument) else [a] for a in self.arguments]
        return list(itertools.product(*forms))

    def emit(self, name, form):
        listed = [a for a in form if isinstance(a, Argument)]
        order = [a if isinstance(a, str) else a.name for a in form]
        stream = self.stream is not None and self.nullable(self.stream) and "stream" not in [a.name for a in listed]
        for extra in (["stream"] if stream else []) + ["err"]:
            if extra not in order:
                order.append(extra)
        passed = {**{c: e for c, e in self.fixed.items() if c in self.parameters}}
        for a in listed:
            passed.update({c: e for c, e in a.passed.items() if c not in self.fixed})
        if stream:
            passed["stream"] = "stream_of(stream)"
        declared, before, given, after = self.result_parts()
        passed.update(given)
        if self.returned:
            return f"    function {name}() result(result_)\n        {self.returned} :: result_\n" + (
                f"{self.body([], {}, [], [])}    end function {name}\n\n"
            )
        kind = "function" if self.result else "subroutine"
        out = wrapped(f"    {kind} {name}(", order, ")" + (" result(result_)" if self.result else ""), 8)
        out += grouped(a.declaration() for a in listed)
        out += "        type(arr_stream), intent(in), optional :: stream\n" if stream else ""
        out += "        type(arr_error), intent(out), optional :: err\n"
        locals_ = declared + [d for a in listed for d in a.locals] + ["type(arr_error) :: problem"]
        out += grouped(dict.fromkeys(locals_))
        out += self.body(listed, passed, before, after)
        return out + f"    end {kind} {name}\n\n"

    def body(self, listed, passed, before, after):
        statements = list(dict.fromkeys(s for a in listed for s in a.before)) + before
        fallible = any(a.fallible for a in listed)
        guard = "if (.not. problem%failed()) " if fallible else ""
        c = "c_" + self.f["name"][4:]
        if self.result is not None and is_buffer(self.result):
            short = {**passed, self.result["length"]: "0_c_int64_t", self.result["name"]: None}
            statements.append(f"{guard}call check({self.call(short, c)}, problem)")
            statements.append("allocate (bytes(length_c + 1))")
            guard = "if (.not. problem%failed()) "
        if self.returned:
            return f"        result_ = {c}()\n"
        if self.twin:
            statements += ["if (present(weights)) then"]
            statements.append(f"    {guard}call check({self.call(passed, c + '_weighted', 'weights%handle')}, problem)")
            statements += ["else", f"    {guard}call check({self.call(passed, c)}, problem)", "end if"]
        else:
            statements.append(f"{guard}call check({self.call(passed, c)}, problem)")
        statements += after + [s for a in listed for s in a.done]
        statements.append("if (problem%failed()) call fail(problem%status, problem%message, err)")
        return "".join(broken("        " + s) for s in statements)


def grouped(declarations):
    """Declarations, those of one type that follow each other in one statement."""
    out = ""
    for kind, same in itertools.groupby((d.split(" :: ", 1) for d in declarations), key=lambda d: d[0]):
        out += wrapped(f"        {kind} :: ", [d[1] for d in same], "", 12)
    return out


def wrapped(head, items, tail, indent):
    lines = text.join(head, items, tail, WIDTH, " " * indent).rstrip("\n").split("\n")
    return " &\n".join(lines) + "\n"


def broken(line):
    """A statement on as many lines as it takes, broken after commas."""
    if len(line) <= WIDTH:
        return line + "\n"
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    out, current = "", ""
    for piece in re.split(r"(?<=, )", line):
        if current and len(current) + len(piece.rstrip()) > WIDTH - 2:
            out += current.rstrip() + " &\n"
            current = indent
        current += piece
    return out + current + "\n"
