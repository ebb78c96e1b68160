# SPDX-License-Identifier: MIT
"""Writes the generated files, or compares them byte for byte."""

import json

import swigxml

WIDTH = 480


def dump(value, indent=0):
    """JSON with sorted keys; what fits on a line stands on one, so that a diff shows one parameter per line."""
    flat = json.dumps(value, sort_keys=True, ensure_ascii=True)
    simple = not isinstance(value, (dict, list)) or not value
    if simple or (indent and len(flat) + indent <= WIDTH):
        return flat
    pad = " " * (indent + 1)
    if isinstance(value, list):
        return "[\n" + ",\n".join(pad + dump(v, indent + 1) for v in value) + "\n" + " " * indent + "]"
    rows = (f"{pad}{json.dumps(k)}: {dump(v, indent + 1)}" for k, v in sorted(value.items()))
    return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"


def write_or_check(files, check):
    """Writes {path: text}; with check writes nothing. Returns how many files were, or are, not up to date."""
    stale = 0
    for name, text in sorted(files.items()):
        path = swigxml.ROOT / name
        if path.exists() and path.read_bytes() == text.encode("utf-8"):
            continue
        stale += 1
        if check:
            print(f"{name}: not up to date; run bindings/generate/generate.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
            print(f"wrote {name}")
    return stale
