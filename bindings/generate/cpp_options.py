# SPDX-License-Identifier: MIT
"""arr/cpp/options_generated.hpp: the structs of options in C++, with strings, vectors, arrays and operands for pointers.

A length goes with its list, `x_set` with an optional x; struct_size and reserved fields are not seen. The default of a text is
the one that the C header names for NULL. detail::given<options> keeps what C's struct points to.
"""

import re

import cpp_table
import text
from cpp_arguments import NUMBERS

DEFAULT = re.compile(r'; NULL:? ("(?:[^"\\]|\\.)*")')


class Field:
    """A field of the C++ struct: its declaration, and the statements that fill C's."""

    def __init__(self, f, others):
        self.name, kind = f["name"], f["type"]
        of, pointer, self.value = kind.get("of"), kind["pointer"], ""
        length = next((o["name"] for o in others if o["doc"].startswith(f"entries at {self.name}")), None)
        given = f"options.{self.name}"
        self.before, self.fills = [], [f"c_.{self.name} = {given};"]
        if kind["base"] == "char":
            found = DEFAULT.search(f["doc"])
            self.type, self.value = "std::string", found[1] if found else ""
            self.fills = [f"c_.{self.name} = {given}.c_str();"]
        elif of == "arr_value" and length:
            self.type = "std::vector<arr::operand>"
            self.before = [f"for (const arr::operand &x : {given}) values_.push_back(x.value());"]
            self.fills = [f"c_.{self.name} = values_.data();"]
        elif of in ("arr_value", "arr_array"):
            self.type = f"arr::{'operand' if of == 'arr_value' else 'array'}"
            self.fills = [f"c_.{self.name} = {given}.get();"]
        elif pointer:
            self.type = f"std::vector<{NUMBERS[kind['base']]}>"
            self.fills = [f"c_.{self.name} = {given}.empty() ? nullptr : {given}.data();"]
        elif self.name == "dtype":
            self.type = "arr::dtype"
        elif any(o["name"] == f"{self.name}_set" for o in others):
            self.type = f"std::optional<{NUMBERS[kind['base']]}>"
            self.fills = [f"c_.{self.name} = {given}.value_or(0);", f"c_.{self.name}_set = {given}.has_value();"]
        else:
            self.type, self.value = NUMBERS[kind["base"]], "0"
            if re.search(r"\b1: ", f["doc"]):
                self.type, self.value = "bool", "false"
        if length:
            self.fills.append(f"c_.{length} = static_cast<{self.length_type(others, length)}>({given}.size());")
        self.doc = self.told(f["doc"])

    @staticmethod
    def length_type(others, length):
        return NUMBERS[next(o for o in others if o["name"] == length)["type"]["base"]]

    def told(self, doc):
        """The text of C's header without NULL and the numbers of truth values."""
        doc = re.sub(r", if \w+_set is 1|; may be NULL|; used if \w+_set is 1", "", DEFAULT.sub("", doc))
        absent = "none" if self.type in ("arr::operand", "arr::array") else "empty"
        doc = re.sub(r"NULL or empty|NULL", absent, doc).replace("none: none", "none by default")
        if self.type == "bool":
            doc = re.sub(r"\b1: ", "true: ", re.sub(r"\b0: ", "false: ", doc))
        if self.type.startswith("std::optional"):
            doc = doc.replace("0: ", "absent: ")
        if self.type == "arr::dtype":
            doc = re.sub(r"\b0(:| selects) ", "by default ", doc).replace("; by default default", "")
        doc = doc.replace("else 0", "else false") if self.type == "bool" else doc
        return (doc if doc.startswith("arr_") else doc[0].upper() + doc[1:]) + "." * (not doc.endswith("."))

    def declared(self):
        value = f" = {self.value}" if self.value else ""
        return text.wrap(self.doc, "  ///", 118) + f"  {self.type} {self.name}{value};\n"


def hidden(f):
    return f["name"] in ("struct_size", "reserved") or f["name"].endswith("_set") or f["doc"].startswith("entries at ")


def struct(s):
    name = s["name"].removeprefix("arr_")
    fields = [Field(f, s["fields"]) for f in s["fields"] if not hidden(f)]
    doc = s["doc"].partition(". Zero")[0].partition(". Texts")[0].rstrip(".") + "."
    out = text.wrap(doc, "///", 118) + f"struct {name} {{\n" + "".join(f.declared() for f in fields) + "};\n\n"
    values = any(f.before for f in fields)
    out += f"namespace detail {{\ntemplate <>\nclass given<{name}> {{\n public:\n  explicit given(const {name} &options) {{\n"
    out += "    c_.struct_size = static_cast<int64_t>(sizeof c_);\n"
    out += "".join(f"    {line}\n" for f in fields for line in [*f.before, *f.fills])
    out += f"  }}\n  const {s['name']} *get() const {{ return &c_; }}\n\n private:\n  {s['name']} c_{{}};\n"
    return out + ("  std::vector<arr_value> values_;\n" if values else "") + "};\n}  // namespace detail\n\n"


def header(api):
    out = text.banner("//", "Options of functions: structs with defaults, whose fields may be set by name.")
    out += "#ifndef ARR_CPP_OPTIONS_GENERATED_HPP\n#define ARR_CPP_OPTIONS_GENERATED_HPP\n"
    out += "#include <arr/cpp/index.hpp>\n\n#include <optional>\n#include <string>\n#include <vector>\n\nnamespace arr {\n\n"
    out += "namespace detail {\n/** C's struct of options; lives as long as the call. */\ntemplate <class Options>\nclass given;\n"
    out += "}  // namespace detail\n\n"
    out += "".join(struct(s) for s in api["structs"] if s["name"] in cpp_table.OPTIONS)
    return out + "}  // namespace arr\n#endif\n"
