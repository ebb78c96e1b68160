# SPDX-License-Identifier: MIT
"""The operations and reductions of core/table, and which C functions come from them."""

import importlib.util

import swigxml

_SPEC = importlib.util.spec_from_file_location("table_generate", swigxml.ROOT / "core" / "table" / "generate.py")
table = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(table)


def ops():
    return [
        {
            "name": r[1],
            "number": int(r[0]),
            "arity": int(r[2]),
            "inputs": r[3],
            "output": r[4],
            "domain": r[5],
            "lift": r[6],
            "doc": r[9],
            "cupy": r[10].split(),
        }
        for r in table.rows("ops.def", "ARR_OP")
    ]


def reductions():
    """Those whose functions all have one form; the others are functions like any other."""
    return [
        {
            "name": r[1],
            "number": int(r[0]),
            "kind": r[2],
            "domain": r[3],
            "acc": r[4],
            "output": r[5],
            "empty": r[6],
            "doc": r[10],
            "cupy": r[11].split(),
        }
        for r in table.rows("reductions.def", "ARR_REDUCTION")
        if r[14] == "PLAIN"
    ]


def scans():
    """With the types of the reduction that each combines by."""
    types = {r[1]: (r[3], r[4], r[5]) for r in table.rows("reductions.def", "ARR_REDUCTION")}
    return [
        {
            "name": r[0],
            "reduction": r[1],
            "nan": r[2],
            "form": r[3],
            "doc": r[4],
            "cupy": r[5].split(),
            **dict(zip(("domain", "acc", "output"), types[r[1]])),
        }
        for r in table.rows("scans.def", "ARR_SCAN")
    ]


def families():
    """{function: {"family", "name", "number", "form", "arity"}} of the functions of a table row."""
    found = {}
    for kind, rows in (("op", ops()), ("reduction", reductions())):
        for row in rows:
            base = {"family": kind, "name": row["name"], "number": row["number"], "arity": row.get("arity", 1)}
            found[f"arr_{row['name']}"] = {**base, "form": "new"}
            found[f"arr_{row['name']}_into"] = {**base, "form": "into"}
            if kind == "op" and row["arity"] > 1:
                found[f"arr_{row['name']}_v"] = {**base, "form": "values"}
                found[f"arr_{row['name']}_v_into"] = {**base, "form": "values_into"}
    return found
