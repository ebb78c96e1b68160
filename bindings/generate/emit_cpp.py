# SPDX-License-Identifier: MIT
"""arr/cpp/*_generated.hpp: the C functions in C++, and the ops of fused lambdas.

Required arguments come first, in the order of C; then those with defaults; the stream is the last. One result is
returned as it is, several as a tuple. cpp_arguments.py has the rules of the parameters.
"""

import re

import cpp_arguments as arguments
import tables
import text
from cpp_arguments import Unfit

FOLDER = "bindings/cpp/include/arr/cpp"
WIDTH = 118
KEYWORDS = {"delete", "union", "and", "or", "xor", "not", "compl", "double", "float", "int", "register", "bool"}
# Types and constants of arr.hpp, which a parameter of the same name would hide.
HIDDEN = set(
    """
    array axes colon device dim3 ellipsis end error event every expr extents fft_plan fused generator graph index kernel
    kernel_module new_axis node operand owner selection slice span stream texels texture to_end user_kernel
    """.split()
)
# Functions of C++ objects: constructors, destructors, members.
BY_HAND = set(
    """
    arr_release arr_retain arr_last_error arr_check_abi arr_stream_create arr_get_items arr_set_items arr_update_items
    arr_expr_create arr_arange
    """.split()
)

HELPERS = """
namespace arr {
namespace detail {

inline std::vector<arr_array> handles(const std::vector<array> &list) {
  std::vector<arr_array> made;
  for (const array &a : list) made.push_back(a.get());
  return made;
}
inline std::vector<arr_value> values(const std::vector<operand> &list) {
  std::vector<arr_value> made;
  for (const operand &x : list) made.push_back(x.value());
  return made;
}
/** Takes new handles over. */
inline std::vector<array> adopt(const std::vector<arr_array> &list) {
  std::vector<array> made;
  made.reserve(list.size());
  for (arr_array a : list) made.emplace_back(a);
  return made;
}
/** The element type that is asked for, else the number's own. */
inline arr::dtype asked_or_of(arr::dtype asked, const operand &number) {
  return asked != arr::dtype() || number.is_array() ? asked : arr::dtype(number.value().dtype);
}
/** The one length of lists that go together; a list without entries is left out. */
inline int64_t common_length(const char *function, const char *lists, std::initializer_list<size_t> sizes) {
  size_t length = 0;
  for (size_t n : sizes) {
    if (n == 0 || n == length) continue;
    if (length != 0) {
      throw error(ARR_E_ARGUMENT, std::string(function) + ": arguments " + lists + ": lists of " +
                                      std::to_string(length) + " and " + std::to_string(n) + " entries");
    }
    length = n;
  }
  return static_cast<int64_t>(length);
}

}  // namespace detail

"""


def cpp_name(c):
    name = c.removeprefix("arr_")
    return name + "_" if name in KEYWORDS else name


def comment(f):
    lines = text.wrap(f["doc"]["summary"], " *", WIDTH).rstrip("\n").split("\n")
    return "/**" + "\n".join(lines)[2:] + " */\n"


def new_name(name):
    return text.name(name, KEYWORDS | HIDDEN)


def renamed(f):
    """The parameters, with `_` after names that C++ reserves or that name a type, also where others mention them."""
    made = []
    for p in f["parameters"]:
        q = dict(p, name=new_name(p["name"]))
        if isinstance(p.get("length"), str):
            q["length"] = new_name(p["length"])
        if p.get("length_of"):
            q["length_of"] = [new_name(n) for n in p["length_of"]]
        made.append(q)
    return made


class Function:
    """A C++ function above one C function."""

    def __init__(self, f, api):
        self.f, self.name = f, cpp_name(f["name"])
        self.before, self.after, passed, self.arguments, self.results = [], [], {}, [], []
        parameters = renamed(f)
        lengths = {p["name"]: p["length_of"] for p in parameters if p.get("length_of")}
        lists = {p["length"] for p in parameters if p["direction"] != "out" and isinstance(p.get("length"), str)}
        text_result = self.text_result(parameters, lengths)
        for p in parameters:
            if p["name"] in lengths or text_result and p["name"] in text_result:
                continue
            way = p["direction"]
            made = (
                arguments.of_input(p, f)
                if way == "in"
                else arguments.of_result(p, api, lists, f["name"][4:] in arguments.RETURN_ALL)
            )
            if way not in ("in", "out"):
                raise Unfit(p["name"])
            passed.update(made.passed)
            self.before += made.before
            self.after += made.after
            if made.declared:
                self.arguments.append((made.declared, made.default, p["name"] == "stream_"))
            if made.result:
                self.results.append((made.result, made.value))
        for length, of in lengths.items():
            if length not in passed and not (text_result and length in text_result):
                passed[length] = self.length(parameters, length, of)
        self.text = text_result
        self.passed = [passed.get(p["name"]) for p in parameters]
        self.parameters = parameters

    @staticmethod
    def text_result(parameters, lengths):
        """The names of capacity, text and length where C writes a text."""
        texts = [p for p in parameters if p.get("string") == "buffer"]
        if not texts:
            return None
        capacity = texts[0].get("length")
        sizes = [p["name"] for p in parameters if p["direction"] == "out" and p["name"] in ("length", "nbytes")]
        if len(texts) > 1 or len(sizes) != 1 or lengths.get(capacity) != [texts[0]["name"]]:
            raise Unfit(texts[0]["name"])
        return [capacity, texts[0]["name"], sizes[0]]

    def length(self, parameters, length, of):
        """The expression of a length, with a statement that finds it where lists share it."""
        inputs = [p for p in parameters if p["name"] in of and p["direction"] != "out"]
        if not inputs:
            raise Unfit(length)
        kind = arguments.NUMBERS[next(p for p in parameters if p["name"] == length)["type"]["base"]]
        shared = len(of) > 1
        if not shared:
            return f"static_cast<{kind}>({inputs[0]['name']}.size())"
        names = [p["name"] for p in inputs]
        sizes = ", ".join(f"static_cast<size_t>({n}.size())" for n in names)
        found = f'detail::common_length("{self.f["name"]}", "{", ".join(names)}", {{{sizes}}})'
        self.before.insert(0, f"const auto {length}_c = static_cast<{kind}>({found});")
        return f"{length}_c"

    def signature(self):
        required = [a for a, default, _ in self.arguments if not default]
        optional = [(a, d) for a, d, stream in self.arguments if d and not stream]
        streams = [(a, d) for a, d, stream in self.arguments if d and stream]
        return required + [f"{a} = {d}" for a, d in optional + streams]

    def emit(self):
        types = [t for t, _ in self.results]
        kind = "void" if not types else types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"
        if self.text:
            if types:
                raise Unfit(self.text[1])
            kind = "std::string"
        out = comment(self.f) + text.join(f"inline {kind} {self.name}(", self.signature(), ") {", WIDTH)
        body = list(self.before)
        if self.text:
            body += self.text_calls()
        else:
            body.append(self.call(self.passed))
        body += self.after
        if len(types) == 1:
            body.append(f"return {self.results[0][1]};")
        elif types:
            body.append("return {" + ", ".join(v if "(" in v else f"std::move({v})" for _, v in self.results) + "};")
        return out + "".join(f"  {line}\n" for line in body) + "}\n"

    def call(self, passed):
        flat = f"check({self.f['name']}({', '.join(passed)}));"
        if len(flat) + 2 <= WIDTH:
            return flat
        return text.join(f"check({self.f['name']}(", passed, "));", WIDTH, "      ").rstrip("\n")

    def text_calls(self):
        """Two calls: the first asks for the length."""
        capacity, buffer, length = self.text
        names = [p["name"] for p in self.parameters]
        first = dict(zip(names, self.passed), **{capacity: "0", buffer: "nullptr", length: "&length_c"})
        second = dict(first, **{capacity: "length_c + 1", buffer: "text_c.data()"})
        return [
            "int64_t length_c = 0;",
            self.call([first[n] for n in names]),
            "std::string text_c(static_cast<size_t>(length_c) + 1, '\\0');",
            self.call([second[n] for n in names]),
            "text_c.resize(static_cast<size_t>(length_c));",
            "return text_c;",
        ]


def op_function(f):
    """Ops of several operands take arrays and numbers; an array of them all goes to the quicker function."""
    family, name = f["family"], cpp_name(f["name"])
    operands = [p["name"] for p in f["parameters"] if p["type"].get("of") == "arr_array" and p["direction"] == "in"]
    operands = [o for o in operands if o != "dst"]
    declared = ", ".join(f"const arr::operand &{o}" for o in operands)
    if family["form"] == "into":
        values = ", ".join(f"{o}.get()" for o in operands)
        return (
            comment(f)
            + f"inline void {name}(const arr::array &dst, {declared}, const arr::stream &stream_ = {{}}) {{\n"
            + f"  check(arr_{family['name']}_v_into(dst.get(), {values}, stream_.get()));\n}}\n"
        )
    arrays = " && ".join(f"{o}.is_array()" for o in operands)
    handles = ", ".join(f"{o}.handle()" for o in operands)
    values = ", ".join(f"{o}.get()" for o in operands)
    return (
        comment(f)
        + f"inline array {name}({declared}, const arr::stream &stream_ = {{}}) {{\n"
        + f"  array out;\n  if ({arrays}) {{\n    check({f['name']}({handles}, stream_.get(), out.put()));\n  }} else {{\n"
        + f"    check({f['name']}_v({values}, stream_.get(), out.put()));\n  }}\n  return out;\n}}\n"
    )


def emitted(f, api):
    """The C++ text of a function; None where it has none here."""
    name = f["name"]
    if name in BY_HAND or name.endswith("_release") or f["returns"]["type"].get("typedef") != "arr_status":
        return None
    if re.match(r"arr_(value|error)_", name):
        return None
    family = f["family"]
    if family and family["family"] == "op" and family["arity"] > 1:
        return None if "values" in family["form"] else op_function(f)
    try:
        return Function(f, api).emit()
    except Unfit:
        return None


def functions(api):
    out = text.banner("//", "Functions of arrays, numbers, lists, texts, devices and streams.")
    out += "#ifndef ARR_CPP_FUNCTIONS_GENERATED_HPP\n#define ARR_CPP_FUNCTIONS_GENERATED_HPP\n"
    out += "#include <arr/cpp/index.hpp>\n\n#include <optional>\n#include <string_view>\n#include <tuple>\n"
    out += HELPERS
    header = None
    for f in sorted(api["functions"], key=lambda f: f["header"]):
        made = emitted(f, api)
        if made is None:
            continue
        if f["header"] != header:
            header = f["header"]
            out += f"// {header}\n\n"
        out += made + "\n"
    return out + "}  // namespace arr\n#endif\n"


def nodes(api):
    out = text.banner("//", "The ops of fused lambdas: of nodes, and of nodes with numbers.")
    out += "#ifndef ARR_CPP_NODES_GENERATED_HPP\n#define ARR_CPP_NODES_GENERATED_HPP\n#include <arr/cpp/node.hpp>\n\n"
    out += "namespace arr {\n\n"
    for op in api["ops"]:
        letters = "xyz"[: op["arity"]]
        out += f"/** {op['doc']} */\n" if len(op["doc"]) < 110 else ""
        if op["arity"] == 1:
            out += (
                f"inline node {op['name']}(const node &x) {{ return detail::apply(ARR_OP_{op['name'].upper()}, x); }}\n"
            )
            continue
        types = ", ".join(f"class {c.upper()}" for c in letters)
        names = ", ".join(c.upper() for c in letters)
        declared = ", ".join(f"const {c.upper()} &{c}" for c in letters)
        out += (
            f"template <{types}>\ndetail::of_nodes<{names}> {op['name']}({declared}) {{\n"
            f"  return detail::apply(ARR_OP_{op['name'].upper()}, {', '.join(letters)});\n}}\n"
        )
    for sign, name in OPERATORS:
        out += (
            f"template <class X, class Y>\ndetail::of_nodes<X, Y> operator{sign}(const X &x, const Y &y) {{\n"
            f"  return {name}(x, y);\n}}\n"
        )
    for sign, name in (("-", "negative"), ("~", "invert")):
        out += f"inline node operator{sign}(const node &x) {{ return {name}(x); }}\n"
    return out + "\n}  // namespace arr\n#endif\n"


OPERATORS = (
    ("+", "add"),
    ("-", "subtract"),
    ("*", "multiply"),
    ("/", "divide"),
    ("%", "remainder"),
    ("&", "bitwise_and"),
    ("|", "bitwise_or"),
    ("^", "bitwise_xor"),
    ("<<", "left_shift"),
    (">>", "right_shift"),
    ("==", "equal"),
    ("!=", "not_equal"),
    ("<", "less"),
    ("<=", "less_equal"),
    (">", "greater"),
    (">=", "greater_equal"),
)


def dtypes():
    """The element types as constants; the macros of C become them."""
    out = text.banner("//", "The element types.")
    out += "#ifndef ARR_CPP_DTYPES_GENERATED_HPP\n#define ARR_CPP_DTYPES_GENERATED_HPP\n#include <arr/cpp/dtype.hpp>\n"
    out += "\nnamespace arr {\n\n"
    rows = [(r[0], r[1], text.name(r[2], KEYWORDS), r[8]) for r in tables.table.rows("dtypes.def", "ARR_DTYPE")]
    for _, number, name, doc in rows:
        out += f"/** {doc[0].upper() + doc[1:]}. */\ninline constexpr dtype {name}{{{number}}};\n"
    out += "\n}  // namespace arr\n\n// In C they are plain numbers, which could stand for an axis, a size or a truth value.\n"
    for macro, _, name, _ in rows:
        out += f"#undef ARR_{macro}\n#define ARR_{macro} (::arr::{name})\n"
    return out + "#endif\n"


def emit(api):
    return {
        f"{FOLDER}/dtypes_generated.hpp": dtypes(),
        f"{FOLDER}/functions_generated.hpp": functions(api),
        f"{FOLDER}/nodes_generated.hpp": nodes(api),
    }
