# SPDX-License-Identifier: MIT
"""Exceptions for the Julia functions of C functions, beside the functions' descriptions.

A row is `JULIA = C: ARGUMENT ...`; without `JULIA =` the name is C's, several names before the colon share a row. Its
arguments come first, in their order; then come those that it does not mention, those by position before keywords.

    name           the C parameter of that name
    name:c         the C parameter c under another name
    name=value     a keyword with that default, a Julia expression
    name{kind}     of another kind (julia_arguments.py); {option} is a truth value that only expressions use
    name~          an array whose dimensions are passed in reverse: the library's order of elements
    c:=expression  no argument: what the C parameter always is

A function without a row gets its Julia function by the rules of julia_arguments.py, unless a hand-written file
calls it. BY_HAND names those that fit the rules, but have a name of Base or LinearAlgebra.
"""

import re
from dataclasses import dataclass, field

from flags import FIXED, ON  # noqa: F401  (the table's readers take them from here)

# Choices of parameters by name: the prefix of their constants, and the default.
ENUMS = {
    "bounds": ("ARR_BOUNDS_", "raise"),
    "casting": ("ARR_CAST_", "same_kind"),
    "ends": ("ARR_TRIM_", "both"),
    "indexing": ("ARR_INDEXING_", "ij"),
    "method": ("ARR_QUANTILE_", "linear"),
    "order": ("ARR_ORDER_", "f"),
}

# Names of Base and LinearAlgebra, functions of which hand-written files use another form, and those whose arrays would meet
# at their last dimensions, as Julia's do not.
BY_HAND = set(
    """
    argwhere_sized array_equal array_sync astype broadcast_arrays check_abi compress concatenate contiguous create dct dft diag
    divmod dot dst empty_like extract fft fft_cache_clear flatnonzero_sized frexp generator_create idct idst ifft index_axis irfft item
    kind_find last_status linspace log_softmax lu matmul matrix_transpose matvec modf nonzero_sized norm ones ones_like print
    random_integers rfft roll schur size softmax sort stack stream_create take tile vecmat zeros zeros_like
    """.split()
)

ROWS = """
# arrays
full_like: a value T=nothing order=:k
repeat_elements = repeat: a count dims
repeat_counts: a counts dims total:=-1
resize: a~ shape{turned_extents} >turned
reinterpret_as = view: T{type}:dtype a~ >turned_view
view_field: T{type}:dtype a~ position >turned_view
as_strided: a shape{extents} strides{list}
flatten ravel: a order
copy_where! = copyto: dst src mask:where=nothing casting
split_parts = split: a n
sliding_window_view: a window{extents} dims{dims}
inner_product = inner: a b
vdot: a b >number
array_equiv: x y >number
fromfile: T path count=-1 skip=0
logspace: T start stop count endpoint base=10.0
bartlett blackman hamming hanning kaiser hilbert helmert:
hadamard: T=Int n
indices: T=Int shape

# along a new dimension; factors
ldl: a lower=true
linspace_with: start stop count=50 dims=1 endpoint

# equations along a dimension
solve_tridiagonal: lower diagonal upper b dims=1

# matrices made of vectors, polynomials
circulant polycompanion trimseq: c{vector}
companion fiedler_companion fiedler: a{vector}
diagflat: v k=0
roots polypow polytrim polydegree: p{vector}
poly: roots{vector}
polyvander:

# elements at positions and where masks are true
argwhere: a~ >columns
put_at! = put: a~ indices value bounds
put_along_axis! = put_along_axis: a indices value
place putmask: a~ mask~ values
compress_sized: dst count condition a fill
extract_sized: dst count condition~ a~ fill
choose: index choices bounds
select: conditions choices otherwise
diag_indices: n nout{int}=2
tril_indices triu_indices: rows columns k=0
ravel_multi_index: indices shape{extents} bounds:=C_NULL order
unravel_index: indices shape{extents} nout:=length(shape) order
ix: vectors nout:=length(vectors)
split_at: a positions nout:=length(positions)+1
unstack: a n:=size(a,along(a,dims)) dims
meshgrid: arrays sparse{option} copy{option}=true indexing flags:=sparse*LibArr.ARR_MESHGRID_SPARSE|copy*LibArr.ARR_MESHGRID_COPY
fill_diagonal: a value wrap{flag}
rot90: a k{int}=1 axis1:=0 axis2:=1
atleast: a nd{int}

# along dimensions
nanmedian angle_degrees:
trapezoid_into: dst y dx=1.0
partition argpartition: a kth{indices}
percentile nanpercentile: a q{quantiles}
quantile_into percentile_into nanquantile_into nanpercentile_into: dst a q{quantiles} dims
percentile_weighted nanpercentile_weighted: a weights q{quantiles} dims method:=LibArr.ARR_QUANTILE_INVERTED_CDF
quantile_weighted_into percentile_weighted_into nanquantile_weighted_into nanpercentile_weighted_into: dst a weights q{quantiles} dims method:=LibArr.ARR_QUANTILE_INVERTED_CDF
var_into std_into nanvar_into nanstd_into: dst a correction=1.0
diff_into: dst a n{int}=1
average_returned: a weights=nothing dims
matrix_rank: a tol=-1.0 rtol=-1.0 >number
intersect1d: a b assume_unique out_a_indices:=C_NULL out_b_indices:=C_NULL

# without options
cov_into: dst m options:=C_NULL
histogram_bin_edges: x nbins options:=C_NULL
histogram2d: x y nbins_x nbins_y edges_x=nothing edges_y=nothing options:=C_NULL
genfromtxt: path options:=C_NULL
ufunc_outer_into: dst op{op} a b options:=C_NULL

# random numbers
random_bits_into: dst~
random_choice_into random_permutation_into: dst~ n
random_multivariate_normal_into: dst generator mean covariance method:=LibArr.ARR_NORMAL_SVD
"""


@dataclass
class Row:
    """A row of the table: the Julia name, and what is said of the arguments."""

    julia: str
    entries: list = field(default_factory=list)
    fixed: dict = field(default_factory=dict)
    result: str = ""


def rows():
    """{C name: [Row]}"""
    found = {}
    for line in ROWS.splitlines():
        if not line or line.startswith("#"):
            continue
        names, _, entries = line.partition(":")
        julia, _, c = names.rpartition("= ")
        for name in c.split():
            row = Row(julia.strip() or name)
            for entry in entries.split():
                fixed = re.match(r"(\w+):=(.*)$", entry)
                if fixed:
                    row.fixed[fixed.group(1)] = re.sub(r"[*|]", r" \g<0> ", fixed.group(2))
                elif entry[0] == ">":
                    row.result = entry[1:]
                else:
                    row.entries.append(entry)
            found.setdefault(f"arr_{name}", []).append(row)
    return found
