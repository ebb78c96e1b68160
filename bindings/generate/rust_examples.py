# SPDX-License-Identifier: MIT
"""An example for each generated Rust method, which its documentation shows and runs.

A row is `NAME: EXPRESSION == VALUE`, or any expression that is true; statements before it end in `; `. NAME is the method's in
Rust, with `random_` in front of a distribution's. A VALUE in brackets is an array.
"""

OPS = """
add: array![1, 2].add(array![10, 20]) == [11, 22]
subtract: array![5, 7].subtract(2) == [3, 5]
multiply: array![2, 3].multiply(array![4, 5]) == [8, 15]
divide: array![1, 3].divide(2) == [0.5, 1.5]
floor_divide: array![-7, 7].floor_divide(2) == [-4, 3]
remainder: array![-7, 7].remainder(3) == [2, 1]
power: array![2, 3].power(3) == [8, 27]
negative: array![1, -2].negative() == [-1, 2]
positive: array![1, -2].positive() == [1, -2]
absolute: array![c64::new(3.0, 4.0)].absolute() == [5.0]
sign: array![-3.0, 0.0, 2.0].sign() == [-1.0, 0.0, 1.0]
square: array![-3, 4].square() == [9, 16]
reciprocal: array![2.0, -4.0].reciprocal() == [0.5, -0.25]
fmod: array![-7, 7].fmod(3) == [-1, 1]
float_power: array![2, 4].float_power(-1) == [0.5, 0.25]
fabs: array![-3, 4].fabs() == [3.0, 4.0]
equal: array![1, 2].equal(array![1, 3]) == [true, false]
not_equal: array![1, 2].not_equal(array![1, 3]) == [false, true]
less: array![1, 2].less(2) == [true, false]
less_equal: array![1, 2, 3].less_equal(2) == [true, true, false]
greater: array![1, 2, 3].greater(2) == [false, false, true]
greater_equal: array![1, 2, 3].greater_equal(2) == [false, true, true]
logical_and: array![0, 1, 2].logical_and(array![1, 0, 3]) == [false, false, true]
logical_or: array![0, 1, 0].logical_or(array![0, 0, 3]) == [false, true, true]
logical_xor: array![0, 1, 2].logical_xor(array![1, 0, 3]) == [true, true, false]
logical_not: array![0, 1, 2].logical_not() == [true, false, false]
bitwise_and: array![6, 5].bitwise_and(3) == [2, 1]
bitwise_or: array![6, 5].bitwise_or(3) == [7, 7]
bitwise_xor: array![6, 5].bitwise_xor(3) == [5, 6]
invert: array![0u8, 15].invert() == [255u8, 240]
left_shift: array![1, 3].left_shift(2) == [4, 12]
right_shift: array![-8, 12].right_shift(2) == [-2, 3]
bitwise_count: array![7, -1].bitwise_count() == [3u8, 1]
sqrt: array![4.0, 9.0].sqrt() == [2.0, 3.0]
exp: array![0.0, 1.0].exp().round_to(4)? == [1.0, 2.7183]
log: array![1.0, 10.0].log().round_to(4)? == [0.0, 2.3026]
sin: array![0.0, 1.0].sin().round_to(4)? == [0.0, 0.8415]
cos: array![0.0, 1.0].cos().round_to(4)? == [1.0, 0.5403]
tanh: array![0.0, 1.0].tanh().round_to(4)? == [0.0, 0.7616]
floor: array![-1.5, 1.5].floor() == [-2.0, 1.0]
ceil: array![-1.5, 1.5].ceil() == [-1.0, 2.0]
rint: array![0.5, 1.5, 2.5].rint() == [0.0, 2.0, 2.0]
trunc: array![-1.5, 1.5].trunc() == [-1.0, 1.0]
minimum: array![1.0, 5.0].minimum(3.0) == [1.0, 3.0]
maximum: array![1.0, 5.0].maximum(array![2.0, 4.0]) == [2.0, 5.0]
clip: array![1, 5, 9].clip(2, 6) == [2, 5, 6]
where: array![1, 2, 3].greater(1).where_(array![10, 20, 30], 0) == [0, 20, 30]
fmin: array![f64::NAN, 5.0].fmin(3.0) == [3.0, 3.0]
fmax: array![f64::NAN, 5.0].fmax(3.0) == [3.0, 5.0]
heaviside: array![-2.0, 0.0, 2.0].heaviside(0.5) == [0.0, 0.5, 1.0]
isnan: array![1.0, f64::NAN].isnan() == [false, true]
isinf: array![1.0, f64::INFINITY].isinf() == [false, true]
isfinite: array![1.0, f64::INFINITY, f64::NAN].isfinite() == [true, false, false]
signbit: array![-0.0, 0.0].signbit() == [true, false]
isposinf: array![f64::INFINITY, f64::NEG_INFINITY].isposinf() == [true, false]
isneginf: array![f64::INFINITY, f64::NEG_INFINITY].isneginf() == [false, true]
iscomplex: array![c64::new(1.0, 0.0), c64::I].iscomplex() == [false, true]
isreal: array![c64::new(1.0, 0.0), c64::I].isreal() == [true, false]
conjugate: array![c64::new(1.0, 2.0)].conjugate() == [c64::new(1.0, -2.0)]
real: array![c64::new(1.0, 2.0)].real() == [1.0]
imag: array![c64::new(1.0, 2.0)].imag() == [2.0]
angle: array![c64::I, c64::new(1.0, 0.0)].angle().round_to(4)? == [1.5708, 0.0]
copysign: array![1.0, -2.0].copysign(array![-0.0, 5.0]) == [-1.0, 2.0]
nextafter: array![1.0].nextafter(2.0) == [1.0 + f64::EPSILON]
spacing: array![1.0].spacing() == [f64::EPSILON]
ldexp: array![3.0].ldexp(array![4]) == [48.0]
modf_fraction: array![2.5, -1.25].modf_fraction() == [0.5, -0.25]
modf_integral: array![2.5, -1.25].modf_integral() == [2.0, -1.0]
frexp_mantissa: array![8.0, -3.0].frexp_mantissa() == [0.5, -0.75]
frexp_exponent: array![8.0, -3.0].frexp_exponent() == [4, 2]
tan: array![0.0, 1.0].tan().round_to(4)? == [0.0, 1.5574]
arcsin: array![0.0, 1.0].arcsin().round_to(4)? == [0.0, 1.5708]
arccos: array![0.0, 1.0].arccos().round_to(4)? == [1.5708, 0.0]
arctan: array![0.0, 1.0].arctan().round_to(4)? == [0.0, 0.7854]
arctan2: array![1.0, 0.0].arctan2(array![1.0, -1.0]).round_to(4)? == [0.7854, 3.1416]
hypot: array![3.0, 5.0].hypot(array![4.0, 12.0]) == [5.0, 13.0]
sinh: array![0.0, 1.0].sinh().round_to(4)? == [0.0, 1.1752]
cosh: array![0.0, 1.0].cosh().round_to(4)? == [1.0, 1.5431]
arcsinh: array![0.0, 1.0].arcsinh().round_to(4)? == [0.0, 0.8814]
arccosh: array![1.0, 2.0].arccosh().round_to(4)? == [0.0, 1.317]
arctanh: array![0.0, 0.5].arctanh().round_to(4)? == [0.0, 0.5493]
exp2: array![3.0, -1.0].exp2() == [8.0, 0.5]
log2: array![8.0, 0.5].log2() == [3.0, -1.0]
log10: array![1000.0, 0.1].log10() == [3.0, -1.0]
expm1: array![0.0, 1e-20].expm1() == [0.0, 1e-20]
log1p: array![0.0, 1e-20].log1p() == [0.0, 1e-20]
cbrt: array![27.0, -8.0].cbrt() == [3.0, -2.0]
logaddexp: array![0.0].logaddexp(0.0).round_to(4)? == [0.6931]
logaddexp2: array![3.0].logaddexp2(3.0) == [4.0]
degrees: array![std::f64::consts::PI].degrees() == [180.0]
radians: array![180.0].radians() == [std::f64::consts::PI]
sinc: array![0.0, 0.5].sinc().round_to(4)? == [1.0, 0.6366]
gcd: array![12, -8].gcd(array![18, 20]) == [6, 4]
lcm: array![4, 6].lcm(10) == [20, 30]
erf: array![0.0, 1.0].erf().round_to(4)? == [0.0, 0.8427]
erfc: array![0.0, 1.0].erfc().round_to(4)? == [1.0, 0.1573]
erfinv: array![0.0, 0.5].erfinv().round_to(4)? == [0.0, 0.4769]
erfcinv: array![1.0, 0.5].erfcinv().round_to(4)? == [0.0, 0.4769]
ndtr: array![0.0, 1.0].ndtr().round_to(4)? == [0.5, 0.8413]
log_ndtr: array![0.0, -40.0].log_ndtr().round_to(4)? == [-0.6931, -804.6084]
ndtri: array![0.5, 0.975].ndtri().round_to(4)? == [0.0, 1.96]
exp10: array![2.0, -1.0].exp10() == [100.0, 0.1]
gamma: array![5.0, 0.5].gamma().round_to(4)? == [24.0, 1.7725]
gammaln: array![1.0, 10.0].gammaln().round_to(4)? == [0.0, 12.8018]
digamma: array![1.0, 2.0].digamma().round_to(4)? == [-0.5772, 0.4228]
beta: array![2.0].beta(3.0).round_to(4)? == [0.0833]
betaln: array![2.0].betaln(3.0).round_to(4)? == [-2.4849]
j0: array![0.0, 1.0].j0().round_to(4)? == [1.0, 0.7652]
j1: array![0.0, 1.0].j1().round_to(4)? == [0.0, 0.4401]
y0: array![1.0, 2.0].y0().round_to(4)? == [0.0883, 0.5104]
y1: array![1.0, 2.0].y1().round_to(4)? == [-0.7812, -0.107]
i0: array![0.0, 1.0].i0().round_to(4)? == [1.0, 1.2661]
i1: array![0.0, 1.0].i1().round_to(4)? == [0.0, 0.5652]
i0e: array![0.0, 1.0].i0e().round_to(4)? == [1.0, 0.4658]
i1e: array![0.0, 1.0].i1e().round_to(4)? == [0.0, 0.2079]
k0: array![1.0, 2.0].k0().round_to(4)? == [0.421, 0.1139]
k1: array![1.0, 2.0].k1().round_to(4)? == [0.6019, 0.1399]
expit: array![0.0, 2.0].expit().round_to(4)? == [0.5, 0.8808]
log_expit: array![0.0, 2.0].log_expit().round_to(4)? == [-0.6931, -0.1269]
logit: array![0.5, 0.9].logit().round_to(4)? == [0.0, 2.1972]
xlogy: array![0.0, 2.0].xlogy(array![0.0, 10.0]).round_to(4)? == [0.0, 4.6052]
xlog1py: array![0.0, 2.0].xlog1py(array![-1.0, 9.0]).round_to(4)? == [0.0, 4.6052]
entr: array![0.0, 0.5, 1.0].entr().round_to(4)? == [0.0, 0.3466, 0.0]
rel_entr: array![0.5].rel_entr(0.25).round_to(4)? == [0.3466]
kl_div: array![0.5].kl_div(0.25).round_to(4)? == [0.0966]
huber: array![1.0, 1.0].huber(array![0.5, 3.0]) == [0.125, 2.5]
pseudo_huber: array![3.0].pseudo_huber(4.0) == [6.0]
sum: array![[1, 2], [3, 4]].sum(0) == [4i64, 6]
prod: array![[1, 2], [3, 4]].prod(1) == [2i64, 12]
min: array![[1, 5], [7, 3]].min(1) == [1, 3]
max: array![[1, 5], [7, 3]].max(..).item()? == 7
mean: array![[1.0, 2.0], [3.0, 5.0]].mean(0) == [2.0, 3.5]
any: array![[true, false], [false, false]].any(1) == [true, false]
all: array![[true, true], [true, false]].all(1) == [true, false]
argmin: array![[4, 2, 9], [1, 3, 0]].argmin(1) == [1i64, 2]
argmax: array![[4, 2, 9], [1, 3, 0]].argmax(1) == [2i64, 1]
count_nonzero: array![[0, 2], [3, 4]].count_nonzero(..).item()? == 3
nansum: array![1.0, f64::NAN, 2.0].nansum(..).item()? == 3.0
nanprod: array![2.0, f64::NAN, 3.0].nanprod(..).item()? == 6.0
nanmin: array![2.0, f64::NAN, 3.0].nanmin(..).item()? == 2.0
nanmax: array![2.0, f64::NAN, 3.0].nanmax(..).item()? == 3.0
nanmean: array![1.0, f64::NAN, 3.0].nanmean(..).item()? == 2.0
nanargmin: array![f64::NAN, 5.0, 3.0].nanargmin(..).item()? == 2
nanargmax: array![f64::NAN, 5.0, 3.0].nanargmax(..).item()? == 1
ptp: array![[1, 5], [7, 3]].ptp(..).item()? == 6
logsumexp: array![0.0f64, 0.0].logsumexp(..).round_to(4)?.item()? == 0.6931
sum_abs: array![-3.0f64, 4.0].sum_abs(..).item()? == 7.0
sum_squares: array![-3.0f64, 4.0].sum_squares(..).item()? == 25.0
max_abs: array![-3.0f64, 2.0].max_abs(..).item()? == 3.0
min_abs: array![-3.0f64, 2.0].min_abs(..).item()? == 2.0
norm2: array![-3.0f64, 4.0].norm2(..).item()? == 5.0
bitwise_and_reduce: array![7, 6].bitwise_and_reduce(..).item()? == 6
bitwise_or_reduce: array![1, 6].bitwise_or_reduce(..).item()? == 7
bitwise_xor_reduce: array![3, 6].bitwise_xor_reduce(..).item()? == 5
logical_xor_reduce: array![true, true, true].logical_xor_reduce(..).item()?
hypot_reduce: array![2.0f64, 3.0, 6.0].hypot_reduce(..).item()? == 7.0
gcd_reduce: array![12, 18, 30].gcd_reduce(..).item()? == 6
lcm_reduce: array![2, 3, 4].lcm_reduce(..).item()? == 12
logaddexp2_reduce: array![3.0f64, 3.0].logaddexp2_reduce(..).item()? == 4.0
cumsum: array![[1, 2], [3, 4]].cumsum(1) == [[1i64, 3], [3, 7]]
cumprod: array![1, 2, 3].cumprod(0) == [1i64, 2, 6]
cummax: array![1, 3, 2].cummax(0) == [1, 3, 3]
cummin: array![3, 1, 2].cummin(0) == [3, 1, 1]
nancumsum: array![1.0, f64::NAN, 2.0].nancumsum(0) == [1.0, 1.0, 3.0]
nancumprod: array![2.0, f64::NAN, 3.0].nancumprod(0) == [2.0, 2.0, 6.0]
cumulative_sum: array![1, 2, 3].cumulative_sum(0, true) == [0i64, 1, 3, 6]
cumulative_prod: array![1, 2, 3].cumulative_prod(0, true) == [1i64, 1, 2, 6]
logcumsumexp: array![0.0, 0.0].logcumsumexp(0).round_to(4)? == [0.0, 0.6931]
"""

# PARAMETERS / the mean of the distribution, or its median where it has none.
RANDOM = """
beta: 2.0, 2.0 / 0.5
binomial: 10.0, 0.3 / 3.0
chisquare: 3.0 / 3.0
exponential: 2.0 / 2.0
f: 4.0, 8.0 / 1.3333
gamma: 2.0, 1.5 / 3.0
geometric: 0.25 / 4.0
gumbel: 0.0, 1.0 / 0.5772
hypergeometric: 6.0, 4.0, 5.0 / 3.0
laplace: 1.0, 0.5 / 1.0
logistic: 1.0, 0.5 / 1.0
lognormal: 0.0, 0.5 / 1.1331
logseries: 0.5 / 1.4427
negative_binomial: 5.0, 0.5 / 5.0
noncentral_chisquare: 3.0, 1.0 / 4.0
noncentral_f: 4.0, 8.0, 2.0 / 2.0
normal: 10.0, 1.0 / 10.0
pareto: 4.0 / 0.3333
poisson: 4.0 / 4.0
power: 3.0 / 0.75
random: / 0.5
rayleigh: 1.0 / 1.2533
standard_cauchy: / 0.0
standard_exponential: / 1.0
standard_gamma: 2.0 / 2.0
standard_normal: / 0.0
standard_t: 5.0 / 0.0
triangular: 0.0, 1.0, 2.0 / 1.0
uniform: 2.0, 4.0 / 3.0
vonmises: 0.5, 4.0 / 0.5
wald: 1.0, 2.0 / 1.0
weibull: 2.0 / 0.8862
zipf: 4.0 / 1.1106
"""

FUNCTIONS = """
item_f64: array![[1, 2], [3, 4]].as_dyn().item_f64(&[1, 0])? == 3.0
item_i64: array![1.0, 2.0].as_dyn().item_i64(&[-1])? == 2
nbytes: array![1.0, 2.0, 3.0].nbytes()? == 24
print: array![1, 2].as_dyn().print()? == ()
solve_banded: let bands = array![[0.0, 1.0], [2.0, 3.0], [0.0, 0.0]]; bands.solve_banded(&array![5.0, 6.0], 1, 1)? == [1.5, 2.0]
solve_tridiagonal: let (lower, upper) = (array![1.0], array![1.0]); array![3.0, 4.0].solve_tridiagonal(&lower, &array![2.0, 3.0], &upper, 0)? == [1.0, 1.0]
solveh_banded: let bands = array![[4.0, 4.0], [0.0, 0.0]]; bands.solveh_banded(&array![8.0, 4.0], true)? == [2.0, 1.0]
cumulative_trapezoid: array![1.0, 3.0, 5.0].cumulative_trapezoid(1.0, 0, true)? == [0.0, 2.0, 6.0]
diff: array![1, 4, 9, 16].diff(1, 0)? == [3, 5, 7]
diff_with: array![1, 4, 9].into_dyn().diff_with(DiffOptions { n: 2, ..Default::default() })?.typed::<i32>()? == [2]
ediff1d: array![[1, 4], [9, 16]].ediff1d()? == [3, 5, 7]
trapezoid: array![1.0f64, 3.0, 5.0].trapezoid(1.0, 0)?.item()? == 6.0
trapezoid_over: array![1.0f64, 3.0].trapezoid_over(&array![0.0, 5.0], 0)?.item()? == 10.0
full_like: array![1, 2].as_dyn().full_like(None, Order::C, 7)?.typed::<i32>()? == [7, 7]
linspace_with: let options = LinspaceOptions { count: 3, ..Default::default() }; let to = array![4.0].into_dyn(); array![0.0].as_dyn().linspace_with(&to, options)?.typed::<f64>()? == [[0.0], [2.0], [4.0]]
logspace: Device::HOST.logspace::<f64>(0.0, 2.0, 3, true, 10.0)? == [1.0, 10.0, 100.0]
ones_like: array![2, 3].as_dyn().ones_like(Some(DType::FLOAT64), Order::C)?.typed::<f64>()? == [1.0, 1.0]
zeros_like: array![2, 3].as_dyn().zeros_like(None, Order::C)?.typed::<i32>()? == [0, 0]
cholesky: array![[4.0, 2.0], [2.0, 5.0]].cholesky()? == [[2.0, 0.0], [1.0, 2.0]]
eig: let (values, _) = array![[2.0, 0.0], [0.0, 3.0]].eig()?; values.real() == [2.0, 3.0]
eigh: let (values, vectors) = array![[2.0, 0.0], [0.0, 3.0]].eigh()?; (values, vectors.absolute()) == (array![2.0, 3.0], array![[1.0, 0.0], [0.0, 1.0]])
eigvals: array![[2.0, 0.0], [0.0, 3.0]].eigvals()?.real() == [2.0, 3.0]
eigvalsh: array![[2.0, 0.0], [0.0, 3.0]].eigvalsh()? == [2.0, 3.0]
ldl: let (l, d, order) = array![[2.0, 1.0], [1.0, 2.0]].ldl(true)?; (l, d, order) == (array![[1.0, 0.0], [0.5, 1.0]], array![[2.0, 0.0], [0.0, 1.5]], array![0, 1])
lu: let (p, l, u) = array![[0.0, 2.0], [4.0, 1.0]].lu()?; p.matmul(&l)?.matmul(&u)? == [[0.0, 2.0], [4.0, 1.0]]
polar: let (rotation, stretch) = array![[0.0, -2.0], [2.0, 0.0]].polar(false)?; rotation.matmul(&stretch)?.round_to(9)? == [[0.0, -2.0], [2.0, 0.0]]
qr: let (q, r) = array![[3.0, 1.0], [4.0, 2.0]].qr()?; q.matmul(&r)?.round_to(9)? == [[3.0, 1.0], [4.0, 2.0]]
schur: let (t, _) = array![[2.0, 1.0], [0.0, 3.0]].schur()?; t.real().diagonal(0)?.round_to(9)? == [2.0, 3.0]
svd: let (_, s, _) = array![[3.0, 0.0], [0.0, -4.0]].svd(false)?; s.round_to(9)? == [4.0, 3.0]
svdvals: array![[3.0, 0.0], [0.0, -4.0]].svdvals()?.round_to(9)? == [4.0, 3.0]
peer_possible: !Device::HOST.peer_possible(Device::HOST)?
iscomplexobj: array![c64::I].iscomplexobj()?
isfortran: Array::<f64>::zeros((2, 3).f())?.isfortran()?
isrealobj: array![1.0].isrealobj()?
fftfreq: Device::HOST.fftfreq::<f64>(4, 1.0)? == [0.0, 0.25, -0.5, -0.25]
fft: array![1.0, 0.0, 0.0, 0.0].fft(&[], Norm::Backward)?.real() == [1.0, 1.0, 1.0, 1.0]
fftshift: array![0, 1, 2, 3].fftshift(&[])? == [2, 3, 0, 1]
hfft: array![1.0, 0.0].hfft(2, 0, Norm::Backward)? == [1.0, 1.0]
ifft: array![4.0, 0.0, 0.0, 0.0].ifft(&[], Norm::Backward)?.real() == [1.0, 1.0, 1.0, 1.0]
ifftshift: array![0, 1, 2].ifftshift(&[])? == [1, 2, 0]
ihfft: array![2.0, 0.0].ihfft(2, 0, Norm::Backward)?.real() == [1.0, 1.0]
irfft: array![2.0, 0.0].irfft(2, 0, Norm::Backward)? == [1.0, 1.0]
rfftfreq: Device::HOST.rfftfreq::<f64>(4, 1.0)? == [0.0, 0.25, 0.5]
rfft: array![1.0, 0.0, 0.0, 0.0].rfft(&[], Norm::Backward)?.real() == [1.0, 1.0, 1.0]
histogram_bin_edges: let edges = array![0.0, 4.0].as_dyn().histogram_bin_edges(2, Histogram::default())?; edges.typed::<f64>()? == [0.0, 2.0, 4.0]
argwhere: array![[0, 1], [2, 0]].argwhere()? == [[0i64, 1], [1, 0]]
choose: let (a, b) = (array![10, 20].into_dyn(), array![30, 40].into_dyn()); array![1, 0].as_dyn().choose(&[&a, &b], Bounds::Raise)?.typed::<i32>()? == [30, 20]
compress: array![1, 2, 3].compress(&array![true, false, true], 0)? == [1, 3]
compress_sized: let (mut n, mut kept) = (Array::scalar(0i64)?, array![0, 0, 0]); array![1, 2, 3].compress_sized(&array![true, false, true], 0, -1, &mut n, &mut kept)?; kept == [1, 3, -1]
diag_indices: Device::HOST.diag_indices(2, 2)?[1] == [0i64, 1]
mask: array![1, 2, 3].mask(&array![true, false, true])? == [1, 3]
fill_diagonal: let mut a = array![[1, 2], [3, 4]]; a.fill_diagonal(0, false)?; a == [[0, 2], [3, 0]]
flatnonzero: array![0, 5, 0, 7].flatnonzero()? == [1i64, 3]
indices: Device::HOST.indices::<i64>(&[2, 2])? == [[[0i64, 0], [1, 1]], [[0, 1], [0, 1]]]
ix: let rows = array![0i64, 2].into_dyn(); DynArray::ix(&[&rows, &rows])?[0].shape() == [2, 1]
nonzero: array![[0, 1], [2, 0]].nonzero()?[1] == [1i64, 0]
place: let mut a = array![1, 2, 3, 4]; a.place(&array![false, true, false, true], 9)?; a == [1, 9, 3, 9]
put: let mut a = array![1, 2, 3]; a.put(&array![0i64, -1], 9, Bounds::Raise)?; a == [9, 2, 9]
put_along_axis: let mut a = array![[1, 2], [3, 4]]; a.put_along_axis(&array![[1i64], [0]], 0, 1, Bounds::Raise)?; a == [[1, 0], [0, 4]]
putmask: let mut a = array![1, 2, 3]; let high = a.greater(1); a.putmask(&high, 0)?; a == [1, 0, 0]
ravel_multi_index: Array::ravel_multi_index(&[&array![0i64, 1], &array![2i64, 1]], &[2, 3], Order::C)? == [2i64, 4]
select: let a = array![1, 2, 3].into_dyn(); DynArray::select(&[&a.less(2)], &[&a.multiply(10)], 0)?.typed::<i32>()? == [10, 0, 0]
take: array![10, 20, 30].take(&array![2i64, 0], 0)? == [30, 10]
take_with: array![10, 20, 30].take_with(&array![3i64, 0], 0, Bounds::Wrap)? == [10, 10]
take_along_axis: array![[3, 1], [2, 4]].take_along_axis(&array![[1i64], [0]], 1)? == [[1], [2]]
tril_indices: Device::HOST.tril_indices(2, 2, 0)?.1 == [0i64, 0, 1]
triu_indices: Device::HOST.triu_indices(2, 2, 0)?.1 == [0i64, 1, 1]
unravel_index: array![4i64].unravel_index(&[2, 3], Order::C)?[0] == [1i64]
fromfile: let path = std::env::temp_dir().join("arr_fromfile.txt"); std::fs::write(&path, "1 2 3").unwrap(); Device::HOST.fromfile::<i32>(path.to_str().unwrap(), 2, 0, Some(" "))? == [1, 2]
tofile: let path = std::env::temp_dir().join("arr_tofile.txt"); array![1, 2].as_dyn().tofile(path.to_str().unwrap(), Some(","))?; std::fs::read_to_string(path).unwrap() == "1,2"
einsum_with: let a = array![[1, 2], [3, 4]].into_dyn(); DynArray::einsum_with("ij,jk->ik", &[&a, &a], "[(0, 1)]")?.typed::<i32>()? == [[7, 10], [15, 22]]
fromstring: Device::HOST.fromstring::<f64>("1 2.5 3", 3, " ")? == [1.0, 2.5, 3.0]
cross: array![1, 0, 0].cross(&array![0, 1, 0], 0)? == [0, 0, 1]
matmul: array![[1, 2], [3, 4]].matmul(&array![1, 1])? == [3, 7]
matvec: array![[1, 2], [3, 4]].matvec(&array![1, 1])? == [3, 7]
vecdot: array![[1, 2], [3, 4]].vecdot(&array![1, 1], -1)? == [3, 7]
vecmat: array![1, 1].vecmat(&array![[1, 2], [3, 4]])? == [4, 6]
append: array![1, 2].append(&array![3], 0)? == [1, 2, 3]
array_split: array![1, 2, 3].array_split(2, 0)?[0] == [1, 2]
atleast: array![1, 2].atleast(2)? == [[1, 2]]
broadcast_arrays: Array::broadcast_arrays(&[&array![[1], [2]], &array![3, 4]])?[0] == [[1, 1], [2, 2]]
column_stack: Array::column_stack(&[&array![1, 2], &array![3, 4]])? == [[1, 3], [2, 4]]
copyto: let mut a = array![1, 2]; a.copyto(&array![7, 8], Casting::SameKind, Some(&array![false, true]))?; a == [1, 8]
delete: array![1, 2, 3].delete(&[1], 0)? == [1, 3]
delete_slice: array![1, 2, 3, 4].delete_slice(0, 4, 2, 0)? == [2, 4]
dstack: Array::dstack(&[&array![1, 2], &array![3, 4]])? == [[[1, 3], [2, 4]]]
hstack: Array::hstack(&[&array![1, 2], &array![3]])? == [1, 2, 3]
insert: array![1, 2].insert(1, &array![9], 0)? == [1, 9, 2]
insert_at: array![1, 2].insert_at(&[0, 2], &array![8, 9], 0)? == [8, 1, 2, 9]
insert_slice: array![1, 2].insert_slice(0, 2, 1, &array![8, 9], 0)? == [8, 1, 9, 2]
meshgrid: Array::meshgrid(&[&array![1, 2], &array![5, 6]], false, false, true)?[0] == [[1, 2], [1, 2]]
moveaxis: Array::<f64>::zeros([2, 3, 4])?.moveaxis(&[-1], &[0])?.shape() == [3, 4, 2]
repeat_counts: array![1, 2].repeat_counts(&array![1i64, 2], 0)? == [1, 2, 2]
resize: array![1, 2, 3].resize(&[2, 2])? == [[1, 2], [3, 1]]
rot90: array![[1, 2], [3, 4]].rot90(1, 0, 1)? == [[2, 4], [1, 3]]
split: array![1, 2, 3, 4].split(2, 0)?[1] == [3, 4]
split_at: array![1, 2, 3, 4].split_at(&[1], 0)?[1] == [2, 3, 4]
swapaxes: array![[1, 2], [3, 4]].swapaxes(0, 1)? == [[1, 3], [2, 4]]
trim_zeros: array![0, 1, 2, 0].trim_zeros(Trim::Both, &[])? == [1, 2]
unstack: array![[1, 2], [3, 4]].unstack(1)?[0] == [1, 3]
vstack: Array::vstack(&[&array![1, 2], &array![3, 4]])? == [[1, 2], [3, 4]]
coshm: array![[0.0, 0.0], [0.0, 1.0]].coshm()?.round_to(4)? == [[1.0, 0.0], [0.0, 1.5431]]
cosm: array![[0.0, 0.0], [0.0, 1.0]].cosm()?.round_to(4)? == [[1.0, 0.0], [0.0, 0.5403]]
expm_frechet: let zero = array![[0.0, 0.0], [0.0, 0.0]]; zero.expm_frechet(&array![[1.0, 2.0], [3.0, 4.0]])?.1.round_to(9)? == [[1.0, 2.0], [3.0, 4.0]]
fractional_matrix_power: array![[4.0, 0.0], [0.0, 9.0]].fractional_matrix_power(0.5)?.real().round_to(9)? == [[2.0, 0.0], [0.0, 3.0]]
logm: array![[1.0, 0.0], [0.0, 1.0]].logm()?.real() == [[0.0, 0.0], [0.0, 0.0]]
signm: array![[4.0, 0.0], [0.0, -9.0]].signm()?.round_to(9)? == [[1.0, 0.0], [0.0, -1.0]]
sinhm: array![[0.0, 0.0], [0.0, 1.0]].sinhm()?.round_to(4)? == [[0.0, 0.0], [0.0, 1.1752]]
sinm: array![[0.0, 0.0], [0.0, 1.0]].sinm()?.round_to(4)? == [[0.0, 0.0], [0.0, 0.8415]]
sqrtm: array![[4.0, 0.0], [0.0, 9.0]].sqrtm()?.real().round_to(9)? == [[2.0, 0.0], [0.0, 3.0]]
tanhm: array![[0.0, 0.0], [0.0, 1.0]].tanhm()?.round_to(4)? == [[0.0, 0.0], [0.0, 0.7616]]
tanm: array![[0.0, 0.0], [0.0, 1.0]].tanm()?.round_to(4)? == [[0.0, 0.0], [0.0, 1.5574]]
as_strided: array![1, 2, 3].as_strided(&[2, 2], &[1, 1])? == [[1, 2], [2, 3]]
base: array![1i32, 2, 3].slice(s![1..])?.as_dyn().base()?.shape() == [12]
byteswap: array![1i16, 256].byteswap()? == [256i16, 1]
may_share_memory: let a = array![1, 2, 3]; a.may_share_memory(&a.slice(s![1..])?)?
reduced_view: array![[1], [2]].reduced_view()?.shape() == [2]
shares_memory: let a = array![1, 2, 3]; !a.slice(s![..1])?.shares_memory(&a.slice(s![1..])?, -1)?
sliding_window_view: array![1, 2, 3].sliding_window_view(&[2], &[])? == [[1, 2], [2, 3]]
view: array![1.0f32].as_dyn().view(DType::UINT32)?.typed::<u32>()? == [0x3f80_0000u32]
view_field: array![[1u8, 0, 2, 0]].as_dyn().view_field(2, DType::UINT16)?.typed::<u16>()? == [2u16]
angle_degrees: array![c64::I].angle_degrees()? == [90.0]
array_equiv: array![[1, 2], [1, 2]].array_equiv(&array![1, 2])?.item()?
nan_to_num_with: let zero = array![0.0].into_dyn(); array![f64::NAN, 1.0].as_dyn().nan_to_num_with(Some(&zero), None, None)?.typed::<f64>()? == [0.0, 1.0]
packbits: array![true, false, false, false, false, false, true, true].packbits(0, BitOrder::Big)? == [131u8]
real_if_close: array![c64::new(1.0, 0.0)].real_if_close(100.0)?.typed::<f64>()? == [1.0]
round_to: array![3.14159, 2.71828].round_to(2)? == [3.14, 2.72]
divmod: let (quotients, rest) = array![7, -7].as_dyn().divmod(array![3].as_dyn())?; (quotients.typed::<i32>()?, rest.typed::<i32>()?) == (array![2, -3], array![1, 2])
frexp: let (mantissas, exponents) = array![8.0].as_dyn().frexp()?; (mantissas.typed::<f64>()?, exponents.typed::<i32>()?) == (array![0.5], array![4])
modf: let (fractions, whole) = array![2.5].as_dyn().modf()?; (fractions.typed::<f64>()?, whole.typed::<f64>()?) == (array![0.5], array![2.0])
poly: array![1.0, 2.0].poly()? == [1.0, -3.0, 2.0]
polyadd: array![1, 2].polyadd(&array![3, 4, 5])? == [3, 5, 7]
polycompanion: array![2.0, 3.0, 1.0].polycompanion()? == [[0.0, -2.0], [1.0, -3.0]]
polydegree: array![0, 3, 2].as_dyn().polydegree()? == 1
polyder: array![3, 2, 1].polyder(1)?.typed::<i64>()? == [6i64, 2]
polydiv: array![1.0, -3.0, 2.0].polydiv(&array![1.0, -1.0])?.0 == [1.0, -2.0]
polyfit: array![0.0, 1.0, 2.0].polyfit(&array![1.0, 3.0, 5.0], 1, None, None)?.round_to(9)? == [2.0, 1.0]
polyfit_cov: let x = array![0.0, 1.0, 2.0, 3.0]; x.polyfit_cov(&array![1.0, 3.0, 5.0, 7.0], 1, None, None, true)?.0.round_to(9)? == [2.0, 1.0]
polyint: array![6.0, 2.0].polyint(1, None)? == [3.0, 2.0, 0.0]
polymul: array![1, -1].polymul(&array![1, -2])? == [1, -3, 2]
polynomial_val: array![2.0].polynomial_val(&array![1.0, 0.0, 3.0], true)? == [13.0]
polypow: array![1, 1].polypow(2)? == [1, 2, 1]
polysub: array![3, 4, 5].polysub(&array![1, 2])? == [3, 3, 3]
polytrim: array![0, 1, 2].polytrim()? == [1, 2]
polyval: array![1, 0, -1].polyval(&array![2, 3])? == [3, 8]
polyvalfromroots: array![3.0].polyvalfromroots(&array![1.0, 2.0], true)? == [2.0]
polyvander: array![2.0, 3.0].polyvander(2)? == [[1.0, 2.0, 4.0], [1.0, 3.0, 9.0]]
roots: array![1.0, -3.0, 2.0].roots()?.real().typed::<f64>()?.round_to(9)?.sort(0, Direction::Ascending)? == [1.0, 2.0]
trimcoef: array![1.0, 2.0, 1e-12].trimcoef(1e-9)? == [1.0, 2.0]
trimseq: array![1, 2, 0].trimseq()? == [1, 2]
vander: array![2, 3].vander(Some(3), true)?.typed::<i64>()? == [[1i64, 2, 4], [1, 3, 9]]
cond: array![[2.0f64, 0.0], [0.0, 1.0]].cond(MatrixNorm::P(1.0))?.item()? == 2.0
dot: array![1, 2].dot(&array![3, 4])?.item()? == 11
inner: array![[1, 2], [3, 4]].inner(&array![1, 1])? == [3, 7]
khatri_rao: array![[1, 2]].khatri_rao(&array![[3, 4], [5, 6]])? == [[3, 8], [5, 12]]
kron: array![1, 10].kron(&array![1, 2])? == [1, 2, 10, 20]
matrix_norm: array![[3.0f64, 0.0], [4.0, 0.0]].matrix_norm(MatrixNorm::Frobenius)?.item()? == 5.0
matrix_power: array![[1, 1], [1, 0]].matrix_power(5)? == [[8, 5], [5, 3]]
norm: array![[3.0, 4.0], [6.0, 8.0]].norm(MatrixNorm::P(2.0), 1)? == [5.0, 10.0]
outer: array![1, 2].outer(&array![3, 4])? == [[3, 4], [6, 8]]
trace: array![[1i32, 2], [3, 4]].trace()?.item()? == 5
vdot: array![c64::I].vdot(&array![c64::I])?.item()? == c64::new(1.0, 0.0)
median: array![[1.0, 9.0, 2.0]].median(1)? == [2.0]
nanmedian: array![1.0, f64::NAN, 3.0].nanmedian(..)?.item()? == 2.0
nanpercentile: array![1.0, f64::NAN, 3.0].nanpercentile(&[50.0], .., Quantile::Linear)?.typed::<f64>()? == [2.0]
nanpercentile_weighted: array![1.0, f64::NAN, 3.0].nanpercentile_weighted(&array![1.0, 1.0, 3.0], &[50.0], ..)? == [3.0]
nanquantile: array![1.0, f64::NAN, 3.0].nanquantile(&[0.5], .., Quantile::Linear)?.typed::<f64>()? == [2.0]
nanquantile_weighted: array![1.0, f64::NAN, 3.0].nanquantile_weighted(&array![1.0, 1.0, 3.0], &[0.5], ..)? == [3.0]
percentile: array![1.0, 2.0, 4.0].percentile(&[0.0, 75.0], .., Quantile::Linear)?.typed::<f64>()? == [1.0, 3.0]
percentile_weighted: array![1.0, 2.0].percentile_weighted(&array![1.0, 3.0], &[50.0], ..)? == [2.0]
quantile: array![1.0, 2.0, 4.0].quantile(&[0.75], .., Quantile::Linear)?.typed::<f64>()? == [3.0]
quantile_weighted: array![1.0, 2.0].quantile_weighted(&array![1.0, 3.0], &[0.5], ..)? == [2.0]
seed: let g = Generator::new(1)?; let x = g.random::<f64>(Device::HOST, 4)?; g.seed(&[1])?; g.random::<f64>(Device::HOST, 4)? == x
nanstd: array![1.0, f64::NAN, 3.0].nanstd(.., 0.0)?.item()? == 1.0
nanvar: array![1.0, f64::NAN, 5.0].nanvar(.., 0.0)?.item()? == 4.0
std: array![1.0f64, 3.0].std(.., 0.0)?.item()? == 1.0
var: array![1.0f64, 2.0, 3.0].var(.., 1.0)?.item()? == 1.0
digitize: array![0.5, 2.5].digitize(&array![0.0, 1.0, 2.0], false)? == [1i64, 3]
searchsorted: array![1, 3, 5].searchsorted(&array![3, 4], Side::Left)? == [1i64, 2]
intersect1d: array![1, 2, 3].intersect1d(&array![3, 1, 7])? == [1, 3]
isin: array![1, 2, 3].isin(&array![3, 1])? == [true, false, true]
not_in: array![1, 2, 3].not_in(&array![3, 1])? == [false, true, false]
setdiff1d: array![1, 2, 3].setdiff1d(&array![3])? == [1, 2]
setxor1d: array![1, 2].setxor1d(&array![2, 3])? == [1, 3]
union1d: array![1, 2].union1d(&array![2, 3])? == [1, 2, 3]
bartlett: Device::HOST.bartlett::<f64>(3)? == [0.0, 1.0, 0.0]
blackman: Device::HOST.blackman::<f64>(3)?.round_to(9)?.at(1)? == 1.0
convolve: array![1, 2, 3].convolve(&array![1, 1], Convolve::Full)? == [1, 3, 5, 3]
correlate: array![1, 2, 3].correlate(&array![0, 1], Convolve::Valid)? == [2, 3]
fftconvolve: array![1.0, 2.0, 3.0].fftconvolve(&array![1.0, 1.0], Convolve::Full, &[])?.round_to(9)? == [1.0, 3.0, 5.0, 3.0]
hamming: Device::HOST.hamming::<f64>(3)?.round_to(9)? == [0.08, 1.0, 0.08]
hanning: Device::HOST.hanning::<f64>(3)? == [0.0, 1.0, 0.0]
kaiser: Device::HOST.kaiser::<f64>(3, 0.0)? == [1.0, 1.0, 1.0]
oaconvolve: array![1.0, 2.0, 3.0].oaconvolve(&array![1.0, 1.0], Convolve::Full, &[])?.round_to(9)? == [1.0, 3.0, 5.0, 3.0]
cho_solve: array![[2.0, 0.0], [0.0, 2.0]].cho_solve(&array![8.0, 4.0], true)? == [2.0, 1.0]
det: array![[1.0f64, 2.0], [3.0, 4.0]].det()?.round_to(9)?.item()? == -2.0
expm: array![[0.0, 1.0], [0.0, 0.0]].expm()?.round_to(9)? == [[1.0, 1.0], [0.0, 1.0]]
inv: array![[2.0, 0.0], [0.0, 4.0]].inv()? == [[0.5, 0.0], [0.0, 0.25]]
matrix_rank: array![[1.0, 2.0], [2.0, 4.0]].matrix_rank(None)?.item()? == 1
pinv: array![[2.0, 0.0], [0.0, 0.0]].pinv(None)?.round_to(9)? == [[0.5, 0.0], [0.0, 0.0]]
pinv_with: array![[2.0, 0.0], [0.0, 1.0]].pinv_with(&Array::scalar(0.6)?)?.round_to(9)? == [[0.5, 0.0], [0.0, 0.0]]
slogdet: let (sign, log) = array![[0.0, 1.0], [1.0, 0.0]].slogdet()?; (sign.item()?, log.item()?) == (-1.0, 0.0)
solve: array![[2.0, 0.0], [0.0, 4.0]].solve(&array![2.0, 2.0])? == [1.0, 0.5]
solve_continuous_lyapunov: array![[1.0]].solve_continuous_lyapunov(&array![[4.0]])? == [[2.0]]
solve_discrete_lyapunov: array![[0.5]].solve_discrete_lyapunov(&array![[3.0]])?.round_to(9)? == [[4.0]]
solve_sylvester: array![[1.0]].solve_sylvester(&array![[3.0]], &array![[8.0]])? == [[2.0]]
tensorinv: array![[2.0, 0.0], [0.0, 4.0]].tensorinv(1)? == [[0.5, 0.0], [0.0, 0.25]]
tensorsolve: array![[2.0, 0.0], [0.0, 4.0]].tensorsolve(&array![2.0, 2.0], &[])? == [1.0, 0.5]
argpartition: array![30, 10, 20].argpartition(&[0], 0)?.at(0)? == 1
argsort: array![30, 10, 20].argsort(0, Direction::Ascending)? == [1i64, 2, 0]
partition: array![30, 10, 20].partition(&[1], 0)?.at(1)? == 20
sort: array![30, 10, 20].sort(0, Direction::Descending)? == [30, 20, 10]
sort_complex: array![2.0, 1.0].sort_complex()?.real().typed::<f64>()? == [1.0, 2.0]
topk: let (values, positions) = array![30, 10, 20].topk(2, 0, Direction::Descending)?; (values, positions) == (array![30, 20], array![0i64, 2])
bandwidth: array![[1, 2], [0, 3]].bandwidth()? == (0, 1)
circulant: array![1, 2, 3].circulant()? == [[1, 3, 2], [2, 1, 3], [3, 2, 1]]
companion: array![1.0, -3.0, 2.0].companion()? == [[3.0, -2.0], [1.0, 0.0]]
convolution_matrix: array![1, 2].convolution_matrix(2, Convolve::Full)? == [[1, 0], [2, 1], [0, 2]]
dft: Device::HOST.dft::<c64>(2, DftScale::Unscaled)?.real().round_to(9)? == [[1.0, 1.0], [1.0, -1.0]]
diag: array![1, 2].diag(0)? == [[1, 0], [0, 2]]
diagflat: array![[1, 2]].diagflat(0)? == [[1, 0], [0, 2]]
fiedler: array![1, 4].fiedler()? == [[0, 3], [3, 0]]
fiedler_companion: array![1.0, -3.0].fiedler_companion()? == [[3.0]]
hadamard: Device::HOST.hadamard::<i32>(2)? == [[1, 1], [1, -1]]
hankel: array![1, 2].hankel(Some(&array![2, 3]))? == [[1, 2], [2, 3]]
helmert: Device::HOST.helmert::<f64>(2, false)?.round_to(4)? == [[0.7071, -0.7071]]
hilbert: Device::HOST.hilbert::<f64>(2)?.at((0, 1))? == 0.5
leslie: array![1.0, 2.0].leslie(&array![0.5])? == [[1.0, 2.0], [0.5, 0.0]]
toeplitz: array![1, 2].toeplitz(Some(&array![1, 3]))? == [[1, 3], [2, 1]]
tri: Device::HOST.tri::<i32>(2, 2, 0)? == [[1, 0], [1, 1]]
tril: array![[1, 2], [3, 4]].tril(0)? == [[1, 0], [3, 4]]
triu: array![[1, 2], [3, 4]].triu(0)? == [[1, 2], [0, 4]]
average: array![1.0f64, 4.0].average(Some(&array![2.0, 1.0]), ..)?.item()? == 2.0
average_returned: let (mean, weight) = array![1.0, 4.0].average_returned(Some(&array![2.0, 1.0]), ..)?; (mean.item()?, weight.item()?) == (2.0, 3.0)
log_softmax: array![0.0, 0.0].log_softmax(..)?.round_to(4)? == [-0.6931, -0.6931]
logsumexp_signed: let w = array![3.0, -1.0].into_dyn(); let (log, sign) = array![0.0, 0.0].as_dyn().logsumexp_signed(&w, ..)?; (log.exp().item_f64(&[])?.round(), sign.item_f64(&[])?) == (2.0, 1.0)
logsumexp_weighted: array![0.0f64, 0.0].logsumexp_weighted(&array![0.5, 0.5], ..)?.item()? == 0.0
softmax: array![1.0, 1.0].softmax(..)? == [0.5, 0.5]
vector_norm: array![3.0f64, 4.0].vector_norm(2.0, ..)?.item()? == 5.0
broadcast_to: array![1, 2].broadcast_to(&[2, 2])? == [[1, 2], [1, 2]]
check_finite: array![1.0, f64::NAN].as_dyn().check_finite().is_err()
diagonal: array![[1, 2], [3, 4]].diagonal(0)? == [1, 4]
expand_dims: array![1, 2].expand_dims(&[1])? == [[1], [2]]
flatten: array![[1, 2], [3, 4]].flatten(Order::F)? == [1, 3, 2, 4]
flip: array![[1, 2], [3, 4]].flip(&[1])? == [[2, 1], [4, 3]]
matrix_transpose: array![[1, 2], [3, 4]].matrix_transpose()? == [[1, 3], [2, 4]]
ravel: array![[1, 2], [3, 4]].ravel(Order::C)? == [1, 2, 3, 4]
require: array![1, 2].as_dyn().require(Some(DType::FLOAT64), 0)?.dtype() == DType::FLOAT64
squeeze: array![[1, 2]].squeeze(&[0])? == [1, 2]
permute: array![[1, 2], [3, 4]].permute(&[1, 0])? == [[1, 3], [2, 4]]
"""


def rows(table):
    return dict(line.split(": ", 1) for line in table.splitlines() if line)


def code(row):
    """The lines of an example."""
    *before, check = row.split("; ")
    left, equals, right = check.rpartition(" == ")
    value = f"array!{right}" if right.startswith("[") and not left.endswith(".shape()") else right
    return [*(f"{line};" for line in before), f"assert_eq!({left}, {value});" if equals else f"assert!({check});"]


def drawn(name, row):
    parameters, _, centre = row.partition("/ ")
    arguments = ", ".join(["Device::HOST", "10_000", *parameters.strip().split(", ")]).removesuffix(", ")
    average = "median" if name == "standard_cauchy" else "mean"
    middle = f"x.{average}(..)?" if average == "median" else f"x.{average}(..)"
    return [
        f"let x: Array<f64> = Generator::new(1)?.{name}({arguments})?;",
        f"assert!(({middle}.item()? - {centre}).abs() < 0.1); // the distribution's {average}",
    ]


def examples():
    """{name: lines}"""
    found = {name: code(row) for table in (OPS, FUNCTIONS) for name, row in rows(table).items()}
    return found | {f"random_{name}": drawn(name, row) for name, row in rows(RANDOM).items()}


EXAMPLES = examples()


def documented(name, indent):
    """The lines of documentation, for a method that is written out."""
    if name not in EXAMPLES:
        return ""
    lines = ["", "```", "use arr::*;", "# fn main() -> Result<()> {", *EXAMPLES[name], "# Ok(())", "# }", "```"]
    return "".join(f"{indent}///{' ' if line else ''}{line}\n" for line in lines)


def literal(name):
    """The last entry of a macro's row: the text that its `example!` takes."""
    if name not in EXAMPLES:
        return ""
    return ', "' + "\\n".join(line.replace('"', '\\"') for line in EXAMPLES[name]) + '"'
