#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reference_selftest.py - each function of the C API is on one page of the reference, in five languages."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import headers  # noqa: E402
import make_reference  # noqa: E402
import subjects  # noqa: E402
from languages import forms, fortran, julia, rust  # noqa: E402

# Functions with a signature of the language's own; fewer are a fault of its reader.
LEAST = {"c": 1100, "cpp": 1050, "julia": 950, "rust": 1030, "fortran": 1050}
CALLS = {
    "arr_add": ("ARR_TRY(arr_add(x, y, NULL, &out));", "arr::add(x, y);", "x .+ y", "a.add(y);", "y = arr_add(x, y)"),
    "arr_sum": (
        "ARR_TRY(arr_sum(a, 0, NULL, false, NULL, &out));",
        "arr::sum(a);",
        "sum(a)",
        "a.sum(axes);",
        "y = sum(array)",
    ),
    "arr_svdvals": (
        "ARR_TRY(arr_svdvals(a, on_failure, NULL, &out));",
        "arr::svdvals(a);",
        "svdvals(a)",
        "a.svdvals()?;",
        "y = arr_svdvals(a)",
    ),
    "arr_stream_sync": (
        "ARR_TRY(arr_stream_sync(stream));",
        "arr::stream_sync(stream);",
        "synchronize(x)",
        "x.sync()?;",
        "call arr_sync(stream)",
    ),
}


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages, cls.count = make_reference.reference()

    def test_each_function_is_on_one_page_with_five_languages(self):
        names = sorted(f.name for f in headers.all_functions())
        sections = [s for page in self.pages.values() for s in re.split(r"(?m)^## (?=arr_\w+$)", page)[1:]]
        self.assertEqual(sorted(s.split("\n", 1)[0] for s in sections), names)
        for section in sections:
            blocks = re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", section)
            self.assertEqual([language for language, _ in blocks], list(forms.LANGUAGES), section[:60])
            for language, code in blocks:
                self.assertTrue(re.sub(r"^\W+ instead:", "", code).strip(), f"{language} of {section[:60]}")

    def test_signatures_are_those_of_the_languages(self):
        for language, least in LEAST.items():
            own = [n for n, of in forms.all_forms().items() if of[language].kind == forms.OWN]
            self.assertGreaterEqual(len(own), least, language)

    def test_shortest_calls(self):
        for name, calls in CALLS.items():
            self.assertEqual(tuple(form.call for form in forms.all_forms()[name].values()), calls)

    def test_subjects_refuse_what_is_twice_or_unknown(self):
        functions = headers.all_functions()
        without = {page: (row[0], row[1].replace("sort.h", "")) for page, row in subjects.SUBJECTS.items()}
        with mock.patch.object(subjects, "SUBJECTS", without):
            self.assertIn("arr_lexsort", [f.name for f in subjects.pages(functions)["sort"]])
        twice = subjects.SUBJECTS | {"again": ("Again", "sets.h")}
        unknown = subjects.SUBJECTS | {"again": ("Again", "no_such_function")}
        taken = {page: (row[0], row[1].replace("sets.h", "")) for page, row in subjects.SUBJECTS.items()}
        for table, said in ((twice, "sets.h is in"), (unknown, "no header declares"), (taken, "name of the page sets")):
            with mock.patch.object(subjects, "SUBJECTS", table), self.assertRaisesRegex(subjects.Wrong, said):
                subjects.pages(functions)

    def test_synonyms_are_names_of_the_bindings(self):
        sources = {"Julia": julia.definitions(ROOT, forms.api()), "Fortran": fortran.definitions(ROOT, forms.api())}
        known = {title: {d.name.rpartition(".")[2] for d in of if d.foreign} for title, of in sources.items()}
        known["Julia"] |= {"hcat", "vcat", "hvcat"}  # they end in _typed_hcat and others
        functions = {f.name for f in headers.all_functions()}
        for (language, function), names in make_reference.synonyms().items():
            self.assertIn(function, functions)
            self.assertFalse(set(names) - known[language], language)

    @unittest.skipUnless(shutil.which("julia"), "there is no Julia")
    def test_ops_of_base(self):
        names = julia.BASE | set(julia.REDUCTIONS.values()) - {"mean"}
        code = f"print(all(n -> isdefined(Base, Symbol(n)), split({' '.join(sorted(names))!r:s}, ' ')))".replace(
            "'", '"', 2
        )
        run = subprocess.run(["julia", "-e", code], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout, "true")


class Readers(unittest.TestCase):
    def test_macros_of_rust_are_written_out(self):
        text = """macro_rules! typed_ops {
    ($self:ty, [$($bound:tt)*]; $($(#[$doc:meta])* $name:ident $try:ident = $new:ident ($($x:ident),*) -> $result:ty;)*) => {
        impl<$($bound)*> $self {$(
            $(#[$doc])*
            pub fn $name(&self $(, $x: impl Operand<T>)*) -> Array<$result> { call!($new(self $(, $x)*)) }
        )*}
    };
}
typed_ops! { Array<T>, [T: Element];
    #[doc(alias = "plus")]
    add try_add = arr_add (y, z) -> T;
}
"""
        (made,) = [d for part in rust.made_by_macros([text]) for d in rust.definitions_of(part)]
        self.assertEqual(made.signature, "Array::add(&self, y: impl Operand<T>, z: impl Operand<T>) -> Array<T>")
        self.assertEqual((made.call, made.calls), ("a.add(y, z);", {"arr_add"}))

    def test_loops_of_julia_are_written_out(self):
        text = """for (f, entry) in ((:dct, :arr_dctn), (:dst, :arr_dstn))
    @eval begin
        $f(a::AnyArr; n = 1) = made(LibArr.$entry(a))
    end
end
"""
        found = [julia.definition(t, True, False) for part in julia.unrolled(text) for _, t in julia.chunks(part)]
        self.assertEqual(
            [(d.call, d.calls) for d in found], [("Arr.dct(a)", {"arr_dctn"}), ("Arr.dst(a)", {"arr_dstn"})]
        )


if __name__ == "__main__":
    unittest.main()
