#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""idioms.py BUILD fortran|cpp|c|julia|rust - runs both sides of each row of docs/guides/from_fortran.md, from_numpy.md,
from_numpy_c.md or from_base.md, and compares their results: of expressions the values, of statements the array that they write.
Of docs/guides/rust.md it compiles the code in all tables; from_ndarray.md has its test among those of the crate."""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
ROW = re.compile(r"\| `(.+?)` \| `(.+?)` \|$")


MATLAB_ROW = re.compile(r"\| (?:`[^`]+` \| )?`(.+?)` \| `(.+?)` \|$")


def rows(name, pattern=ROW):
    text = (PROJECT / "docs" / "guides" / name).read_text()
    found = [m.groups() for line in text.splitlines() if (m := pattern.match(line))]
    if not 0 < len(found) <= 60:
        sys.exit(f"{name}: {len(found)} rows, expected 1 to 60")
    return found


def printed(compiler, source, text, libraries):
    """Returns what a program prints."""
    source.write_text(text)
    program = source.with_suffix("")
    subprocess.run([*map(str, compiler), source, "-o", program, *map(str, libraries)], check=True)
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{source.stem} ended with {done.returncode}")
    return done.stdout


def of_build(build):
    return [f"-L{build / 'lib'}", "-larr", "-ldl", f"-Wl,-rpath,{build / 'lib'}"]


# -------------------------------------------------------------------------------------------------- Fortran

STATEMENT = re.compile(r"(call|where) |a = |x = |x\(.*\) = ")


def check(number, plain, ours):
    """A subroutine for one row. Numbers drawn at random are not the same on both sides, but as many."""
    label = plain.replace("'", "''")
    if STATEMENT.match(plain):
        compared = "shape(a), shape(x)" if "random" in plain else "a, x"
        lines = [plain, ours, f"call same({compared}, '{label}')"]
    else:
        lines = [f"call same({ours}, &", f"    {plain}, '{label}')"]
    body = "".join(f"        {line}\n" for line in lines)
    return f"    subroutine row_{number}()\n        call prepare()\n{body}    end subroutine row_{number}\n\n"


def fortran(build, folder):
    library = build / "bindings" / "fortran" / "libarr_fortran.a"
    if not library.exists():
        print("skipped: the Fortran binding is not built")
        sys.exit(77)
    found = rows("from_fortran.md")
    calls = "".join(f"    call row_{k}()\n" for k in range(len(found)))
    text = (HERE / "idioms.f90").read_text().replace("    ! CALLS\n", calls)
    text = text.replace("    ! ROWS\n", "".join(check(k, *r) for k, r in enumerate(found)))
    modules = build / "bindings" / "fortran" / "modules"
    compiler = ["gfortran", "-std=f2018", "-Wall", "-Wno-unused", "-Wno-compare-reals", "-I", modules, f"-J{folder}"]
    text = printed(compiler, folder / "idioms.f90", text, [library, *of_build(build)])
    print(text, end="")
    return f"{len(found)} checks, 0 failed" in text


# --------------------------------------------------------------------------------------- C++, C and NumPy

PREPARE = """auto a = arr::arange(6.0).reshape({2, 3}), b = a * a + 1, m = arr::array{{2.0, 1.0}, {1.0, 3.0}};
  auto v = arr::array{3.0, 1.0, 2.0}, k = arr::arange(5), i = arr::array{2, 0};"""
MARK = "next row"


def numpy_text(expression):
    import numpy as np

    a = np.arange(6.0).reshape(2, 3)
    names = {"np": np, "a": a, "b": a * a + 1, "m": np.array([[2.0, 1.0], [1.0, 3.0]]), "v": np.array([3.0, 1.0, 2.0])}
    names |= {"k": np.arange(5), "i": np.array([2, 0]), "mask": a > 2, "x": 0.5}
    written = re.match(r"(\w+)(?:\[.*\])? \+?= ", expression)
    if written:
        exec(expression, names)  # pylint: disable=exec-used
        return str(names[written[1]])
    return str(eval(expression, names))  # pylint: disable=eval-used


def cpp(build, folder):
    found = rows("from_numpy.md")
    text = "#include <arr/arr.hpp>\n#include <iostream>\n"
    for number, (plain, ours) in enumerate(found):
        statement = " = " in ours or " += " in ours
        shown = f"{ours};\n  std::cout << a" if statement else f"std::cout << ({ours})"
        text += f'void row_{number}() {{\n  {PREPARE}\n  {shown} << "\\n{MARK}\\n";\n}}\n'
    text += "int main() {\n" + "".join(f"  row_{k}();\n" for k in range(len(found))) + "}\n"
    include = ["-I", PROJECT / "capi" / "include", "-I", PROJECT / "bindings" / "cpp" / "include"]
    compiler = ["c++", "-std=c++17", "-Wall", "-Wno-unused", "-Werror", *include]
    return as_numpy(found, printed(compiler, folder / "idioms.cpp", text, of_build(build)))


def as_numpy(found, output):
    """True if what the rows print is what NumPy prints."""
    got = output.split(f"\n{MARK}\n")
    good = True
    for (plain, ours), value in zip(found, got, strict=False):
        expected = numpy_text(plain)
        if value != expected:
            good = False
            print(f"{plain} is\n{expected}\nbut {ours} is\n{value}")
    print(f"{len(found)} rows")
    return good and len(got) == len(found) + 1


PREPARE_C = """  ARR_SCOPE(a, b, m, v, k, i, mask, out, flat);
  double x = 0.5;
  ARR_DO(arr_arange(ARR_V(0), ARR_V(6), ARR_V(1), ARR_FLOAT64, NULL, NULL, &flat));
  ARR_DO(arr_reshape(flat, ARR_LIST(2, 3), ARR_ORDER_C, NULL, &a));
  ARR_DO(ARR_RUN(&b, "a * a + 1", a));
  ARR_DO(arr_from_host((double[]){2, 1, 1, 3}, 32, ARR_FLOAT64, ARR_LIST(2, 2), ARR_ORDER_C, NULL, NULL, &m));
  ARR_DO(arr_from_host((double[]){3, 1, 2}, 24, ARR_FLOAT64, ARR_LIST(3), ARR_ORDER_C, NULL, NULL, &v));
  ARR_DO(arr_arange(ARR_V(0), ARR_V(5), ARR_V(1), ARR_INT64, NULL, NULL, &k));
  ARR_DO(arr_from_host((int64_t[]){2, 0}, 16, ARR_INT64, ARR_LIST(2), ARR_ORDER_C, NULL, NULL, &i));
  ARR_DO(ARR_RUN(&mask, "a > 2", a));
"""


def c(build, folder):
    found = rows("from_numpy_c.md")
    text = "#include <arr/easy.h>\n#include <stdio.h>\n"
    for number, (_, ours) in enumerate(found):
        shown = "arr_print(out)" if "&out" in ours else 'printf("%.1f\\n", x)' if "&x" in ours else "arr_print(a)"
        text += (
            f"static arr_status row_{number}(void) {{\n{PREPARE_C}  ARR_DO({ours});\n  fflush(stdout);\n  {shown};\n"
        )
        text += f'  puts("{MARK}");\n  ARR_RETURN(ARR_OK);\n}}\n'
    text += "static arr_status (*const rows[])(void) = {" + ", ".join(f"row_{k}" for k in range(len(found))) + "};\n"
    text += """int main(void) {
  for (size_t at = 0; at < sizeof rows / sizeof rows[0]; ++at) {
    if (rows[at]() != ARR_OK) return printf("row %d: %s\\n", (int)at, arr_last_error()), 1;
  }
  return arr_live_handles() != 0;
}
"""
    compiler = ["cc", "-std=c11", "-Wall", "-Wno-unused", "-Werror", "-I", PROJECT / "capi" / "include"]
    return as_numpy(found, printed(compiler, folder / "idioms.c", text, of_build(build)))


# --------------------------------------------------------------------------------------------------- Rust


def statements(cell):
    """The code of a cell, but for names alone; what begins with a brace is a format."""
    found = [m.replace("\\|", "|") for m in re.findall(r"`([^`]+)`", cell)]
    code = [c for c in found if not re.fullmatch(r"[\w{}:.]+", c) or c.startswith("{")]
    return "".join(f'    format!("{c}");\n' if c.startswith("{") else f"    {c};\n" for c in code)


def rust(build, folder):
    text = (PROJECT / "docs" / "guides" / "rust.md").read_text()
    cells = [c for m in re.finditer(r"(?m)^\| [^`|]+ \| (.*) \|$", text) if (c := statements(m.group(1)))]
    head, body = (HERE / "idioms.rs").read_text().split("fn row()")
    functions = [f"fn row_{k}()" + body.replace("    // ROW\n", cell) for k, cell in enumerate(cells)]
    (folder / "main.rs").write_text(head + "\n".join(functions) + "\nfn main() {}\n")
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "arr-rows"\nversion = "0.1.0"\nedition = "2021"\n[[bin]]\nname = "arr_rows"\npath = "main.rs"\n'
        f'[dependencies]\narr = {{ path = "{PROJECT}/bindings/rust/arr" }}\n[workspace]\n'
    )
    script = f'source "{PROJECT}/bindings/rust/cargo.sh" "{build}"\n"$ARR_CARGO" check --offline --quiet\n'
    done = subprocess.run(["bash", "-c", script], cwd=folder, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    print(f"{len(cells)} rows")
    return len(cells) > 40


# ---------------------------------------------------------------------------------------------------- Julia


def julia(build, folder):
    table = folder / "rows"
    table.write_text("".join(f"{side}\n" for row in rows("from_base.md", MATLAB_ROW) for side in row))
    bindings = PROJECT / "bindings" / "julia"
    # Each row runs once, so that interpreting it is quicker than compiling it.
    script = f'source "{bindings}/julia.sh" "{build}"\n"$ARR_JULIA" --compile=min --startup-file=no --project="{bindings}" "$@"\n'
    done = subprocess.run(["bash", "-c", script, "julia", HERE / "idioms.jl", table], check=False)
    if done.returncode == 77:
        sys.exit(77)
    return done.returncode == 0


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        good = {"fortran": fortran, "cpp": cpp, "c": c, "julia": julia, "rust": rust}[sys.argv[2]](
            build, pathlib.Path(folder)
        )
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
