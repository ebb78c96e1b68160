# SPDX-License-Identifier: MIT
"""The pages of the reference by subject, as NumPy's reference has them, and the functions on each.

A subject has headers, whose functions it takes, and single functions, without arr_, which it takes from other headers
with their forms `_into`, `_v` and `_v_into`. A header of no subject is its own.
"""

import re

import headers

# Page: title, headers and functions.
SUBJECTS = {
    "arrays": (
        "Arrays",
        "array.h memory_views.h as_strided base may_share_memory reduced_view shares_memory sliding_window_view require check_finite",
    ),
    "creation": ("Array creation", "creation.h copy contiguous diag diagflat tri tril triu vander meshgrid"),
    "manipulation": ("Array manipulation", "manipulation.h view.h"),
    "dtypes": ("Data types", "dtype.h astype view view_field byteswap"),
    "indexing": ("Indexing", "indexing.h slice index_axis diagonal assign fill copyto"),
    "mathematics": (
        "Mathematical functions",
        """
        ops.h reduce.h scan.h calculus.h numeric.h interp sum prod nansum nanprod sum_abs sum_squares gcd_reduce hypot_reduce
        lcm_reduce logaddexp2_reduce logsumexp logsumexp_signed logsumexp_weighted softmax log_softmax
        """,
    ),
    "special": (
        "Special functions",
        """
        beta betaln digamma entr erf erfc erfcinv erfinv expit gamma gammaln huber i0 i0e i1 i1e j0 j1 k0 k1 kl_div log_expit
        log_ndtr logit ndtr ndtri pseudo_huber rel_entr sinc xlog1py xlogy y0 y1
        """,
    ),
    "logic": (
        "Logic functions",
        """
        all any allclose array_equal array_equiv equal greater greater_equal iscomplex iscomplexobj isclose isfinite
        isfortran isinf isnan isneginf isposinf isreal isrealobj less less_equal logical_and logical_not logical_or
        logical_xor logical_xor_reduce not_equal
        """,
    ),
    "bitwise": (
        "Bit-wise operations",
        """
        bitwise_and bitwise_and_reduce bitwise_count bitwise_or bitwise_or_reduce bitwise_xor bitwise_xor_reduce invert
        left_shift packbits right_shift unpackbits
        """,
    ),
    "ufuncs": ("Universal functions", "ufunc.h reduce_options.h"),
    "expressions": ("Expressions and fused loops", "expr.h expr_reductions.h fuse.h"),
    "linalg": (
        "Linear algebra",
        """
        linalg.h products.h gemm.h solvers.h banded.h decompositions.h matrix_functions.h special_matrices.h norm2
        vector_norm
        """,
    ),
    "sparse": ("Sparse matrices", "sparse.h sparse_structure.h sparse_nd.h sparse_products.h factor.h csgraph.h"),
    "iterative": ("Linear operators and iterative solvers", "iterative.h"),
    "polynomials": ("Polynomials", "polynomial.h"),
    "fft": ("Fourier, cosine and Hankel transforms", "fft.h fft_plan.h cosine.h hankel.h"),
    "signal": ("Convolution and window functions", "signal.h"),
    "random": ("Random sampling", "random.h random_vectors.h distributions.h"),
    "statistics": (
        "Statistics",
        """
        statistics.h quantiles.h histogram.h max max_abs mean min min_abs nanmax nanmean nanmin nanstd nanvar ptp std var
        """,
    ),
    "sorting": (
        "Sorting, searching, and counting",
        """
        sort.h search.h argmax argmin nanargmax nanargmin count_nonzero argwhere argwhere_sized extract extract_sized
        flatnonzero flatnonzero_sized nonzero nonzero_sized where
        """,
    ),
    "sets": ("Set routines", "sets.h"),
    "io": ("Input and output", "io.h format print"),
    "interchange": ("Interchange", "dlpack.h cuda_array_interface.h ipc.h wrap from_host"),
    "devices": ("Devices, streams and graphs", "device.h stream.h graph.h to_device"),
    "communication": ("Communicators", "comm.h comm_sparse.h"),
    "distributed": ("Distributed arrays", "dist.h"),
    "communication": ("Communicators", "comm.h dist_sparse.h"),
    "memory": ("Memory and caches", "memory.h managed.h pinned.h cache.h create_pitched"),
    "kernels": ("Kernels, textures and libraries", "kernel.h module.h user_kernel.h texture.h library.h"),
    "profiling": ("Profiling and logs", "profile.h log.h"),
    "errors": ("Errors, numbers as operands, version", "base.h"),
}
FORMS = re.compile(r"(_v)?(_into)?$")


class Wrong(ValueError):
    """A row names what is not there, or what another row has."""


def title(page):
    return SUBJECTS[page][0] if page in SUBJECTS else page.replace("_", " ").capitalize()


def pages(functions):
    """{page: functions} of headers.Function, each on one page."""
    by_header, by_name = {}, {}
    for page, (_, words) in SUBJECTS.items():
        for order, word in enumerate(words.split()):
            table = by_header if word.endswith(".h") else by_name
            if word in table:
                raise Wrong(f"subjects.py: {word} is in {table[word][0]} and in {page}")
            table[word] = page, order
    names = {f.name.removeprefix("arr_") for f in functions}
    unknown = (set(by_name) - names) | (set(by_header) - {p.name for p in headers.all_headers()})
    if unknown:
        raise Wrong(f"subjects.py: no header declares {sorted(unknown)}")
    found = {page: [] for page in SUBJECTS}
    for f in functions:
        name = f.name.removeprefix("arr_")
        place = by_name.get(name) or by_name.get(FORMS.sub("", name)) or by_header.get(f.header)
        page, order = place or (f.header.removesuffix(".h"), 0)
        if place is None and page in SUBJECTS:
            raise Wrong(f"subjects.py: {f.header} has the name of the page {page}: give it a subject")
        found.setdefault(page, []).append((order, f))
    # In the order of the table: a subject's main headers come first.
    return {page: [f for _, f in sorted(listed, key=lambda entry: entry[0])] for page, listed in found.items()}
