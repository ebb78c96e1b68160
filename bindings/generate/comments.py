# SPDX-License-Identifier: MIT
"""What SWIG drops of the public headers, as docs/headers.py reads it: comments, and the header of each declaration."""

import re
import sys

import swigxml

sys.path.insert(0, str(swigxml.ROOT / "docs"))
import headers  # noqa: E402
import parity  # noqa: E402  (docs/parity.py: the names of CuPy that functions stand for)


class CommentError(Exception):
    """A doc comment does not fit its prototype."""


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
        if len(set(names)) != len(names):
            raise CommentError(f"{f.header}:{f.line}: {f.name}: @param says {names}, a name twice")
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
    return {
        s.name: {"header": s.header, "doc": s.doc, "fields": s.fields}
        for path in headers.all_headers()
        for s in headers.read_structs(path)
        if s.doc
    }
