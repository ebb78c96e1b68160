# SPDX-License-Identifier: MIT
"""arr_scans: cumulative reductions for Fortran, one function for each row of the table of scans."""

import text
from fortran_kinds import interface

HEAD = """    use, intrinsic :: iso_c_binding
    use arr_element_types, only: arr_dtype
    use arr_errors, only: arr_error
    use arr_types, only: arr_array, arr_stream
    use arr_engine, only: {engine}
"""
ARGUMENTS = """        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: dim
        type(arr_dtype), intent(in), optional :: dtype
{initial}        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z_
"""
PLAIN = (
    """    function {0}_array(array, dim, dtype, stream, err) result(z_)
"""
    + ARGUMENTS.format(initial="")
    + """        call scan_along(c_{0}, array, dim, dtype, z_, stream, err)
    end function {0}_array

"""
)
INITIAL = (
    """    function {0}_array(array, dim, dtype, include_initial, stream, err) result(z_)
"""
    + ARGUMENTS.format(initial="        logical, intent(in), optional :: include_initial\n")
    + """\
        call scan_from(c_{0}, array, dim, dtype, include_initial, z_, stream, err)
    end function {0}_array

"""
)
FORMS = {"PLAIN": PLAIN, "INITIAL": INITIAL}


def emit(api):
    rows = api["scans"]
    renames = [f"c_{r['name']} => arr_{r['name']}" for r in rows]
    lines = text.join("    use arr_c_scan, only: ", renames, "", 118, "        ").rstrip("\n").split("\n")
    public = (
        text.join("    public :: ", [f"arr_{r['name']}" for r in rows], "", 118, "        ").rstrip("\n").split("\n")
    )
    out = text.banner(
        "!",
        "arr_scans_generated.f90: cumulative reductions along a dimension; without dim over all elements "
        "in array element order.",
    )
    out += "module arr_scans\n" + HEAD.format(engine="scan_along, scan_from") + " &\n".join(lines)
    out += "\n    implicit none\n    private\n" + " &\n".join(public) + "\n\n"
    for r in rows:
        out += text.wrap(r["doc"], "    !", 118) + interface(f"arr_{r['name']}", [f"{r['name']}_array"])
    out += "contains\n\n" + "".join(FORMS[r["form"]].format(r["name"]) for r in rows)
    return {"bindings/fortran/src/arr_scans_generated.f90": out.rstrip("\n") + "\nend module arr_scans\n"}
