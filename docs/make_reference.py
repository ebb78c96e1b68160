#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_reference.py FOLDER | --check - writes FOLDER/reference: one page per public header, indexes of all functions by
subject, by name and by the names of CuPy, and a page of the procedures of Fortran; and FOLDER/guides, with links to those.

First checks that the comment of every exported function is complete: a summary, a @param for each
parameter and none for others, @return (where something is returned) and @sync; @threads and @since only where they
differ from the conventions of base.h.
An incomplete comment is an error. --check writes nothing.
"""

import argparse
import json
import pathlib
import re
import shutil
import sys

import fortran_reference
import headers
import parity

GUIDES = headers.ROOT / "docs" / "guides"
LEAST_OF_FORTRAN = 1000  # fewer are a fault of the reader
REQUIRED = ("sync",)
KNOWN = {"param", "return", "sync", "threads", "since", "see", "note"}


def parameters():
    """{function: names of its parameters}, which SWIG has read."""
    api = json.loads((headers.ROOT / "bindings" / "api.json").read_text(encoding="utf-8"))
    return {f["name"]: [p["name"] for p in f["parameters"]] for f in api["functions"]}


def faults(f, params):
    """The faults in the comment of one function with these parameters."""
    if params is None:
        return ["it is not in bindings/api.json; run tests/house/fresh.py --fix"]
    found = []
    if not f.summary.endswith("."):
        found.append("no summary sentence" if not f.summary else "the summary does not end with a full stop")
    if f.summary.endswith(".."):
        found.append("the summary ends at an ellipsis")
    docs = f.param_docs()
    found += bracket_faults(docs)
    found += [f"no @param {p}" for p in params if p not in docs or not docs[p][1]]
    found += [f"@param {p}: no such parameter" for p in docs if p not in params]
    if not f.prototype.startswith("void ") and not f.tag("return"):
        found.append("no @return")
    found += [f"no @{t}" for t in REQUIRED if not f.tag(t)]
    found += [f"unknown tag @{t}" for t, _, _ in f.tags if t not in KNOWN]
    found += [
        f"@{t} {text} holds for every function; delete it" for t, _, text in f.tags if headers.DEFAULTS.get(t) == text
    ]
    return found


def bracket_faults(docs):
    found = []
    for name, (brackets, _) in docs.items():
        try:
            headers.read_brackets(brackets)
        except ValueError as error:
            found.append(f"@param {name}: {error}")
    return found


def passed(brackets):
    """Describes how a parameter is passed: "out, 3 elements, may be NULL"."""
    way, attributes = headers.read_brackets(brackets)
    said = [] if way == "in" else [way.replace(",", ", ")]
    for name, unit in (("len", "elements"), ("bytes", "bytes")):
        if name in attributes:
            said.append(f"`{attributes[name].replace('*', ' * ')}` {unit}")
    said += ["may be NULL"] * ("null" in attributes) + ["is written"] * ("written" in attributes)
    said += ["counts from 0"] * ("index" in attributes or "stop" in attributes)
    return ", ".join(said)


def cell(text):
    return text.replace("|", "\\|")


def literal(page):
    """The page with the names and formulas of its prose as they are: __dlpack__ and x**2 are not in bold."""
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", page, flags=re.M | re.S)
    return "".join(
        part if k % 2 else re.sub(r"__|\*\*", lambda m: m[0].replace(m[0][0], "\\" + m[0][0]), part)
        for k, part in enumerate(parts)
    )


def statuses():
    """{name: meaning} of the constants of the table of statuses."""
    table = (headers.ROOT / "core" / "table" / "statuses.def").read_text(encoding="utf-8")
    return {f"ARR_{name}": meaning for name, meaning in re.findall(r'^ARR_STATUS\((\w+), -?\d+, "(.*)"\)', table, re.M)}


def constants(path):
    """(name, value, comment) of the ARR_ constants of a header."""
    meanings = statuses()
    # The numbers of operations, reductions and distributions have the names of functions.
    for f in headers.read_functions(path):
        name = f.name.removeprefix("arr_").removeprefix("random_").upper()
        for kind in ("OP", "REDUCTION", "DISTRIBUTION"):
            meanings[f"ARR_{kind}_{name}"] = f"the number of {f.name}"

    def comment(m):
        doc = m.doc or meanings.get(m.name)
        names = ", ".join(parity.names().get(m.name, ()))
        return "; ".join(filter(None, [doc, f"CuPy: {names}" if names else ""]))

    return [
        (m.name, m.value, comment(m))
        for m in headers.read_macros(path)
        if re.fullmatch(r"\(?-?[\w.]+\)?|__builtin_\w+\(.*\)", m.value)
    ]


def function_section(f):
    out = [f"### {f.name}", "", "```c", wrap_prototype(f.prototype), "```", "", f"{f.summary} {f.text}".rstrip(), ""]
    docs = f.param_docs()
    if docs:
        out += ["| parameter | | meaning |", "|---|---|---|"]
        out += [f"| `{p}` | {passed(docs[p][0])} | {cell(docs[p][1])} |" for p in docs]
        out.append("")
    if f.tag("return"):
        out += [f"Returns: {f.tag('return')}", ""]
    facts = f"Synchronises: {f.tag('sync')}."
    for tag, label in (("threads", "Threads"), ("since", "Since")):
        if f.tag(tag) != headers.DEFAULTS[tag]:
            facts += f" {label}: {f.tag(tag)}."
    if f.name in parity.names():
        facts += f" CuPy: {', '.join(parity.names()[f.name])}."
    for tag, label in (("see", "See"), ("note", "Note")):
        if f.tag(tag):
            facts += f" {label}: {f.tag(tag)}."
    return out + [facts.replace("..", "."), ""]


def wrap_prototype(text, width=100):
    """Breaks a long prototype after commas, aligned after the parenthesis."""
    if len(text) <= width:
        return text
    indent = " " * (text.index("(") + 1)
    lines, line = [], ""
    for piece in re.findall(r"[^,]+,?\s*", text):
        if line and len(line) + len(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = indent
        line += piece
    return "\n".join(lines + [line])


def conventions():
    """The conventions of all functions, from the opening comment of base.h, which writes them as Markdown."""
    source = (headers.HEADERS / "base.h").read_text(encoding="utf-8")
    text = re.search(r"/\* base\.h - .*?\n \*\n(.*?) ?\*/", source, re.S).group(1)
    return [re.sub(r"^ \* ?", "", line) for line in text.splitlines()]


def contents(functions):
    """A line per function; forms of an operation that only differ in where the result goes are on its line."""
    forms, rows = {}, []
    for f in functions:
        base = re.sub(r"(_v)?(_into)?$", "", f.name)
        if base != f.name and base in forms:
            forms[base].append(f.name)
        else:
            forms[f.name] = [f.name]
            rows.append(f)
    out = ["| function | |", "|---|---|"]
    for f in rows:
        others = "".join(f", [`{n[len(f.name) :]}`](#{n})" for n in forms[f.name][1:])
        out.append(f"| [`{f.name}`](#{f.name}){others} | {cell(f.summary)} |")
    return out + [""]


def page(path, functions):
    called, structs = headers.read_called_macros(path), headers.read_structs(path)
    out = [
        "<!-- Generated by docs/make_reference.py from the header's comments; do not edit. -->",
        f"# {path.name}",
        "",
        headers.subject(path),
        "",
    ]
    if functions:
        out += contents(functions)
    rows = constants(path)
    if rows:
        out += ["## Constants", "", "| name | value | meaning |", "|---|---|---|"]
        out += [f"| `{n}` | `{v}` | {cell(c)} |" for n, v, c in rows] + [""]
    if called:
        out += ["## Macros", ""]
        for calls, doc in called:
            out += ["```c", *calls, "```", "", doc, ""]
    if structs:
        out += ["## Structs", ""]
        for struct in structs:
            out += [struct.doc, "", "```c", struct.text, "```", ""]
    if functions:
        out += ["## Functions", ""]
        for f in functions:
            out += function_section(f)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


MADE = "<!-- Generated by docs/make_reference.py from the headers' comments; do not edit. -->"


def index(pages):
    out = [
        MADE,
        "# C reference",
        "",
        "One page per public header; `arr.h` includes them all but `easy.h`. All functions [by name](functions.md) and",
        "[by the names of CuPy](names.md), which are those of NumPy and SciPy. The procedures of [Fortran](fortran.md).",
        "",
        "| header | subject | functions |",
        "|---|---|---:|",
    ]
    out += [f"| [{name}]({name[:-2]}.md) | {cell(about)} | {n} |" for name, about, n in pages]
    out += ["", "## Conventions", "", *conventions()]
    return "\n".join(out) + "\n"


def link(f):
    return f"[`{f.name}`]({f.header[:-2]}.md#{f.name})"


def by_name(functions):
    out = [MADE, "# Functions by name", "", "| function | |", "|---|---|"]
    out += [f"| {link(f)} | {cell(f.summary)} |" for f in sorted(functions, key=lambda f: f.name)]
    return "\n".join(out) + "\n"


def by_cupy(functions):
    """Each of CuPy's names with the functions that stand for it."""
    found = {}
    for f in functions:
        for name in parity.names().get(f.name, ()):
            if re.fullmatch(r"cupyx?(\.\w+)+", name):
                found.setdefault(name, []).append(f)
    out = [
        MADE,
        "# Functions by the names of CuPy",
        "",
        "`cupy.x` is `numpy.x` in NumPy, `cupyx.scipy.x` is `scipy.x` in SciPy. [parity.md](../parity.md) also has names without a",
        "function.",
        "",
        "| CuPy | libarr |",
        "|---|---|",
    ]
    for name in sorted(found, key=str.lower):
        out.append(f"| `{name}` | {', '.join(link(f) for f in found[name])} |")
    return "\n".join(out) + "\n"


HEADERS_LINK = re.compile(r"\]\((?:\.\./)*capi/include/arr(?:/(\w+)\.h)?\)")
FORTRAN_LINK = re.compile(r"\]\((?:\.\./)*bindings/fortran/src\)")


def linked(text, reference):
    """The text of a page; its links to headers and to Fortran's sources lead to their pages in the folder `reference`."""
    text = HEADERS_LINK.sub(lambda m: f"]({reference}/{m[1] or 'README'}.md)", text)
    return FORTRAN_LINK.sub(f"]({reference}/fortran.md)", text)


def write(folder, pages):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")


def reference():
    """({name: text} of the pages, how many functions they describe); faults are printed, and there are no pages then."""
    pages, listed, every, bad = {}, [], [], 0
    known = parameters()
    for path in headers.all_headers():
        functions = headers.read_functions(path)
        if len(functions) != headers.count_exports(path):
            print(
                f"{path.name}: {headers.count_exports(path)} declarations begin with ARR_API, "
                f"but {len(functions)} prototypes could be read"
            )
            bad += 1
        for f in functions:
            for fault in faults(f, known.get(f.name)):
                print(f"{path.relative_to(headers.ROOT)}:{f.line}: {f.name}: {fault}")
                bad += 1
        for name, _, meaning in constants(path):
            if not meaning:
                print(f"{path.name}: {name} has no comment")
                bad += 1
        every += functions
        listed.append((path.name, headers.subject(path), len(functions)))
        pages[path.stem + ".md"] = page(path, functions)
    pages |= {"README.md": index(listed), "functions.md": by_name(every), "names.md": by_cupy(every)}
    pages["fortran.md"], procedures = fortran_reference.page(MADE)
    if procedures < LEAST_OF_FORTRAN:
        print(
            f"of bindings/fortran/src only {procedures} procedures could be read, expected {LEAST_OF_FORTRAN} at least"
        )
        bad += 1
    if bad:
        print(f"{bad} faults in the comments of {len(every)} functions")
        return {}, len(every)
    return {name: literal(text) for name, text in pages.items()}, len(every)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", nargs="?", type=pathlib.Path)
    what.add_argument("--check", action="store_true")
    folder = parser.parse_args().folder
    pages, functions = reference()
    if not pages:
        return 1
    if folder is not None:
        write(folder / "reference", pages)
        guides = sorted(GUIDES.glob("*.md"))
        write(folder / "guides", {p.name: linked(p.read_text(encoding="utf-8"), "../reference") for p in guides})
    print(f"{functions} functions in {len(headers.all_headers())} headers, every comment complete")
    return 0


if __name__ == "__main__":
    sys.exit(main())
