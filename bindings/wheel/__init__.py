# SPDX-License-Identifier: MIT
"""libarr: GPU arrays for every language that calls C. The wheel carries the library and the files of each language.

`python -m libarr --cflags --libs` prints the options of a C compiler, `--cmake` a folder for CMAKE_PREFIX_PATH,
`--pkgconfig` one for PKG_CONFIG_PATH (arr and arr_fortran), `--julia` one for JULIA_LOAD_PATH, `--rust` one for a path dependency of Cargo, `--library` the shared library.
"""

import pathlib

PREFIX = pathlib.Path(__file__).resolve().parent
LIBRARY = next((PREFIX / "lib").glob("libarr.so.*"))
INCLUDE = PREFIX / "include"
