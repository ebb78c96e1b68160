# SPDX-License-Identifier: MIT
"""tests/abi/layout_generated.c: the C compiler's word on every number that the other languages are given."""

import text


INF, NAN = "__builtin_inf()", '__builtin_nan("")'


def emit(api):
    out = text.banner(
        "//", "layout_generated.c: sizes, offsets, constants and prototypes, as the C compiler sees them."
    )
    out += '#include "arr/arr.h"\n#include <stddef.h>\n\n'
    out += "#define SAME(expression, number) _Static_assert((expression) == (number), #expression)\n\n"
    for s in api["structs"]:
        out += f"SAME(sizeof({s['name']}), {s['size']});\nSAME(_Alignof({s['name']}), {s['align']});\n"
        for f in s["fields"]:
            out += f"SAME(offsetof({s['name']}, {f['name']}), {f['offset']});\n"
            out += f"SAME(sizeof((({s['name']} *)0)->{f['name']}), {f['size']});\n"
        out += "\n"
    for h in api["handles"]:
        out += f"SAME(sizeof({h}), 8);\n"
    whole = [c for c in api["constants"] if c.get("type") != "double"]
    reals = [c for c in api["constants"] if c.get("type") == "double"]
    out += "\n" + "".join(f"SAME({c['name']}, {c['value']});\n" for c in whole)
    out += "\n/* Pairs that main.c finds to be the same numbers. */\n"
    out += f"const int abi_doubles_count = {len(reals)};\nconst double abi_doubles[][2] = {{\n"
    out += "".join(f"    {{{c['name']}, {text.constant(c, '', '{}', INF, NAN)}}},\n" for c in reals) + "};\n"
    out += (
        "\n/* An initialiser of another type is an error: the headers and the bindings agree on every prototype. */\n"
    )
    for f in api["functions"]:
        types = [p["type"]["c"] for p in f["parameters"]] or ["void"]
        out += f"{f['returns']['type']['c']} (*const abi_{f['name']})({', '.join(types)}) = {f['name']};\n"
    return {"tests/abi/layout_generated.c": out}
