# SPDX-License-Identifier: MIT
"""arr/cpp/*_generated.hpp: the C functions in C++, and the ops of fused lambdas.

Required arguments come first, in the order of C; then those with defaults; dtype, device and stream are the last. One
result is returned as it is, several as a tuple. cpp_arguments.py has the rules of the parameters, cpp_table.py the rows.
"""

import re

import cpp_arguments as arguments
import cpp_methods
import cpp_options
import cpp_table
import tables
import text
from cpp_arguments import Unfit

FOLDER = "bindings/cpp/include/arr/cpp"
WIDTH = 118
KEYWORDS = {
    "auto",
    "default",
    "delete",
    "union",
    "and",
    "or",
    "xor",
    "not",
    "compl",
    "double",
    "float",
    "int",
    "register",
    "bool",
}
# Types and constants of arr.hpp, which a parameter of the same name would hide.
HIDDEN = set(
    """
    array axes colon device dim3 ellipsis end error event every expr extents fft_plan fused generator graph index kernel
    kernel_module linop new_axis node operand owner selection slice solution span sparse stream texels texture to_end user_kernel
    """.split()
)
# Functions of C++ objects: constructors, destructors, members.
BY_HAND = set(
    """
    arr_release arr_retain arr_last_error arr_check_abi arr_stream_create arr_get_items arr_set_items arr_update_items
    arr_expr_create arr_expm_multiply arr_onenormest arr_arange arr_eigs arr_eigsh arr_linop_apply arr_linop_retain arr_lobpcg
    arr_sparse_format arr_svds
    """.split()
)

HELPERS = """
namespace arr {
namespace detail {

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
                self.arguments.append((made.declared, made.default, p["name"].rstrip("_")))
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

    def ordered(self):
        """[(declared, default, name)]: required arguments, then the others in the order of the row and of LAST."""
        row = cpp_table.TABLE.get(self.f["name"])
        order = row.order if row else []

        def position(argument):
            name = argument[2]
            if name in cpp_table.LAST and name not in order:
                return (2, cpp_table.LAST.index(name))
            return (0, order.index(name)) if name in order else (1, 0)

        return [a for a in self.arguments if not a[1]] + sorted((a for a in self.arguments if a[1]), key=position)

    def signature(self):
        return [f"{a} = {d}" if d else a for a, d, _ in self.ordered()]

    def result(self):
        types = [t for t, _ in self.results]
        if self.text:
            if types:
                raise Unfit(self.text[1])
            return "std::string"
        return "void" if not types else types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"

    def method(self):
        return cpp_methods.method_of(self.f, self.name, self.result(), comment(self.f), self.ordered())

    def emit(self):
        types = [t for t, _ in self.results]
        out = comment(self.f) + text.join(f"inline {self.result()} {self.name}(", self.signature(), ") {", WIDTH)
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


class OpFunction:
    """Ops of several operands take arrays and numbers; an array of them all goes to the quicker function."""

    def __init__(self, f):
        self.f, self.name = f, cpp_name(f["name"])
        names = [p["name"] for p in f["parameters"] if p["type"].get("of") == "arr_array" and p["direction"] == "in"]
        self.operands = [n for n in names if n != "dst"]
        self.arguments = [(f"const arr::operand &{o}", "", o) for o in self.operands]
        self.arguments.append(("const arr::stream &stream_", "{}", "stream"))

    def method(self):
        return cpp_methods.method_of(self.f, self.name, "array", comment(self.f), self.arguments)

    def emit(self):
        base, declared = self.f["family"]["name"], ", ".join(a for a, _, _ in self.arguments) + " = {}"
        values = ", ".join(f"{o}.get()" for o in self.operands)
        if self.f["family"]["form"] == "into":
            return (
                comment(self.f)
                + f"inline void {self.name}(const arr::output &dst, {declared}) {{\n"
                + f"  check(arr_{base}_v_into(dst.get(), {values}, stream_.get()));\n}}\n"
            )
        arrays = " && ".join(f"{o}.is_array()" for o in self.operands)
        handles = ", ".join(f"{o}.handle()" for o in self.operands)
        return (
            comment(self.f)
            + f"inline array {self.name}({declared}) {{\n  array out;\n  if ({arrays}) {{\n"
            + f"    check(arr_{base}({handles}, stream_.get(), out.put()));\n  }} else {{\n"
            + f"    check(arr_{base}_v({values}, stream_.get(), out.put()));\n  }}\n  return out;\n}}\n"
        )


def function_of(f, api):
    """The C++ function above a C function; None where it has none here."""
    name = f["name"]
    if name in BY_HAND or name.endswith("_release") or f["returns"]["type"].get("typedef") != "arr_status":
        return None
    if re.match(r"arr_(value|error)_", name):
        return None
    family = f["family"]
    if family and family["family"] == "op" and family["arity"] > 1:
        return None if "values" in family["form"] else OpFunction(f)
    try:
        made = Function(f, api)
        made.result()
        return made
    except Unfit:
        return None


def all_functions(api):
    made = (function_of(f, api) for f in sorted(api["functions"], key=lambda f: f["header"]))
    return [f for f in made if f]


def functions(made):
    out = text.banner("//", "Functions of arrays, numbers, lists, texts, devices and streams.")
    out += "#ifndef ARR_CPP_FUNCTIONS_GENERATED_HPP\n#define ARR_CPP_FUNCTIONS_GENERATED_HPP\n"
    out += "#include <arr/cpp/dist.hpp>\n#include <arr/cpp/dist_sparse.hpp>\n#include <arr/cpp/options_generated.hpp>\n#include <arr/cpp/linop.hpp>\n\n#include <optional>\n#include <string_view>\n#include <tuple>\n"
    out += HELPERS
    header = None
    for function in made:
        if function.f["header"] != header:
            header = function.f["header"]
            out += f"// {header}\n\n"
        out += function.emit() + "\n"
    by_name = {f.f["name"]: f for f in made}
    for alias, name in cpp_table.ALIASES:
        function = by_name[f"arr_{name}"]
        function.name = alias
        out += function.emit() + "\n"
        function.name = cpp_name(f"arr_{name}")
    out += cpp_methods.definitions(methods(made), WIDTH)
    return out + "}  // namespace arr\n#endif\n"


def methods(made):
    return [m for m in (f.method() for f in made) if m]


def nodes(api):
    out = text.banner("//", "The ops of fused lambdas: of nodes, and of nodes with numbers.")
    out += "#ifndef ARR_CPP_NODES_GENERATED_HPP\n#define ARR_CPP_NODES_GENERATED_HPP\n#include <arr/cpp/node.hpp>\n\n"
    out += "namespace arr {\n\n"
    rows = {op["name"]: op for op in api["ops"]}
    for op in [*api["ops"], *({**rows[of], "alias": a} for a, of in cpp_table.NODE_ALIASES if of in rows)]:
        name = op.get("alias", op["name"])
        letters = "xyz"[: op["arity"]]
        out += f"/** {op['doc']} */\n" if len(op["doc"]) < 110 else ""
        if op["arity"] == 1:
            out += f"inline node {name}(const node &x) {{ return detail::apply(ARR_OP_{op['name'].upper()}, x); }}\n"
            continue
        types = ", ".join(f"class {c.upper()}" for c in letters)
        names = ", ".join(c.upper() for c in letters)
        declared = ", ".join(f"const {c.upper()} &{c}" for c in letters)
        out += (
            f"template <{types}>\ndetail::of_nodes<{names}> {name}({declared}) {{\n"
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
    """The element types as constants, also under the names of C."""
    out = text.banner("//", "The element types.")
    out += "#ifndef ARR_CPP_DTYPES_GENERATED_HPP\n#define ARR_CPP_DTYPES_GENERATED_HPP\n#include <arr/cpp/dtype.hpp>\n"
    out += "\nnamespace arr {\n\n"
    rows = [(r[0], r[1], text.name(r[2], KEYWORDS), r[8]) for r in tables.table.rows("dtypes.def", "ARR_DTYPE")]
    for _, number, name, doc in rows:
        out += f"/** {doc[0].upper() + doc[1:]}. */\ninline constexpr dtype {name}{{{number}}};\n"
    out += "\n}  // namespace arr\n\n// In C they are plain numbers, which could stand for an axis, a size or a truth value.\n"
    for macro, _, name, _ in rows:
        out += constant(f"ARR_{macro}", "arr::dtype", f"arr::{name}")
    return out + "#endif\n"


def constant(macro, kind, value):
    """A macro of C as a constant, so that errors point to the line that uses it."""
    return f"#undef {macro}\ninline constexpr {kind} {macro} = {value};\n"


def choices(api):
    """Choices as classes; the macros of C become their constants."""
    out = text.banner("//", "Choices among constants: order::c is ARR_ORDER_C.")
    out += "#ifndef ARR_CPP_CHOICES_GENERATED_HPP\n#define ARR_CPP_CHOICES_GENERATED_HPP\n"
    out += "#include <arr/cpp/choice.hpp>\n\nnamespace arr {\n\n"
    macros = ""
    for c in cpp_table.CHOICE_LIST:
        names = [(macro, text.name(name, KEYWORDS)) for macro, name in c.constants(api)]
        declared = text.join("  static const " + c.type + " ", [name for _, name in names], ";", WIDTH, "      ")
        out += (
            f"class {c.type} : public detail::choice<{c.type}> {{\n public:\n  using choice::choice;\n{declared}}};\n"
        )
        for macro, name in names:
            out += f"inline constexpr {c.type} {c.type}::{name}{{{macro}}};\n"
            macros += constant(macro, f"arr::{c.type}", f"arr::{c.type}::{name}")
        out += "\n"
    out += "}  // namespace arr\n\n// In C they are plain numbers, which could stand for an axis or a size.\n"
    return out + macros + "#endif\n"


def emit(api):
    made = all_functions(api)
    return {
        f"{FOLDER}/choices_generated.hpp": choices(api),
        f"{FOLDER}/dtypes_generated.hpp": dtypes(),
        f"{FOLDER}/functions_generated.hpp": functions(made),
        f"{FOLDER}/methods_generated.hpp": cpp_methods.header(methods(made), WIDTH),
        f"{FOLDER}/nodes_generated.hpp": nodes(api),
        f"{FOLDER}/options_generated.hpp": cpp_options.header(api),
    }
