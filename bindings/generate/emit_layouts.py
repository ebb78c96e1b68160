# SPDX-License-Identifier: MIT
"""layout.c and layout.f90, for tests: what the compilers of C and Fortran make of every number that the languages are given."""

import text


INF, NAN = "__builtin_inf()", '__builtin_nan("")'


def c_layout(api):
    out = text.banner("//", "layout.c: sizes, offsets, constants and prototypes, as the C compiler sees them.")
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
    return out


def fortran_layout(api):
    """A program that compares the layouts that the Fortran compiler chose with C's."""
    out = text.banner("!", "layout.f90: sizes and offsets of the Fortran types are those of C.")
    out += "program layout\n    use, intrinsic :: iso_c_binding\n    use arr_c\n    implicit none\n"
    rows = [(h + "_handle", 8, [{"name": "ptr", "offset": 0}]) for h in api["handles"]]
    rows += [(s["name"], s["size"], s["fields"]) for s in api["structs"]]
    out += "".join(f"    type({name}), target :: v{i}\n" for i, (name, _, _) in enumerate(rows)) + "\n"
    for i, (name, size, fields) in enumerate(rows):
        out += f"    call same(int(c_sizeof(v{i})), {size}, 'size of {name}')\n"
        for f in fields:
            field_address = f"c_loc(v{i}%{f['name']})"
            out += f"    call same(int(address({field_address}) - address(c_loc(v{i}))), {f['offset']}, &\n"
            out += f"        '{name}%{f['name']}')\n"
    return (
        out
        + """
contains

    function address(p) result(n)
        type(c_ptr), intent(in) :: p
        integer(c_intptr_t) :: n
        n = transfer(p, n)
    end function address

    subroutine same(got, expected, what)
        integer, intent(in) :: got, expected
        character(len=*), intent(in) :: what
        if (got == expected) return
        print '(a,a,i0,a,i0)', what, ': got ', got, ', expected ', expected
        error stop 1
    end subroutine same
end program layout
"""
    )


def emit(api):
    return {"layout.c": c_layout(api), "layout.f90": fortran_layout(api)}
