# SPDX-License-Identifier: MIT
"""What the C++ functions have beside the descriptions of the C functions: defaults, choices, methods, second names.

A function needs no row where the rules of cpp_arguments.py fit. A row is `C ...: ARGUMENT ...`; several names before the
colon share it. Its optional arguments come first, in their order; then those that it does not mention.

    name           the C parameter of that name
    name=value     optional, with that default, a C++ expression; name=other: as large as the parameter `other`
    name!          required
"""

from dataclasses import dataclass, field

# The order of optional arguments of a function: those that no row mentions, then these.
LAST = ("generator", "dtype", "order", "device", "stream")

ROWS = """
# creation
eye tri: columns=rows k
linspace: count=50
logspace: count=50 endpoint base=10.0
vander: columns=-1
tril_indices triu_indices: columns=rows k device={}
indices: device={}
dft: scale=ARR_DFT_UNSCALED
fromfile: dtype=float64 count=-1 skip=0

# element types
astype: casting=ARR_CAST_UNSAFE
copyto: casting=ARR_CAST_SAME_KIND
shares_memory: max_work=-1

# along an axis
cumsum cumprod cummax cummin logcumsumexp nancumsum nancumprod cumulative_sum cumulative_prod: axis=ARR_AXIS_NONE
diff diff_into: n=1
gradient_into: edge_order=1
trapezoid cumulative_trapezoid trapezoid_into: x dx=1.0 axis
unwrap: discont=ARR_NAN
cross: axisa=-1 axisb=-1 axisc=-1
vecdot: axis=-1
diagonal trace: offset=0 axis1=0 axis2=1

# indices
take: axis=ARR_AXIS_NONE
compress compress_sized: axis=ARR_AXIS_NONE
take_along_axis put_along_axis: axis=-1
append delete delete_slice insert insert_at insert_slice repeat packbits: axis=ARR_AXIS_NONE
unpackbits: axis=ARR_AXIS_NONE count
repeat_counts: axis=ARR_AXIS_NONE total=-1
concatenate stack: axis=0
unique: axis=ARR_AXIS_NONE
rot90: k=1 axis1=0 axis2=1
select: otherwise=0
argwhere_sized flatnonzero_sized nonzero_sized: fill=0

# numbers
allclose isclose: rtol=1e-5 atol=1e-8
nan_to_num: nan=0.0
real_if_close: tol=100.0
round round_into: decimals=0
interp: left right period=0.0

# sparse matrices
sparse_from_dense: format=ARR_SPARSE_CSR
sparse_to_dense: order=ARR_ORDER_C
sparse_reduce: axis=ARR_AXIS_NONE
sparse_astype: casting=ARR_CAST_UNSAFE
sparse_random: density=0.01 format=ARR_SPARSE_COO generator dtype=float64
sparse_norm: kind axis=ARR_AXIS_NONE
sparse_save_mtx: symmetry=ARR_MTX_GENERAL comment
sparse_cholesky sparse_ldl: upper ordering=ARR_FILL_AMD
linop_multigrid: strength=0.08
sparse_factor_solve sparse_factor_solve_sparse: op=ARR_MATRIX_PLAIN
sparse_solve_triangular: op=ARR_MATRIX_PLAIN flags={}
sparse_ilut: drop_tol=1e-4 fill_factor=10.0 diag_pivot_thresh=0.1 ordering=ARR_FILL_AMD
csgraph_pagerank: alpha=0.85 personalization nstart dangling max_iter=100 tol=1e-6
csgraph_connected_components: connection=ARR_CSGRAPH_WEAK
csgraph_shortest_path: method=ARR_CSGRAPH_AUTO indices flags=0 limit=ARR_INFINITY
csgraph_laplacian: flags=0

# communicators
comm_all_gather: axis=0 counts
comm_all_to_all: axis=0 send_counts recv_counts
comm_gather: dst axis=0 counts root=0
comm_scatter: src axis=0 counts root=0
comm_all_reduce: reduction=ARR_REDUCTION_SUM
comm_reduce: dst reduction=ARR_REDUCTION_SUM root=0
comm_reduce_scatter: axis=0 counts reduction=ARR_REDUCTION_SUM
comm_broadcast: root=0
comm_split: key=0
comm_sparse_reduce: reduction=ARR_REDUCTION_SUM root=-1

# distributed arrays
decomposition_create: grid blocks
decomposition_counts decomposition_owners: axis=0
decomposition_shape: rank=-1
dist_create: dtype=float64 halo
dist_scatter: src root=0
dist_gather: root=-1
dist_fftn: axes inverse=false norm=ARR_FFT_BACKWARD keep=true
dist_rfftn: axes norm=ARR_FFT_BACKWARD keep=true
dist_irfftn: n=-1 axes norm=ARR_FFT_BACKWARD keep=true
dist_sort: axis=-1
dist_accumulate: axis=0
dist_sparse_matmul dist_sparse_matmul_into: op=ARR_MATRIX_PLAIN

# transforms
dct idct dst idst: type=2 n=-1
dctn idctn dstn idstn: type=2
fft ifft rfft irfft hfft ihfft: n=-1
fftfreq rfftfreq: d=1.0
fht ifht: offset=0.0 bias axis=-1
fhtoffset: initial=0.0

# matrices
svd: full_matrices=true
eigh eigvalsh: lower=true
lu_solve: op=ARR_MATRIX_PLAIN
solve_triangular: op=ARR_MATRIX_PLAIN flags={}
matrix_rank: tol=-1.0 rtol=-1.0
tensorinv: ind=2
tensorsolve: axes={}
tensordot: axes_a! axes_b!
vector_norm: p=2.0

# polynomials
polyder polyint: m=1
trimcoef: tol=0.0

# statistics
var std nanvar nanstd: axes keepdims correction=0.0
var_into std_into nanvar_into nanstd_into: axes correction=0.0
percentile nanpercentile quantile nanquantile: axes keepdims method=ARR_QUANTILE_LINEAR
percentile_into nanpercentile_into quantile_into nanquantile_into: axes method=ARR_QUANTILE_LINEAR
percentile_weighted nanpercentile_weighted quantile_weighted nanquantile_weighted: axes keepdims method=ARR_QUANTILE_INVERTED_CDF
percentile_weighted_into nanpercentile_weighted_into quantile_weighted_into nanquantile_weighted_into: axes method=ARR_QUANTILE_INVERTED_CDF
bincount: weights minlength=0
histogram histogram_bin_edges: nbins=10
histogram2d: nbins_x=10 nbins_y=10

# random numbers
random_choice: replace weights
random_sample: replace weights axis=0
random_permutation: count=n
random_permuted random_shuffle: axis=0
random_multivariate_normal random_multivariate_normal_into: method=ARR_NORMAL_SVD
generator_jumped: jumps=1

# the library
device_select event_create fuse_begin pinned_create stream_create_priority texels_create: flags={}
format: edge=0
"""

# Functions of an array that are its methods too, as in NumPy.
METHODS = """
    all any argmax argmin argpartition argsort astype byteswap clip conjugate cumprod cumsum diagonal dot flatten imag
    matrix_transpose max mean min nbytes prod ptp ravel real repeat round searchsorted squeeze std sum swapaxes take
    trace transpose var view
""".split()

# Arrays that a function writes to and whose description does not say so in its attributes.
WRITTEN = {("arr_random_shuffle", "a")}

# Second names: of <cmath>, and of NumPy beside its older ones.
ALIASES = """
    abs=absolute acos=arccos acosh=arccosh asin=arcsin asinh=arcsinh atan=arctan atan2=arctan2 atanh=arctanh
    bitwise_invert=invert concat=concatenate conj=conjugate lgamma=gammaln permute_dims=transpose pow=power tgamma=gamma
"""
ALIASES = [alias.split("=") for alias in ALIASES.split()]
# In lambdas also these, which are reductions of an array.
NODE_ALIASES = [*ALIASES, ["max", "maximum"], ["min", "minimum"]]

# Constants of C that are choices, as types of C++: TYPE = PREFIX of the constants: names of the parameters, where they mean
# others elsewhere with the header.
CHOICES = """
activation = ACTIVATION: activation
advice = ADVISE: advice
allocator_kind = ALLOCATOR: kind@memory.memory_set_allocator
bit_order = BITORDER: bitorder
bounds = BOUNDS: bounds
casting = CAST: casting
compute_type = COMPUTE: compute
convolve_mode = CONVOLVE: mode@signal mode@special_matrices
device_limit_kind = LIMIT: limit
dft_scale = DFT: scale@special_matrices
dtype_kinds = KIND: kinds
einsum_method = EINSUM: method@products
event_flags = EVENT: flags@stream.event_create
failure = LINALG: on_failure
fft_norm = FFT COSINE: norm
fuse_flags = FUSE: flags@fuse devices
grid_indexing = INDEXING: indexing
grid_flags = MESHGRID: flags@manipulation
library_kind = LIBRARY: library
matrix_op = MATRIX: op@solvers op@factor
mtx_symmetry = MTX: symmetry
norm_kind = NORM: kind@products kind@sparse
normal_method = NORMAL: method@random_vectors
order = ORDER: order
pad_mode = PAD: mode@manipulation
pinned_flags = PINNED: flags@pinned
qr_mode = QR: mode@decompositions
quantile_method = QUANTILE: method@quantiles
requirements = REQUIRE: requirements flags@device
side = SEARCH: side
sparse_format = SPARSE: format
matrix_part = SPARSE_PART: part
stream_flags = STREAM: flags@stream
texels_flags = TEXELS: flags@texture
triangular_flags = TRIANGULAR: flags@solvers flags@factor
trim_ends = TRIM: ends
unique_flags = UNIQUE: flags@sets
"""
# Constants with such a prefix that are no choices of the type.
OTHER_CONSTANTS = {"ARR_FFT_" + n for n in "C2C C2R R2C ESTIMATE MEASURE PATIENT".split()}
# Prefixes that are a beginning of others.
SHORTER = {"ARR_SPARSE_": "ARR_SPARSE_PART_"}


@dataclass
class Row:
    """The order of the optional arguments of a row, {name: default}, and names that are required."""

    order: list = field(default_factory=list)
    defaults: dict = field(default_factory=dict)
    required: set = field(default_factory=set)


def lines(table):
    return [line.partition(":") for line in table.splitlines() if line and not line.startswith("#")]


def rows():
    """{C name: Row}"""
    found = {}
    for names, _, entries in lines(ROWS):
        row = Row()
        for entry in entries.split():
            name, given, default = entry.partition("=")
            row.order.append(name.rstrip("!"))
            if given:
                row.defaults[name] = default
            if name.endswith("!"):
                row.required.add(name[:-1])
        found.update({f"arr_{name}": row for name in names.split()})
    return found


@dataclass
class Choice:
    type: str
    prefixes: list
    parameters: list

    def constants(self, api):
        """[(name of C, name in the type)]"""
        return [
            (c["name"], c["name"][len(f"ARR_{p}_") :].lower())
            for p in self.prefixes
            for c in api["constants"]
            if c["name"].startswith(f"ARR_{p}_")
            and c["name"] not in OTHER_CONSTANTS
            and not c["name"].startswith(SHORTER.get(f"ARR_{p}_", "-"))
        ]


def choices():
    found = []
    for left, _, parameters in lines(CHOICES):
        kind, _, prefixes = left.partition(" = ")
        found.append(Choice(kind, prefixes.split(), parameters.split()))
    return found


# Structs of options that are C++ structs.
OPTIONS = {f"arr_{n}_options" for n in "cov histogram pad reduce savetxt text texture ufunc".split()}
TABLE, CHOICE_LIST = rows(), choices()


def choice_of(p, f):
    """The type of a parameter that is a choice; None for other numbers."""
    header, function = f["header"].removesuffix(".h"), f["name"].removeprefix("arr_")
    for where in (f"@{header}.{function}", f"@{header}", ""):
        for c in CHOICE_LIST:
            if p["name"] + where in c.parameters:
                return c.type
    return None
