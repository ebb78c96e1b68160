# SPDX-License-Identifier: MIT
# user_kernels.jl: element-wise and reduction kernels from pieces of C++, on the host.

x, y = rand(4, 3), rand(4, 3)
a, b = ArrArray(x; device = HOST), ArrArray(y; device = HOST)
squares = Arr.ElementwiseKernel("T x, T y", "T z", "z = x * x + y"; name = "squares")
try
    squares(a, b)
catch e
    e isa Arr.UnavailableError || rethrow()
    println("skipped: ", sprint(showerror, e))
    exit(77)
end

@testset "element-wise" begin
    @test squares(a, b) isa ArrArray
    @test Array(squares(a, b)) ≈ x .^ 2 .+ y
    @test Array(squares(a, 2)) ≈ x .^ 2 .+ 2
    @test Array(squares(a, ArrArray(y[:, 1]; device = HOST))) ≈ x .^ 2 .+ y[:, 1]    # broadcast as in Julia
    @test eltype(squares(ArrArray(Float32[1, 2]; device = HOST), 1.5)) === Float32
    out = Arr.zeros(4, 3; device = HOST)
    @test squares(a, b, out) === out
    @test Array(out) ≈ x .^ 2 .+ y
    two = Arr.ElementwiseKernel("T x", "T low, bool high", "low = x - 1; high = x > 0.5")
    low, high = two(a)
    @test Array(low) ≈ x .- 1 && Array(high) == (x .> 0.5)
    shift = Arr.ElementwiseKernel("raw T x", "T z", "z = x[(i + 1) % x.size()]")
    @test Array(shift(ArrArray([1, 2, 3]; device = HOST); length = 3)) == [2, 3, 1]
    helped = Arr.ElementwiseKernel("T x", "T z", "z = twice(x) + OFFSET"; options = ["-DOFFSET=4"],
                                   preamble = "template <class T> __device__ T twice(T x) { return 2 * x; }")
    @test Array(helped(ArrArray([1, 2]; device = HOST))) == [6, 8]
    @test occursin("twice", Arr.source(helped))
    @test sprint(show, squares) == "ElementwiseKernel(\"squares\")"
end

@testset "reductions" begin
    length2 = Arr.ReductionKernel("T x", "T z", "x * x", "a + b", "z = sqrt(a)", "0"; name = "length2")
    @test length2(a) ≈ norm(x)
    @test Array(length2(a; dims = 1)) ≈ sqrt.(sum(abs2, x; dims = 1))
    @test size(length2(a; dims = 2)) == (4, 1)
    largest = Arr.ReductionKernel("T x, T y", "T z", "x * y", "a > b ? a : b", "", "-1e300"; name = "largest")
    @test largest(a, b) ≈ maximum(x .* y)
    out = Arr.zeros(1, 3; device = HOST)
    @test length2(a, out; dims = 1) === out
    @test Array(out) ≈ sqrt.(sum(abs2, x; dims = 1))
end

@testset "mistakes" begin
    @test_throws ArgumentError Arr.ElementwiseKernel("T x, ?", "T z", "z = x")
    wrong = Arr.ElementwiseKernel("T x", "T z", "z = nothing_here(x)")
    @test occursin("nothing_here", thrown(() -> wrong(a), Arr.CompileError))
    @test occursin("nothing_here", Arr.compiler_log())
    @test_throws ArgumentError squares(a)
    @test_throws DimensionMismatch squares(a, ArrArray(rand(3, 3); device = HOST))
    Arr.unsafe_free!(squares)
    @test_throws Arr.HandleError squares(a, b)
    @test works()
end

@testset "kinds of images" begin
    source = "extern \"C\" __global__ void f(int* x) { *x = 7; }"
    x = ArrArray(Int32[1]; device = HOST)
    Arr.load_module(source; kind = :source, device = :host)["f"](x; threads = 1)
    @test Array(x) == [7]
    @test occursin("PTX", thrown(() -> Arr.load_module(UInt8[1]; kind = :ptx, device = :host), ArgumentError))
    @test occursin(":cubin", thrown(() -> Arr.load_module(UInt8[1]; kind = :ptz, device = :host), ArgumentError))
end
