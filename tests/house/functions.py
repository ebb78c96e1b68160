# SPDX-License-Identifier: MIT
"""Lengths of the functions of a source file, by language: enough to find the long ones, not a parser."""

import ast
import re

import source

_CONTROL = re.compile(r"\b(?:if|for|while|switch|catch|do|else|return)\b")


def _braces(text, is_function):
    """(first line, length, name) of outermost {...} blocks that is_function accepts."""
    stack, head_start = [], 0
    inside = 0  # depth of function blocks we are in
    closed = None  # the block that ended last: `S() : a{1}, b{2} {` has two before its body
    for m in re.finditer(r"[{};]|^[ \t]*#.*$", text, re.M):
        token = m.group(0)
        if token == "{":
            head = text[head_start : m.start()].strip()
            name = None if inside else is_function(head)
            start = text.count("\n", 0, m.start() - len(text[head_start : m.start()].lstrip())) + 1
            if closed and not inside and (head == "" or head.startswith(",")):
                name, start = closed
            else:
                closed = None
            stack.append((name, start))
            inside += name is not None
        elif token == "}" and stack:
            name, start = stack.pop()
            closed = None
            if name is not None:
                inside -= 1
                closed = (name, start)
                yield start, text.count("\n", 0, m.start()) + 2 - start, name
        else:
            closed = None
        head_start = m.end()


def _c_function(head):
    """The name, where head is what stands before a function's body."""
    head = re.sub(r"\[\[[^\]]*\]\]|^(?:public|private|protected):", "", head).strip()
    if not head or "=" in re.sub(r"\([^()]*\)|operator\s*\S+|[<>=!]=", "", head) or head.endswith(","):
        return None
    found = re.search(r"(operator\s*[^\s(]+|~?\w+)\s*\(", head)
    if not found or _CONTROL.match(found.group(1)):
        return None
    # After the parameters only qualifiers, a trailing return type or an initialiser list may follow.
    return (
        found.group(1)
        if re.search(r"\)\s*(?:const|noexcept|override|final|mutable|&|->.*|:.*|\s)*$", head, re.S)
        else None
    )


def _rust_function(head):
    found = re.search(r"\bfn\s+(\w+)", head)
    return found.group(1) if found else None


def _python(text):
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1, node.name


def _by_lines(text, begin, end):
    """Blocks from a line matching begin to the next line matching end, with the same indentation."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if start is None:
            found = begin.match(line)
            if found:
                start = (number, found.group("name"), found.group("indent"))
        elif end.match(line) and len(line) - len(line.lstrip()) <= len(start[2]):
            yield start[0], number - start[0] + 1, start[1]
            start = None


_JULIA = (re.compile(r"(?P<indent>\s*)(?:@\w+\s+)*(?:function|macro)\s+(?P<name>[\w.!]+)"), re.compile(r"\s*end\b"))
_FORTRAN = (
    re.compile(r"(?P<indent>\s*)(?!end\b)(?:[\w()=,*]+\s+)*?(?:subroutine|function)\s+(?P<name>\w+)\s*\(", re.I),
    re.compile(r"\s*end\s*(?:subroutine|function|procedure)?\s*\w*\s*$", re.I),
)


def lengths(name, text):
    """(line, length, function) of the functions of a file; nothing for languages not known here."""
    if name.suffix in source.C_LIKE:
        code = re.sub(
            r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
            lambda m: re.sub(r"[^\n]", " ", m.group(0)),
            source.strip_c(text),
            flags=re.M,
        )
        return list(_braces(code, _c_function))
    if name.suffix == ".rs":
        return list(_braces(source.strip_c(text), _rust_function))
    if name.suffix == ".py":
        return list(_python(text))
    if name.suffix == ".jl":
        return list(_by_lines(text, *_JULIA))
    if name.suffix in (".f90", ".F90"):
        return list(_by_lines(text, *_FORTRAN))
    return []
