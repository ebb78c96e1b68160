# SPDX-License-Identifier: MIT
# kernels.jl: raw CUDA kernels on the host, streams and events.

const SAXPY = """
    extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = a * x[i] + y[i];
    }
    template <class T> __global__ void twice(T* x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] *= 2; }
    struct Pair { double low, high; };
    extern "C" __global__ void clip(double* x, Pair p, long long n) {
      long long i = threadIdx.x;
      if (i < n) x[i] = x[i] < p.low ? p.low : x[i] > p.high ? p.high : x[i];
    }
    """
compiled = try
    Arr.RawModule(SAXPY; device = HOST)
catch e
    e isa Arr.UnavailableError || rethrow()
    println("skipped: ", sprint(showerror, e))
    exit(77)
end

struct Pair_
    low::Float64
    high::Float64
end

@testset "kernels" begin
    n = 1000
    x, y = rand(Float32, n), rand(Float32, n)
    a, b = ArrArray(x; device = HOST), ArrArray(y; device = HOST)
    saxpy = compiled["saxpy"]
    saxpy(2f0, a, b, Int32(n); threads = 128, blocks = cld(n, 128))
    @test Array(b) ≈ 2 .* x .+ y
    saxpy(1f0, a, Arr.wrap(y), Int32(n); threads = (128,), blocks = (cld(n, 128), 1, 1))
    @test y ≈ Array(b) .- x
    z = ArrArray([1, 2, 3]; device = HOST)
    compiled["twice<long long>"](z, Int32(3); threads = 2)
    @test Array(z) == [2, 4, 6]
    w = ArrArray([-5.0, 0.5, 5.0]; device = HOST)
    compiled["clip"](w, Pair_(0, 1), 3; threads = 3)
    @test Array(w) == [0, 0.5, 1]
end

@testset "modules" begin
    source = "#ifndef N\n#define N 1\n#endif\n__constant__ int table[3] = {1, 2, 3};\n" *
             "extern \"C\" __global__ void f(int* o) { *o = N * table[2]; }"
    value(m) = (o = ArrArray(Int32[0]; device = HOST); m["f"](o; threads = 1); Array(o)[1])
    m = Arr.load_module(source; device = HOST, defines = ["N=5"], standard = 20, names = ["f"])
    @test value(m) == 15
    table = Arr.module_global(m, "table", Int32, 3)
    @test Array(table) == [1, 2, 3]
    copyto!(table, ArrArray(Int32[7, 8, 9]; device = HOST))
    @test value(m) == 45
    path, file = mktemp()
    write(file, source)
    close(file)
    @test value(Arr.load_module_file(path; device = HOST)) == 3
    linked = Arr.link_modules("extern __device__ int g(int); extern \"C\" __global__ void f(int* o) { *o = g(4); }",
                              "second.cu" => "__device__ int g(int x) { return x * x; }"; device = HOST)
    @test value(linked) == 16
    k = linked["f"]
    @test Arr.attribute(k, :max_threads) == 1024
    @test Arr.attribute!(k, :max_dynamic_shared_bytes, 60_000) == Arr.attribute(k, :max_dynamic_shared_bytes)
    @test_throws Arr.UnsupportedError Arr.attribute(k, :registers)
    @test Arr.occupancy(k, 256) == 4
    @test Arr.block_size(k; max_threads = 128).threads == 128
    o = ArrArray(Int32[0]; device = HOST)
    k(o; threads = 1, cooperative = true)
    @test_throws Arr.UnsupportedError k(o; threads = 1, cluster = 2)
    @test_throws Arr.CompileError Arr.load_module(".version 8.0\n.target sm_90\n"; device = HOST)  # no kernel
    x = ArrArray(ones(Float32, 5); device = HOST)
    ptx = Arr.load_module_file(joinpath(@__DIR__, "../../../examples/twice.ptx"); device = HOST)
    ptx["twice"](x, Int32(4); threads = 8)
    @test Array(x) == [2, 2, 2, 2, 1]
end

@testset "an instance of a template beside a variable" begin
    source = """
        __device__ float factor = 2;
        template <class T> __global__ void fillk(T *x, T v, int n) { int i = threadIdx.x; if (i < n) x[i] = v; }
        extern "C" __global__ void one(int *x) { x[0] = 1; }"""
    x = ArrArray(Int32[0, 0])
    Arr.RawKernel(source, "fillk<int>")(x, Int32(7), Int32(2); threads = 2)
    @test Array(x) == [7, 7]
    Arr.RawKernel(source, "one"; device = HOST)(x; threads = 1)
    @test Array(x) == [1, 7]
end

@testset "cache" begin
    c = Arr.cache_info()
    @test c.hits + c.misses >= 0 && c.entries >= 0 && c.bytes <= 2 * c.limit
    @test Arr.cache_directory() isa String
end

@testset "traces" begin
    path = tempname()
    x = ArrArray(rand(Float32, 10); device = HOST)
    @test Arr.trace(() -> Arr.ranged(() -> Array(x .+ x), "mine"), path) == 2 .* Array(x)
    text = read(path, String)
    @test occursin("\"name\":\"mine\"", text) && occursin("add(in0", text)
    rm(path)
end

@testset "mistakes" begin
    a = ArrArray(rand(Float32, 4); device = HOST)
    text = thrown(() -> Arr.RawModule("extern \"C\" __global__ void f(float* x) { x[0] = nothing_here; }"; device = HOST), Arr.CompileError)
    @test occursin("nothing_here", text)
    @test occursin("nothing_here", Arr.compiler_log())
    @test_throws ArgumentError compiled["missing"]
    saxpy = compiled["saxpy"]
    @test_throws ArgumentError saxpy(1f0, a; threads = 4)
    @test_throws ArgumentError saxpy(1.0, a, a, Int32(4); threads = 4)      # double for float
    @test_throws ArgumentError saxpy(1f0, a, a, Int32(4); threads = 100_000)
    @test_throws ArgumentError saxpy("1", a, a, Int32(4); threads = 4)
    Arr.unsafe_free!(saxpy)
    @test_throws Arr.HandleError saxpy(1f0, a, a, Int32(4); threads = 4)
    @test works()
end

@testset "streams and events" begin
    s, e = Arr.Stream(HOST), Arr.Event(HOST; timing = true)
    a = Arr.stream!(s) do
        ArrArray([1.0, 2.0]) .+ 1
    end
    wait(s)
    @test Array(a) == [2, 3]
    @test Arr.isdone(s)
    Arr.record!(e, s)
    later = Arr.record!(Arr.Event(HOST; timing = true), s)
    wait(s, e)
    wait(later)
    @test Arr.isdone(e)
    @test Arr.elapsed(e, later) >= 0
    @test Arr.device(s) == HOST
    Arr.unsafe_free!(s)
    @test_throws Arr.HandleError Arr.synchronize(s)
    @test_throws Arr.HandleError Arr.stream!(() -> Arr.zeros(2), s)
    @test works()
end

@testset "views with gaps are no arguments of kernels" begin
    a = Arr.zeros(2, 3)
    k = Arr.RawKernel("extern \"C\" __global__ void sevens(double* x) { x[threadIdx.x] = 7; }", "sevens"; device = HOST)
    for v in (view(a, 1, :), view(a, :, 3:-1:1), a', view(a, 1:1, 1:2:3))
        text = thrown(() -> k(v; threads = 2), ArgumentError)
        @test occursin("argument 1", text) && occursin("strides", text)
    end
    @test iszero(Array(a))
    k(view(a, :, 2); threads = 2)
    k(view(a', 3:3, 1:1); threads = 1)
    @test Array(a) == [0 7 7; 0 7 0]
end
