# SPDX-License-Identifier: MIT
# extensions.jl: the files of ext/ against small stand-ins for the packages that they are for, which lie in standins/.
push!(LOAD_PATH, joinpath(HERE, "standins"))
import Adapt, GPUArraysCore, AbstractFFTs, MLDataDevices, ChainRulesCore, DLPack, MPI
using Adapt: adapt
using ChainRulesCore: rrule, NoTangent, ZeroTangent, ProjectTo, @thunk

@testset "all are loaded" begin
    files = sort!([splitext(f)[1] for f in readdir(joinpath(HERE, "..", "ext"))])
    @test files == sort!([string(first(e)) for e in Arr.EXTENSIONS]) && length(files) == 7
    for (name, packages) in Arr.EXTENSIONS
        @test isdefined(Base, :get_extension) ? Base.get_extension(Arr, name) isa Module : isdefined(Arr, name)
        @test all(p -> haskey(Base.loaded_modules, p), packages)
    end
    # A package that comes first finds them too, and one that is compiled with both.
    mktempdir() do folder
        mkpath(joinpath(folder, "Both", "src"))
        write(joinpath(folder, "Both", "Project.toml"), """
            name = "Both"
            uuid = "0f6f4c6e-6a0c-4a7e-9f0e-3a7d5d1a0b11"
            [deps]
            Arr = "5d2f4a6e-0b6c-4a44-9d0e-3f1a7c9b2e58"
            Adapt = "79e6a3ab-5dfb-504d-930d-738a2a938a0e"
            """)
        write(joinpath(folder, "Both", "src", "Both.jl"), "module Both\nusing Adapt, Arr\nmove(x) = Array(adapt(ArrArray, x) .+ 1)\nend\n")
        path = join([folder, joinpath(HERE, "standins"), get(ENV, "JULIA_LOAD_PATH", "@:@stdlib")], ":")
        with = merge(Dict(ENV), Dict("JULIA_LOAD_PATH" => path))
        project = dirname(Base.active_project())
        for program in ("using Adapt, Arr; print(adapt(ArrArray, [1]) isa ArrArray)", "using Arr, Adapt; print(adapt(ArrArray, [1]) isa ArrArray)",
                        "using Both; print(Both.move([1]) == [2])")
            @test read(setenv(`$(Base.julia_cmd()) --startup-file=no --project=$project -e $program`, with), String) == "true"
        end
    end
end

@testset "Adapt" begin
    x, z = rand(2, 3), ComplexF32[1, 2im]
    a = adapt(ArrArray, x)
    @test a isa ArrArray{Float64,2} && Array(a) == x && adapt(ArrArray, a) === a
    @test adapt(ArrArray{Float32}, x) isa ArrArray{Float32,2}
    moved = adapt(ArrArray, (x, (w = x', r = 1:3), "text", UpperTriangular(ones(2, 2)), Diagonal([1.0, 2.0])))
    @test moved[1] isa ArrArray && moved[2].w isa Arr.AnyArr && Array(moved[2].w) == x' && moved[2].r === 1:3 && moved[3] == "text"
    @test moved[4] isa UpperTriangular{Float64,<:ArrArray} && moved[5] isa Diagonal{Float64,<:ArrArray}
    back = adapt(Array, moved)
    @test back[1] == x && back[1] isa Array && back[4] == UpperTriangular(ones(2, 2))
    @test adapt(Array{Float32}, a) isa Array{Float32,2} && adapt(Array, view(a, 1, :)) == x[1, :]
    for d in (HOST, Arr.ArrDevice(HOST))
        @test adapt(d, z) isa ArrArray{ComplexF32,1} && Arr.device(adapt(d, z)) == HOST && adapt(d, 1:3) === 1:3
    end
    @test adapt(cpu_device(), a) == x && adapt(cpu_device(), x) === x
    t = sincos.(adapt(ArrArray, [0.0, 1.0]))
    @test adapt(ArrArray, t) isa ArrTuples && adapt(Array, t) == Array(t)
    @test_throws ArgumentError adapt(ArrArray, ["text"])
end

@testset "GPUArraysCore" begin
    a = ArrArray([1.0, 2.0])
    @test_throws Arr.ScalarIndexingError a[1]
    @test GPUArraysCore.@allowscalar(a[1]) == 1
    @test GPUArraysCore.allowscalar(() -> a[2]) == 2
    GPUArraysCore.@allowscalar a[1] = 5
    @test Array(a) == [5, 2]
    @test_throws Arr.ScalarIndexingError a[1]
    GPUArraysCore.allowscalar(true)
    @test a[2] == 2 && fetch(@async a[2]) == 2
    GPUArraysCore.allowscalar(false)
    @test_throws Arr.ScalarIndexingError a[1]
    @test @allowscalar(a[1]) == 5
    GPUArraysCore.default_scalar_indexing[] = nothing
end

@testset "AbstractFFTs of $T" for T in (Float32, Float64)
    x, r, C = rand(Complex{T}, 4, 6), rand(T, 4, 6), Complex{T}
    a, b = ArrArray(x), ArrArray(r)
    sums(y, dims, s) = Array(Arr.fft(ArrArray(s > 0 ? conj.(y) : y), dims)) |> (z -> s > 0 ? conj.(z) : z)
    for dims in (1:2, 1, 2, (2, 1))
        n = prod(size(x)[d] for d in dims)
        @test AbstractFFTs.fft(a, dims) isa ArrArray{C,2} && Array(AbstractFFTs.fft(a, dims)) ≈ sums(x, dims, -1)
        @test Array(AbstractFFTs.bfft(a, dims)) ≈ sums(x, dims, 1) && Array(AbstractFFTs.ifft(a, dims)) ≈ sums(x, dims, 1) ./ n
        @test Array(AbstractFFTs.ifft(AbstractFFTs.fft(a, dims), dims)) ≈ x
        half = AbstractFFTs.rfft(b, dims)
        @test half isa ArrArray{C,2} && AbstractFFTs.irfft(half, size(r, first(dims)), dims) isa ArrArray{T,2}
        @test Array(AbstractFFTs.irfft(half, size(r, first(dims)), dims)) ≈ r
        p = AbstractFFTs.plan_fft(a, dims)
        @test p isa AbstractFFTs.Plan{C} && size(p) == (4, 6) && size(p, 2) == 6 && ndims(p) == 2 && eltype(p) === C
        @test collect(AbstractFFTs.fftdims(p)) == [dims...] && AbstractFFTs.output_size(p) == (4, 6)
        @test Array(p \ (p * a)) ≈ x && Array(inv(p) * (p * a)) ≈ x && Array(mul!(similar(a), p, a)) ≈ sums(x, dims, -1)
        @test Array(ldiv!(similar(a), p, p * a)) ≈ x && Array(inv(inv(p)) * a) ≈ Array(p * a)
        q = AbstractFFTs.plan_bfft(a, dims)
        @test Array(q \ (q * a)) ≈ x && Array(AbstractFFTs.plan_ifft(a, dims) * (p * a)) ≈ x
        f = AbstractFFTs.plan_rfft(b, dims)
        @test AbstractFFTs.output_size(f) == size(half) && Array(f \ (f * b)) ≈ r && AbstractFFTs.AdjointStyle(f) isa AbstractFFTs.RFFTAdjointStyle
        @test AbstractFFTs.AdjointStyle(inv(f)).dim == size(r, first(dims)) && AbstractFFTs.AdjointStyle(p) isa AbstractFFTs.FFTAdjointStyle
        c = copy(a)
        @test AbstractFFTs.fft!(c, dims) === c && Array(c) ≈ sums(x, dims, -1) && AbstractFFTs.ifft!(c, dims) === c && Array(c) ≈ x
    end
    @test Array(AbstractFFTs.fft(b)) ≈ sums(C.(r), 1:2, -1) && AbstractFFTs.fft(b) isa ArrArray{C,2}
    @test AbstractFFTs.fft(ArrArray([1, 2, 3])) isa ArrArray{ComplexF64,1} && AbstractFFTs.rfft(ArrArray(Int32[1, 2, 3])) isa ArrArray
    @test Array(AbstractFFTs.fftshift(b)) == AbstractFFTs.fftshift(r) && Array(AbstractFFTs.ifftshift(b, 1)) == AbstractFFTs.ifftshift(r, 1)
end

struct Dense{W,B}
    weight::W
    bias::B
end

@testset "MLDataDevices" begin
    dev = Arr.mldevice(:host)
    x = rand(Float32, 2, 2)
    @test dev isa MLDataDevices.AbstractGPUDevice && MLDataDevices.functional(dev) && MLDataDevices.loaded(typeof(dev))
    moved = dev((layer = Dense(x, [1.0]), list = [x], r = 1:3, n = 2))
    @test moved.layer isa Dense{ArrArray{Float32,2},ArrArray{Float64,1}} && moved.list[1] isa ArrArray && moved.r === 1:3 && moved.n === 2
    @test moved.list[1] === moved.layer.weight && adapt(dev, x) isa ArrArray
    @test MLDataDevices.get_device(moved.layer.weight) == dev && MLDataDevices.get_device_type(moved.layer.weight) === typeof(dev)
    @test MLDataDevices.get_device((moved.layer.weight, moved.layer.bias)) == dev && MLDataDevices.get_device(x) == MLDataDevices.cpu_device()
    @test MLDataDevices.cpu_device()((w = moved.layer.weight,)).w == x && MLDataDevices.Internal.get_device_id(dev) == 1
    @test MLDataDevices.default_device_rng(dev) isa Arr.Generator
    before = Arr.device()
    MLDataDevices.set_device!(typeof(dev), HOST)
    @test Arr.device() == HOST
    Arr.device!(before)
    MLDataDevices.Internal.unsafe_free_internal!(moved.layer.bias)
    @test_throws Arr.HandleError sum(moved.layer.bias)
end

@testset "ChainRulesCore" begin
    x = rand(3, 2)
    a = ArrArray(x)
    y, back = rrule(ArrArray, x)
    @test y isa ArrArray && back(ArrArray(2x)) == (NoTangent(), 2x) && back(@thunk ArrArray(x))[2] isa Array && back(ZeroTangent())[2] === ZeroTangent()
    for f in (Array, collect)
        y, back = rrule(f, a)
        @test y == x && back(3x)[2] isa ArrArray{Float64,2} && Array(back(3x)[2]) == 3x
    end
    p = ProjectTo(ArrArray(Float32.(x)))
    @test p(x) isa ArrArray{Float32,2} && Array(p(ArrArray(x .+ 2im))) == Float32.(x) && p(NoTangent()) === NoTangent()
    @test size(p(reshape(x, 3, 2, 1))) == (3, 2) && Arr.device(p(x)) == Arr.device(a)
    @test_throws DimensionMismatch p(ones(4))
    @test rrule(ArrArray, [1, 2])[2](ArrArray([1.0, 2.0]))[2] === NoTangent()
    # Against differences: the derivative of sum(real, c .* f(v)) along d.
    c, d = ArrArray(rand(ComplexF64, 3, 2)), rand(3, 2)
    for (f, args, kw) in ((Arr.fft, (), ()), (Arr.fft, (1,), ()), (Arr.ifft, (), ()), (Arr.ifft, (2,), ()), (Arr.bfft, (1:2,), ()), (Arr.softmax, (), ()),
                          (Arr.softmax, (), (dims = 2,)), (Arr.log_softmax, (), (dims = 1,)))
        complex_in = f in (Arr.fft, Arr.ifft, Arr.bfft)
        v = complex_in ? ArrArray(rand(ComplexF64, 3, 2)) : a
        loss(v) = sum(real.(conj.(c) .* f(v, args...; kw...)))
        y, back = rrule(f, v, args...; kw...)
        g = back(complex_in ? c : real.(c))[2]
        step = 1e-6
        @test y ≈ f(v, args...; kw...) && typeof(g) === typeof(v)
        @test sum(real.(g) .* ArrArray(d)) ≈ (loss(v .+ step .* ArrArray(d)) - loss(v .- step .* ArrArray(d))) / 2step rtol = 1e-6
    end
    @test rrule(Arr.device, a) !== nothing
end

@testset "DLPack" begin
    x = reshape(collect(1.0:6), 2, 3)
    a = ArrArray(x; device = :host)
    shared = DLPack.share(a)
    t = shared.tensor.dl_tensor
    @test t.ctx == DLPack.DLDevice(DLPack.kDLCPU, 0) && shared.shape == [3, 2] && shared.strides == [2, 1] && t.data == Arr.address(a)
    @test DLPack.share(view(a, 1, :)).strides == [2] && DLPack.dldevice(view(a, 1, :)) == DLPack.dldevice(a)
    # A column-major tensor, and one of rows, of memory that only the tensor's owner knows.
    for (shape, strides, layout, want) in (([2, 3], [1, 2], DLPack.ColMajor, x), ([3, 2], [2, 1], DLPack.RowMajor, x), ([1, 6], [9, 1], DLPack.RowMajor, reshape(x, 6, 1)))
        memory = copy(vec(x))
        tensor = DLPack.DLTensor(pointer(memory), DLPack.DLDevice(DLPack.kDLCPU, 0), 2, DLPack.DTYPES[Float64], pointer(shape), pointer(strides), 0)
        b = DLPack.wrap(ArrArray{Float64,2}, layout, DLPack.DLManagedTensor(tensor, C_NULL, C_NULL), (memory, shape, strides))
        @test Array(b) == want && Arr.device(b) == HOST
        b .+= 1
        synchronize(HOST)
        @test memory == vec(x) .+ 1
    end
    shape, strides, memory = [2, 2], [1, 3], zeros(6)
    tensor = DLPack.DLTensor(pointer(memory), DLPack.DLDevice(DLPack.kDLCPU, 0), 2, DLPack.DTYPES[Float64], pointer(shape), pointer(strides), 0)
    @test_throws ArgumentError DLPack.wrap(ArrArray{Float64,2}, DLPack.ColMajor, DLPack.DLManagedTensor(tensor, C_NULL, C_NULL), memory)
end

@testset "MPI" begin
    x = rand(3, 4)
    a, b, y = ArrArray(x; device = :host), Arr.zeros(3, 4; device = :host), zeros(3, 4)
    a .*= 2
    @test MPI.Sendrecv!(a, b) === b && Array(b) == 2x && MPI.Sendrecv!(b, y) == 2x && Array(MPI.Sendrecv!(x, a)) == x
    MPI.Sendrecv!(view(a, :, 2), view(b, :, 1))
    @test Array(b)[:, 1] == x[:, 2] && MPI.Buffer(view(a, :, 2:3)).count == 6
    @test_throws ArgumentError MPI.Buffer(view(a, 1, :))
end
