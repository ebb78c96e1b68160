# SPDX-License-Identifier: MIT
"""The procedures of Fortran's module by their generic names, and those of types."""

import re

import fortran_reference
from languages.definition import Definition

SKIPPED = fortran_reference.NODES | {"arr_constants_generated.f90"}


def definition(name, procedure, c_names, bound="", public=True):
    skip = (procedure.names[0],) if bound and procedure.names else ()
    shown = f"{'x%' if bound else ''}{name}"
    signature = procedure.signature(shown, skip)
    call = re.sub(r"\[.*\]", "", signature)
    if procedure.kind == "function":
        call = f"y = {call}"
    body = re.sub(r"\bc_\w+", lambda m: c_names.get(m[0], "arr_" + m[0][2:]), procedure.body)
    foreign = public and not bound and not name.startswith("arr_")
    own = f"{bound}%{name}" if bound else name
    return Definition(own, signature, call, True, body, foreign, len(procedure.names))


def definitions(root, _api):
    found = []
    for path in sorted((root / "bindings/fortran/src").glob("*.[fF]90")):
        if path.name in SKIPPED:
            continue
        text = fortran_reference.joined(path.read_text(encoding="utf-8"))
        known = fortran_reference.procedures(text)
        c_names = dict(re.findall(r"\b(c_\w+) => (arr_\w+)", text))
        public = set()
        for _, name, body in fortran_reference.INTERFACE.findall(text):
            specific = [n for line in re.findall(r"module procedure (.*)", body) for n in fortran_reference.split(line)]
            public |= set(specific)
            found += [definition(name, known[n], c_names) for n in specific if n in known]
        for kind, _, body in fortran_reference.BOUND.findall(text):
            for line in re.findall(r"(?m)^        procedure(?:, [\w, ()]+)? :: (.*)$", body):
                for item in fortran_reference.split(line):
                    name, _, specific = (part.strip() for part in item.partition("=>"))
                    if (specific or name) in known:
                        public.add(specific or name)
                        found.append(definition(name, known[specific or name], c_names, kind.removesuffix("_base")))
        for name, procedure in known.items():
            if name not in public:
                made = definition(name, procedure, c_names, public=False)
                made.public = name.startswith("arr_") and bool(re.search(rf"(?m)^    public ::.*\b{name}\b", text))
                found.append(made)
    return found
