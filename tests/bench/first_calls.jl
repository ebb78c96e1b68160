# SPDX-License-Identifier: MIT
# first_calls.jl [LIMIT] - the CPU seconds of first calls of functions of the package, each in its own process: a table of those
# above LIMIT (default 0: all), the longest first. bindings/julia/test/latency.jl holds the budgets of the longest.

const PROGRAM = raw"""
using Arr, LinearAlgebra, Random, Statistics
const a, v, n = ArrArray([4.0 1.0 0.5; 1.0 3.0 0.2; 0.5 0.2 2.0]), ArrArray([3.0, 1.0, 2.0, 0.5]), ArrArray([3, 1, 2])
const c, s, w = ArrArray(ones(2, 3, 4)), view(a, 1:2, 2:3), ArrArray([1.0, 2.0, 3.0])
seconds() = ccall(:clock, Clong, ()) / 1e6
seconds()
start = seconds()
let value = begin
CALL
end
end
print(seconds() - start)
"""

# The calls of the guide, by its subjects.
const CALLS = split(strip(raw"""
ArrArray{Int}(undef, 3)
Arr.zeros(Float32, 3, 4)
Arr.fill(2.5, 3)
ArrArray(I, 3, 3)
ArrArray{Float32}([1.0 2.0])
Array(a)
copy(s)
similar(a, Float32)
copyto!(copy(v), [1.0, 2.0, 3.0, 4.0])
fill!(copy(v), 2)
string(a)
sprint(show, MIME"text/plain"(), n)
sin.(a) .+ 2 .* max.(a, 0.5)
a .+ w
n .* 2
n ./ 2
a + a
2a - a
a .= a .+ 1
map(x -> x > 1 ? x : zero(x), a)
(x -> x > 0 ? x : -x).(v)
ifelse.(a .> 0, a, 0)
Int.(round.(a))
complex.(v, v)
c .+ c
Arr.program(v -> sin(v) + 2v, a)
sincos.(v)
Arr.unzip(sincos.(v))
minmax.(v, 2)
evalpoly.(v, Ref((1.0, 2.0, 3.0)))
sum(a)
sum(a; dims = 2)
sum(c; dims = (1, 3))
sum(abs2, a)
sum(n)
prod(v)
maximum(abs, a)
maximum(a; dims = 1)
minimum(c; dims = 2)
extrema(v)
mapreduce(x -> 2x, +, a)
mapreduce(*, +, v, v)
reduce(max, n)
any(a .> 0)
all(a .> 0; dims = 1)
count(x -> 0 < x < 1, a)
findmax(a)
findmax(a; dims = 1)
argmax(v)
mean(a)
mean(a; dims = 1)
var(a; dims = 1)
std(v)
median(v)
median(a; dims = 1)
quantile(v, [0.1, 0.9])
cov(a)
cor(a)
Arr.nansum(a; dims = 1)
Arr.nanvar(v)
Arr.logsumexp(a)
cumsum(v)
cumsum(a; dims = 1)
cumprod(v)
accumulate(max, a; dims = 2)
Arr.cummax(v)
diff(v)
diff(a; dims = 1)
Arr.gradient(v)
Arr.trapezoid(v)
Arr.unwrap(v)
Arr.conv(v, w)
Arr.correlate(v, w)
Arr.fftconvolve(v, w)
Arr.softmax(a; dims = 1)
Arr.interp(v, w, w)
Arr.fft(v)
Arr.fft(a, 1)
Arr.ifft(Arr.fft(v))
Arr.rfft(v)
Arr.irfft(Arr.rfft(v), 4)
Arr.fftshift(v)
Arr.fftfreq(8)
Arr.dct(v)
Arr.plan_fft(a, 1) * a
Arr.expression("sqrt(a*a + b*b)")(v, v)
Arr.expression("a*b")(v, v; reduce = :sum)
a * a
a * w
a' * a
a * a'
w' * w
w * w'
mul!(copy(a), a, a)
mul!(copy(a), a, a, 2.0, 1.0)
mul!(copy(w), a, w)
dot(v, v)
kron(a, a)
tr(a)
norm(a)
norm(v, 1)
opnorm(a, 1)
opnorm(a)
Arr.einsum("ij,jk->ik", a, a)
Arr.tensordot(a, a, 2, 1)
Arr.outer(v, v)
cross(w, w)
a == a
a ≈ a
v == [3.0, 1.0, 2.0, 0.5]
findfirst(>(2), v)
findnext(v .> 1, 2)
filter(>(1), v)
issorted(v)
1.0 in v
searchsortedfirst(sort(v), 1.5)
searchsorted(sort(v), 2.0)
sort(v)
sort(v; rev = true)
sort(a; dims = 2, rev = true, by = abs)
sort!(copy(v))
sortperm(v)
partialsort(v, 1:2)
partialsortperm(v, 1:2)
sortslices(a; dims = 1)
Arr.topk(v, 2)
unique(v)
unique(a; dims = 1)
in.(a, Ref(v))
union(v, w)
intersect(v, w)
setdiff(v, w)
Arr.unique_sorted(v)
[a a; a a]
[v; w]
[1.0; v]
hcat(v, v)
cat(a, a; dims = 3)
circshift(v, 1)
rotl90(a)
repeat(v, 2)
repeat(a; inner = (1, 2), outer = (2, 1))
reverse(v)
reverse(a; dims = 1)
diagm(v)
permutedims(c, (3, 1, 2))
reverse!(copy(v))
Arr.pad(v, [(1, 1)])
a \ w
a \ a
a / a
UpperTriangular(a) \ w
Symmetric(a) \ w
ldiv!(lu(a), copy(w))
inv(a)
pinv(a)
det(a)
logabsdet(a)
rank(a)
cond(a)
exp(a)
sqrt(a)
log(a)
a^3
a^0.3
cos(a)
sylvester(a, a, a)
lu(a)
cholesky(a).L
qr(a)
qr(a) \ w
svd(a)
svdvals(a)
eigen(Symmetric(a))
eigen(a)
eigvals(a)
schur(a)
nullspace(a)
Arr.solve_tridiagonal(w[1:2], w, w[1:2], w)
Arr.polyfit(v, v, 1)
Arr.polyval(v, v)
Arr.roots(v)
Arr.polymul(v, v)
Arr.polydiv(v, w)
Arr.vander(v, 2)
Arr.toeplitz(v, v)
Arr.block_diag(a, a)
Arr.hilbert(3)
Arr.hanning(5)
tril(a)
triu(a, 1)
Symmetric(a) * a
UpperTriangular(a) * a
Diagonal(w) * a
a * Diagonal(w)
Tridiagonal(w[1:2], w, w[1:2]) * w
sum(UpperTriangular(a))
Symmetric(a) .+ 1
ArrArray(Symmetric(a))
a + I
istriu(a)
isdiag(a)
ishermitian(a)
isposdef(a)
factorize(a)
a[2:3]
a[1:2, :]
a[2, :]
a[:, end]
a[a .> 2]
a[:, [true, false, true]]
a[[1, 3], :]
a[CartesianIndex.(1:2, 2:3)]
v[ArrArray([1, 3])]
a[a .> 2] .= 0
a[:, [1, 3]] = ones(3, 2)
a[1, :] .= 5
a[1:2, :] = ones(2, 3)
findall(a .> 2)
findall(v .> 1)
view(a, :, 2:3)
view(a, [1, 3], :) .+ 1
@allowscalar a[1]
transpose(a)
a'
w'
reshape(a, 9)
reshape(a, :, 1)
reshape(c, 6, :)
reshape(copy(s), :, 1)
vec(a)
dropdims(sum(a; dims = 1); dims = 1)
PermutedDimsArray(c, (2, 1, 3))
s .+ 1
sum(s)
s * s
s[:, 1]
Arr.wrap([1.0, 2.0])
unsafe_wrap(Array, v)
Arr.update!(:add, zero(v), 1.0, n)
Arr.bincount(n)
Arr.histogram(v, 3)
Arr.digitize(v, w)
rand!(copy(v))
randn!(copy(v))
Arr.rand(3)
Arr.rand(ComplexF32, 3)
rand!(Arr.Generator(1), ArrArray([1, 2]), 1:6)
rand!(MersenneTwister(1), copy(v))
shuffle!(copy(v))
Arr.randperm(5)
Arr.draw!(:gamma, copy(v), 2.0, 1.0)
Arr.save(tempname() * ".npy", a)
Arr.load((p = tempname() * ".npy"; Arr.save(p, a); p))
Arr.savez(tempname() * ".npz"; a = a)
Arr.savetxt(tempname(), a)
Arr.loadtxt((p = tempname(); write(p, "1 2\n3 4\n"); p))
Arr.genfromtxt((p = tempname(); write(p, "1 2\n3 4\n"); p))
Arr.to_dlpack(a)
Arr.from_dlpack(Arr.to_dlpack(a))
Arr.fuse(() -> a .+ 1)
Arr.Stream()
Arr.stream!(() -> a .+ 1, Arr.Stream())
Arr.capture(() -> v .= v .* 2, Arr.Stream())
Arr.ElementwiseKernel("T x, T y", "T z", "z = x * x + y")(v, v)
Arr.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0")(v)
Arr.memory_info()
Arr.device_info()
Arr.backend_report(:cuda)
Arr.trace(() -> a .+ 1, tempname())
Arr.benchmark(() -> a .+ 1; repeats = 3)
Arr.percentile(v, 50)
Arr.select((v .> 2,), (v,), 0.0)
Arr.putmask!(copy(v), v .> 1, 0.0)
Arr.vstack((a, a))
Arr.meshgrid((v, v))
Arr.moveaxis(c, 1, 2)
Arr.sliding_window_view(v, (2,))
HostArray(Float32, 4)
cpu_device()(a)
devices(nmax = 1) do d; sum(ArrArray(rand(10))); end
allowscalar(() -> a[1])
synchronize()
unsafe_free!(copy(v))
"""), '\n')

function seconds_of(call)
    command = `$(Base.julia_cmd()[1]) --startup-file=no --project=$(dirname(Base.active_project())) -e $(replace(PROGRAM, "CALL" => call))`
    text = try
        withenv(() -> read(pipeline(command; stderr = stderr), String), "ARR_DEVICE" => "host")
    catch e
        e isa ProcessFailedException || rethrow()
        return NaN
    end
    parse(Float64, text)
end

limit = isempty(ARGS) ? 0.0 : parse(Float64, ARGS[1])
found = [(seconds_of(call), call) for call in CALLS]
println("| first call | CPU s |\n|---|---:|")
for (seconds, call) in sort(found; by = first, rev = true)
    seconds > limit && println("| `", replace(call, "|" => "\\|"), "` | ", round(seconds; digits = 2), " |")
end
failed = [call for (seconds, call) in found if isnan(seconds)]
println(length(CALLS), " calls, ", count(x -> x[1] > 1, found), " above 1 CPU s, median ",
        round(sort(map(first, found))[end÷2+1]; digits = 2), isempty(failed) ? "" : ", failed: $failed")
exit(isempty(failed) ? 0 : 1)
