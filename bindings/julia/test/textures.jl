# SPDX-License-Identifier: MIT
# textures.jl: textures and surfaces in kernels on the host.

const FETCHES = """
    extern "C" __global__ void sample(cudaTextureObject_t t, const float* x, float* out) {
      out[threadIdx.x] = tex2D<float>(t, x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
    }
    extern "C" __global__ void colour(cudaTextureObject_t t, float4* out) {
      out[threadIdx.x] = tex2D<float4>(t, threadIdx.x % 2 + 0.5f, threadIdx.x / 2 + 0.5f);
    }
    extern "C" __global__ void layer(cudaTextureObject_t t, float* out) {
      out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, (int)threadIdx.x - 1);
    }
    extern "C" __global__ void fetch(cudaTextureObject_t t, int* out) { out[threadIdx.x] = tex1Dfetch<int>(t, (int)threadIdx.x - 1); }
    extern "C" __global__ void mark(cudaSurfaceObject_t s) { surf2Dwrite((unsigned char)threadIdx.x, s, (int)threadIdx.x, 1); }
    """
fetches = try
    Arr.RawModule(FETCHES; device = HOST)
catch e
    e isa Arr.UnavailableError || rethrow()
    println("skipped: ", sprint(showerror, e))
    exit(77)
end

@testset "textures" begin
    image = ArrArray(Float32[1 4; 2 5; 3 6]; device = HOST)  # x runs down
    coordinates = ArrArray(Float32[0.5 2.5 1 -9; 0.5 1.5 1 0.5]; device = HOST)
    out = ArrArray(zeros(Float32, 4); device = HOST)
    t = Arr.texture(Arr.Texels(image); address = :border, linear = true, border = (7,))
    fetches["sample"](t, coordinates, out; threads = 4)
    @test Array(out) == [1, 6, 3, 7]
    t = Arr.texture(image; address = (:border, :clamp))
    fetches["sample"](t, coordinates, out; threads = 4)
    @test Array(out) == [1, 6, 5, 0]
    image .= 8
    fetches["sample"](t, coordinates, out; threads = 4)
    @test Array(out) == [8, 8, 8, 0]

    rgba = rand(UInt8, 4, 2, 3)
    seen = ArrArray(zeros(Float32, 4, 2, 3); device = HOST)
    t = Arr.texture(Arr.Texels(ArrArray(rgba; device = HOST); channels = 4); read_normalized = true)
    fetches["colour"](t, seen; threads = 6)
    @test Array(seen) ≈ rgba ./ 255f0
    stack = ArrArray(Float32[100k + 10j + i for i in 0:2, j in 0:1, k in 0:1]; device = HOST)
    picked = ArrArray(zeros(Float32, 4); device = HOST)
    fetches["layer"](Arr.texture(Arr.Texels(stack; layered = true)), picked; threads = 4)
    @test Array(picked) == [1, 1, 101, 101]
    @test occursin("6 faces", thrown(() -> Arr.Texels(Float32, 2, 2, 5; cube = true, device = HOST), DimensionMismatch))
    table = Arr.texture(ArrArray(Int32[10, 20, 30]; device = HOST))
    got = ArrArray(zeros(Int32, 5); device = HOST)
    GC.gc()
    fetches["fetch"](table, got; threads = 5)
    @test Array(got) == [0, 10, 20, 30, 0]
    Arr.unsafe_free!(table)
    @test_throws Arr.HandleError fetches["fetch"](table, got; threads = 5)
end

@testset "surfaces" begin
    texels = Arr.Texels(ArrArray(fill(0x09, 4, 2); device = HOST); surface = true)
    fetches["mark"](Arr.surface(texels); threads = 4)
    out = ArrArray(zeros(UInt8, 4, 2); device = HOST)
    @test Array(copyto!(out, texels)) == [9 0; 9 1; 9 2; 9 3]
end

@testset "refusals" begin
    plain = Arr.Texels(Int32, 4; device = HOST)
    @test occursin("filter is ARR_FILTER_LINEAR", thrown(() -> Arr.texture(plain; linear = true), ArgumentError))
    @test occursin("ARR_TEXELS_SURFACE", thrown(() -> Arr.surface(plain), ArgumentError))
    @test occursin("got address :middle", thrown(() -> Arr.texture(plain; address = :middle), ArgumentError))
    @test_throws DimensionMismatch copyto!(plain, ArrArray(Int32[1, 2]; device = HOST))
end
