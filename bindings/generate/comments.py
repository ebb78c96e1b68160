# SPDX-License-Identifier: MIT
"""Reads parts of the public headers that SWIG drops: doc comments, the headers' names, the comments of constants."""

import re
import sys

import swigxml

sys.path.insert(0, str(swigxml.ROOT / "docs"))
import headers  # noqa: E402  (docs/headers.py: the one parser of the doc comments)
import parity  # noqa: E402  (docs/parity.py: the names of CuPy that functions stand for)

_STRUCT = re.compile(r"/\*\*\s*((?:(?!\*/).)*?)\s*\*/\s*typedef struct \w+ \{(.*?)\}\s*(\w+);", re.S)
_FIELD = re.compile(r"(\w+)\s*;[ \t]*(?:/\*[ \t]*(.*?)[ \t]*\*/)?")


class CommentError(Exception):
    """A doc comment does not fit its prototype."""


def _one_line(text):
    return " ".join(re.sub(r"^\s*\* ?", "", text, flags=re.M).split())


def parameter(function, name, brackets, text):
    try:
        way, attributes = headers.read_brackets(brackets)
    except ValueError as error:
        raise CommentError(f"{function.header}:{function.line}: {function.name}: {name}: {error}") from error
    return {"direction": way.replace(",", ""), "attributes": attributes, "text": text}


def functions():
    """{name: {header, summary, text, parameters: {name: {direction, attributes, text}}, returns, sync, threads, since,
    cupy}}"""
    found = {}
    for f in headers.all_functions():
        if not f.summary:
            raise CommentError(f"{f.header}:{f.line}: {f.name} has no doc comment")
        names = [name for name, _, _ in f.param_tags()]
        if names != f.params:
            raise CommentError(f"{f.header}:{f.line}: {f.name}: @param says {names}, the prototype {f.params}")
        for tag in ("return", "sync"):
            if not f.tag(tag):
                raise CommentError(f"{f.header}:{f.line}: {f.name}: no @{tag}")
        found[f.name] = {
            "header": f.header,
            "summary": f.summary,
            "text": f.text,
            "parameters": {n: parameter(f, n, brackets, t) for n, brackets, t in f.param_tags()},
            "returns": f.tag("return"),
            "sync": f.tag("sync"),
            "threads": f.tag("threads"),
            "since": f.tag("since"),
            "cupy": parity.names().get(f.name, []),
        }
    return found


def macros():
    """{name: {header, doc, function, value}} of every ARR_ macro of the headers."""
    found = {}
    for m in headers.all_macros():
        found.setdefault(m.name, {"header": m.header, "doc": m.doc, "function": m.is_function, "value": m.value})
    return found


def structs():
    """{name: {header, doc, fields: {name: doc}}}"""
    found = {}
    for path in headers.all_headers():
        for m in _STRUCT.finditer(path.read_text(encoding="utf-8")):
            fields = {n: d or "" for n, d in _FIELD.findall(m.group(2))}
            found[m.group(3)] = {"header": path.name, "doc": _one_line(m.group(1)), "fields": fields}
    return found
