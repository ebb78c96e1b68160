# SPDX-License-Identifier: MIT
"""arr_functions: the Fortran procedures of C functions of arrays, numbers, dimensions, texts and streams.

Each C function becomes a procedure whose shape is always the same: what it is given is made into what C takes, C is
called, operands that were temporary are freed, a failure goes to err. fortran_arguments.py has the rules by which
arguments are made, fortran_table.py has what differs. A function with an argument of another kind (a callback, an
options struct, raw memory) is left to hand-written modules.
"""

import emit_fortran_handles
import fortran_arguments as arguments
import fortran_table as table
import text
from fortran_arguments import Unfit
from fortran_kinds import interface
from fortran_procedure import WIDTH, Procedure, wrapped

HEAD = """!
! Dimensions and indices count from 1. Where no dim is given, functions of one dimension work along the first,
! functions of several over all.
module arr_functions
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use arr_c_types
"""
HELPERS = """    use arr_counting, only: axis_of, index_of, turned_axis_of
    use arr_element_types, only: dtype_from, dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, all_done, choice, done, handle_of, handles, set_unless, stream_of, &
        take_over
    use arr_handle_types, only: {types}, done, give
    use arr_engine, only: dims_of
    use arr_arguments
    use arr_linear_operators, only: any_operator, arr_solve_callback, done_any, drop_operator, operator_of, &
        report_to, solver_progress
"""
TYPE = """{doc}    type :: {name}
        type(arr_{kind}_handle) :: handle
    contains
{bound}        procedure :: release => release_{kind}
        final :: finalize_{kind}
    end type {name}

"""
DOC = {
    "comm": "A rank of a communicator.",
    "decomposition": "Says which elements of a global array each rank of a communicator has.",
    "dist": "A distributed array: a global array of which each rank of a communicator has a part.",
    "dist_sparse": "A sparse matrix whose rows are divided among ranks: this rank's part.",
    "event": "A mark in a stream.",
    "generator": "A source of random numbers; one that was not created is the process's own.",
    "sparse_factor": "A factored sparse matrix, to solve equations with.",
    "graph": "Work of a stream, captured to be launched as a whole.",
}
COPIED = "Pass it on, do not copy it: the first copy that goes ends it."
TYPE_PROCEDURES = """    impure elemental subroutine finalize_{kind}(self)
        type({name}), intent(inout) :: self
        call self%release()
    end subroutine finalize_{kind}

    ! Work that it has begun continues.
    impure elemental subroutine release_{kind}(self)
        class({name}), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_{kind}_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_{kind}

"""


def handle_kinds(api):
    """Handles that have their own type here: all but arrays, matrices, streams and errors."""
    return [h[4:] for h in api["handles"] if h[4:] not in (*arguments.VALUES, "stream", "error")]


def type_name(kind):
    return f"arr_{kind}" + ("" if kind in arguments.PLAIN_HANDLES else "_base")


def writes(family):
    """True for the form that writes into an array; an op of several operands has that form with numbers."""
    several = family["family"] == "op" and family["arity"] > 1
    return family["form"] == ("values_into" if several else "into")


def generated_elsewhere(api):
    """Ops, reductions and scans have other emitters, except for the forms that write into an array."""
    scans = {f"arr_{s['name']}" for s in api["scans"]}
    families = {f["name"] for f in api["functions"] if f["family"] and not writes(f["family"])}
    return families | scans | {f"arr_{n}" for n in table.BY_HAND}


def extended(f):
    """True for an argument whose handle type is extended by hand-written modules: only rows say how to wrap it."""
    of = {p["type"]["of"][4:] for p in f["parameters"] if p["type"]["base"] == "handle"}
    return bool(of - {*arguments.VALUES, "stream", *arguments.PLAIN_HANDLES})


def procedures(api):
    """{generic name, or TYPE%NAME: [Procedure]} in the order of the headers."""
    found, said, skip = {}, table.rows(), generated_elsewhere(api)
    names = {f["name"] for f in api["functions"]}
    twins = {n + "_weighted" for n in said if any(row.has_twin() for row in said[n])}
    for unknown in sorted(set(said) - names):
        raise SystemExit(f"fortran_table.py: no header declares {unknown}")
    for f in sorted(api["functions"], key=lambda f: (f["header"], f["name"])):
        listed = said.get(f["name"])
        if f["name"] in twins or not listed and (f["name"] in skip or extended(f)):
            continue
        for row in listed or [table.Row(f["name"].replace("_v_into", "_into"))]:
            try:
                made = Procedure(f, row, row.has_twin())
                made.result_parts()
            except Unfit as unfit:
                if listed:
                    raise SystemExit(f"fortran_table.py: {f['name']}: {unfit}") from unfit
                continue
            found.setdefault(row.fortran, []).append(made)
    return found


def comment(docs):
    return "".join(text.wrap(d, "    !", WIDTH) for d in docs)


def types(api, methods):
    """The types of handles with their procedures."""
    out = ""
    for kind in handle_kinds(api):
        bound = "".join(f"        procedure :: {name} => {specific}\n" for name, specific in methods.get(kind, ()))
        doc = comment([f"{DOC[kind]} {COPIED}"] if kind in DOC else [f"The base type of arr_{kind}. {COPIED}"])
        out += TYPE.format(kind=kind, name=type_name(kind), doc=doc, bound=bound)
    return out


def specifics(generic, made):
    """(name, text) of the procedures of a generic name."""
    forms = [(p, form) for p in made for form in p.variants()]
    stem = generic.replace("%", "_").removeprefix("arr_")
    return [(f"{stem}_{i}", p, form) for i, (p, form) in enumerate(forms, 1)]


def emit(api):
    found, kinds = procedures(api), handle_kinds(api)
    used = {p.f["name"] for made in found.values() for p in made}
    used |= {p.f["name"] + "_weighted" for made in found.values() for p in made if p.twin}
    used |= {f"arr_{kind}_release" for kind in kinds}
    generics, methods, bodies = "", {}, ""
    for generic, made in found.items():
        named = specifics(generic, made)
        docs = list(dict.fromkeys(p.f["doc"]["summary"] for p in made))
        kind, method, name = generic.rpartition("%")[0], "%" in generic, generic.rpartition("%")[2]
        for specific, p, form in named:
            bodies += (comment(docs) if method else "") + p.emit(specific, form)
        if method:
            methods.setdefault(kind, []).append((name, named[0][0]))
        else:
            generics += comment(docs) + interface(generic, [specific for specific, _, _ in named])
    public = [type_name(kind) for kind in kinds] + [g for g in found if "%" not in g]
    out = text.banner("!", "arr_functions_generated.f90: the functions of arrays, numbers, dimensions, texts, streams.")
    out += HEAD + "".join(
        wrapped(f"    use {module}, only: ", [f"c_{n[4:]} => {n}" for n in sorted(names)], "", 8)
        for module, names in by_module(api, used)
    )
    out += HELPERS.format(types=", ".join(f"arr_{k}" for k in emit_fortran_handles.kinds(api)))
    out += "    implicit none\n    private\n"
    out += "".join(wrapped("    public :: ", public[i : i + 60], "", 8) for i in range(0, len(public), 60))
    out += "\n" + types(api, methods) + generics + "contains\n\n"
    out += "".join(TYPE_PROCEDURES.format(kind=k, name=type_name(k)) for k in kinds) + bodies
    return {"bindings/fortran/src/arr_functions_generated.f90": out.rstrip("\n") + "\nend module arr_functions\n"}


def by_module(api, used):
    headers = {f["name"]: f["header"] for f in api["functions"]}
    found = {}
    for name in used:
        found.setdefault("arr_c_" + headers[name].removesuffix(".h"), []).append(name)
    return sorted(found.items())
