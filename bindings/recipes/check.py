#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py conda|spack|julia BUILD_DIR - checks a recipe for a package as far as it can be done without its package
manager, and that each CMake option in it exists.

conda: rattler-build's own parser reads the recipe and renders it for Linux on two processors (py-rattler-build of PyPI).
spack: the class is executed with stand-ins of the names in `spack.package`, and returns its arguments of CMake.
julia: Julia parses BinaryBuilder's script.
"""

import pathlib
import re
import subprocess
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77
VARIANTS = """
c_compiler: [gcc]
cxx_compiler: [gxx]
fortran_compiler: [gfortran]
c_stdlib: [sysroot]
c_stdlib_version: ["2.17"]
"""


def version():
    """The version of the project, as CMakeLists.txt states it."""
    return re.search(r"project\(\s*\w+\s+VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def wrong_options(text, build):
    """Options of ours that the cache of a build does not have."""
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text()
    used = set(re.findall(r"(?<=-D)ARR_[A-Z_]+(?==)", text))
    if "ARR_TESTS" not in used:
        return [f"the tests are not left out: {sorted(used)}"]
    return [f"{name} is no option of libarr" for name in sorted(used) if not re.search(rf"^{name}:", cache, re.M)]


def conda():
    try:
        import rattler_build as rattler
    except ImportError:
        print("skipped: py-rattler-build is not installed (.ci/setup.sh installs it)")
        sys.exit(SKIPPED)
    recipe = rattler.Stage0Recipe.from_file(HERE / "conda" / "recipe.yaml")
    variants = rattler.VariantConfig.from_yaml(VARIANTS)
    faults, text = [], ""
    for platform in ("linux-64", "linux-aarch64"):
        where = rattler.PlatformConfig(target_platform=platform, build_platform=platform, host_platform=platform)
        rendered = recipe.render(variants, rattler.RenderConfig(where))
        if len(rendered) != 1:
            return [f"{platform}: {len(rendered)} packages, expected one"], text
        made = rendered[0].recipe.to_dict()
        if made["package"]["version"] != version():
            faults.append(f"version {made['package']['version']}, expected {version()}")
        if f"gxx_{platform}" not in made["requirements"]["build"]:
            faults.append(f"{platform}: its compiler is not required: {made['requirements']['build']}")
        text += "\n".join(made["build"]["script"])
    if not (HERE / "conda" / "../../.." / made["about"]["license_file"][0]).is_file():
        faults.append(f"no file {made['about']['license_file']}")
    return faults, text


class Package:
    """CMakePackage and CudaPackage of Spack, with its variants."""

    declared = {"cuda": False}

    def define(self, name, value):
        return f"-D{name}:BOOL={'ON' if value else 'OFF'}"

    def define_from_variant(self, name, variant):
        value = self.declared[variant]
        return self.define(name, value) if isinstance(value, bool) else f"-D{name}:STRING={value}"


def spack():
    said = []
    package = types.ModuleType("spack.package")
    for name in ("license", "version", "depends_on", "conflicts"):
        setattr(package, name, lambda *words, name=name, **_: said.append((name, *words)))

    def variant(name, default, description, values=None, multi=None):
        if not description or (values and default not in values):
            raise ValueError(f"variant {name}")
        Package.declared[name] = default

    package.variant = variant
    package.CMakePackage, package.CudaPackage = type("C", (Package,), {}), type("D", (Package,), {})
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    scope = {}
    exec(compile((HERE / "spack" / "package.py").read_text(), "package.py", "exec"), scope)
    arguments = scope["Libarr"]().cmake_args()
    versions = [words[1] for words in said if words[0] == "version"]
    faults = [] if versions == [version()] else [f"versions {versions}, expected {version()}"]
    if sum(words[0] == "depends_on" for words in said) < 5 or not any(a == "-DARR_CUDA:BOOL=OFF" for a in arguments):
        faults.append(f"arguments {arguments} of {said}")
    return faults, "\n".join(arguments).replace(":BOOL", "").replace(":STRING", "")


PARSED = """
text, at = read(ARGS[1], String), 1
while at <= lastindex(text)
    global at
    e, at = Meta.parse(text, at)
    e isa Expr && e.head in (:error, :incomplete) && error(e)
end
"""


def julia(build):
    script = HERE / "julia" / "build_tarballs.jl"
    find = f'source {ROOT}/bindings/julia/julia.sh "$1" && exec "$ARR_JULIA" --startup-file=no -e "$2" "$3"'
    run = subprocess.run(["bash", "-c", find, "bash", build, PARSED, script], check=False)
    if run.returncode == SKIPPED:
        sys.exit(SKIPPED)
    text = script.read_text()
    faults = [f"Julia does not parse {script.name}"] if run.returncode else []
    if f'version = v"{version()}"' not in text:
        faults.append(f"version: expected {version()}")
    return faults, text


def main(kind, build):
    faults, text = {"conda": conda, "spack": spack, "julia": lambda: julia(build)}[kind]()
    faults += wrong_options(text, build)
    print("\n".join(faults) or f"{kind}: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
