# SPDX-License-Identifier: MIT
"""bindings/rust/arr/src/functions_generated.rs: the methods of C functions of arrays, numbers, axes and texts.

Each C function becomes a method of its first array, of a generator or of a device; where rust_table.py says the types of
its results, of arrays with element types too. rust_arguments.py has the rules by which arguments are made. A function
that a hand-written file calls has its method there and gets none here, unless the table has a row for it.
"""

import re

import rust_arguments as arguments
import rust_examples as examples
import rust_options as options
import rust_table as table
import swigxml
import text
from rust_arguments import NULL, NUMBERS, Argument, Unfit, escaped
from rust_names import aliases

SOURCES = swigxml.ROOT / "bindings" / "rust" / "arr" / "src"
FILE = "functions_generated.rs"
RANDOM = "random_generated.rs"
ERRORS = "errors_generated.rs"
ENTRY = re.compile(r"(\w+)(?:\{([\w ?]+)\})?(?::(\w+))?$")
OWNERS = {"arr_generator": "Generator"}  # handles whose type has the methods
DOCUMENTED = re.compile(r"\berrors!\((arr_\w+(?:, arr_\w+)*)\)")  # functions that documentation names, not code
BUFFER = {"capacity", "text", "path", "length"}


def called_by_hand():
    """C functions that the hand-written files name."""
    found = set()
    for path in sorted(SOURCES.glob("*.rs")):
        if not path.name.endswith("_generated.rs"):
            code = "\n".join(line.split("//")[0] for line in path.read_text(encoding="utf-8").splitlines())
            found |= set(re.findall(r"\barr_\w+", DOCUMENTED.sub("", code)))
    return found


def errors(*functions):
    """The kinds of errors that the header lists; a handle of the crate's is always one."""
    names = {"DTYPE": "DType", "READONLY": "ReadOnly"}
    statuses = dict.fromkeys(status for f in functions for status in f["returns"]["statuses"])
    found = [status.removeprefix("ARR_E_") for status in statuses if status.startswith("ARR_E_")]
    kinds = [f"`{names.get(status, status.capitalize())}`" for status in found if status != "HANDLE"]
    return f"Kinds: {', '.join(kinds or ['none'])}."


def errors_macro(api):
    """The macro by which hand-written files document errors: `errors!(arr_sort)`, or a list of functions."""
    by_name = {f["name"]: f for f in api["functions"]}
    asked = {f["name"] for f in api["functions"] if f["header"] == "distributions.h"}
    asked |= {name for name in called_by_hand() if name in by_name and by_name[name]["returns"]["statuses"]}
    for path in SOURCES.glob("*.rs"):
        asked |= set(DOCUMENTED.findall(path.read_text(encoding="utf-8")))
    out = text.banner(
        "//", f"{ERRORS}: the errors of the functions that hand-written files call, for their documentation."
    )
    out += "macro_rules! errors {\n"
    for names in sorted(asked):
        kinds = errors(*(by_name[name] for name in names.split(", ")))
        out += f'    ({names}) => {{\n        "\\n# Errors\\n{kinds}"\n    }};\n'
    return out + "}\n"


class Method:
    """A C function as a Rust method, by a row of the table."""

    def __init__(self, f, row):
        self.f, self.row = f, row
        self.parameters = {p["name"]: p for p in f["parameters"]}
        if f["returns"]["type"].get("typedef") != "arr_status":
            raise Unfit(f"{f['name']} returns {f['returns']['type']['c']}")
        self.left = dict(self.parameters)
        self.passed, self.before, self.arguments, self.written = {}, [], [], []
        self.read_row()
        self.choose_owner()
        self.choose_outputs()
        for name, kind, c in self.entries:
            self.add(name, kind, c)
        for c in list(self.left):
            if c in self.left:  # an argument before may have brought it
                self.add(c, None, c)
        missing = [c for c in self.parameters if c not in self.passed and c not in dict(self.outputs)]
        if missing:
            raise Unfit(f"{f['name']}: {missing} have no value")
        self.take_options()

    def take_options(self):
        """Makes one argument of many that may be left out."""
        self.options = options.optional(self.arguments, self.f)
        if self.options:
            if self.has_typed_form():
                raise Unfit(f"{self.f['name']}: options of arrays with element types")
            self.arguments = [a for a in self.arguments if a not in self.options]
            self.arguments.append(Argument("options", options.struct_name(self.row.rust)))
            self.before.insert(0, options.unpacked(self.options, self.row.rust))

    def take(self, c):
        if c not in self.left:
            raise Unfit(f"{self.f['name']}: no parameter {c} is left")
        return self.left.pop(c)

    def read_row(self):
        self.entries, self.owner_parameter = [], None
        for entry in self.row.entries:
            m = ENTRY.match(entry)
            if not m:
                raise Unfit(f"{self.f['name']}: {entry} is no entry")
            name, kind, c = m.groups()
            if name == "self":
                self.owner_parameter = c
            else:
                self.entries.append((name, kind, c or name))
        absent = {"handle": NULL}
        for c, value in {**table.FIXED, **self.row.fixed}.items():
            if c in self.left:
                p = self.take(c)
                value = f"arr_sys::{value}" if value.startswith("ARR_") else value
                value = "Quantile::InvertedCdf as i32" if value == "INVERTED_CDF" else value
                null = "std::ptr::null_mut()" if p["direction"] != "in" else "std::ptr::null()"
                self.passed[c] = value or (absent.get(p["type"]["base"], null) if not p["type"]["pointer"] else null)
        if "stream" in self.left and self.left["stream"]["type"].get("of") == "arr_stream":
            self.take("stream")
            self.passed["stream"] = "current()"

    def is_array(self, p):
        return p["type"].get("of") == "arr_array" and not p["type"]["pointer"] and p["direction"] == "in"

    def choose_owner(self):
        """The owner of the method: `impl` and `self`."""
        if "dst" in self.left and self.owner_parameter != "dst" and self.is_array(self.left["dst"]):
            self.take("dst")
            self.written.append(Argument("out", "&mut impl DynOutput", "&mut impl Output<R>", passed={"dst": "dst"}))
            self.before.append("let dst = out.destination()?;")
            self.passed["dst"] = "dst"
        arrays = [c for c, p in self.left.items() if self.is_array(p) and not p["nullable"]]
        lists = [c for c, p in self.left.items() if p["type"].get("of") == "arr_array" and p["direction"] == "in"]
        for c, p in self.left.items():
            if p["type"].get("of") in OWNERS and not p["type"]["pointer"]:
                self.owner, self.receiver = OWNERS[p["type"]["of"]], "&self"
                self.passed[self.take(c)["name"]] = "self.as_raw()"
                return
        if arrays:
            c = self.owner_parameter or arrays[0]
            p = self.take(c)
            self.owner, self.receiver = "array", "&mut self" if p.get("written") else "&self"
            if p.get("written"):
                self.before.append(f"let {c}_c = self.writable()?;")
            self.passed[c] = f"{c}_c" if p.get("written") else "self.as_raw()"
        elif lists:
            self.owner, self.receiver = "array", ""
        elif "device" in self.left and self.left["device"]["direction"] == "in":
            self.take("device")
            self.owner, self.receiver = "Device", "self"
            self.before.append("let at = self.raw();")
            self.passed["device"] = "&at"
        elif "dtype" in self.left:
            self.take("dtype")
            self.owner, self.receiver, self.passed["dtype"] = "DType", "self", "self.code()"
        else:
            raise Unfit(f"{self.f['name']}: no array, generator, device or element type")

    def choose_outputs(self):
        self.outputs, self.buffer = [], False
        if {"capacity", "length"} <= set(self.left) and any(p.get("string") == "buffer" for p in self.left.values()):
            for c in [c for c in self.left if c in BUFFER]:
                self.take(c)
                self.passed[c] = {"path": "text"}.get(c, c)
            self.buffer = True
        for c, p in list(self.left.items()):
            if p["direction"] == "in":
                continue
            t = p["type"]
            many = isinstance(p.get("length"), str)
            if not (t["base"] == "handle" and t["of"] == "arr_array" or t["base"] in NUMBERS and not many):
                raise Unfit(f"{self.f['name']}: {t['c']} as a result")
            if p["direction"] != "out" or t["pointer"] != 1:
                raise Unfit(f"{self.f['name']}: {c}: {p['direction']} of {t['c']}")
            self.outputs.append((c, self.take(c)))
        if self.buffer and self.outputs:
            raise Unfit(f"{self.f['name']}: a text beside other results")

    def add(self, name, kind, c):
        if kind and c not in self.parameters:
            self.arguments.append(Argument(name, kind))
            return
        p = self.take(c)
        if "length_of" in p and kind is None:
            others = [n for n in p["length_of"] if n in self.left]
            if others:  # the list's own argument passes it
                self.add(others[0], None, others[0])
                return
        if p.get("written"):
            self.before.append(f"let {c}_c = {name}.writable()?;")
            self.passed[c] = f"{c}_c"
            self.arguments.append(Argument(name, "&mut DynArray", f"&mut Array<{kind or 'T'}>"))
            return
        if (
            self.owner == "Device"
            and kind is None
            and p["type"]["base"] == "int64"
            and name in ("n", "rows", "columns", "count")
        ):
            kind = "size"
        parameters = self.f["parameters"]
        if self.owner == "Device" and c == "dtype" and any(q["type"].get("of") == "arr_array" for _, q in self.outputs):
            self.passed["dtype"] = "T::DTYPE.code()"
            return
        kind = kind or arguments.kind_of(p, parameters)
        made = arguments.make(kind, name, p, parameters)
        made.kind = kind
        self.before += made.before
        for parameter, value in made.passed.items():
            self.passed[parameter] = value
            self.left.pop(parameter, None)
        if made.length:
            self.add_length(made)
        self.arguments.append(made)

    def add_length(self, made):
        c, own = made.length
        wide = self.parameters[c]["type"]["base"] == "int64"
        if c in self.passed:
            first = next(a.name for a in self.arguments if a.length and a.length[0] == c)
            check = f'same_length("{made.name}", {own}, {first}.len())?;'
            self.before.append(f"if {own} != 0 {{ {check} }}" if made.kind == "some" else check)
            return
        self.left.pop(c, None)
        self.before.append(f"let {c}_c = {own} as i64;" if wide else f"let {c}_c = count({own})?;")
        self.passed[c] = f"{c}_c"

    # ------------------------------------------------------------------------------------------------- text

    def docs(self, name, example):
        out = ""
        for line in text.wrap(escaped(text.one_line(self.f["doc"])), "///", 112).splitlines():
            out += f"    {line}\n"
        if example:
            out += examples.documented(self.row.rust, "    ")
        out += f"    ///\n    /// # Errors\n    /// {errors(self.f)}\n"
        for alias in [self.f["name"], *aliases(self.f["name"].removeprefix("arr_"), self.f["doc"]["cupy"], [name])]:
            out += f'    #[doc(alias = "{alias}")]\n'
        return out + "    #[track_caller]\n"

    def result(self, typed):
        """The type, and the expression of the value."""
        given = list(self.row.results or ())
        types, values = [], []
        for c, p in self.outputs:
            t = p["type"]
            kind = given.pop(0) if given and given[0] != "-" else ""
            if t["base"] != "handle":
                types.append(NUMBERS[t["base"]])
                values.append(c)
                continue
            element = "T" if self.owner == "Device" and "dtype" in self.parameters else kind if typed else ""
            one = f"Array<{element}>" if element and element != "Dyn" else "DynArray"
            made = "DynArray::own({})"
            end = ".typed()?" if one != "DynArray" else ""
            if p.get("view") and self.receiver:
                # A call that neither waits nor enqueues work copies nothing.
                pure, dynamic = "stream" not in self.parameters, "as_dyn()." if typed else ""
                made = f"self.{dynamic}{'sharing' if pure else 'part'}({{}})"
                if pure and element == "T" and not isinstance(p.get("length"), str):
                    made, end = f"Array::from_dyn({made})", ""
            if not isinstance(p.get("length"), str):
                types.append(one)
                values.append(made.format(c) + end)
                continue
            types.append(f"Vec<{one}>")
            if p.get("view") and not self.receiver:
                source = next(a.name for a in self.arguments if a.declared == "&[&DynArray]")
                dynamic = "x.as_dyn()" if typed else "x"
                values.append(self.collected(f"{c}.into_iter().zip({source})", f"|(h, x)| {dynamic}.part(h)", end))
            else:
                values.append(self.collected(f"{c}.into_iter()", f"|h| {made.format('h')}", end))
        if not types:
            return "()", "()"
        return (types[0], values[0]) if len(types) == 1 else (f"({', '.join(types)})", f"({', '.join(values)})")

    def collected(self, source, made, end):
        if not end:
            return f"{source}.map({made}).collect()"
        # All handles have an owner before one may turn out to be of another type.
        return f"typed_list({source}.map({made}).collect::<Vec<DynArray>>())?"

    def call(self):
        out = ""
        for c, p in self.outputs:
            if isinstance(p.get("length"), str):
                length = self.passed[p["length"]]
                self_made = f"let {c}_n: i32 = {length};"
                out += f"        {self_made}\n"
                out += f"        let mut {c} = vec![{NULL}; usize::try_from({c}_n).unwrap_or(0)];\n"
            else:
                zero = {"bool": "false", "double": "0.0", "handle": NULL}.get(p["type"]["base"], "0")
                out += f"        let mut {c} = {zero};\n"
        lengths = {p["length"]: f"{c}_n" for c, p in self.outputs if isinstance(p.get("length"), str)}
        values = []
        for p in self.f["parameters"]:
            n = p["name"]
            if n in lengths:
                values.append(lengths[n])
            elif any(n == c for c, _ in self.outputs):
                values.append(f"{n}.as_mut_ptr()" if isinstance(p.get("length"), str) else f"&mut {n}")
            else:
                values.append(self.passed[n])
        arguments_ = ", ".join(values)
        if self.buffer:
            return out + (
                "        text_of(|api, capacity, text, length| {\n"
                "            // SAFETY: rule 3: the text has `capacity` bytes or is NULL; the rest lives.\n"
                f"            unsafe {{ api.{self.f['name']}({arguments_}) }}\n        }})\n"
            )
        return out + f"        call!({self.f['name']}({arguments_}));\n"

    def emit(self, typed):
        name = text.name(
            self.row.rust.removeprefix("random_") if self.owner == "Generator" else self.row.rust, arguments.KEYWORDS
        )
        generics = [a.generic for a in self.arguments if typed and a.generic]
        written = (
            [Argument("out", "&mut impl DynOutput", f"&mut impl Output<{self.destination(typed)}>")]
            if self.written
            else []
        )
        as_typed = typed
        if self.owner == "Generator":
            generics, as_typed = (["T: Element"] if written else []), False
        if self.owner == "Device" and "T::DTYPE.code()" in self.passed.values():
            generics = ["T: Element"]
        inputs = [self.receiver] if self.receiver else []
        inputs += [a.declaration(as_typed) for a in self.arguments]
        inputs += [a.declaration(typed or self.owner == "Generator") for a in written]
        declared, value = self.result(typed)
        declared = "String" if self.buffer else declared
        head = f"    pub fn {name}{'<' + ', '.join(dict.fromkeys(generics)) + '>' if generics else ''}("
        example = typed or not self.has_typed_form()
        out = self.docs(name, example) + head + ", ".join(inputs) + f") -> Result<{declared}> {{\n"
        out += "".join(f"        {line}\n" for line in self.before) + self.call()
        return out + ("" if self.buffer else f"        Ok({value})\n") + "    }\n\n"

    def destination(self, typed):
        if self.owner == "Generator":
            return "T"
        results = self.row.results or ["T"]
        return results[0]

    def has_typed_form(self):
        return self.owner == "array" and self.row.results is not None

    def on_host(self):
        """The same of Array<T>, on the host."""
        name = text.name(self.row.rust, arguments.KEYWORDS)
        inputs = ", ".join(a.declaration(True) for a in self.arguments)
        given = ", ".join(a.name for a in self.arguments)
        return (
            self.docs(name, False)
            + f"    pub fn {name}({inputs}) -> Result<Array<T>> {{\n        Device::HOST.{name}({given})\n    }}\n\n"
        )


def methods(api):
    """[Method] in the order of the headers."""
    found, said, by_hand = [], table.rows(), called_by_hand()
    unknown = set(said) - {f["name"] for f in api["functions"]}
    if unknown:
        raise SystemExit(f"rust_table.py: no header declares {sorted(unknown)}")
    skip = by_hand | {f"arr_{n}" for n in table.BY_HAND}
    skip |= {f["name"] for f in api["functions"] if f["family"] or f["header"] == "distributions.h"}
    scans = {f"arr_{s['name']}{into}" for s in api["scans"] for into in ("", "_into")}
    for f in sorted(api["functions"], key=lambda f: (f["header"], f["name"])):
        listed = said.get(f["name"])
        if not listed and f["name"] in skip | scans:
            continue
        for row in listed or [table.Row(f["name"][len("arr_") :])]:
            try:
                found.append(Method(f, row))
            except Unfit as unfit:
                if listed:
                    raise SystemExit(f"rust_table.py: {f['name']}: {unfit}") from unfit
    return found


def block(head, bodies):
    return f"\n{head} {{\n" + "".join(bodies).rstrip("\n") + "\n}\n" if bodies else ""


def emit(api):
    made = methods(api)
    out = text.banner("//", f"{FILE}: the functions of arrays, numbers, axes and texts.") + "use super::*;\n"
    out += "".join(options.struct(m.options, m.f, m.row.rust) for m in made if m.options)
    out += block("impl DynArray", [m.emit(False) for m in made if m.owner == "array"])
    for bound in dict.fromkeys(m.row.bound for m in made):
        bodies = [m.emit(True) for m in made if m.has_typed_form() and m.row.bound == bound]
        out += block(f"impl<T: {bound}> Array<T>", bodies)
    out += block("impl Generator", [m.emit(False) for m in made if m.owner == "Generator"])
    out += block("impl DType", [m.emit(False) for m in made if m.owner == "DType"])
    devices = [m for m in made if m.owner == "Device"]
    out += block("impl Device", [m.emit(True) for m in devices])
    new = [m.on_host() for m in devices if "T::DTYPE.code()" in m.passed.values()]
    out += block("/// On the host; [`Device`] has the same for any device.\nimpl<T: Element> Array<T>", new)
    files = {FILE: out, RANDOM: distributions(api), ERRORS: errors_macro(api)}
    return {f"bindings/rust/arr/src/{name}": content for name, content in files.items()}


def distributions(api):
    """Rows for the macros of random.rs, one for each distribution of core/table."""
    out = text.banner("//", f"{RANDOM}: the distributions of random numbers.") + "use super::*;\n\ndistributions! {\n"
    for f in api["functions"]:
        if f["header"] == "distributions.h" and not f["name"].endswith("_into"):
            name = f["name"].removeprefix("arr_random_")
            example = examples.literal(f"random_{name}")
            numbers = [p["name"] for p in f["parameters"] if p["type"].get("of") == "arr_value"]
            out += text.wrap(escaped(text.one_line(f["doc"])), "    ///", 116)
            out += f"    {name}, fill_{name}, {f['name']}, {f['name']}_into, ({', '.join(numbers)}){example};\n"
    out += "}\n\ndistribution_numbers! {\n"
    for c in api["constants"]:
        if c["name"].startswith("ARR_DISTRIBUTION_"):
            out += f"    {c['name'].removeprefix('ARR_DISTRIBUTION_')} = {c['name']};\n"
    return out + "}\n"
