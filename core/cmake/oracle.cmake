# SPDX-License-Identifier: MIT
# ARR_ORACLE_PYTHON: the Python of the set-up's virtual environment, which has NumPy, SciPy and what the documentation needs.
find_program(ARR_ORACLE_PYTHON python NAMES python3 python PATHS ${PROJECT_SOURCE_DIR}/.venv/bin NO_DEFAULT_PATH
  DOC "Python with NumPy, for what compares with it")
mark_as_advanced(ARR_ORACLE_PYTHON)
