#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_wheel.py BUILD OUT - makes a wheel of a build of libarr: the library, its modules, headers and packages.

oneTBB travels with it, for pip installs no Debian packages; whatever else libarr opens is found at run time. The wheel
needs no version of Python in particular. Needs patchelf and strip.
"""

import base64
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ONETBB_LICENCE = pathlib.Path("/usr/share/doc/libtbb12/copyright")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(library, name):
    """The path of a library that the loader finds for another one."""
    found = re.search(rf"{re.escape(name)} => (\S+)", run("ldd", str(library)))
    if found is None:
        sys.exit(f"make_wheel.py: {library} does not need {name}")
    return pathlib.Path(found[1])


def staged(build, folder):
    """Installs into the folder and makes of it what a wheel may contain. Returns the version."""
    run("cmake", "--install", str(build), "--prefix", str(folder), "--strip")
    lib = folder / "lib"
    # libarr.so -> libarr.so.N -> libarr.so.N.M.K. A wheel has no links: the library gets the name that programs open,
    # and a text of the linker stands for the one that the linker looks for.
    name = (lib / "libarr.so").readlink().name
    library = (lib / "libarr.so").resolve()
    version = library.name[len("libarr.so.") :]
    for link in ("libarr.so", name):
        (lib / link).unlink()
    for targets in (lib / "cmake" / "arr").glob("*.cmake"):
        targets.write_text(targets.read_text().replace(library.name, name))
    library = library.rename(lib / name)
    (lib / "libarr.so").write_text(f"INPUT({name})\n")
    shutil.copy(needed(library, "libtbb.so.12"), lib / "libtbb.so.12")
    run("patchelf", "--set-rpath", "$ORIGIN", str(library))
    for module in lib.glob("arr-*/libarr_hostcuda.so"):
        run("patchelf", "--set-rpath", "$ORIGIN/..", str(module))
    shutil.rmtree(folder / "share" / "doc")
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(HERE / name, folder)
    return version


def tag():
    """The oldest system that the wheel runs on: that of the C library it was built with."""
    return f"py3-none-manylinux_{platform.libc_ver()[1].replace('.', '_')}_{platform.machine()}"


def record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write(folder, version, out):
    information = f"libarr-{version}.dist-info"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    texts = {
        f"{information}/METADATA": "Metadata-Version: 2.1\nName: libarr\n"
        f"Version: {version}\nSummary: Arrays on GPUs and on the host for every language that calls C\n"
        f"License: MIT\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n{readme}",
        f"{information}/WHEEL": f"Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\nTag: {tag()}\n",
        f"{information}/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        f"{information}/LICENSE.oneTBB": ONETBB_LICENCE.read_text(encoding="utf-8"),
    }
    path = out / f"libarr-{version}-{tag()}.whl"
    rows = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = f"libarr/{file.relative_to(folder)}"
            rows += record(name, file.read_bytes())
            wheel.write(file, name)
        for name, text in texts.items():
            rows += record(name, text.encode())
            wheel.writestr(name, text)
        wheel.writestr(f"{information}/RECORD", f"{rows}{information}/RECORD,,\n")
    return path


def main(build, out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        version = staged(pathlib.Path(build), pathlib.Path(folder))
        path = write(pathlib.Path(folder), version, out)
    print(f"{path} ({path.stat().st_size >> 20} MiB)")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
