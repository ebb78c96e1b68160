# SPDX-License-Identifier: MIT
# sharing.jl: memory that Julia and the library share, and DLPack with C.

@testset "Julia's memory: $T" for T in (Float32, Int64, ComplexF64, Bool)
    x = T === Bool ? rand(Bool, 3, 4) : rand(T, 3, 4)
    a = Arr.wrap(x)
    @test a isa ArrArray{T,2}
    @test pointer(a) == pointer(x)
    a .= one(T)
    @test x == ones(T, 3, 4)
    x[2, 3] = zero(T)
    @test Array(a) == x
end

@testset "strided memory of Julia" begin
    x = collect(reshape(1.0:24, 4, 6))
    v = view(x, 4:-2:1, 2:2:6)
    a = Arr.wrap(v)
    @test a isa ArrStrided{Float64,2}
    @test strides(a) == strides(v)
    @test Array(a) == v
    a .= -1
    @test v == fill(-1.0, 2, 3)
    @test x[1, 1] == 1
    @test_throws ArgumentError Arr.wrap(a)
end

@testset "Julia's arrays are let go when the library is done" begin
    GC.gc(); Arr.sweep_roots()
    before = length(Arr.ROOTS)
    make() = (x = rand(100); a = Arr.wrap(x); (WeakRef(x), view(a, 2:3)))
    ref, v = make()
    GC.gc(); GC.gc(); Arr.sweep_roots()
    @test ref.value !== nothing
    @test length(Arr.ROOTS) == before + 1
    Arr.unsafe_free!(v)
    v = nothing
    GC.gc(); Arr.sweep_roots()
    @test length(Arr.ROOTS) == before
    foreach(i -> Arr.wrap(rand(10)), 1:1000)
    GC.gc(); Arr.sweep_roots()
    @test length(Arr.ROOTS) == before
end

@testset "the library's memory as an Array" begin
    a = ArrArray([1.0 2.0; 3.0 4.0]; device = HOST)
    x = unsafe_wrap(Array, a)
    @test pointer(x) == pointer(a)
    x[1, 2] = 20
    a .+= 1
    @test x == [2 21; 4 5]
    @test sum(a) == 32
    Arr.unsafe_free!(a)
    GC.gc()
    @test x == [2 21; 4 5]
    h = HostArray(Float32, 3, 2)
    h .= 1:3
    d = ArrArray{Float32}(undef, 3, 2)
    copyto!(d, h)
    d .*= 2
    copyto!(h, d)
    @test h == Float32[2 2; 4 4; 6 6]
end

@testset "DLPack round trip: $T, legacy $legacy" for T in Arr.ELTYPES, legacy in (false, true)
    x = T === Bool ? rand(Bool, 3, 4) : T === BFloat16 ? BFloat16.(rand(Float32, 3, 4)) : rand(T, 3, 4)
    a = ArrArray(x; device = HOST)
    b = Arr.from_dlpack(Arr.to_dlpack(a; legacy = legacy))
    @test b isa ArrArray{T,2}
    @test pointer(a) == pointer(b)
    fill!(b, zero(T))
    @test Array(a) == Array(b) == fill(zero(T), 3, 4)
    x2 = unsafe_wrap(Array, Arr.to_dlpack(a; legacy = legacy))
    @test x2 isa Array{T,2} && pointer(x2) == pointer(a)
    x2[3, 2] = one(T)
    @test Array(a)[3, 2] == one(T)
end

@testset "DLPack: layouts, ownership, mistakes" begin
    a = ArrArray(rand(3, 4); device = HOST)
    t = Arr.from_dlpack(Arr.to_dlpack(view(a, 3:-1:1, 1:2:4)))
    @test t isa ArrStrided && Array(t) == Array(a)[3:-1:1, 1:2:4]
    @test pointer(Arr.from_dlpack(Arr.to_dlpack(a; copy = true))) != pointer(a)
    x = [1.0, 2.0]
    b = Arr.from_dlpack(Arr.to_dlpack(x))
    @test pointer(b) == pointer(x)
    tensor = Arr.to_dlpack(a)
    p = Arr.hand_over!(tensor)
    @test_throws ArgumentError pointer(tensor)
    Arr.delete(p)                                              # as a consumer does
    @test_throws ArgumentError unsafe_wrap(Array, Arr.to_dlpack(a'))
    for i in 1:100
        Arr.to_dlpack(a)                                       # never consumed: the collector calls the deleter
    end
    GC.gc()
    before = LibArr.arr_live_objects()
    for i in 1:100
        Arr.to_dlpack(a)
    end
    GC.gc()
    @test LibArr.arr_live_objects() == before
    @test works()
end

@testset "a consumer in C" begin
    # memcpy knows nothing of Julia or libarr: it reads what the struct points to.
    x = collect(Float32, 1:6)
    t = Arr.to_dlpack(ArrArray(x; device = HOST))
    m = unsafe_load(pointer(t))
    @test (m.major, m.tensor.ndim, m.tensor.code, m.tensor.bits, m.tensor.lanes) == (1, 1, 2, 32, 1)
    @test unsafe_load(m.tensor.shape) == 6
    y = zeros(Float32, 6)
    ccall(:memcpy, Ptr{Cvoid}, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t), y, m.tensor.data + m.tensor.byte_offset, 24)
    @test y == x
end

@testset ".npy" begin
    mktempdir() do dir
        for T in (Bool, Int8, UInt32, Int64, Float16, Float32, Float64, ComplexF64), dims in ((), (3,), (2, 3), (2, 3, 4), (0, 2))
            x = T === Bool ? rand(Bool, dims...) : rand(T, dims...)
            x = x isa Array ? x : fill(x)
            path = joinpath(dir, "x.npy")
            Arr.save(path, ArrArray(x))
            @test Array(Arr.load(path)) == x
        end
        path = joinpath(dir, "t.npy")
        Arr.save(path, transpose(ArrArray([1 2 3; 4 5 6])))    # row-major in the file
        b = Arr.load(path)
        @test b isa ArrStrided && Array(b) == [1 4; 2 5; 3 6]
        @test occursin("nothing.npy", thrown(() -> Arr.load(joinpath(dir, "nothing.npy")), Arr.IoError))
        write(path, "no npy")
        @test_throws Arr.FormatError Arr.load(path)
        @test_throws Arr.DtypeError Arr.save(path, ArrArray(BFloat16[1]))
    end
    @test works()
end
