# SPDX-License-Identifier: MIT
"""The methods and functions of the Rust crate, also those that its macros make of rows."""

import re

from languages.definition import Definition, closed, one_line, split

FOLDER = "bindings/rust/arr/src"
# Macros of rows, in the order of their use.
MACROS = ("typed_ops", "choices", "dynamic_ops", "reductions", "scans", "initial_scans", "cosines", "padded", "joins")
MACROS += ("distributions", "spectra")
IMPLEMENTATION = re.compile(
    r"(?ms)^( *)(?:unsafe )?impl(?:<(?:[^<>]|<[^<>]*>)*>)? ([^\n{]*?)\s*(?:where[^{]*)?\{\n(.*?)^\1\}"
)
FUNCTION = re.compile(r"(?m)^ *((?:pub(?:\([^)]*\))? )?)(?:const |unsafe |extern \"C\" )*fn (\w+)")
PIECES = {
    "ident": r"(\w+)",
    "ty": r"([^;]+?)",
    "expr": r"([^;]+?)",
    "literal": r"(\S+)",
    "meta": r"[^\n]*",
    "tt": r"(\S+)",
}


# Documentation in the rows of macros: attributes and examples.
EXAMPLE = re.compile(r"\s*\$\(, \$example:literal\)\?|\$\(#\[doc = example!\(\$example\)\]\)\?|\$\(#\[\$doc:meta\]\)\*")
TEXT = re.compile(r',\s*"(?:[^"\\]|\\.)*"(?=;)')


def without_comments(text):
    return re.sub(r"(?m)^\s*//.*\n|//[^\n\"]*$", "", text)


def pattern(rows):
    """A regular expression for a row of a macro, and {name: it is a list}."""
    names = {}

    def piece(found):
        text, kind = found[0], re.match(r"\$(\w+):(\w+)", found[0])
        if kind:
            names[kind[1]] = False
            return PIECES[kind[2]]
        inner = re.search(r"\$(\w+):\w+", text)
        names[inner[1]] = text.rstrip("*+?")[-1:] == "," or text.endswith(("*", "+"))
        return r"((?:\w+(?:, )?)*)" if names[inner[1]] else r"(?:(\w+))?"

    parts = re.split(r"(\$\(\$\w+:\w+\),?[*+?]|\$\w+:\w+)", " ".join(rows.split()))
    made = "".join(piece([p]) if p.startswith("$") else re.escape(p) for p in parts)
    # Whitespace between words is there: a pattern that may split a word takes long.
    return re.compile(made.replace(r"\ (?:(", r"(?:\s+(").replace(r"\ ", r"\s+")), names


def expanded(body, values):
    """The body of a macro with the values of a row; what is repeated holds a list."""
    lists = {n: v for n, v in values.items() if isinstance(v, list)}
    group = re.compile(r"\$\(((?:[^()$]|\$(?!\()|\([^()]*\))*)\)([^\s*+?()])?([*+?])")
    while found := group.search(body):
        inner, mark = found[1], found[2] or ""
        name = next((n for n in lists if re.search(rf"\${n}\b", inner)), None)
        absent = [n for n, v in values.items() if v is None and re.search(rf"\${n}\b", inner)]
        if "$doc" in inner or absent:
            made = ""
        elif name:
            made = mark.join(re.sub(rf"\${name}\b", v, inner) for v in lists[name])
        else:
            made = inner
        body = body[: found.start()] + made + body[found.end() :]
    for name, value in values.items():
        body = re.sub(rf"\${name}\b", lambda _, v=value: v if isinstance(v, str) else "", body)
    return body


def macros(sources):
    """{name: (pattern of a row, names, body)}"""
    found = {}
    for text in sources:
        for name in re.findall(r"macro_rules! (\w+) \{", text):
            if name not in MACROS:
                continue
            start = text.index(f"macro_rules! {name} {{")
            head = text.index("(", start)
            end = closed(text, head)
            rows = text[head + 1 : end - 1]
            rows = rows.rpartition("];")[2] if rows.startswith("$self") else rows
            rows = EXAMPLE.sub("", rows[rows.index("$(") + 2 : rows.rindex(")")])
            made, names = pattern(rows)
            arrow = text.index("{", end)
            body = text[arrow + 1 : closed(text, arrow) - 1]
            body = EXAMPLE.sub("", body)
            body = re.sub(r"impl<\$\(\$bound\)\*> \$self", "impl<T: Element> Array<T>", body)
            body = re.sub(r"\)\*(?=\s*\})", "", re.sub(r"(?<=\{)\s*\$\((?=\s)", "", body))  # a row is written once
            found[name] = made, names, body
    return found


def made_by_macros(sources):
    """The text that each row of the macros stands for."""
    known, out = macros(sources), []
    for text in sources:
        for use in re.finditer(r"(?m)^(\w+)! \{", text):
            if use[1] not in known:
                continue
            row, names, body = known[use[1]]
            inside = re.sub(r"#\[[^\n]*\]", "", text[use.end() : text.index("\n}", use.end())])
            inside = TEXT.sub("", inside) + "\n"
            for found in row.finditer(inside):
                values = {}
                for (name, many), value in zip(names.items(), found.groups()):
                    values[name] = [v for v in re.split(r",\s*", value or "") if v] if many else value
                out.append(expanded(body, values))
    return out


def definition(owner, head, name, body, public):
    head = one_line(re.sub(r"^\s*pub(?:\([^)]*\))? ", "", head)).rstrip(",")
    start = head.index("(")
    if "<" in head[:start]:
        start = head.index("(", closed_angle(head, head.index("<")))
    arguments = split(head[start + 1 : closed(head, start) - 1])
    method = bool(arguments) and re.match(r"&?(?:'\w+ )?(?:mut )?self\b", arguments[0])
    names = [a.split(":")[0].replace("mut ", "") for a in arguments if not re.match(r"&?(?:'\w+ )?(?:mut )?self\b", a)]
    receiver = "a" if owner in ("Array", "DynArray") else "x"
    start = f"{receiver}." if method else f"{owner}::" if owner else "arr::"
    end = "?" if "-> Result" in head or "-> crate::Result" in head else ""
    own = f"{owner}::{name}" if owner else name
    order = ("Array", "", "Generator", "Device", "DynArray").index(owner) if owner in ("Array", "DynArray") else 1
    return Definition(
        own,
        own.removesuffix(name) + head.replace("fn ", "", 1),
        f"{start}{name}({', '.join(names)}){end};",
        public,
        head + body,
        rank=order,
    )


def closed_angle(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "<") - (text[i] == ">" and text[i - 1] != "-")
        if depth == 0:
            return i + 1
    return len(text)


def functions(owner, text):
    heads = list(FUNCTION.finditer(text))
    for i, found in enumerate(heads):
        end = heads[i + 1].start() if i + 1 < len(heads) else len(text)
        brace = re.search(r"\{[ \n]|;\n", text[found.start() : end])
        if brace and found[2] not in ("drop", "fmt"):
            at = found.start() + brace.start()
            end = closed(text, at) if text[at] == "{" else end
            yield definition(owner, text[found.start() : at], found[2], text[at:end], found[1] == "pub ")


def definitions_of(text):
    found = []
    for block in IMPLEMENTATION.finditer(text):
        owner = re.match(r"(?:\w+::)*(\w+)", block[2])
        if " for " not in block[2]:
            found += functions(owner[1] if owner else "", block[3])
    outside = IMPLEMENTATION.sub("", text)
    outside = re.sub(r"(?ms)^macro_rules! .*?^\}", "", outside)
    found += functions("", outside)
    for block in IMPLEMENTATION.finditer(text):
        trait, _, kind = block[2].partition(" for ")
        if kind and "$" not in block[2] and re.match(r"(?:\w+::)*(\w+)", kind):
            name = re.match(r"(?:\w+::)*(\w+)", kind)[1]
            head = f"impl {one_line(block[2])}"
            call = "drop(x);" if trait.endswith("Drop") else head
            found.append(Definition(f"{name}::{trait}", head, call, True, block[3], rank=5))
    return found


def definitions(root, _api):
    sources = [without_comments(p.read_text(encoding="utf-8")) for p in sorted((root / FOLDER).glob("*.rs"))]
    found = [d for text in [*sources, *made_by_macros(sources)] for d in definitions_of(text)]
    return without_try(found)


def without_try(found):
    """`try_x` goes with `x`, which panics where it fails."""
    known = {d.name: d for d in found}
    kept = []
    for d in found:
        owner, _, name = d.name.rpartition("::")
        plain = known.get(f"{owner}::{name.removeprefix('try_')}" if owner else name.removeprefix("try_"))
        if name.startswith("try_") and plain and name in plain.mentions:
            plain.calls |= d.calls
        else:
            kept.append(d)
    return kept
