# SPDX-License-Identifier: MIT
"""Reads from the public headers what SWIG drops: doc comments, the headers' names, the comments of constants."""
import re
import sys

import swigxml

sys.path.insert(0, str(swigxml.ROOT / "docs"))
import headers  # noqa: E402  (docs/headers.py: the one parser of the doc comments)

_STRUCT = re.compile(r"/\*\*\s*((?:(?!\*/).)*?)\s*\*/\s*typedef struct \w+ \{(.*?)\}\s*(\w+);", re.S)
_FIELD = re.compile(r"(\w+)\s*;[ \t]*(?:/\*[ \t]*(.*?)[ \t]*\*/)?")


class CommentError(Exception):
    """A doc comment does not fit its prototype."""


def _one_line(text):
    return " ".join(re.sub(r"^\s*\* ?", "", text, flags=re.M).split())


def functions():
    """{name: {header, summary, text, parameters: {name: {direction, text}}, returns, sync, threads, since, cupy}}"""
    found = {}
    for f in headers.all_functions():
        if not f.summary:
            raise CommentError(f"{f.header}:{f.line}: {f.name} has no doc comment")
        docs = f.param_docs()
        if list(docs) != f.params:
            raise CommentError(f"{f.header}:{f.line}: {f.name}: @param says {list(docs)}, the prototype {f.params}")
        for tag in ("return", "sync", "threads", "since"):
            if not f.tag(tag):
                raise CommentError(f"{f.header}:{f.line}: {f.name}: no @{tag}")
        cupy = f.tag("cupy")
        found[f.name] = {
            "header": f.header, "summary": f.summary, "text": f.text,
            "parameters": {n: {"direction": d.replace(",", ""), "text": t} for n, (d, t) in docs.items()},
            "returns": f.tag("return"), "sync": f.tag("sync"), "threads": f.tag("threads"), "since": f.tag("since"),
            "cupy": re.split(r"\s*,\s*", cupy) if cupy else [],
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
