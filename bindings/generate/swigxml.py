# SPDX-License-Identifier: MIT
"""Runs `swig -xml` on the headers that arr.h includes, in their order, and reads the declarations from its tree.

The XML holds types in SWIG's encoding ("p.q(const).int64_t") and addresses that differ from run to run;
only names and types are taken from it.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "capi" / "include"
SWIG_VERSION = "4.1"  # its XML is not a stable format


class SwigError(Exception):
    """SWIG is missing, of another version, or refused the headers."""


def swig_version():
    """ "4.1.0", or None where there is no SWIG."""
    if not shutil.which("swig"):
        return None
    text = subprocess.run(["swig", "-version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"SWIG Version ([\d.]+)", text)
    return found.group(1) if found else None


def swig_problem():
    """Why the SWIG of this machine cannot be used, or None."""
    version = swig_version()
    if version is None:
        return f"swig is not installed (version {SWIG_VERSION} is needed)"
    if not version.startswith(SWIG_VERSION + "."):
        return f"swig is version {version}, the generator needs {SWIG_VERSION}"
    return None


def run_swig():
    """The XML tree of the public headers."""
    problem = swig_problem()
    if problem:
        raise SwigError(problem)
    with tempfile.TemporaryDirectory() as folder:
        out, interface = pathlib.Path(folder) / "arr.xml", pathlib.Path(folder) / "arr.i"
        # SWIG follows %include and no #include.
        headers = re.findall(r'^#include ("arr/\w+\.h")', (INCLUDE / "arr/arr.h").read_text(encoding="utf-8"), re.M)
        interface.write_text("%module arr\n" + "".join(f"%include {h}\n" for h in headers), encoding="utf-8")
        done = subprocess.run(
            ["swig", "-xml", "-Wall", "-Werror", "-DARR_API=", f"-I{INCLUDE}", "-o", str(out), str(interface)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SwigError((done.stderr or done.stdout).strip())
        return xml.etree.ElementTree.parse(out).getroot()


def attributes(node):
    """The attributes of a node, without those of its children."""
    found = node.find("attributelist")
    return {a.get("name"): a.get("value") for a in found.findall("attribute")} if found is not None else {}


def split_type(text):
    """["p", "q(const)", "int64_t"] for "p.q(const).int64_t"; dots inside brackets do not split."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "." and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    return parts + [current]


def split_arguments(text):
    """The encoded types of "int32_t,p.f(p.void).void"; commas inside brackets do not split."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    return parts + [current] if current else parts


def _parameters(node):
    found = node.find("attributelist/parmlist")
    rows = [attributes(p) for p in found.findall("parm")] if found is not None else []
    return [(r.get("name", ""), r["type"]) for r in rows if r["type"] != "void"]


def read(tree):
    """{"functions", "structs", "typedefs", "constants"} with encoded types."""
    api = {"functions": {}, "structs": {}, "typedefs": {}, "constants": {}}
    for node in tree.iter():
        if node.tag not in ("cdecl", "class", "constant"):
            continue
        a = attributes(node)
        name = a.get("sym_name") or a.get("name", "")
        if not name.lower().startswith("arr"):
            continue  # SWIG's own library, struct members
        if node.tag == "constant":
            api["constants"][name] = a["value"]
        elif node.tag == "class":
            members = [attributes(m) for m in node.findall("cdecl")]
            api["structs"][name] = [(m["name"], m.get("decl", "") + m["type"]) for m in members]
        elif a.get("kind") == "typedef":
            api["typedefs"][name] = a.get("decl", "") + a["type"]
        elif a.get("kind") == "function":
            tail = split_type(a["decl"])[1:]  # "f(int32_t).p." is a function that returns a pointer
            api["functions"][name] = {"returns": ".".join(tail) + a["type"], "parameters": _parameters(node)}
    return api
