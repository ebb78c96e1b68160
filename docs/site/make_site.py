#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_site.py OUT [--check] - builds the documentation as a site in OUT/html: README, tutorial, guides, and the reference,
which docs/make_reference.py makes of the headers and of the bindings.

Needs MkDocs with the theme Material, which .ci/requirements.txt names. The pages are those of the repository; links are
followed, and one that leads nowhere is an error. --check also looks for some functions in the index of the search.
Exits 77 where MkDocs is not installed.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import make_reference  # noqa: E402
import subjects  # noqa: E402

TOP = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
SKIPPED = 77
# Folders and files of the repository that are no pages: their links become plain text.
NO_PAGES = re.compile(r"\[([^\]]+)\]\((?:\.\./)*(?:examples|LICENSE|(?:tests|bindings|core|capi)/[^)]*)\)")
# Words of the search end here: a name such as arr_argmax is also found as argmax.
SEPARATOR = r"(?<=\barr)_|[\s\-.,;:=(){}\[\]<>/|`'\"]+"
# Pages whose matches come first or last among the results.
BOOSTS = {"docs/reference": 3, "docs/guides": 2, "docs/decisions": 0.3, "docs/benchmarks.md": 0.3, "CHANGELOG.md": 0.3}
LANGUAGES = {"c": "C", "cpp": "C++", "julia": "Julia", "rust": "Rust", "fortran": "Fortran"}
GUIDES = {
    "Languages": (
        "install",
        "c",
        "cpp",
        "julia",
        "rust",
        "fortran",
        "from_numpy",
        "from_numpy_c",
        "from_fortran",
        "from_base",
        "from_others",
        "from_ndarray",
        "programs",
    ),
    "Arrays": ("expressions", "products"),  # and all guides that are not in this list, which are of families
    "Kernels and devices": ("kernels", "kernel_features", "ptx", "cuda", "memory", "processes"),
    "Exchange": ("dlpack", "npy", "files"),
}


def title(path):
    """The first heading."""
    return next(line[2:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# "))


def tabbed(text):
    """Blocks of code in several languages, one after the other, become the tabs of one block."""

    def tab(block):
        name, code = block
        lines = [f'=== "{LANGUAGES[name]}"', "", f"```{name}", *code.splitlines(), "```"]
        return "\n".join(lines[:1] + [f"    {line}".rstrip() for line in lines[1:]]) + "\n\n"

    one = rf"```(?:{'|'.join(LANGUAGES)})\n(?:(?!```).*\n)*```\n+"

    def tabs(run):
        blocks = re.findall(r"```(\w+)\n((?:(?!```).*\n)*)```\n+", run[0])
        distinct = len({name for name, _ in blocks}) == len(blocks)
        return "".join(map(tab, blocks)) if distinct else run[0]

    made = re.sub(rf"(?:^{one}){{2,}}", tabs, text, flags=re.M)
    lost = {line.strip() for line in text.splitlines()} - {line.strip() for line in made.splitlines()}
    assert not lost, f"tabs lose lines: {lost}"
    return made


def rust_shown(text):
    """Blocks of Rust as rustdoc shows them: without their attributes, and the lines that it hides."""
    return re.sub(
        r"^```rust(,\w+)*\n(.*?)^```$",
        lambda block: "```rust\n" + re.sub(r"^#( .*)?\n", "", block[2], flags=re.M) + "```",
        text,
        flags=re.M | re.S,
    )


def staged(folder):
    """Copies the pages; README becomes index.md, one folder above docs/ as in the repository."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("*.py", "site", "__pycache__"))
    pages, _ = make_reference.reference()
    make_reference.write(folder / "docs" / "reference", pages)
    for name in TOP:
        shutil.copy(ROOT / name, folder)
    shutil.copy(HERE / "site.css", folder)
    shutil.copy(ROOT / "README.md", folder / "index.md")
    for page in folder.rglob("*.md"):
        place = page.relative_to(folder).as_posix()
        reference = os.path.relpath("docs/reference", os.path.dirname(place))
        text = make_reference.linked(page.read_text(encoding="utf-8"), reference)
        text = tabbed(rust_shown(NO_PAGES.sub(r"\1", text)))
        boost = next((b for start, b in BOOSTS.items() if place.startswith(start)), None)
        head = f"---\nsearch:\n  boost: {boost}\n---\n\n" if boost else ""
        page.write_text(head + text, encoding="utf-8")


def navigation(folder):
    docs = folder / "docs"

    def pages(names, place):
        places = dict.fromkeys([docs / place, docs])
        found = [p for n in names for p in [where / f"{n}.md" for where in places] if p.exists()]
        return [{title(p): str(p.relative_to(folder))} for p in found]

    listed = {n for names in GUIDES.values() for n in names}
    families = sorted(p.stem for p in (docs / "guides").glob("*.md") if p.stem not in listed)
    groups = GUIDES | {"Arrays": (*GUIDES["Arrays"], *families)}
    guides = [{name: pages(names, "guides")} for name, names in groups.items()]
    last = ["functions", "names", "fortran"]
    made = sorted(p.stem for p in (docs / "reference").glob("*.md") if p.stem not in last)
    reference = dict.fromkeys(["README", *subjects.SUBJECTS, *made, *last])
    headers = sorted(p.stem for p in (docs / "reference" / "headers").glob("*.md"))
    decisions = sorted(p.stem for p in (docs / "decisions").glob("0*.md"))
    return [
        {"libarr": "index.md"},
        {"Tutorial": "docs/tutorial.md"},
        {"Guides": guides},
        {"Reference": [*pages(reference, "reference"), {"Headers": pages(headers, "reference/headers")}]},
        {"Performance": pages(["benchmarks", "benchmarks_below_one"], "")},
        {
            "Project": [
                *pages(["differences", "environment", "threading", "security", "parity", "gpu/proof"], ""),
                *({n[:-3].capitalize(): n} for n in TOP),
                {"Contributing": pages(["README", "operation", "family", "backend"], "contributing")},
                {"Decisions": pages(["README", *decisions], "decisions")},
            ]
        },
    ]


def settings(folder, out):
    return {
        "site_name": "libarr",
        "site_description": "GPU arrays for every language that calls C",
        "docs_dir": str(folder),
        "site_dir": str(out / "html"),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,  # nothing is loaded from elsewhere
            "features": [
                "navigation.tabs",
                "navigation.top",
                "content.tabs.link",
                "content.code.copy",
                "toc.follow",
                "search.highlight",
            ],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "teal"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "teal"},
            ],
        },
        "extra_css": ["site.css"],
        "plugins": [{"search": {"separator": SEPARATOR}}],
        "markdown_extensions": [
            "tables",
            "admonition",
            "pymdownx.superfences",
            "pymdownx.highlight",
            {"pymdownx.tabbed": {"alternate_style": True}},
            {"toc": {"permalink": True, "toc_depth": 3}},
        ],
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn"}},
        "nav": navigation(folder),
    }


def check(html):
    """Fails unless the search finds functions and pages are where links expect them."""
    words = json.loads((html / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {d["location"] for d in words["docs"]}
    wanted = [
        "docs/tutorial.html",
        "docs/reference/sorting.html#arr_argsort",
        "docs/reference/mathematics.html#arr_sum",
        "docs/guides/julia.html#idioms",
    ]
    missing = [w for w in wanted if w not in found]
    for page in missing:
        print(f"the search does not know {page}")
    return 1 if missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if importlib.util.find_spec("mkdocs") is None:
        print("skipped: MkDocs is not installed (.ci/setup.sh installs it)")
        return SKIPPED
    out = options.out.resolve()
    folder = out / "pages"
    staged(folder)
    (out / "mkdocs.yml").write_text(json.dumps(settings(folder, out), indent=1), encoding="utf-8")  # JSON is YAML
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(out / "mkdocs.yml")]
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        print(f"{len(list((out / 'html').rglob('*.html')))} pages in {out / 'html'}")
    return status or (options.check and check(out / "html"))


if __name__ == "__main__":
    sys.exit(main())
