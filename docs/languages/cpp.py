# SPDX-License-Identifier: MIT
"""The functions, methods and constructors of the C++ headers."""

import re

from languages.definition import Definition, closed, one_line, split

FOLDER = "bindings/cpp/include/arr/cpp"
SCOPE = re.compile(r"\b(namespace|class|struct)\s+(?:ARR_\w+\s+)?([\w:]+)?[^()=]*$")
# One with a body that is no function, or with a name that no program writes.
NO_FUNCTION = re.compile(r"\b(enum|union|using|static_assert|operator delete|if|for|while|switch)\b|=\s*$")
HEAD = re.compile(r"([\w:~]+|operator\s*(?:\(\)|\[\]|[^\s(]+|[\w: ]+))\s*\(")
KEPT = re.compile(
    r"\b(inline|constexpr|explicit|static|friend|virtual|noexcept)\b\s*|\[\[\w+\]\]\s*|^template <[^{]*?>\s+(?=\w)"
)


def without_comments(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", " ", text)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


def call(name, kind, arguments):
    given = [a for a in arguments if "=" not in re.sub(r"[<>=!]=", "", a)]
    names = [re.sub(r".*?(\w+)(?:\[\w*\])?$", r"\1", a) + ("..." if "..." in a else "") for a in given]
    listed = f"({', '.join(n.rstrip('_') for n in names)})"
    if kind == name:
        return f"arr::{kind} x{listed if names else ''};"
    return f"{'x.' if kind else 'arr::'}{name}{listed};"


def definition(head, body, scopes, rank):
    """The Definition of a head such as `inline array sort(const array &a)`, or None."""
    head = one_line(re.sub(r"\b(public|private|protected)\s*:", "", head))
    found = HEAD.search(re.sub(r"template <.*?>(?= \w)", lambda m: " " * len(m[0]), head))
    if not found or NO_FUNCTION.search(head.split("(")[0]):
        return None
    end = closed(head, found.end() - 1)
    name, tail = found[1].replace("inline ", ""), head[end:].split(" : ")[0]
    kind = next((n for k, n, _ in reversed(scopes) if k in ("class", "struct")), "")
    if "::" in name:
        kind, _, name = name.rpartition("::")
    shown = KEPT.sub("", head[:end]) + tail.replace(" noexcept", "").split(" ->")[0].rstrip()
    public = not any(n == "detail" for _, n, _ in scopes) and all(a for _, _, a in scopes) and not name.startswith("~")
    qualified = f"{kind}::{name}" if kind else name
    if kind and "::" not in found[1]:
        at = shown.find(name + "(")
        shown = shown[:at] + kind + "::" + shown[at:]
    return Definition(
        qualified, shown, call(name, kind, split(head[found.end() : end - 1])), public, head + " " + body, rank=rank
    )


def definitions_of(text, rank):
    """All definitions of a header: scopes are entered, bodies are not."""
    code, found, scopes, last, i = without_comments(text), [], [], 0, 0
    while i < len(code):
        c = code[i]
        if c == ";" or c == ":" and re.search(r"\b(public|private|protected)\s*$", code[last:i]):
            if c == ":" and scopes:
                kind, name, _ = scopes[-1]
                scopes[-1] = (kind, name, "public" in code[last:i])
            last = i + 1
        elif c == "(":
            i = closed(code, i) - 1
        elif c == "}":
            if scopes:
                scopes.pop()
            last = i + 1
        elif c == "{":
            head = code[last:i]
            scope = SCOPE.search(head)
            if scope and "(" not in head:
                scopes.append((scope[1], scope[2] or "", scope[1] != "class"))
                last = i + 1
            else:
                end = closed(code, i)
                # The braces of a member's initial value, before those of the body.
                if re.match(r"\s*(,|\{)", code[end:]) and ") :" in " ".join(head.split()):
                    i = end
                    continue
                made = definition(head, code[i:end], scopes, rank)
                if made:
                    found.append(made)
                i, last = end - 1, end
        i += 1
    return found


def definitions(root, _api):
    found = []
    for path in sorted((root / FOLDER).glob("*.hpp")):
        if path.name not in ("nodes_generated.hpp", "methods_generated.hpp"):
            found += definitions_of(path.read_text(encoding="utf-8"), int("_generated" not in path.name))
    return found
