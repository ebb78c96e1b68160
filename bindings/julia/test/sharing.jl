# SPDX-License-Identifier: MIT
# sharing.jl: memory that Julia and the library share, and DLPack with C.

@testset "Julia's memory: $T" for T in (Float32, Int64, ComplexF64, Bool)
    x = T === Bool ? rand(Bool, 3, 4) : rand(T, 3, 4)
    a = Arr.wrap(x)
    @test a isa ArrArray{T,2}
    @test pointer(a) == pointer(x)
    a .= one(T)
    synchronize(HOST)
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
    synchronize(HOST)
    @test v == fill(-1.0, 2, 3)
    @test x[1, 1] == 1
    @test_throws ArgumentError Arr.wrap(a)
end

@testset "memory by its address" begin
    x = collect(1.0:6)
    GC.@preserve x begin
        p = pointer(x)
        a = unsafe_wrap(ArrArray, p, (2, 3))
        @test a isa ArrArray{Float64,2} && pointer(a) == p && Array(a) == [1 3 5; 2 4 6]
        a[1:1, 1] .= 9
        synchronize(HOST)
        @test x[1] == 9
        @test Array(unsafe_wrap(ArrArray, p, 6)) == x && Array(unsafe_wrap(ArrArray{Float64}, p, (6,); own = false)) == x
        @test unsafe_wrap(ArrArray{Float64,1}, p, Int32(6)) isa ArrArray{Float64,1}
        @test unsafe_wrap(ArrArray{Float64,3}, p, (1, 2, 3)) isa ArrArray{Float64,3}
        for wrong in ((ArrArray{Float64,2}, p, (6,)), (ArrArray{Float32}, p, (6,)), (ArrStrided, p, (6,)), (ArrArray, p, -1),
                      (ArrArray, Ptr{Float64}(0), 2), (ArrArray, Ptr{Cvoid}(p), 2), (ArrArray, Ptr{Any}(p), (2, 3)))
            @test_throws ArgumentError unsafe_wrap(wrong...)
        end
        @test isempty(unsafe_wrap(ArrArray, Ptr{Float64}(0), (0, 3)))
    end
    q = Ptr{Int32}(Libc.malloc(8))
    unsafe_store!(q, 1), unsafe_store!(q, 2, 2)
    @test Array(unsafe_wrap(ArrArray, q, 2; own = true)) == [1, 2]
end

@testset "transposes of Julia's memory" begin
    x = rand(2, 3)
    for t in (x', transpose(x), view(x, :, 2:3)')
        a = Arr.wrap(t)
        @test Array(a) == t
        a .*= 2
        synchronize(HOST)
        @test Array(a) == t
    end
    z = rand(ComplexF64, 2, 2)
    @test Array(Arr.wrap(transpose(z))) == transpose(z)
    for x in (z', 1:3, view(x, [1, 2], :), Symmetric(rand(2, 2)))   # memory without such numbers
        @test occursin("ArrArray(x) copies", thrown(() -> Arr.wrap(x), ArgumentError))
    end
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
    synchronize(HOST)
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
        x, archive, table = [1.5 2 3; 4 5 6], joinpath(dir, "x.npz"), joinpath(dir, "x.txt")
        for compressed in (false, true)
            Arr.savez(archive; compressed = compressed, x = ArrArray(x), y = ArrArray(Int32[7, 8]))
            @test Arr.npz_names(archive) == ["x", "y"]
            @test Array(Arr.load(archive, "x")) == x && Array(Arr.load(archive, "y")) == Int32[7, 8]
        end
        @test_throws ArgumentError Arr.load(archive, "z")
        Arr.savetxt(table, ArrArray(x); format = "%.1f", delimiter = ",")
        @test read(table, String) == "1.5,2.0,3.0\n4.0,5.0,6.0\n"
        @test Array(Arr.loadtxt(table; delimiter = ",")) == x
        @test Array(Arr.loadtxt(table; delimiter = ",", skip = 1, eltype = Float32)) == Float32[4, 5, 6]
    end
    @test works()
end

# Work that is on its way is waited for by what goes to memory by address: on the host with ARR_HOST_ASYNC=1.
@testset "addresses wait" begin
    n = 2^20
    late(a) = (foreach(_ -> a .= a .+ 1, 1:10); a)
    a = late(Arr.zeros(n; device = HOST))
    GC.@preserve a @test unsafe_load(pointer(a), n) == 10
    x = unsafe_wrap(Array, late(Arr.zeros(n; device = HOST)))
    @test x[n] == 10 && x[1] == 10
    a = late(Arr.zeros(n; device = HOST))
    GC.@preserve a @test unsafe_load(Base.unsafe_convert(Ptr{Float64}, a), n) == 10
    @test Array(late(Arr.zeros(n; device = HOST)))[n] == 10
    @test copyto!(zeros(n), late(Arr.zeros(n; device = HOST)))[n] == 10
    @test copyto!(zeros(n), 1, late(Arr.zeros(n; device = HOST)), 1, n)[n] == 10
    h = HostArray(Float64, n)
    copyto!(h, late(Arr.zeros(n; device = HOST)))
    @test h[n] == 10
    copyto!(a, h)
    h[n] = 0
    @test @allowscalar(a[n]) == 10
    # A source may be changed and given up as soon as the call is back.
    b = Arr.zeros(n; device = HOST)
    for i in 1:20
        y = fill(Float64(i), n)
        late(b)
        copyto!(b, y)
        fill!(y, -1)
    end
    @test all(b .== 20)
    @test sum(map(i -> (y = fill(1.0, n); r = ArrArray(y; device = HOST); fill!(y, 0); sum(r)), 1:5)) == 5n
    r = Arr.fuse(() -> (t = Arr.ones(n; device = HOST) .+ 1; unsafe_wrap(Array, t)[n]))
    @test r == 2
end

# Arrays, streams and kernels are given up in any order while their work is on its way.
@noinline function given_up(i)
    s = Arr.Stream(HOST)
    x = Arr.stream!(s) do
        a = Arr.ones(2^18; device = HOST)
        foreach(_ -> a = a .+ 1, 1:5)
        e = Arr.record!(Arr.Event(HOST))
        isodd(i) && (Arr.unsafe_free!(e); Arr.unsafe_free!(s))
        view(a, 1:10)
    end
    WeakRef(s), x
end
@testset "given up early" begin
    views = [given_up(i)[2] for i in 1:20]
    GC.gc()
    @test all(v -> Array(v) == fill(6.0, 10), views)
    before = LibArr.arr_live_handles()
    for v in views
        Arr.unsafe_free!(v)
        Arr.unsafe_free!(v)                                      # once is enough
        finalize(v)
    end
    @test LibArr.arr_live_handles() == before - 20
    # Released by the collector on whichever thread, in a block of fuse too.
    total = Arr.fuse() do
        s = 0.0
        for i in 1:50
            t = Arr.ones(100; device = HOST) .* i
            i % 10 == 0 && GC.gc(false)
            s += sum(t .+ 1)
        end
        s
    end
    @test total == sum(100 * (i + 1) for i in 1:50)
end

using Serialization
@testset "written and read" begin
    function there_and_back(x)
        io = IOBuffer()
        serialize(io, x)
        seekstart(io)
        deserialize(io)
    end
    for T in Arr.ELTYPES, dims in ((), (0,), (3,), (2, 3))
        x = T === BFloat16 ? fill(BFloat16(1.5), dims) : rand(T, dims...)
        x isa Array || (x = fill(x))
        a = there_and_back(ArrArray(x))
        @test a isa ArrArray{T,length(dims)} && Array(a) == x
    end
    x = rand(3, 4)
    a = ArrArray(x)
    v = view(a, 3:-1:1, :)
    @test there_and_back(v) isa ArrStrided{Float64,2} && Array(there_and_back(v)) == x[3:-1:1, :]
    pair = there_and_back(Dict(:a => a, :again => [a, v]))
    @test pair[:a] === pair[:again][1] && Array(pair[:again][2]) == x[3:-1:1, :]
    h = there_and_back(HostArray(x))
    @test h isa HostArray{Float64,2} && h == x && (h[1] = 5; synchronize(HOST); Array(h.array)[1] == 5)
    both = deepcopy((a, a, v))
    @test both[1] === both[2] !== a && Array(both[1]) == x && Array(both[3]) == x[3:-1:1, :]
    both[1] .= 0
    @test Array(a) == x
    for y in (Arr.Stream(HOST), Arr.Event(HOST), Arr.Generator(1), Arr.expression("a + 1"), Arr.plan_fft(a))
        @test occursin("process", thrown(() -> there_and_back(y), ArgumentError))
    end
    @test_throws Arr.HandleError there_and_back((Arr.unsafe_free!(a); a))
end
