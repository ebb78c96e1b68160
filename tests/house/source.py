# SPDX-License-Identifier: MIT
"""Parts that the checks of the house share: the project's files, and C-like source without its comments."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
C_LIKE = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".inc"}
CODE = C_LIKE | {".def", ".py", ".jl", ".rs", ".f90", ".F90", ".sh", ".cmake", ".i", ".map"}
SKIPPED = 77  # CTest's SKIP_RETURN_CODE of these tests
_NOT_OURS = {".git", ".venv", "target", "__pycache__"}


def files(root=ROOT):
    """Paths relative to root of everything that is, or would be, committed."""
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if listing.returncode == 0:
        names = [n for n in listing.stdout.decode().split("\0") if n]
    else:  # a source archive: no git
        names = []
        for folder, folders, leaves in os.walk(root):
            folders[:] = [f for f in folders if f not in _NOT_OURS and not f.startswith("build")]
            names += [os.path.relpath(os.path.join(folder, leaf), root) for leaf in leaves]
    return sorted(pathlib.Path(n) for n in set(names) if (root / n).is_file())


def is_generated(text):
    """Generated files say so in their first lines."""
    return (
        re.search(r"\bgenerated\b.*\bdo not edit\b|\bgenerated (by|from)\b", "\n".join(text.splitlines()[:3]), re.I)
        is not None
    )


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def dialect():
    """[(compiled expression, what to write instead)] of the lines of dialect.txt."""
    lines = read(pathlib.Path(__file__).resolve().parent / "dialect.txt").splitlines()
    rows = [line.split(" -> ") for line in lines if line.strip() and not line.startswith("#")]
    return [(re.compile(pattern, re.I), instead) for pattern, instead in rows]


TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)


def strip_c(text):
    """C or C++ text with comments and literals blanked; line numbers stay."""

    def blank(m):
        if m.group(0)[0] == "'" and m.start() > 0 and text[m.start() - 1].isalnum():
            return m.group(0)  # a digit separator
        return re.sub(r"[^\n]", " ", m.group(0))

    return TOKENS.sub(blank, text)
