#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs_selftest.py - the checks of docs/ find each fault of a comment, and nothing in a good one."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs"))
import headers  # noqa: E402
import make_parity  # noqa: E402
import make_reference  # noqa: E402

GOOD = """/** Adds two arrays. They broadcast.
 *  @param a,b  operands   @param stream  the stream (NULL: the default)
 *  @param drop  called once, or NULL
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.add, cupy.ndarray.__add__ */
ARR_API arr_status arr_add(arr_array a, arr_array b, arr_stream stream,
                           void (*drop)(void *ctx), arr_array *out);
"""


def faults_of(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.h")
        path.write_text(text)
        functions = headers.read_functions(path)
        assert len(functions) == headers.count_exports(path) == 1, functions
        return make_reference.faults(functions[0], ["a", "b", "stream", "drop", "out"])


class Comments(unittest.TestCase):
    def test_good_comment_has_no_fault(self):
        self.assertEqual(faults_of(GOOD), [])

    def test_each_missing_piece_is_found(self):
        for cut, expected in [
            ("Adds two arrays. They broadcast.", "no summary sentence"),
            ("@param a,b  operands", "no @param a"),
            ("@param stream  the stream (NULL: the default)", "no @param stream"),
            ("@param drop  called once, or NULL", "no @param drop"),
            ("@param[out] out  one new reference", "no @param out"),
            ("@return ARR_OK, ARR_E_SHAPE", "no @return"),
            ("@sync no", "no @sync"),
            ("@threads any", "no @threads"),
            ("@since 0.1", "no @since"),
        ]:
            self.assertIn(cut, GOOD)
            self.assertIn(expected, faults_of(GOOD.replace(cut, "")), cut)

    def test_wrong_pieces_are_found(self):
        self.assertIn("@param c: no such parameter", faults_of(GOOD.replace("a,b", "a,b,c")))
        self.assertIn("unknown tag @returns", faults_of(GOOD.replace("@return", "@returns")))
        self.assertIn("no summary sentence", faults_of(GOOD[GOOD.index("ARR_API") :]))

    def test_a_comment_belongs_to_the_next_declaration_only(self):
        self.assertIn(
            "no @since", faults_of(GOOD[: GOOD.index("ARR_API")] + "typedef int x;\n" + GOOD[GOOD.index("ARR_API") :])
        )


class Parity(unittest.TestCase):
    KNOWN = {"cupy.add": "ufunc", "cupy.ndarray.__add__": "ndarray", "kernel: dtypes (int8, int16...)": "kernel"}

    def test_names_with_commas(self):
        self.assertEqual(
            make_parity.split_names("cupy.add, kernel: dtypes (int8, int16...), cupy.ndarray.__add__", self.KNOWN)[0],
            ["cupy.add", "kernel: dtypes (int8, int16...)", "cupy.ndarray.__add__"],
        )

    def test_unknown_names_are_errors(self):
        self.assertEqual(make_parity.split_names("cupy.add, cupy.sum_of_all", self.KNOWN)[1], ["cupy.sum_of_all"])

    def test_names_of_macros_stand_behind_or_above(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.h"
            path.write_text(
                "#define ARR_A 1 /* one @cupy cupy.a */\n/* Two, of many.\n * @cupy cupy.b,\n * cupy.c */\n"
                "#define ARR_B 2\n/* A group. */\n#define ARR_C 3\n",
                encoding="utf-8",
            )
            self.assertEqual(
                [(m.name, m.doc, m.tag("cupy"), m.line) for m in headers.read_macros(path)],
                [("ARR_A", "one", "cupy.a", 1), ("ARR_B", "Two, of many", "cupy.b, cupy.c", 5), ("ARR_C", "", None, 7)],
            )

    def test_counts(self):
        page = make_parity.render(
            self.KNOWN,
            {"ufunc": [1, 1], "ndarray": [1, 1], "kernel": [1, 0]},
            {"cupy.add": ["arr_add", "arr_add_into"]},
        )
        self.assertIn("**1 of 2 names that apply are done** (3 names in all)", page)
        self.assertIn("| ufunc | 1 | 1 | 1 |", page)
        self.assertIn("| `cupy.add` | `arr_add`, `arr_add_into` |", page)

    def test_inventory_is_whole(self):
        names, areas = make_parity.read_inventory()
        self.assertEqual(len(names), sum(c[0] for c in areas.values()))
        self.assertGreater(len(names), 3800)


if __name__ == "__main__":
    unittest.main()
