# SPDX-License-Identifier: MIT
"""Exceptions for the Rust methods of C functions and for their results, beside the functions' descriptions.

A row is `RUST = C: ARGUMENT ... -> TYPE ...`; without `RUST =` the name is C's, and several names before the colon share
a row. Its arguments come first, in their order; then come those that it does not mention. TYPEs are those of the elements
of the results, for the form of arrays whose element type is known; without them there is none, and only DynArray has the
method. `Dyn` is a result of a type that is known at run time only. `<Trait>` in front says which elements.

    name           the C parameter of that name
    name:c         the C parameter c under another name
    name{kind}     of another kind (rust_arguments.py); an element type for an array; a type for an argument that C does
                   not have, for expressions
    self:c         the C parameter whose method it is; otherwise the first array
    c:=expression  no argument: what the C parameter always is; nothing after `:=`: absent

A function without a row gets its method by the rules of rust_arguments.py, unless a hand-written file calls it.
"""

import re
from dataclasses import dataclass, field

from flags import FIXED  # noqa: F401  (the table's readers take them from here)

# Element types of results under shorter names.
TYPES = {
    "AngleReal": "<T::Angle as Element>::Real",
    "Complex": "T::Complex",
    "MeanReal": "<T::Mean as Element>::Real",
    "Quotient": "T::Quotient",
    "QuotientReal": "<T::Quotient as Element>::Real",
    "Mean": "T::Mean",
    "Real": "T::Real",
    "Sum": "T::Sum",
    "Transform": "T::Transform",
    "Wide": "T::Wide",
}

# Functions that fit the rules, but belong to hand-written methods under other names or to none.
BY_HAND = set(
    """
    check_abi create dct dst fft fft_cache_clear generator_create idct idst ifft rfft item kind_find last_status ndim size
    zeros
    """.split()
)

ROWS = """
# arrays
nbytes iscomplexobj isfortran isrealobj may_share_memory shares_memory: -> -
array_equiv: -> bool
pci = device_pci:
uuid = device_uuid:
library_toolkit:
set_peer = device_peer:
peer_possible = device_peer_possible:

view: dtype{dtype}
view_field: position dtype{dtype}
permute = transpose: axes{some} -> T
broadcast_to: shape{extents} -> T
squeeze flip: axes{some} -> T
expand_dims matrix_transpose: -> T

# along axes
diff: n axis prepend:= append:= -> T
diff_with = diff:
diff_into: n axis prepend:= append:= -> T
ediff1d: to_end:= to_begin:= -> T
trapezoid: dx axis x:= -> Mean
trapezoid_over = trapezoid: x{array} axis dx:=1.0 -> Mean
trapezoid_into: dx axis x:= -> Mean
cumulative_trapezoid: dx axis include_initial x:= -> Mean
<Number> convolve correlate: v mode -> T
<Number> cross: other:b axis{i32} axisa:=axis axisb:=axis axisc:=axis -> T
vecdot: other:b axis -> T
<Number> matvec: vectors:b -> T
<Number> vecmat: matrices:b -> T

# spread, medians, quantiles, averages
var std nanvar nanstd: axes correction -> MeanReal
var_into std_into nanvar_into nanstd_into: axes correction -> MeanReal
<Ordered> median nanmedian: axes -> Mean
<Ordered> median_into nanmedian_into: axes -> Mean
<Ordered> quantile percentile nanquantile nanpercentile: q{quantiles} axes method{Quantile} -> Dyn
quantile_into percentile_into nanquantile_into nanpercentile_into: q{quantiles} axes method{Quantile}
<Ordered> quantile_weighted percentile_weighted nanquantile_weighted nanpercentile_weighted: weights{W} q{quantiles} axes method:=INVERTED_CDF -> T
<Ordered> quantile_weighted_into percentile_weighted_into nanquantile_weighted_into nanpercentile_weighted_into: weights{W} q{quantiles} axes method:=INVERTED_CDF -> T
average: weights axes -> Mean
average_returned: weights axes -> Mean Mean
vector_norm: p axes -> MeanReal
<Ordered> logsumexp_weighted: weights:b axes -> Mean
logsumexp_signed: weights:b axes
<Ordered> softmax log_softmax: axes -> Mean

# matrices
inv: -> Quotient
pinv: rcond{given} -> Quotient
pinv_with: rcond{f64} -> Quotient
det expm: -> Quotient
cholesky: upper:=false -> Quotient
svdvals: -> QuotientReal
eigvalsh: lower:=true -> QuotientReal
matrix_rank: tol{given} rtol:=-1.0 -> i64
matrix_norm: norm{matrix_norm}:kind keepdims:=false -> QuotientReal
cond: norm{matrix_norm}:kind -> QuotientReal
slogdet: -> Quotient QuotientReal
qr: mode:=arr_sys::ARR_QR_REDUCED -> Quotient Quotient
svd: full:full_matrices -> Quotient QuotientReal Quotient
eigh: lower:=true -> QuotientReal Quotient
lu: -> QuotientReal Quotient Quotient
solve: b -> Quotient
ldl: lower -> Quotient Quotient i32
cho_solve: b lower -> Quotient
solve_banded: b l u -> Quotient
solveh_banded: b lower -> Quotient
solve_tridiagonal: self:b lower diagonal upper axis -> Quotient
eig: -> Complex Complex
eigvals: -> Complex
schur: -> Complex Complex
sqrtm logm: -> Complex
signm cosm sinm tanm coshm sinhm tanhm: -> Quotient
expm_frechet: e -> Quotient Quotient
polar: left -> Quotient Quotient
solve_sylvester: b q -> Quotient
solve_continuous_lyapunov solve_discrete_lyapunov: q -> Quotient
fractional_matrix_power: p -> Complex
tensorinv tensorsolve: -> Quotient
norm: norm{matrix_norm}:kind axes -> QuotientReal

# products
dot inner outer kron khatri_rao vdot: other:b -> T
<Number> matmul matmul_into: other:b -> T
diagonal: offset axis1:=0 axis2:=1 -> T
trace: offset:=0 axis1:=0 axis2:=1 dtype:=0 -> Sum
<Number> matrix_power: n -> T

# polynomials
<Number> polyadd polysub polymul: b -> T
<Number> polypow: n -> T
<Number> polyval: x -> T
<Number> polynomial_val: c tensor -> Quotient
<Number> polyvalfromroots: roots tensor -> Quotient
polyvander: degree -> Quotient
polycompanion trimcoef: -> Quotient
<Ordered> poly: -> Quotient
roots polyder: -> Dyn
polydegree:
polyint: m constants:k -> Wide
polyfit: y degree rcond{given} weights -> Wide
polydiv: v -> Quotient Quotient
polytrim trimseq: -> T
vander: columns{given} increasing -> Dyn
polyfit_cov: y degree rcond{given} weights scaled -> Wide Wide

# matrices made of vectors, or of their size; windows
circulant: -> T
companion fiedler_companion: -> Quotient
leslie: survival:s -> T
tril triu: k -> T
diag diagflat: k -> T
<Number> fiedler: -> Real
<Number> convolution_matrix: n mode -> T
toeplitz: row:r -> T
hankel: row:r -> T
bandwidth: -> -
hadamard hilbert helmert dft tri bartlett blackman hamming hanning kaiser logspace indices: -> T
diag_indices: n ndim{usize} nout:=count(ndim)? -> i64
tril_indices triu_indices: -> i64 i64

# transforms
fft = fftn: axes{some} norm s:= -> Complex
ifft = ifftn: axes{some} norm s:= -> Complex
<Ordered> rfft = rfftn: axes{some} norm s:= -> Complex
irfft hfft: n axis norm -> QuotientReal
<Ordered> ihfft: n axis norm -> Complex
fftshift ifftshift: axes{some} -> T
fftfreq rfftfreq: n d -> T
fftconvolve oaconvolve: v mode axes{some} -> Transform

# order, sets, search
sort: axis{one} direction{direction}:descending -> T
argsort: axis{one} direction{direction}:descending -> i64
topk: k axis{one} direction{direction}:largest -> T i64
partition: kth axis{one} -> T
argpartition: kth axis{one} -> i64
sort_complex: -> Dyn
isin: test invert:=false -> bool
not_in = isin: test invert:=true -> bool
intersect1d: other:b assume_unique:=false out_a_indices:= out_b_indices:= -> T
setdiff1d setxor1d: other:b assume_unique:=false -> T
union1d: other:b -> T
searchsorted: v side sorter:= -> i64
digitize: bins right -> i64

# elements at positions, masks
take: positions{I}:indices axis bounds:=arr_sys::ARR_BOUNDS_RAISE -> T
take_with = take: positions{I}:indices axis bounds -> T
take_along_axis: positions{I}:indices axis bounds:=arr_sys::ARR_BOUNDS_RAISE -> T
mask = extract: self:a mask{bool}:condition -> T
compress: self:a condition{bool} axis -> T
compress_sized: self:a condition{bool} axis fill count{i64} -> T
flatnonzero: -> i64
argwhere: -> i64
nonzero: nout:=count(self.ndim())? -> i64
put: positions{I}:indices value bounds -> -
put_along_axis: positions{I}:indices value axis bounds -> -
place putmask: mask{bool} values -> -
fill_diagonal: value wrap{flag} -> -
choose: choices bounds
select: conditions choices otherwise
where_into:
ix: vectors nout:=n_c
ravel_multi_index: indices shape bounds:= order -> i64
unravel_index: shape order nout:=n_c -> i64

# joining and cutting
append: values axis{one} -> T
column_stack dstack hstack vstack: arrays dtype:=0 -> T
concatenate_into: arrays axis -> T
split array_split: n axis -> T
split_at: positions axis nout:=n_c+1 -> T
unstack: axis n:=count(extent(self.shape(),axis))? -> T
broadcast_arrays: -> T
meshgrid: arrays matrix{bool} sparse{bool} copy{bool} indexing:=i32::from(matrix) flags:=(i32::from(sparse)*arr_sys::ARR_MESHGRID_SPARSE)|(i32::from(copy)*arr_sys::ARR_MESHGRID_COPY) -> T
delete: indices axis{one} -> T
delete_slice: start stop step axis -> T
insert: index values axis -> T
insert_at: indices values axis -> T
insert_slice: start stop step values axis -> T
resize: shape{extents} -> T
repeat_counts: counts{i64} axis total:=-1 -> T
moveaxis swapaxes rot90 atleast flatten ravel: -> T
trim_zeros: ends{Trim} axes{some} -> T
sliding_window_view: window{extents} axes{some} -> T
as_strided: shape{extents} strides{list_i64} -> T
copyto: self:dst src casting where_{bool}:where -> -
byteswap byteswap_into reduced_view: -> T

# options
cov_into: options{Covariance}
histogram_bin_edges: bins:nbins options{Histogram}
reduce_into: by{Reduction}:reduction axes options{Reduce}
ufunc_outer_into: by{Ufunc}:op other:b options:=
matmul_compute_type matmul_set_compute_type:
ldexp_into:

# numbers, bits
<Number> round_to = round: decimals -> T
angle_degrees: -> AngleReal
real_if_close: -> Dyn
round_into: decimals
packbits: axis{one} bitorder -> u8

# random numbers
seed = generator_seed:
permuted_into = random_permuted_into: a axis independent
"""


@dataclass
class Row:
    """A row of the table: the name, the bound of T, what is said of arguments and results."""

    rust: str
    bound: str = "Element"
    entries: list = field(default_factory=list)
    fixed: dict = field(default_factory=dict)
    results: list = None


def rows():
    """{C name: [Row]}"""
    found = {}
    for line in ROWS.splitlines():
        if not line or line.startswith("#"):
            continue
        bound = re.match(r"<(\w+)> ", line)
        names, _, rest = (line[bound.end() :] if bound else line).partition(":")
        entries, arrow, results = rest.partition("->")
        rust, _, c = names.rpartition(" = ")
        for name in c.split():
            row = Row(rust or name, bound.group(1) if bound else "Element")
            row.results = [TYPES.get(r, r) for r in results.split()] if arrow else None
            for entry in entries.split():
                fixed = re.match(r"(\w+):=(.*)$", entry)
                if fixed:
                    row.fixed[fixed.group(1)] = re.sub(r"[*|]", r" \g<0> ", fixed.group(2))
                else:
                    row.entries.append(entry)
            found.setdefault(f"arr_{name}", []).append(row)
    return found
