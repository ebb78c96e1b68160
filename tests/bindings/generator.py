#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generator.py [--deterministic] - the generator refuses headers that it has no rule for, and names the place.

A comment in other words gives the same description. Works on copies of the headers in a temporary folder. With
--deterministic: two runs with different hash seeds give the same bytes. Skipped (77) without the SWIG that the
generator needs.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NEEDED = [
    "capi",
    "core/backend/families.h",
    "core/table",
    "docs/headers.py",
    "docs/parity.py",
    "docs/parity.tsv",
    "bindings/api.json",
    "bindings/generate",
]
NEEDED += ["bindings/julia/src", "bindings/rust/arr/src"]  # what is written by hand is not generated
sys.path.insert(0, str(ROOT / "bindings" / "generate"))
import comments  # noqa: E402
import normalise  # noqa: E402
import swigxml  # noqa: E402

SKIPPED = 77
DOC = " @return ARR_OK @sync no */\n"
END = "#ifdef __cplusplus\n}\n#endif\n#endif\n"
# The text put before the end of io.h, and a word of the refusal.
REFUSED = [
    ("io.h", "ARR_API arr_status arr_x(int32_t n);\n", "no doc comment"),
    ("io.h", "/** X. @param m  how many" + DOC + "ARR_API arr_status arr_x(int32_t n);\n", "@param says"),
    ("io.h", "/** X. @param n  how many @return ARR_OK */\nARR_API arr_status arr_x(int32_t n);\n", "no @sync"),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(int32_t *n);\n", "does not say [out]"),
    (
        "io.h",
        "/** X. @param[out] n  how many" + DOC + "ARR_API arr_status arr_x(const int32_t *n);\n",
        "cannot be written",
    ),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(unsigned n);\n", "may not use"),
    ("io.h", "/** X. @param n  how many" + DOC + "ARR_API arr_status arr_x(float n);\n", "may not use"),
    ("io.h", "/** X. @param[out] made  new" + DOC + "ARR_API arr_status arr_x(arr_array *made);\n", "called `out`"),
    ("io.h", "#define ARR_X 1.5f\n", "not a plain integer or double"),
    ("io.h", '#define ARR_X "text"\n', "not a plain integer or double"),
    ("io.h", "/** S. */\ntypedef struct arr_s {\n  arr_device device; /* nested */\n} arr_s;\n", "nested"),
    ("io.h", "typedef struct arr_s {\n  int32_t n;\n} arr_s;\n", "disagree on the structs"),
    (
        "io.h",
        "/** X. @param n  one @param[in,null] n  again" + DOC + "ARR_API arr_status arr_x(int32_t n);\n",
        "@param says",
    ),
    (
        "io.h",
        "/** X. @param[in,nul] a  it" + DOC + "ARR_API arr_status arr_x(arr_array a);\n",
        "arr_x: a: [in,nul] has the unknown attribute 'nul'",
    ),
    (
        "io.h",
        "/** X. @param[in,null] n  it" + DOC + "ARR_API arr_status arr_x(int32_t n);\n",
        "io.h: arr_x: n: @param says [null]",
    ),
]
# The brackets of a parameter x, its type as SWIG writes it, and words of the refusal; n is an integer parameter.
ARRAY, NUMBERS, TEXT, ANY = "arr_array", "p.q(const).double", "p.q(const).char", "p.q(const).void"
REFUSED_BRACKETS = [
    ("in,null=1", ARRAY, "unknown attribute 'null=1'"),
    ("in,len", NUMBERS, "unknown attribute 'len'"),
    ("in, null", ARRAY, "unknown attribute ' null'"),
    ("in,len=", NUMBERS, "a number, a parameter"),
    ("in,len=n+1", NUMBERS, "a number, a parameter"),
    ("null", ARRAY, "does not begin with in, out"),
    ("inout", "p.int32_t", "does not begin with in, out"),
    ("in", "p.int32_t", "does not say [out]"),
    ("in,null,null", ARRAY, "null twice"),
    ("in,len=n,bytes=n", TEXT, "len contradicts bytes"),
    ("in,index,stop", "int64_t", "index contradicts stop"),
    ("out,written", "p.arr_array", "written contradicts out"),
    ("in,written", "arr_stream", "says [written]"),
    ("in,written", "p.q(const).arr_array", "says [written]"),
    ("in,len=n", ARRAY, "says [len]"),
    ("in,len=n", ANY, "says [len]"),
    ("in,len=n", TEXT, "says [len]"),
    ("in,bytes=n", NUMBERS, "says [bytes]"),
    ("in,index", "double", "says [index]"),
    ("in,stop", ARRAY, "says [stop]"),
    ("in,len=m", NUMBERS, "m is no integer parameter"),
    ("in,len=x", NUMBERS, "x is no integer parameter"),
    ("in", ARRAY, "does not say [in,written]", "dst"),
    ("in,index", "int32_t", "says [index]", "axis"),
]
TYPES = {"arr_array": "p.struct arr_array_s", "arr_stream": "p.struct arr_stream_s", "arr_status": "int32_t"}
# The words that had a meaning once.
REWORDED = "[nobody] written, NULL or not NULL, entries at out, bytes at text"
DESCRIBE = (
    "import json, sys; sys.path.insert(0, 'bindings/generate'); import normalise; print(json.dumps(normalise.api()))"
)


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
    done = subprocess.run(
        [sys.executable, "-B", str(folder / "bindings/generate/generate.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    return done.returncode, done.stdout + done.stderr


def in_turn(items):
    """All, or in the quick layer of tests/run.sh those whose turn it is: each takes a run of SWIG."""
    n, seed = int(os.environ.get("ARR_TEST_ONE_IN", "1")), int(os.environ.get("ARR_TEST_SEED", "0"))
    return [item for i, item in enumerate(items) if (i - seed) % min(n, len(items)) == 0]


def refusals():
    faults = 0
    chosen = in_turn(REFUSED)
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy(pathlib.Path(temporary))
        code, text = generate(folder)
        if code:
            print(f"the headers as they are: exit {code}: {text}")
            return 1
        for name, added, expected in chosen:
            path = folder / "capi/include/arr" / name
            before = path.read_text()
            assert before.count(END) == 1, f"{name} has changed: {END!r}"
            path.write_text(before.replace(END, added + END))
            code, text = generate(folder)
            path.write_text(before)
            if code != 1 or expected not in text or "Traceback" in text:
                print(
                    f"{added.strip()!r}: expected a refusal with {expected!r}, got exit {code}: {text.strip()[-300:]}"
                )
                faults += 1
    print(f"{len(chosen)} bad declarations, {faults} not refused as they should be")
    return 1 if faults else 0


def refusal(brackets, encoded, name="x"):
    """The refusal of one parameter, or nothing."""
    function = comments.headers.Function("x.h", 1, "", "arr_x", None)
    try:
        doc = {n: comments.parameter(function, n, b, "words") for n, b in (("n", ""), (name, brackets))}
        raw = {"parameters": [("n", "int32_t"), (name, encoded)], "returns": "arr_status"}
        whole = {"header": "x.h", "parameters": doc, "returns": "ARR_OK", **dict.fromkeys(normalise.FUNCTION_DOC, "")}
        normalise.function_row("arr_x", raw, whole, normalise.Types({"typedefs": TYPES, "structs": {}}), {})
    except (normalise.ApiError, comments.CommentError) as error:
        return str(error)
    return ""


def bracket_refusals():
    faults = 0
    for brackets, encoded, expected, *name in REFUSED_BRACKETS:
        text = refusal(brackets, encoded, *name)
        if expected not in text or "arr_x" not in text or "x.h" not in text:
            print(f"[{brackets}] of {encoded}: expected a refusal with {expected!r}, got {text!r}")
            faults += 1
    good = [
        refusal("in,null,len=n", NUMBERS),
        refusal("in,bytes=n*2", TEXT),
        refusal("in,null,written", ARRAY),
        refusal("in,out,len=3", "p.double"),
        refusal("in,stop", "int64_t"),
    ]
    print(f"{len(REFUSED_BRACKETS)} bad brackets, {faults} not refused as they should be; good ones: {good}")
    return 1 if faults or any(good) else 0


def described(folder):
    """The description of a folder's headers without the words of the comments, and the words."""
    done = subprocess.run([sys.executable, "-B", "-c", DESCRIBE], cwd=folder, stdout=subprocess.PIPE, check=True)
    api = json.loads(done.stdout)
    texts = [p.pop("doc") for f in api["functions"] for p in f["parameters"]]
    texts += [f["doc"].pop("summary") for f in api["functions"]]
    for function in api["functions"]:
        del function["doc"]["text"]
    return api, texts


def rewording():
    """Other words in each comment of a function change nothing but the words."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy(pathlib.Path(temporary))
        before, _ = described(folder)
        for path in sorted((folder / "capi/include/arr").glob("*.h")):
            text = re.sub(r"(@param(?:\[[^\]]*\])? +\w+) (?:(?!\*/)[^@])*", rf"\1 {REWORDED} ", path.read_text())
            path.write_text(re.sub(r"^/\*\* (?:(?!\*/)[^@])*(?=@)", f"/** {REWORDED} ", text, flags=re.M))
        after, words = described(folder)
    kept = [w for w in words if w != REWORDED]
    print(
        f"{len(words)} texts in other words, {len(kept)} kept: the description is "
        f"{'the same' if before == after else 'ANOTHER'}"
    )
    return 1 if kept or before != after else 0


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
    return deterministic() if "--deterministic" in argv else int(any([refusals(), bracket_refusals(), rewording()]))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
