# SPDX-License-Identifier: MIT
"""Reads the comments of the public C headers: of functions, macros and structs. What a declaration means, its parameters and
types, is read by SWIG (bindings/generate), which drops comments. All programs that need comments use this module.

The comments are Doxygen-like:

    /** Summary sentence. More text.
     *  @param a,b      two parameters with one text
     *  @param[in,null] stream the stream (NULL: the default)
     *  @param[out] out one new reference
     *  @return ARR_OK, ARR_E_SHAPE   @sync no */
    ARR_API arr_status arr_add(arr_array a, arr_array b, arr_stream stream, arr_array *out);

The brackets hold a direction and attributes, which the bindings are generated from: read_brackets(). @threads and
@since stand only where a function differs from the conventions of base.h: DEFAULTS.
Only the standard library is used.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "capi" / "include" / "arr"

# A doc comment (optional), then a prototype up to its semicolon.
_PROTOTYPE = re.compile(
    r"(?:/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*)?^ARR_API\s+(?P<prototype>[\w\s*]+?\b(?P<name>arr_\w+)\s*\([^;]*;)",
    re.S | re.M,
)
# A macro with its text and its comment, behind it or as /** ... */ above it.
_MACRO = re.compile(
    r"(?:^/\*(?P<above>(?:[^*]|\*(?!/))*)\*/\n)?"
    r"^#[ \t]*define[ \t]+(?P<name>ARR_\w+)(?P<call>\(?)[ \t]*(?P<value>(?:[^\n/]|/(?!\*))*)"
    r"(?:/\*[ \t]*(?P<doc>.*?)[ \t]*\*/)?",
    re.M,
)
# A macro that is called, below the comment of it and of those that follow.
_CALLED = re.compile(r"(?:^/\*(?P<above>(?:[^*]|\*(?!/))*)\*/\n)?^#[ \t]*define[ \t]+(?P<call>ARR_\w+\([^)]*\))", re.M)
_STRUCT = re.compile(
    r"(?:/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*)?^(?P<text>typedef struct \w+ \{(?P<fields>.*?)^\} (?P<name>\w+);)",
    re.S | re.M,
)
_FIELD = re.compile(r"(\w+)(?:\)\([^;]*\))?\s*;[ \t]*(?:/\*[ \t]*(.*?)[ \t]*\*/)?")
_TAG = re.compile(r"(?<![\w@])@(\w+)(?:\[([^\[\]]*)\])?")

# The words that the brackets of @param may hold; bindings/README.md defines them.
DIRECTIONS = ("in,out", "in", "out")
# The tags that hold where a comment does not have them.
DEFAULTS = {"threads": "any", "since": "0.1"}
FLAGS = ("null", "written", "index", "stop", "view", "positions")
COUNTS = ("len", "bytes")


def families():
    """{family: its contents}, the rows of core/table/families.def."""
    text = (ROOT / "core" / "table" / "families.def").read_text(encoding="utf-8")
    return dict(re.findall(r'^ARR_(?:BACKEND_)?FAMILY\((\w+),.*"(.*)"\)$', text, re.M))


def read_brackets(text):
    """("in", {"null": True, "len": "ndim"}) of "in,null,len=ndim"; a ValueError names the fault."""
    if not text:
        return "in", {}
    way = next((d for d in DIRECTIONS if text == d or text.startswith(d + ",")), None)
    if way is None:
        raise ValueError(f"[{text}] does not begin with in, out or in,out")
    found = {}
    for word in text[len(way) + 1 :].split(",") if text != way else ():
        name, equals, value = word.partition("=")
        if name not in (COUNTS if equals else FLAGS):
            raise ValueError(f"[{text}] has the unknown attribute {word!r}")
        if equals and not re.fullmatch(r"\d+|[a-z]\w*(\*\d+)?", value):
            raise ValueError(f"[{text}]: {word}: a number, a parameter, or a parameter*number is expected")
        if name in found:
            raise ValueError(f"[{text}] has {name} twice")
        found[name] = value if equals else True
    for one, other in (("len", "bytes"), ("index", "stop"), ("written", "out"), ("written", "in,out"), ("view", "in")):
        if one in found and (other in found or other == way):
            raise ValueError(f"[{text}]: {one} contradicts {other}")
    return way, found


class Function:
    """One exported function: its prototype and the contents of its comment."""

    def __init__(self, header, line, prototype, name, doc):
        self.header, self.line, self.prototype, self.name = header, line, prototype, name
        self.summary, self.text, self.tags = "", "", []  # tags: (tag, option, text)
        if doc is not None:
            self._read_comment(doc)

    def _read_comment(self, doc):
        lines = [re.sub(r"^\s*\*? ?", "", line) for line in doc.splitlines()]
        body = "\n".join(lines).strip()
        marks = list(_TAG.finditer(body))
        head = body[: marks[0].start()] if marks else body
        head = " ".join(head.split())
        end = re.search(r"\.(?=\s|$)", head)
        self.summary = head[: end.end()] if end else head
        self.text = head[len(self.summary) :].strip()
        for mark, following in zip(marks, marks[1:] + [None]):
            stop = following.start() if following else len(body)
            self.tags.append((mark.group(1), mark.group(2), " ".join(body[mark.end() : stop].split())))

    def tag(self, name):
        """The text of a tag, its default, or None if the comment does not have it and there is no default."""
        found = [text for tag, _, text in self.tags if tag == name]
        return " ".join(found) if found else DEFAULTS.get(name)

    def param_docs(self):
        """{parameter: (text in brackets, text)} from the @param tags; `@param a,b text` documents two."""
        return {name: rest for name, *rest in self.param_tags()}

    def param_tags(self):
        """[(parameter, text in brackets, text)], including repeated parameters."""
        found_tags = []
        for tag, option, text in self.tags:
            if tag != "param":
                continue
            found = re.match(r"(\w+(?:\s*,\s*\w+)*)\s*(.*)", text)
            if found:
                for name in re.split(r"\s*,\s*", found.group(1)):
                    found_tags.append((name, option or "", found.group(2)))
        return found_tags


def functions_of(name, source):
    """The exported functions of the text of one header, in its order."""
    functions = []
    for m in _PROTOTYPE.finditer(source):
        line = source.count("\n", 0, m.start("prototype")) + 1
        prototype = " ".join(m.group("prototype").split())
        functions.append(Function(name, line, prototype, m.group("name"), m.group("doc")))
    return functions


def read_functions(path):
    """The exported functions of one header, in its order."""
    return functions_of(path.name, path.read_text(encoding="utf-8"))


class Macro:
    """One macro of a header: its value and the contents of its comment."""

    def __init__(self, header, line, found):
        self.header, self.line, self.name = header, line, found.group("name")
        self.value, self.is_function = found.group("value").strip(), bool(found.group("call"))
        above = " ".join(re.sub(r"^ \* ?", "", line) for line in (found.group("above") or "").splitlines())
        own = above.startswith("*")  # other comments above a macro are those of several
        said = found.group("doc") or (own and " ".join(above.lstrip("*").split())) or ""
        self.doc = said.strip().rstrip(".")


def read_macros(path):
    """The macros of one header, in its order."""
    source = path.read_text(encoding="utf-8")
    return [Macro(path.name, source.count("\n", 0, m.start("name")) + 1, m) for m in _MACRO.finditer(source)]


def read_called_macros(path):
    """(names with parameters, comment) of the macros that are called; those below one comment go together. A name that ends
    in _ is a part of others."""
    found, names = [], set()
    for m in _CALLED.finditer(path.read_text(encoding="utf-8")):
        call = m.group("call")
        if call.partition("(")[0].endswith("_") or call in names:
            continue
        names.add(call)
        above = " ".join(re.sub(r"^ \* ?", "", line) for line in (m.group("above") or "").splitlines()).strip()
        if above.startswith("---"):
            above = ""
        if above or not found:
            found.append(([call], above))
        else:
            found[-1][0].append(call)
    return found


class Struct:
    """One struct of a header: its text, and the comments of it and of its fields."""

    def __init__(self, header, found):
        self.header, self.name, self.text = header, found.group("name"), found.group("text")
        self.doc = " ".join(re.sub(r"^\s*\*? ?", "", found.group("doc") or "", flags=re.M).split())
        self.fields = {name: doc or "" for name, doc in _FIELD.findall(found.group("fields"))}


def read_structs(path):
    return [Struct(path.name, m) for m in _STRUCT.finditer(path.read_text(encoding="utf-8"))]


def subject(path):
    """The text of a header's first comment after its name."""
    source = path.read_text(encoding="utf-8")
    opening = re.search(r"/\*\s*" + re.escape(path.name) + r"\s+-\s+(.*?)(?:\n \*\n.*?)?\*/", source, re.S)
    return " ".join(re.sub(r"^\s*\* ?", "", opening.group(1), flags=re.M).split()) if opening else ""


def all_macros():
    return [m for path in all_headers() for m in read_macros(path)]


def all_headers():
    return sorted(HEADERS.glob("*.h"))


def all_functions():
    return [f for path in all_headers() for f in read_functions(path)]


def count_exports(path):
    """Number of declarations that begin with ARR_API; read_functions must find as many."""
    return len(re.findall(r"^\s*ARR_API\b", path.read_text(encoding="utf-8"), re.M))


def write_or_check(pages, check, what):
    """Writes {path: text}, or with check compares; returns the number of stale or stray files."""
    stale = 0
    for path, text in sorted(pages.items()):
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if old == text:
            continue
        if check:
            print(f"{path.relative_to(ROOT)}: not up to date; run {what}")
            stale += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return stale
