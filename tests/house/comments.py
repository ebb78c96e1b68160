#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""comments.py [--self-test] - comments are sentences or noun phrases, not clauses; public ones use the field's words.

Fails on a comment or a sentence at the beginning of its line that opens with "What", "Whether", "Who", "How", "Which",
"Where" or "Of": a reader then looks for a main clause that is not there. "True if ...", "The number of ..." and "Returns ..."
say the same.

In the public headers it also fails on a summary of a function that does not begin with a verb of VERBS, on the words of
dialect.txt and STOP, which no other library uses in these meanings, on parameters that say otherwise what the conventions of base.h say,
and on declarations that the formatter has torn.
"""

import pathlib
import re
import sys

import source

sys.path.insert(0, str(source.ROOT / "docs"))
import headers  # noqa: E402  (docs/headers.py: the one parser of the doc comments)

OPENING = re.compile(r"(What|Whether|Who|Whose|Whom|How|Which|Where|Of)\b(?!.*\?$)")
HASH, BANG, SLASHES = r"#", r"!>?", r"//[/!]?<?"
MARKS = {".py": HASH, ".jl": HASH, ".sh": HASH, ".cmake": HASH, ".txt": HASH, ".f90": BANG, ".F90": BANG}

PUBLIC = pathlib.PurePath("capi/include/arr")
# The verbs that a summary begins with. A new one is added here, if none of these says it.
VERBS = frozenset(
    """
    Adds Advances Advises Appends Applies Assembles Assigns Begins Broadcasts Builds Changes Checks Closes Combines
    Compiles Computes Converts Copies Counts Creates Describes Differentiates Divides Draws Enables Ends Enqueues
    Evaluates Exports Finds Fits Fills Forgets Imports Inserts Installs Integrates Interpolates Inverts Joins Launches
    Limits Links Lists Makes Marks Moves Multiplies Opens Packs Page-locks Parses Permutes Plans Raises Reads Receives
    Records Reduces Releases Removes Repeats Replaces Reports Resets Returns Reverses Rotates Rounds Runs Scans Seeds
    Selects Sends Sets Shifts Shuffles Solves Sorts Splits Starts Subtracts Sums Swaps Takes Tests Times Transforms
    Transposes Truncates Unlocks Unpacks Uploads Waits Wraps Writes
    """.split()
)
# Words that public comments do not use besides those of dialect.txt, and what to write instead.
STOP = source.dialect() + [
    (re.compile(r"@cupy\b", re.I), "the function into docs/parity.tsv"),
    (re.compile(r"\bwhat (the |an? |its |it |they )?([\w-]+ )?ha(s|ve)\b", re.I), "a noun"),
]
# (parameters, text, what to write instead)
CONVENTIONS = [
    (r"stream", r"NULL(?! selects the default stream)", "NULL selects the default stream"),
    (r"ax[ei]s\w*|source|destination", r"count from the end", "nothing: base.h says it of every axis"),
    (r"dtype", r"^(the )?(element )?type\b|^a float type\b", "the dtype"),
    (r"order", r"^(?!ARR_ORDER_)", "ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K"),
    (r"out", r"^(a|one|the) new array\b|^the result\b", "one new reference"),
]
TORN = [
    (re.compile(r"^\s*(const\s+)?\w+\s*\**$(?=\n\s+\**\w+[;,(])", re.M), "a type without its name"),
    (re.compile(r"^#\s*define\s+\w+\s*\\$(?=\n\s*[-\w(]+\s*/\*)", re.M), "a constant without its value"),
    (re.compile(r"^\s*[^\s/*].*/\*(?!.*\*/).*$", re.M), "a comment behind code that goes on below it"),
    (re.compile(r"^.*\*/$(?=\n\n+ARR_API\b)", re.M), "a comment apart from its function"),
]


def public_faults(name, text):
    """Faults of a public header."""
    for f in headers.functions_of(name, text):
        verb = f.summary.partition(" ")[0]
        if verb not in VERBS:
            yield f'{name}:{f.line}: {f.name}: the summary does not begin with a verb of VERBS: "{f.summary[:70]}"'
        for parameter, _, said in f.param_tags():
            for names, wrong, instead in CONVENTIONS:
                if re.fullmatch(names, parameter) and re.search(wrong, said):
                    yield f'{name}:{f.line}: {f.name}: @param {parameter}: "{said[:50]}"; write {instead}'
    for m in re.finditer(r"/\*.*?\*/", text, re.S):
        comment = re.sub(r"\n \*", "\n  ", m[0])
        for pattern, instead in STOP:
            for found in pattern.finditer(" ".join(comment.split())):
                line = text.count("\n", 0, m.start()) + 1
                yield f'{name}:{line}: "{found[0]}" in a public comment; write {instead}'
    for pattern, what in TORN:
        for m in pattern.finditer(text):
            yield f"{name}:{text.count(chr(10), 0, m.start()) + 1}: {what}: {m[0].strip()[:70]}"


def comments(name, text):
    """(line number, text, True if it begins a comment or follows the end of a sentence) of each line of a comment."""
    mark = MARKS.get(name.suffix, SLASHES)
    blocks = r'|"""' if name.suffix in (".py", ".jl") else r"|/\*[*!]?<?|\*(?!/)" if mark == SLASHES else ""
    own = re.compile(rf"\s*(?:{mark}{blocks})(?:\s+|(?=\w))(.*)")
    trailing = re.compile(rf"\S\s\s*(?:{mark})\s(.*)" if mark == SLASHES else rf"\S\s\s+(?:{mark})\s(.*)")
    before = None  # the comment's line before this one
    for number, line in enumerate(text.splitlines(), 1):
        if m := own.match(line):
            ended = before is None or not before or before.endswith((".", ":", "*/"))
            yield number, m.group(1), ended
            before = m.group(1).rstrip()
            continue
        before = None
        if m := trailing.search(line):
            yield number, m.group(1), True


def faults(name, text):
    for number, comment, begins in comments(name, text):
        if begins and OPENING.match(comment):
            yield f'{name}:{number}: a comment opens with "{comment.split()[0]}": {comment[:80]}'


def self_test():
    """Each text must have this number of faults."""
    cases = [
        ("a.h", "// What a row holds.\n", 1),
        ("a.h", "// Where the row begins.\n", 1),
        ("a.h", "// The row. Its end.\n// Of the level in use.\n", 1),
        ("a.h", "// A row that holds\n// what is read, and\n// Which is a name.\n", 0),
        ("a.h", "int n;  // How many there are\n", 1),
        ("a.h", '/** Whether it is set. */\nconst char* s = "What is this";\n', 1),
        ("a.h", "/* The state.\n * Who waits is woken. */\n", 1),
        ("a.rs", "/// Whether it is set.\n//! Of a module.\nint f();\n", 2),
        ("a.py", '"""Whether it is set."""\n# How is this asked?\nx = 1  #' + " Of the row\n", 2),
        ("a.jl", "# Whose dimensions count.\n", 1),
        ("a.f90", "! What the library calls.\nprint *, 'Of'\n", 1),
        ("a.cmake", "# Of these the last.\n", 1),
        ("a.h", "// True if it is set.\n// Offsets of rows.\n// However it is.\n", 0),
    ]
    wrong = 0
    for name, text, expected in cases:
        found = list(faults(pathlib.Path(name), text))
        if len(found) != expected:
            print(f"self-test: {text!r}: expected {expected}, got {found}")
            wrong += 1
    for text, expected in PUBLIC_CASES:
        found = list(public_faults("a.h", text))
        if len(found) != expected:
            print(f"self-test: {text!r}: expected {expected}, got {found}")
            wrong += 1
    print(f"self-test: {len(cases) + len(PUBLIC_CASES)} texts, {wrong} judged wrongly")
    return wrong


_CALL = " */\nARR_API arr_status arr_x(int32_t n);\n"
PUBLIC_CASES = [  # texts of a public header, each with its number of faults
    ("/** Returns the number." + _CALL, 0),
    ("/** The number of elements." + _CALL, 1),
    ("/** Two axes in each other's place." + _CALL, 2),
    ("/** Sorts in place (NumPy's place)." + _CALL, 0),
    (
        "/** Sorts it. @param stream  the stream (NULL: the default) @param axis  negative ones count from the end"
        + _CALL,
        2,
    ),
    ("/** Sorts it. @param stream  the stream; NULL selects the default stream @param order  ARR_ORDER_C" + _CALL, 0),
    ("/** Returns the places along an axis, which goes away." + _CALL, 2),
    ("/** Returns a view, which is none of those, but\n *  for its axes." + _CALL, 2),
    ("/** Reads what the array has." + _CALL, 1),
    ("/** Writes so many. A place that is met twice, likewise the pool of its own, tells of kin." + _CALL, 7),
    ("/** Places a value." + _CALL, 2),
    ("/** Writes values. @cupy cupy.put" + _CALL, 1),
    ("typedef struct x {\n  const char\n      *format; /* text */\n} x;\n", 1),
    ("typedef struct x {\n  int64_t a; /* text that\n                goes on */\n} x;\n", 1),
    ("#define ARR_X \\\n  3 /* as before */\n", 1),
    ("#define ARR_F(a) \\\n  f((a), 0)\n", 0),
    ("/** Returns it. */\n\nARR_API int f(void);\n", 1),
]


def main(argv):
    if "--self-test" in argv:
        return 1 if self_test() else 0
    found, read = [], 0
    for name in source.files():
        if name.parent == PUBLIC:
            found += public_faults(name, source.read(source.ROOT / name))
        if name.suffix not in source.CODE and name.name != "CMakeLists.txt":
            continue
        text = source.read(source.ROOT / name)
        if source.is_generated(text):
            continue
        read += 1
        found += faults(name, text)
    for line in found:
        print(line)
    print(f"{read} files, {len(found)} faults")
    return 1 if found or not read else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
