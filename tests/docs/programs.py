#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""programs.py BUILD c|cpp|julia|rust|fortran|text - compiles and runs every fenced block of README.md, the guides and the public
headers that is of the language.

Whole programs stand by themselves. What is none is a fragment: prologue.* beside this file say which names it may assume.
A comment in the line above a fence, <!-- not run: REASON -->, keeps a block from running; in C, C++ and Rust it is compiled all
the same. `text` lists what is no program: output of programs, commands for a shell, files of settings.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
FILES = [
    PROJECT / "README.md",
    PROJECT / "docs" / "tutorial.md",
    *sorted((PROJECT / "docs" / "guides").glob("*.md")),
    *sorted((PROJECT / "capi" / "include" / "arr").glob("*.h")),
]
MARK = re.compile(r"<!-- not run: (.+) -->$")
SKIPPED = 77


class Block:
    def __init__(self, path, line, language, reason):
        self.path, self.line, self.language, self.reason, self.text = path, line, language, reason, ""
        self.where = f"{path.relative_to(PROJECT)}:{line}"


def blocks_of(path):
    found, current, before, indent = [], None, "", 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if path.suffix == ".h":
            line = re.sub(r"^ \* ?", "", line)
        fence = line.lstrip(" ")  # the blocks of tabs are indented
        if fence.startswith("```") and current is None:
            language, indent = fence[3:].partition(",")[0], len(line) - len(fence)
            mark = MARK.match(before)
            current = Block(path, number, language, mark.group(1) if mark else "")
            found.append(current)
        elif fence.startswith("```"):
            current = None
        elif current is not None:
            current.text += line[min(indent, len(line)) :] + "\n"
        before = line
    if current is not None:
        sys.exit(f"{current.where}: the block has no end")
    return found


def guides(language):
    """For each file its blocks of the language."""
    for path in FILES:
        found = [b for b in blocks_of(path) if b.language == language]
        if found:
            yield path, found


class Failed(Exception):
    pass


def run(command, label, **how):
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **how,
    )
    if done.returncode != 0:
        raise Failed(f"{label}: {command[0]} ended with {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def read(name):
    return (HERE / name).read_text()


# ---------------------------------------------------------------------------------------------------------- C


def c_program(blocks, kernels):
    """The fragments of a guide, one inside the other, so that later ones have the names of earlier ones."""
    text = f'#line 1 "prologue.c"\n{read("prologue.c")}\n'
    text += (
        "static const char *const guide_kernels =\n"
        + "".join(f'  "{line}\\n"\n' for line in map(quoted, kernels.splitlines()))
        + '  "";\n'
    )
    text += "int main(void) {\n  failing();\n"
    for b in blocks:
        text += f'  prepare(guide_kernels);\n  puts("{b.where}");\n  {"if (0) " if b.reason else ""}{{\n#line {b.line + 1} "{b.path.name}"\n{b.text}\n  check("{b.where}");\n'
    return text + "  }\n" * len(blocks) + "  return 0;\n}\n"


def quoted(line):
    return line.replace("\\", "\\\\").replace('"', '\\"')


def c(build, folder):
    flags = ["-std=c11", "-Wall", "-Wno-unused", "-Werror", "-I", PROJECT / "capi" / "include"]
    ends = ["-L", build / "lib", "-larr", f"-Wl,-rpath,{build / 'lib'}", "-lm"]
    for path, blocks in guides("c"):
        whole = [b for b in blocks if "int main(" in b.text]
        for k, b in enumerate(whole):
            source = folder / f"{path.stem}_{k}.c"
            source.write_text(f'#line {b.line + 1} "{path.name}"\n{b.text}')
            run(["cc", *flags, "-Wextra", source, "-o", source.with_suffix(""), *ends], b.where)
            if not b.reason:
                run([source.with_suffix("")], b.where, cwd=folder)
        fragments = [b for b in blocks if b not in whole]
        if fragments:
            kernels = "\n".join(cuda(b.text) for b in blocks_of(path) if b.language == "c++")
            source = folder / f"{path.stem}.c"
            source.write_text(c_program(fragments, kernels))
            run(["cc", *flags, source, "-o", source.with_suffix(""), *ends], str(path.name))
            run([source.with_suffix("")], str(path.name), cwd=folder)


def cuda(text):
    """A kernel, or lines of one."""
    return (
        text
        if "__global__" in text
        else 'extern "C" __global__ void lines(int *out) {\n  int lane;\n' + text + "  out[threadIdx.x] = lane;\n}\n"
    )


# -------------------------------------------------------------------------------------------------------- C++


def cpp(build, folder):
    """A block with main() is a program; others are bodies of functions, each with the same names before it."""
    flags = ["-std=c++17", "-Wall", "-Wno-unused", "-Werror"]
    flags += ["-I", PROJECT / "capi" / "include", "-I", PROJECT / "bindings" / "cpp" / "include"]
    ends = ["-L", build / "lib", "-larr", f"-Wl,-rpath,{build / 'lib'}", "-lpthread"]
    for path, blocks in guides("cpp"):
        whole = [b for b in blocks if "int main(" in b.text]
        fragments = [b for b in blocks if b not in whole]
        sources = [(f"{path.stem}_{k}.cpp", f'#line {b.line + 1} "{path.name}"\n{b.text}') for k, b in enumerate(whole)]
        if fragments:
            text = read("prologue.cpp")
            for k, b in enumerate(fragments):
                text += f'void block_{k}() {{\n  NAMES\n#line {b.line + 1} "{path.name}"\n{b.text}}}\n'
            calls = [f'  puts("{b.where}");\n  block_{k}();\n' for k, b in enumerate(fragments) if not b.reason]
            sources.append((f"{path.stem}.cpp", text + "int main() {\n" + "".join(calls) + "}\n"))
        for name, text in sources:
            source = folder / name
            source.write_text(text)
            run(["c++", *flags, source, "-o", source.with_suffix(""), *ends], path.name)
            run([source.with_suffix("")], path.name, cwd=folder)


# ------------------------------------------------------------------------------------------------------ Julia


def julia(build, folder):
    script = f'source "{PROJECT}/bindings/julia/julia.sh" "{build}"\n"$ARR_JULIA" --startup-file=no --project="{PROJECT}/bindings/julia" "$1"\n'
    for path, blocks in guides("julia"):
        text = read("prologue.jl")
        for k, b in enumerate(blocks):
            part = folder / f"{path.stem}_{k}.jl"
            part.write_text(b.text)
            text += f'prepare()\nprintln("{b.where}")\n' + (
                f'include_string(@__MODULE__, read("{part}", String), "{b.where}")\n' if not b.reason else ""
            )
        source = folder / f"{path.stem}.jl"
        source.write_text(text)
        run(["bash", "-c", script, "julia", source], path.name, cwd=folder)


# ------------------------------------------------------------------------------------------------------- Rust


def rust_function(b, k):
    text = re.sub(r"^# ?", "", b.text, flags=re.M)
    if "fn main()" in text:
        text = text.replace("fn main()", "pub fn main()")
    else:
        text = f"pub fn main() -> arr::Result<()> {{\n{text}\nOk(())\n}}\n"
    return f"#[allow(unused, dead_code)]\nmod block_{k} {{\n{text}}}\n"


def rust(build, folder):
    blocks = [b for _, found in guides("rust") for b in found]
    calls = "".join(
        f'    println!("{b.where}");\n'
        + (f"    block_{k}::main()?;\n" if not b.reason else f"    let _ = block_{k}::main;\n")
        for k, b in enumerate(blocks)
    )
    text = (
        "".join(rust_function(b, k) for k, b in enumerate(blocks))
        + f"fn main() -> arr::Result<()> {{\n{calls}    Ok(())\n}}\n"
    )
    (folder / "main.rs").write_text(text)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "arr-docs"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\narr = {{ path = "{PROJECT}/bindings/rust/arr" }}\n'
        '[[bin]]\nname = "arr_docs"\npath = "main.rs"\n[workspace]\n'
    )
    script = f'source "{PROJECT}/bindings/rust/cargo.sh" "{build}"\n"$ARR_CARGO" run --offline --quiet\n'
    run(["bash", "-c", script], "Rust", cwd=folder)


# ---------------------------------------------------------------------------------------------------- Fortran


def fortran(build, folder):
    modules, library = build / "bindings" / "fortran" / "modules", build / "bindings" / "fortran" / "libarr_fortran.a"
    if not library.exists():
        print("skipped: the Fortran binding is not built")
        sys.exit(SKIPPED)
    shutil.copy(PROJECT / "examples" / "heat.cu", folder)  # the guide's kernel is that of the example
    compiler = ["gfortran", "-std=f2018", "-ffree-line-length-none", "-J", folder, "-I", modules]
    for path, blocks in guides("fortran"):
        fragments, procedures = [], ""
        for k, b in enumerate(blocks):
            if re.match(r"\s*module ", b.text):  # procedures for a program that is not there: compiled only
                source = folder / f"{path.stem}_{k}.f90"
                source.write_text(b.text)
                run([*compiler, "-c", source, "-o", source.with_suffix(".o")], b.where)
            elif re.match(r"\s*(program|use) ", b.text):
                text = b.text if "program" in b.text else f"program readme\n{b.text}end program\n"
                source = folder / f"{path.stem}_{k}.f90"
                source.write_text(text)
                run([*compiler, source, "-o", source.with_suffix(""), library, "-ldl", "-lpthread"], b.where)
                run([source.with_suffix("")], b.where, cwd=folder)
            elif re.match(r"\s*(function|subroutine) ", b.text):
                procedures += b.text
            else:
                fragments.append(b)
        if fragments:
            text = read("prologue.f90") + procedures + "end module docs_names\n"
            text += "program docs\n  use docs_names\n  implicit none\n"
            for b in fragments:
                text += f"  call prepare()\n  print *, '{b.where}'\n" + (
                    f"  block\n{b.text}  end block\n" if not b.reason else ""
                )
            source = folder / f"{path.stem}.f90"
            source.write_text(text + "end program docs\n")
            run([*compiler, source, "-o", source.with_suffix(""), library, "-ldl", "-lpthread"], path.name)
            run([source.with_suffix("")], path.name, cwd=folder)


LANGUAGES = {"c": c, "cpp": cpp, "julia": julia, "rust": rust, "fortran": fortran}
NO_PROGRAMS = {
    "": "output, or a picture",
    "sh": "commands",
    "toml": "settings",
    "c++": "a kernel, compiled with the guide's C",
}


def text(build, folder):
    every = [b for path in FILES for b in blocks_of(path)]
    for b in every:
        if b.language not in LANGUAGES and b.language not in NO_PROGRAMS:
            raise Failed(f"{b.where}: no language of a program is {b.language!r}")
        if b.language in NO_PROGRAMS:
            print(f"{b.where}: {NO_PROGRAMS[b.language]}")
    if len(every) < 40:
        raise Failed(f"{len(every)} blocks: some are not found")


def main():
    build, language = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    os.environ.setdefault("ARR_LIBRARY", str(build / "lib" / "libarr.so.0"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PROJECT / "examples" / "twice.ptx", folder)  # a file of the guide of PTX
        os.environ.setdefault("ARR_CACHE_DIR", str(pathlib.Path(folder, "cache")))
        try:
            {**LANGUAGES, "text": text}[language](build, pathlib.Path(folder))
        except Failed as e:
            if f"ended with {SKIPPED}" in str(e):
                print(str(e).splitlines()[1])
                return SKIPPED
            print(e)
            return 1
    blocks = [b for path in FILES for b in blocks_of(path) if b.language == language or language == "text"]
    left = [b for b in blocks if b.reason]
    for b in left:
        print(f"not run: {b.where}: {b.reason}")
    print(f"{len(blocks)} blocks, {len(left)} not run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
