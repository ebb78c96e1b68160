# SPDX-License-Identifier: MIT
"""arr/cpp/methods_generated.hpp: functions as methods of their array, or of their generator.

A class inherits its methods from a template, so that the types of their arguments may be incomplete there. The
definitions stand behind the functions that they call.
"""

import re
from dataclasses import dataclass

import cpp_table
import text

# Parameters of the template, so that the types may be incomplete where it stands.
LATE = {"arr::array": "Array", "arr::operand": "Operand"}


def late(declared):
    return re.sub(r"arr::(array|operand)\b", lambda m: LATE[m.group(0)], declared)


PARAMETERS = "template <class Self, class Array, class Operand>"


@dataclass
class Method:
    owner: str  # the template
    name: str
    result: str
    doc: str
    calls: str  # the function
    arguments: list  # [(declared, default, name)], with those of the object
    object: str  # the argument that the object is

    def given(self):
        return [a for a in self.arguments if a[2] != self.object]

    def declared(self, width):
        items = [late(f"{a} = {d}" if d else a) for a, d, _ in self.given()]
        return self.doc + text.join(f"{self.result} {self.name}(", items, ") const;", width)

    def defined(self, width):
        names = ["self()" if n == self.object else re.split(r"[ &*]", a)[-1] for a, _, n in self.arguments]
        head = f"{PARAMETERS}\n{self.result} {self.owner}<Self, Array, Operand>::{self.name}("
        body = text.join(f"  return arr::{self.calls}(", names, ");", width)
        return text.join(head, [late(a) for a, _, _ in self.given()], ") const {", width) + body + "}\n"


def method_of(f, name, result, doc, arguments):
    """The method of a C function that has one."""
    short = f["name"].removeprefix("arr_")
    if short in cpp_table.METHODS:
        return Method("methods", short, result, doc, name, arguments, arguments[0][2])
    if short.startswith("random_") and not short.endswith("_into"):
        if any(a[2] == "generator" for a in arguments):
            return Method("draws", short.removeprefix("random_"), result, doc, name, arguments, "generator")
    return None


def template(owner, doc, methods, width):
    out = f"/** {doc} */\ntemplate <class Self, class Array = arr::array, class Operand = arr::operand>\nclass {owner} {{\n public:\n"
    out += "".join(m.declared(width) for m in methods if m.owner == owner)
    return out + "\n private:\n  const Self &self() const { return static_cast<const Self &>(*this); }\n};\n\n"


def header(methods, width):
    out = text.banner("//", "Functions as methods of their array, or of their generator.")
    out += "#ifndef ARR_CPP_METHODS_GENERATED_HPP\n#define ARR_CPP_METHODS_GENERATED_HPP\n"
    out += "#include <arr/cpp/arguments.hpp>\n\n#include <optional>\n#include <vector>\n\nnamespace arr {\n\n"
    out += "class array;\nclass operand;\nclass output;\n\nnamespace detail {\n\n"
    out += template("methods", "The methods of an array, and of a part of one.", methods, width)
    out += template("draws", "Random numbers of a generator.", methods, width)
    return out + "}  // namespace detail\n}  // namespace arr\n#endif\n"


def definitions(methods, width):
    return "namespace detail {\n\n" + "\n".join(m.defined(width) for m in methods) + "\n}  // namespace detail\n"
