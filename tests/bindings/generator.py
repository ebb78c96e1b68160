#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generator.py [--deterministic] - the generator refuses headers that it has no rule for, and names the place.

Works on copies of the headers in a temporary folder. With --deterministic: two runs with different hash seeds
give the same bytes. Skipped (77) without the SWIG that the generator needs.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NEEDED = ["capi", "core/table", "docs/headers.py", "bindings/arr.i", "bindings/api.json", "bindings/generate"]
sys.path.insert(0, str(ROOT / "bindings" / "generate"))
import swigxml  # noqa: E402

SKIPPED = 77
DOC = " @return ARR_OK @sync no @threads any @since 0.1 */\n"
END = "#ifdef __cplusplus\n}\n#endif\n#endif\n"
# What is put before the end of io.h (or into arr.i), and a word of the refusal.
REFUSED = [
    ("io.h", "ARR_API arr_status arr_x(int32_t n);\n", "no doc comment"),
    ("io.h", "/** X. @param m  how many" + DOC + "ARR_API arr_status arr_x(int32_t n);\n", "@param says"),
    ("io.h", "/** X. @param n  how many @return ARR_OK */\nARR_API arr_status arr_x(int32_t n);\n", "no @sync"),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(int32_t *n);\n", "does not say [out]"),
    ("io.h", "/** X. @param[out] n  how many" + DOC + "ARR_API arr_status arr_x(const int32_t *n);\n",
     "cannot be written"),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(unsigned n);\n", "may not use"),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(float n);\n", "may not use"),
    ("io.h", "/** X. @param[out] made  new" + DOC + "ARR_API arr_status arr_x(arr_array *made);\n", "called `out`"),
    ("io.h", "#define ARR_X 1.5f\n", "not a plain integer or double"),
    ("io.h", "#define ARR_X(n) ((n) + 1)\n", "not a plain integer or double"),
    ("io.h", "#define ARR_X \"text\"\n", "not a plain integer or double"),
    ("io.h", "/** S. */\ntypedef struct arr_s {\n  arr_device device; /* nested */\n} arr_s;\n", "nested"),
    ("io.h", "typedef struct arr_s {\n  int32_t n;\n} arr_s;\n", "disagree on the structs"),
    ("arr.i", '%feature("arr:index", "nothing=index") arr_select;\n', "no parameter"),
]


def copy(folder):
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def generate(folder, *arguments, seed="0"):
    """(exit code, output) of the generator in a folder."""
    done = subprocess.run([sys.executable, "-B", str(folder / "bindings/generate/generate.py"), *arguments],
                          capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed})
    return done.returncode, done.stdout + done.stderr


def refusals():
    faults = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy(pathlib.Path(temporary))
        code, text = generate(folder)
        if code:
            print(f"the headers as they are: exit {code}: {text}")
            return 1
        for name, added, expected in REFUSED:
            path = folder / ("bindings/arr.i" if name == "arr.i" else f"capi/include/arr/{name}")
            before = path.read_text()
            mark = END if name != "arr.i" else '%include "arr/base.h"\n'
            assert before.count(mark) == 1, f"{name} has changed: {mark!r}"
            path.write_text(before.replace(mark, added + mark))
            code, text = generate(folder)
            path.write_text(before)
            if code != 1 or expected not in text or "Traceback" in text:
                print(f"{added.strip()!r}: expected a refusal with {expected!r}, got exit {code}: {text.strip()[-300:]}")
                faults += 1
    print(f"{len(REFUSED)} bad declarations, {faults} not refused as they should be")
    return 1 if faults else 0


def deterministic():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        made = []
        for folder, seed in ((one, "1"), (two, "2")):
            path = copy(pathlib.Path(folder))
            (path / "bindings/api.json").unlink()
            code, text = generate(path, seed=seed)
            if code:
                print(text)
                return 1
            made.append({f.relative_to(path): f.read_bytes() for f in sorted(path.rglob("*")) if f.is_file()})
        different = [str(n) for n in sorted(set(made[0]) | set(made[1])) if made[0].get(n) != made[1].get(n)]
        print(f"{len(made[0])} files, different: {different or 'none'}")
        return 1 if different else 0


def main(argv):
    problem = swigxml.swig_problem()
    if problem:
        print(f"skipped: {problem}")
        return SKIPPED
    return deterministic() if "--deterministic" in argv else refusals()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
