# SPDX-License-Identifier: MIT
"""The procedures of the Fortran module `arr` with their arguments, read from bindings/fortran/src; for make_reference.py."""

import collections
import re

import headers

SOURCES = headers.ROOT / "bindings" / "fortran" / "src"
INTERFACE = re.compile(r"(?m)((?:^    !.*\n)*)^    interface (\w+(?:\([^)]*\))?)\n((?:        module procedure .*\n)+)")
HEAD = re.compile(
    r"(?mi)^    (?:(?:recursive|pure|elemental|impure) )*(subroutine|function) (\w+)\((.*?)\)(?: result\((\w+)\))?$"
)
DECLARATION = re.compile(
    r"^        (type\(\w+\)|class\([\w*]+\)|\w+(?:\([^)]*\))?|procedure\(\w+\))((?:, [^:]+)?) :: (.+)$"
)
BOUND = re.compile(
    r"(?m)^    type(?:, [\w, ()]+)? :: (\w+)\n((?:(?!^    end type).*\n)*?)^    contains\n((?:(?!^    end type).*\n)*)"
)
NODES = {"arr_nodes_generated.f90", "arr_generated.f90", "arr_loader_generated.f90"}


def joined(text):
    """Without continuations of lines."""
    return re.sub(r"&\s*\n\s*&?", "", text)


def split(names):
    """Names between commas that no bracket holds."""
    return [n.strip() for n in re.split(r",(?![^(]*\))", names) if n.strip()]


class Procedure:
    def __init__(self, kind, arguments, result, body):
        self.kind, self.names, self.types, self.optional = kind, split(arguments), {}, set()
        self.body = body
        wanted = {n.lower() for n in self.names} | {(result or "").lower()}
        for line in body.splitlines():
            found = DECLARATION.match(line.split("!")[0].rstrip())
            if not found:
                continue
            for name in split(found[3]):
                plain = re.sub(r"[(=\s].*", "", name)
                if plain.lower() in wanted and plain not in self.types:
                    rank = re.search(r"\(.*\)", name)
                    kept = [a for a in split(found[2]) if a in ("allocatable", "pointer", "target")]
                    self.types[plain] = ", ".join([found[1], *kept]) + (f" {rank[0]}" if rank else "")
                    if "optional" in split(found[2]):
                        self.optional.add(plain)
        self.result = self.types.get(result, "") if result else ""

    def signature(self, name, skip=()):
        """As Fortran's standard writes them: optional arguments in brackets."""
        must = [n for n in self.names if n not in self.optional and n not in skip]
        may = [n for n in self.names if n in self.optional]
        inside = ", ".join(must) + (f"[{', ' if must else ''}{', '.join(may)}]" if may else "")
        return f"{'call ' if self.kind == 'subroutine' else ''}{name}({inside})"

    def arguments(self, skip=()):
        said = [f"`{n}`: {self.types.get(n, 'procedure')}" for n in self.names if n not in ("stream", "err", *skip)]
        return "; ".join(said + [f"result: {self.result}"] * bool(self.result))


def procedures(text):
    """{name: Procedure} of a module."""
    found, code = {}, joined(text)
    heads = list(HEAD.finditer(code))
    for i, head in enumerate(heads):
        end = heads[i + 1].start() if i + 1 < len(heads) else len(code)
        body = code[head.end() : end]
        found[head[2]] = Procedure(head[1].lower(), head[3], head[4], body)
    return found


def forms(names, known):
    """The distinct forms among specific procedures: those that differ in kinds only are one, of the first's kinds."""
    kept = collections.OrderedDict()
    for name in names:
        if name in known:
            p = known[name]
            kept.setdefault((tuple(p.names), frozenset(p.optional)), []).append(p)
    return [(group[0], len(group)) for group in kept.values()]


def entry(name, comment, listed, skip=()):
    out = [f"### {name}", ""]
    said = re.sub(r"\s+", " ", comment).strip()
    out += [said, ""] if said else []
    for p, count in listed:
        told = p.arguments(skip)
        more = f"; {count} combinations of types" if count > 1 else ""
        out += [f"- `{p.signature(name, skip)}`" + (f"<br>{told}{more}" if told else "")]
    out.append("")
    return out


def of_module(text):
    """{name: lines}"""
    known, found = procedures(text), {}
    for comment, name, body in INTERFACE.findall(joined(text)):
        listed = forms([n for line in re.findall(r"module procedure (.*)", body) for n in split(line)], known)
        if listed and not name.startswith(("operator", "assignment", "write")):
            found.setdefault(name, []).append((re.sub(r"(?m)^    ! ?", "", comment), listed))
    for kind, _, body in BOUND.findall(joined(text)):
        for line in re.findall(r"(?m)^        procedure(?:, [\w, ()]+)? :: (.*)$", body):
            if ", private ::" in line:
                continue
            for item in split(line):
                name, _, specific = (part.strip() for part in item.partition("=>"))
                p = known.get(specific or name)
                if p:
                    found.setdefault(f"{kind.removesuffix('_base')}%{name}", []).append(("", [(p, 1)]))
    return found


def page(made):
    out = [
        made.replace("the headers' comments", "the sources in bindings/fortran/src"),
        "# Fortran reference",
        "",
        "The procedures of module `arr` with their arguments; [the guide](../guides/fortran.md) explains them. Arguments in",
        "brackets are optional. `stream` is the `type(arr_stream)` to work in, `err` the `type(arr_error)` that receives a",
        "failure. Expressions (`type(arr_node)`) have the element-wise operations by the same names.",
        "",
    ]
    found = {}
    for path in sorted(SOURCES.glob("*.[fF]90")):
        if path.name not in NODES:
            for name, entries in of_module(path.read_text(encoding="utf-8")).items():
                found.setdefault(name, []).extend(entries)
    for name in sorted(found, key=lambda n: n.lower().removeprefix("arr_")):
        comment = next((c for c, _ in found[name] if c), "")
        shown = name.partition("%")[2] and [p.names[0] for _, listed in found[name] for p, _ in listed if p.names]
        listed = sorted((one for _, each in found[name] for one in each), key=lambda one: (one[1], len(one[0].names)))
        out += entry(name, comment, listed, shown or ())
    return "\n".join(out) + "\n", len(found)
