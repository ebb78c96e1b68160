# SPDX-License-Identifier: MIT
"""Exceptions for the Fortran procedures of C functions, beside the functions' descriptions.

A function needs no row where the rules of fortran_arguments.py fit. A row is `FORTRAN = C: ARGUMENT ...`; without
`FORTRAN =` the name is arr_C, and several names before the colon share a row. Its arguments come first, in their
order; then come those that it does not mention, required ones before results and those before optional ones; then
stream and err, unless the row has them.

    name           the C parameter of that name (dim: axis or axes; x: also out_x)
    name:c         the C parameter c under another name
    name=value     optional, with that default
    name! name?    required, optional
    name~          an array whose dimensions are passed in reverse: the library's order of elements
    name{kind}     of another kind (fortran_arguments.py); with a name that C does not have, an argument for expressions
    c.name{kind}   a field of the options struct c, optional (of_field)
    c:=expression  no argument: what the C parameter always is; nothing after `:=`: absent
    >kind          the kind of the result

`TYPE%NAME = C` is a procedure of the type of a handle, whose object is `self`.
"""

import re
from dataclasses import dataclass, field

import flags
from flags import FIXED, ON, REQUIRED  # noqa: F401  (the table's readers take them from here)

# Functions that fit the rules, but belong to hand-written procedures or to none.
BY_HAND = set(
    """
    array_dtype as_series check_abi event_release format isdtype item kind_find last_status library_function
    library_version live_handles memory_hook_profile memory_hook_remove memory_profile_report ndim op_find
    pinned_register pinned_unregister random_choice random_choice_into random_integers random_integers_into
    random_permutation random_permutation_into reduction_find release retain size sparse_argmax sparse_argmin sparse_diags sparse_part
    sparse_coo_nd sparse_with_items_nd sparse_coords sparse_get_items_nd sparse_reshape_nd sparse_shape sparse_tensordot
    comm_from_mpi comm_nccl comm_nccl_id comm_nccl_id_file comm_nccl_id_tcp comm_nccl_with comm_release decomposition_release decomposition_shape dist_apply dist_evaluate dist_expr_run dist_expr_run_into dist_gather dist_load_npy dist_memory dist_part dist_random_draw dist_release dist_save_npy dist_scatter dist_sparse_release sparse_factor_release sparse_release sparse_retain sparse_get_items sparse_with_items sparse_reshape linop_from_function linop_release linop_retain stream_create stream_details stream_priority_range to_dlpack to_dlpack_legacy ufunc_at value_get_f64 value_get_i64
    """.split()
)

# Results keep the order of their operands. An array argument of such a name has no default.
DEFAULTS = {**flags.DEFAULTS, "offset": "0.0", "order": "ARR_ORDER_K"}
DEFAULTS = {name: f"{value}_c_double" if "." in value else value for name, value in DEFAULTS.items()}

ROWS = """
# arrays
arr_empty = create: shape dtype=ARR_FLOAT64 order=ARR_ORDER_F
zeros ones: shape dtype=ARR_FLOAT64 order=ARR_ORDER_F
full: shape value{number} dtype{dtype?} order=ARR_ORDER_F dtype:=dtype_number(dtype,value_c%dtype)
full_like: a value{number} dtype=0_c_int32_t order
topk: a values indices k!
arange: start{number}! stop{number} step{number}
linspace: start stop count endpoint dtype=ARR_FLOAT64
eye: rows columns=rows_c k dtype=ARR_FLOAT64 order=ARR_ORDER_F
to_device: a device!
arr_device_of = array_device: a
arr_flags = array_flags: a
nbytes: a
arr_pitched = create_pitched: shape dtype=ARR_FLOAT64
arr_pinned = pinned_create: shape dtype=ARR_FLOAT64 order=ARR_ORDER_F mapped{flag?} write_combined{flag?} required{flag?} flags:=bits(mapped,ARR_PINNED_MAPPED)+bits(write_combined,ARR_PINNED_WRITE_COMBINED)+bits(required,ARR_PINNED_REQUIRED)

# views and copies
matmul = matmul: matrix_a:a matrix_b:b
contiguous: a order=ARR_ORDER_F
astype: a dtype! casting=ARR_CAST_UNSAFE
fill: a value{number}
transpose = transpose: matrix:a naxes:=2_c_int32_t axes:=[1_c_int32_t,0_c_int32_t]
arr_permute = transpose: a order{axes!}:axes
reshape = reshape: source:a shape order:=ARR_ORDER_F
index_axis: a dim! position:index
diagonal: a k{whole}:offset=0 axis1:=0_c_int32_t axis2:=1_c_int32_t
trace: a k{whole}:offset=0 axis1:=0_c_int32_t axis2:=1_c_int32_t dtype:=0_c_int32_t
moveaxis: a source{axes!} destination{axes!}
meshgrid: arrays indexing! sparse{flag?} copy{flag?} flags:=bits(sparse,ARR_MESHGRID_SPARSE)+merge(ARR_MESHGRID_COPY,0_c_int32_t,set_unless(copy))
ravel_multi_index: indices shape bounds:=
swapaxes: a dim1{axis!}:axis1 dim2{axis!}:axis2
rot90: a k=1 axis1:=0_c_int32_t axis2:=1_c_int32_t
copyto: dst src casting=ARR_CAST_SAME_KIND where

# element types
can_cast: from to casting
finfo: dtype!
min_scalar_type: x{number}

# along dimensions
diff: array:a n=1
ediff1d: array~:a
trapezoid: array:y x dx=1.0_c_double
cumulative_trapezoid: array:y x dx=1.0_c_double
trapezoid_into: dst array:y x dx=1.0_c_double
diff_into: dst array:a n=1
unwrap: array:p period discont=not_a_number()
correlate: a v mode=ARR_CONVOLVE_VALID
cross: a b dim{axis?} axisa:=axis_or_first(dim) axisb:=axis_or_first(dim) axisc:=axis_or_first(dim)

# transforms
dct idct dst idst: a kind:type=2 n=-1 dim norm{int?} orthogonalize{flag?} norm:=cosine_norm(norm,orthogonalize)
dctn idctn dstn idstn: a kind:type=2 s dim norm{int?} orthogonalize{flag?} norm:=cosine_norm(norm,orthogonalize)
fft ifft rfft irfft hfft ihfft: a n=-1 dim
fftfreq rfftfreq: n d=1.0_c_double dtype=ARR_FLOAT64
next_fast_len: n real{flag?} >integer
fhtoffset: dln mu initial=0.0_c_double
fft_plan_effort: effort previous?
fft_cache_limit: plans{whole}:max_plans=-1_int64 bytes{whole}:max_bytes=-1_int64
fft_cache_drop: id{whole}

# matrices
solve_triangular: a b lower{flag?} unit_diagonal{flag?} op=ARR_MATRIX_PLAIN flags:=bits(lower,ARR_TRIANGULAR_LOWER)+bits(unit_diagonal,ARR_TRIANGULAR_UNIT_DIAGONAL)
lu_solve: lu pivots b op=ARR_MATRIX_PLAIN
tensorsolve: a b dims{axes?}:axes
tensorinv: a n:ind
lstsq: a b x residuals? rank? s?
matrix_rank: a tol=-1.0_c_double rtol:=-1.0_c_double
qr: a q r complete{flag?} mode:=merge(ARR_QR_COMPLETE,ARR_QR_REDUCED,is_set(complete))
eigh: a values vectors upper{flag?} lower:=.not.flag(upper)
ldl: a lu d perm? upper{flag?} lower:=.not.flag(upper)
eigvalsh: a upper{flag?} lower:=.not.flag(upper)
dot_product = vdot: a b
einsum: subscripts arrays:operands method:=ARR_EINSUM_AUTO
cond: a ord=2.0_c_double kind:=ARR_NORM_P
matrix_norm: a ord{real?} kind:=merge(ARR_NORM_P,ARR_NORM_FRO,present(ord)) ord:=ord_c keepdims:=.false._c_bool
gemm_into: z:dst a b
vander: x columns=-1
tri: rows columns=rows_c
dft: n scale=ARR_DFT_UNSCALED

# polynomials
polyfit_full: x y degree z:out_coefficients residuals? rank? s? used:out_rcond? rcond weights
polyfit_cov: x y degree z:out_coefficients covariance scaled rcond weights
polyder: p m=1
polyint: p m=1
trimcoef: c tol=0.0_c_double

# statistics
var std nanvar nanstd: array:a dim correction=0.0_c_double
var_into std_into nanvar_into nanstd_into: dst array:a dim correction=0.0_c_double
average median nanmedian softmax log_softmax: array:a
vector_norm: array:a p=2.0_c_double
quantile percentile nanquantile nanpercentile: array:a q{quantiles} dim keepdims method{int?} stream err weights{array?} method:=choice(method,merge(ARR_QUANTILE_INVERTED_CDF,ARR_QUANTILE_LINEAR,present(weights)))
quantile_into percentile_into nanquantile_into nanpercentile_into: dst array:a q{quantiles} dim keepdims method=ARR_QUANTILE_LINEAR
logsumexp_weighted: array:a weights:b
logsumexp_signed: array:a weights:b logarithm:out sign
bincount: array:x weights minlength=0

# rounding, closeness, bits, methods of operations
round: array:a decimals=0
round_into: z:dst array:a decimals=0
nan_to_num: array:a nan=0.0_c_double
nan_to_num_into: z:dst array:a nan=0.0_c_double
isclose allclose: x y rtol=1e-5_c_double atol=1e-8_c_double
real_if_close: array:a tol=100.0_c_double
packbits: array:a dim little{flag?} bitorder:=merge(ARR_BITORDER_LITTLE,ARR_BITORDER_BIG,is_set(little))
unpackbits: array:a dim count little{flag?} bitorder:=merge(ARR_BITORDER_LITTLE,ARR_BITORDER_BIG,is_set(little))
angle_degrees: array:z
arr_outer = ufunc_outer: name{op}:op x:a y:b options:=
arr_accumulate = ufunc_accumulate: name{op}:op array:a dim dtype:=0_c_int32_t
arr_accumulate_into = ufunc_accumulate_into: z:dst name{op}:op array:a dim dtype:=0_c_int32_t
arr_reduceat = ufunc_reduceat: name{op}:op array:a starts{indices}:indices dim dtype:=0_c_int32_t
arr_reduceat_into = ufunc_reduceat_into: z:dst name{op}:op array:a indices{indices} dim dtype:=0_c_int32_t
searchsorted: array:a values:v right{flag?} side:=merge(ARR_SEARCH_RIGHT,ARR_SEARCH_LEFT,is_set(right)) sorter:=arr_array_handle()
digitize: array:x bins
unique: a values indices? inverse? counts? dim{axis?} each_nan{flag?} by_occurrence{flag?} axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) flags:=ARR_UNIQUE_SORTED+ARR_UNIQUE_EQUAL_NAN-bits(by_occurrence,ARR_UNIQUE_SORTED)-bits(each_nan,ARR_UNIQUE_EQUAL_NAN)
arr_unique_values = unique: a dim{axis?} each_nan{flag?} by_occurrence{flag?} axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) flags:=ARR_UNIQUE_SORTED+ARR_UNIQUE_EQUAL_NAN-bits(by_occurrence,ARR_UNIQUE_SORTED)-bits(each_nan,ARR_UNIQUE_EQUAL_NAN) out_indices:= out_inverse:= out_counts:=
intersect1d: a b values:out a_indices? b_indices?
interp: x xp fp left{number} right{number} period=0.0_c_double

# sparse matrices
sparse_coo: rows columns data row{subscripts} col{subscripts}
sparse_csr sparse_csc: rows columns data indices{subscripts} indptr{subscripts}
sparse_eye: rows columns=rows_c k dtype=ARR_FLOAT64
sparse_random: rows columns density=0.01_c_double format=ARR_SPARSE_COO_NUMBER dtype=ARR_FLOAT64
arr_norm = sparse_norm: array:a ord{real?} dim{axis?} kind:=merge(ARR_NORM_P,ARR_NORM_DEFAULT,present(ord)) ord:=ord_c axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim))
sparse_save_mtx: a path symmetry=ARR_MTX_GENERAL
arr_to_coo = sparse_from_dense: a format:=ARR_SPARSE_COO_NUMBER
arr_to_csr = sparse_from_dense: a format:=ARR_SPARSE_CSR_NUMBER
arr_to_csc = sparse_from_dense: a format:=ARR_SPARSE_CSC_NUMBER
arr_to_coo = sparse_convert: a format:=ARR_SPARSE_COO_NUMBER
arr_to_csr = sparse_convert: a format:=ARR_SPARSE_CSR_NUMBER
arr_to_csc = sparse_convert: a format:=ARR_SPARSE_CSC_NUMBER
arr_to_dense = sparse_to_dense: a order=ARR_ORDER_F
arr_astype = sparse_astype: a dtype! casting=ARR_CAST_UNSAFE
matmul = sparse_matmul: matrix_a:a matrix_b:x
matmul = sparse_rmatmul: matrix_a:x matrix_b:a
matmul = sparse_product: matrix_a:a matrix_b:b
transpose = sparse_transpose: matrix:a
sparse_unary: name{op}:op x:a
sparse_binary: name{op}:op x:a y:b
sparse_scale: name{op}:op a x
sum = sparse_reduce: array:a dim{axis?} reduction:=ARR_REDUCTION_SUM axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) dtype:=0_c_int32_t
product = sparse_reduce: array:a dim{axis?} reduction:=ARR_REDUCTION_PROD axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) dtype:=0_c_int32_t
maxval = sparse_reduce: array:a dim{axis?} reduction:=ARR_REDUCTION_MAX axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) dtype:=0_c_int32_t
minval = sparse_reduce: array:a dim{axis?} reduction:=ARR_REDUCTION_MIN axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) dtype:=0_c_int32_t
count = sparse_reduce: mask:a dim{axis?} reduction:=ARR_REDUCTION_COUNT_NONZERO axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim)) dtype:=0_c_int32_t
sparse_reduce: reduction array:a dim{axis?} dtype=0_c_int32_t axis:=merge(axis_or_first(dim),ARR_AXIS_NONE,present(dim))
sparse_dia: rows columns data offsets
sparse_bsr: rows columns data indices{subscripts} indptr{subscripts}
sparse_to_bsr: a block_rows block_columns data indices{subscripts} indptr{subscripts}

# linear operators, iterative solvers
linop_identity: n dtype=ARR_FLOAT64
linop_multigrid: a strength=0.08_c_double
transpose = linop_transpose: matrix:a
matmul = linop_apply: matrix_a:a matrix_b:x op:=ARR_MATRIX_PLAIN
matmul = linop_product: matrix_a:a matrix_b:b
linop_apply: a x op=ARR_MATRIX_PLAIN
linop_scaled: a alpha{number}
solve_cg solve_cgs solve_bicgstab solve_tfqmr: a{operator} b @solver info
solve_gmres: a{operator} b @solver options.restart{whole} info
solve_lgmres: a{operator} b @solver options.restart{whole} options.augment{nonzero_whole} info
solve_minres: a{operator} b @solver options.shift{real} info
solve_lsqr: a{operator} b @least_squares var? info
solve_lsmr: a{operator} b @least_squares info
eigsh: a{operator} k! w v? which=ARR_EIGEN_LM @lanczos
eigs: a{operator} k! w v? which=ARR_EIGEN_LM @lanczos
onenormest: a{operator} est t=2_c_int64_t itmax=5_c_int64_t v? w?
expm_multiply: a{operator} b options.num{whole} options.start{real} options.stop{real} options.exclude_stop{flag} options.trace_re{given_real} options.trace_im{given_real}
svds: a{operator} k! s u? vh? which=ARR_EIGEN_LM @lanczos
lobpcg: a{operator} x w v options.b{operator} options.m{operator} options.smallest{flag} options.tol{real} options.maxiter{whole} iterations?

# parts of sparse matrices, joins
sparse_elements: a rows{positions} cols{positions}
sparse_with_elements: a rows{positions} cols{positions} value
arr_diagonal = sparse_diagonal: a k
sparse_with_diagonal: a value k
arr_tril = sparse_tril: a k
arr_triu = sparse_triu: a k
arr_concatenate = sparse_concatenate: arrays:parts dim format=ARR_SPARSE_CSR_NUMBER
sparse_block: blocks{matrices} columns! format=ARR_SPARSE_CSR_NUMBER
arr_block_diag = sparse_block_diag: blocks:parts format=ARR_SPARSE_CSR_NUMBER
arr_kron = sparse_kron: a b format=ARR_SPARSE_CSR_NUMBER
sparse_kronsum: a b format=ARR_SPARSE_CSR_NUMBER
arr_matrix_power = sparse_matrix_power: a n

# sparse arrays of any number of dimensions
sparse_permute_dims: a order{axes!}:axes

# factors of sparse matrices
sparse_lu: a factor:out @lu
sparse_ilu0 sparse_ic0: a factor:out
sparse_ilut: a factor:out drop_tol=1e-4_c_double fill_factor=10.0_c_double diag_pivot_thresh=0.1_c_double ordering=ARR_FILL_AMD
sparse_cholesky sparse_ldl: a factor:out ordering=ARR_FILL_AMD
arr_solve = sparse_factor_solve_sparse: a:factor b op=ARR_MATRIX_PLAIN
arr_solve = sparse_solve_sparse: a b
sparse_semiring_matmul: reduction name{op}:op a x
sparse_semiring_product: reduction name{op}:op a b
sparse_refactor: factor a new:out
arr_solve = sparse_factor_solve: a:factor b op=ARR_MATRIX_PLAIN
arr_solve = sparse_solve: a b
arr_solve_triangular = sparse_solve_triangular: a b lower{flag?} unit_diagonal{flag?} op=ARR_MATRIX_PLAIN flags:=bits(lower,ARR_TRIANGULAR_LOWER)+bits(unit_diagonal,ARR_TRIANGULAR_UNIT_DIAGONAL)
sparse_factor_parts: factor lower? upper? perm_r{subscripts}? perm_c{subscripts}?
arr_slogdet = sparse_factor_slogdet: a:factor sign logdet

# without options
cov_into: dst array:m options:=
histogram_bin_edges: array:x nbins options:=
histogram2d: array:x y nbins_x nbins_y counts:out_counts edges_of_x:out_edges_x edges_of_y:out_edges_y options:=
arr_outer_into = ufunc_outer_into: dst name{op}:op x:a y:b options:=
genfromtxt: path options:=

# random numbers
arr_generator_create = generator_create_of: generator:out seed{whole?} bit_generator=ARR_PHILOX4X32 nseed:=merge(1_c_int32_t,0_c_int32_t,present(seed)) seed:=[seed_c]
generator_seed: generator seed{whole?} nseed:=merge(1_c_int32_t,0_c_int32_t,present(seed)) seed:=[seed_c]
generator_advance: generator blocks{whole}
generator_jumped: generator ahead:out jumps{whole}=1_int64
generator_get_state: generator state{struct}
random_bits: dtype! shape{extents}
random_sample: array:a count{whole} dim replace weights ndim:=1_c_int32_t shape:=[count_c]
arr_permuted = random_permuted: array:a dim independent:=.true._c_bool
arr_shuffle = random_shuffle: array:a dim independent:=.false._c_bool
arr_multivariate_normal = random_multivariate_normal: mean covariance count{whole} method=ARR_NORMAL_SVD ndim:=1_c_int32_t shape:=[count_c]
arr_multinomial = random_multinomial: draws{number}:n pvals count{whole} ndim:=1_c_int32_t shape:=[count_c]
arr_dirichlet = random_dirichlet: alpha count{whole} ndim:=1_c_int32_t shape:=[count_c]
arr_multivariate_hypergeometric = random_multivariate_hypergeometric: colors draws{number}:nsample count{whole} ndim:=1_c_int32_t shape:=[count_c]

# devices
device_select: require_gpu{flag?} flags:=bits(require_gpu,ARR_REQUIRE_GPU)
arr_sync = device_sync: device!
arr_sync = stream_sync: stream
arr_sync = event_sync: event
arr_done = stream_query: stream
arr_done = event_query: event
arr_stream_create = stream_create_priority: stream:out device blocking{flag?} err priority=0 flags:=bits(blocking,ARR_STREAM_BLOCKING)
stream_wrap: stream:out native{pointer} device
arr_wait = stream_wait_event: stream event
arr_wait = stream_wait_stream: stream! other!
event_create: event:out device timing{flag?} err shared{flag?} flags:=bits(timing,ARR_EVENT_TIMING)+bits(shared,ARR_EVENT_SHARED)
arr_record = event_record: event stream
arr_elapsed = event_elapsed: start stop
memory_limit: bytes{int64}
arr_memory_limit = memory_limit_fraction: fraction{double} device
pinned_limit: bytes{whole}
memory_copy: to{pointer} from{pointer} bytes{whole} kind stream device
memory_set: to{pointer} value bytes{whole} stream device
device_set_limit: limit value{whole}
fuse_begin: shared{flag?} reorder{flag?} small{flag?} flags:=bits(shared,ARR_FUSE_SHARED)+bits(reorder,ARR_FUSE_REORDER)+bits(small,ARR_FUSE_SMALL)
graph_end: stream graph:out
library_handle: library device! stream

# communicators
comm_all_reduce: comm dst src reduction=ARR_REDUCTION_SUM
comm_broadcast: comm a root=0
comm_duplicate: comm new:out
comm_mpi: new:out device
arr_comm_from_mpi = comm_from_mpi_fortran: new:out comm device
comm_reduce: comm src dst? reduction=ARR_REDUCTION_SUM root=0
comm_set_timeout: comm seconds
comm_sparse_broadcast: comm a? root=0
comm_sparse_reduce: comm a reduction=ARR_REDUCTION_SUM root=-1
comm_split: comm new:out color key=0
dist_sparse_create: new:out comm rows counts{extents}?
dist_sparse_matmul: a x op=ARR_MATRIX_PLAIN
dist_sparse_matmul_into: dst a x op=ARR_MATRIX_PLAIN

# distributed arrays: the library has the axes in reverse
decomposition_create: comm new:out shape{turned_extents} grid{turned_list?} blocks{turned_list?}
decomposition_counts: comm new:out shape{turned_extents} dim{turned_axis!}:axis counts{list!}
decomposition_owners: comm new:out shape{turned_extents} dim{turned_axis!}:axis owners{list!}
decomposition_indices: by:decomposition rank! dim{turned_axis!}:axis indices{subscripts}:out
dist_create: by:decomposition new:out dtype=ARR_FLOAT64 halo{turned_list?}
dist_from_part: by:decomposition new:out part~
dist_dtype: a
dist_decomposition: a new:out
dist_exchange dist_exchange_begin: a periodic{turned_flags?}
dist_exchange_end: a
dist_assign: dst src
dist_redistribute: a new:out by:decomposition
dist_transpose: a new:out order{turned_axes?}:axes
dist_slice: a new:out dim{turned_axis!}:axis from{position!} to{whole!}
dist_reduce: a new:out reduction! dim{turned_axes?}:axes keepdims{flag?}
dist_accumulate: op{op} a new:out dim{turned_axis!}:axis
dist_matmul: a{handle}:b b{handle}:a new:out
dist_fftn: a new:out inverse{flag?} dim{turned_axes?}:axes norm=ARR_FFT_BACKWARD keep{flag?}=.true.
dist_rfftn: a new:out dim{turned_axes?}:axes norm=ARR_FFT_BACKWARD keep{flag?}=.true.
dist_irfftn: a new:out n=-1 dim{turned_axes?}:axes norm=ARR_FFT_BACKWARD keep{flag?}=.true.
dist_sort: a new:out dim{turned_axis!}:axis

# kernels, texels, expressions, plans
kernel%attribute = kernel_attribute: self:k which:attribute
kernel%set_attribute = kernel_set_attribute: self:k which:attribute value{whole}
kernel%occupancy = kernel_occupancy: self:k threads shared_bytes:=0_c_int64_t
kernel%block_size = kernel_block_size: self:k max_threads=0 shared_bytes:=0_c_int64_t blocks:=
module%kernel = module_kernel: self:m name k:out
module_log: module:m
texels%create = texels_create: self:out dtype dims{turned_extents}:shape channels=1 surface{flag?} layered{flag?} cube{flag?} gather{flag?} flags:=bits(surface,ARR_TEXELS_SURFACE)+bits(layered,ARR_TEXELS_LAYERED)+bits(cube,ARR_TEXELS_CUBE)+bits(gather,ARR_TEXELS_GATHER)
texels%copy_from = texels_copy_from: self:t a~
texels%copy_to = texels_copy_to: self:t a~
texture%create_surface = surface_create: self:out texels:t
user_kernel%source = user_kernel_source: self:k
expr%create = expr_create: self:out
fft_plan%info = fft_plan_info: self:plan
"""


# Options of all solvers of linear equations, of least squares, of LU factors, of the Lanczos method.
for short, fields in {
    "@solver": "rtol{nonzero_real} atol{real} maxiter{nonzero_whole} x0{array} m{operator} check_every{whole}"
    " callback{progress}",
    "@least_squares": "damp{real} atol{nonzero_real} btol{nonzero_real} conlim{nonzero_real} maxiter{nonzero_whole}"
    " x0{array} callback{progress}",
    "@lu": "permc_spec{int} diag_pivot_thresh{given_real} equilibrate{flag} symmetric_mode{flag}",
    "@lanczos": "ncv{whole} maxiter{whole} tol{real} v0{array}",
}.items():
    ROWS = ROWS.replace(short, " ".join(f"options.{field}" for field in fields.split()))


@dataclass
class Row:
    """A row of the table: the Fortran name, and what is said of the arguments."""

    fortran: str
    entries: list = field(default_factory=list)
    fixed: dict = field(default_factory=dict)
    result: str = ""

    def has_twin(self):
        """True if weights, which the C function does not take, choose its twin NAME_weighted."""
        return any(e.startswith("weights{") for e in self.entries)


def rows():
    """{C name: [Row]}"""
    found = {}
    for line in ROWS.splitlines():
        if not line or line.startswith("#"):
            continue
        names, _, entries = line.partition(":")
        fortran, _, c = names.rpartition(" = ")
        for name in c.split():
            row = Row(fortran or f"arr_{name}")
            for entry in entries.split():
                fixed = re.match(r"(\w+):=(.*)$", entry)
                if fixed:
                    row.fixed[fixed.group(1)] = re.sub(
                        r"[+-](?=ARR_|bits|merge)", r" \g<0> ", fixed.group(2).replace(",", ", ")
                    )
                elif entry[0] == ">":
                    row.result = entry[1:]
                else:
                    row.entries.append(entry)
            found.setdefault(f"arr_{name}", []).append(row)
    return found
