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
import parity  # noqa: E402

GOOD = """/** Adds two arrays. They broadcast.
 *  @param a,b  operands   @param stream  the stream (NULL: the default)
 *  @param drop  called once, or NULL
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE
 *  @sync no */
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
        ]:
            self.assertIn(cut, GOOD)
            self.assertIn(expected, faults_of(GOOD.replace(cut, "")), cut)

    def test_wrong_pieces_are_found(self):
        self.assertIn("@param c: no such parameter", faults_of(GOOD.replace("a,b", "a,b,c")))
        self.assertIn("unknown tag @returns", faults_of(GOOD.replace("@return", "@returns")))
        self.assertIn("no summary sentence", faults_of(GOOD[GOOD.index("ARR_API") :]))
        self.assertIn("the summary ends at an ellipsis", faults_of(GOOD.replace("two arrays.", "1, 2, ... n.")))

    def test_tags_state_exceptions_only(self):
        self.assertEqual(faults_of(GOOD.replace("@sync no", "@sync no   @threads one at a time   @since 0.2")), [])
        for tag in ("@threads any", "@since 0.1"):
            self.assertIn(
                f"{tag} holds for every function; delete it", faults_of(GOOD.replace("@sync no", f"@sync no   {tag}"))
            )

    def test_a_comment_belongs_to_the_next_declaration_only(self):
        self.assertIn(
            "no @sync", faults_of(GOOD[: GOOD.index("ARR_API")] + "typedef int x;\n" + GOOD[GOOD.index("ARR_API") :])
        )


class Parity(unittest.TestCase):
    ROWS = [
        {
            "area": "ufunc",
            "name": "cupy.add",
            "applies_to_C_API": "yes",
            "libarr": "arr_add arr_add_into",
            "symbol": "",
        },
        {"area": "ndarray", "name": "cupy.ndarray.__add__", "applies_to_C_API": "yes", "libarr": "", "symbol": ""},
        {
            "area": "kernel",
            "name": "kernel: dtypes (int8, int16...)",
            "applies_to_C_API": "python-only",
            "libarr": "",
            "symbol": "",
        },
    ]

    def test_functions_that_do_not_exist_are_errors(self):
        done, errors = make_parity.collect(self.ROWS, {"arr_add"})
        self.assertEqual(done, {"cupy.add": ["arr_add"]})
        self.assertEqual(errors, ["docs/parity.tsv:2: cupy.add: arr_add_into is not in the public headers"])
        self.assertEqual(make_parity.collect(self.ROWS, {"arr_add", "arr_add_into"})[1], [])

    def test_symbols_answer_names(self):
        row = {"area": "lowlevel_cublas", "name": "cupy.cuda.cublas.sscal", "libarr": "", "symbol": "cublasSscal_v2"}
        self.assertEqual(make_parity.collect([row], set()), ({"cupy.cuda.cublas.sscal": ["cublasSscal_v2"]}, []))

    def test_tables_add_their_names(self):
        rows = [dict(row) for row in self.ROWS]
        tables = {"arr_add": ["cupy.add", "cupy.ndarray.__add__"], "arr_sum": ["cupy.sum_of_all"]}
        errors = make_parity.add_tables(rows, tables)
        self.assertEqual([row["libarr"] for row in rows], ["arr_add arr_add_into", "arr_add", ""])
        self.assertEqual(errors, ["core/table: arr_sum: 'cupy.sum_of_all' is not in docs/parity.tsv"])

    def test_comments_of_macros_stand_behind_or_above(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.h"
            path.write_text(
                "#define ARR_A 1 /* one */\n/** Two, of many\n * lines. */\n"
                "#define ARR_B 2\n/* A group. */\n#define ARR_C 3\n",
                encoding="utf-8",
            )
            self.assertEqual(
                [(m.name, m.doc, m.line) for m in headers.read_macros(path)],
                [("ARR_A", "one", 1), ("ARR_B", "Two, of many lines", 4), ("ARR_C", "", 6)],
            )

    def test_counts(self):
        page = make_parity.render(*make_parity.count(self.ROWS), {"cupy.add": ["arr_add", "arr_add_into"]})
        self.assertIn("**1 of 2 names that apply are done** (3 names in all); 0 of them rest on a symbol.", page)
        self.assertIn("| ufunc | 1 | 1 | 1 |", page)
        self.assertIn("| `cupy.add` | `arr_add`, `arr_add_into` |", page)

    def test_inventory_is_whole(self):
        columns, rows = parity.read()
        names, areas = make_parity.count(rows)
        self.assertEqual(len(names), sum(c[0] for c in areas.values()))
        self.assertGreater(len(names), 3800)
        self.assertEqual(parity.write(columns, rows), parity.INVENTORY.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
