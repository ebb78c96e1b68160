# SPDX-License-Identifier: MIT
# dist.jl: distributed arrays against Base's, on 1 to 3 ranks, each of which is a thread: as many as there are cores.
using Statistics

"""The results of work(comm, rank) on n ranks."""
function on_threads(work, n)
    comms, results = Arr.local_comms(n, HOST), Vector{Any}(undef, n)
    foreach(c -> Arr.comm_timeout!(c, 60), comms)
    Threads.@threads :static for i in 1:n
        results[i] = try
            work(comms[i], i - 1)
        catch e
            sprint(showerror, e, catch_backtrace())
        end
    end
    any(r -> r isa String, results) && error(join(string.(results), "\n"))
    results
end
const SIZES = 1:min(3, Threads.nthreads())
"""True for each rank."""
everywhere(work) = all(n -> all(on_threads(work, n)), SIZES)
whole(a, b) = size(a) == size(b) && eltype(a) == eltype(b) && Array(a) ≈ b

const A = reshape(collect(1.0:20), 4, 5)
const V = [0.5, -2, 4, 1]
ways(c, n) = (Arr.decomposition(c, size(A)), Arr.decomposition(c, size(A); grid = (n, 1)), Arr.decomposition(c, size(A); grid = (1, n), blocks = (0, 1)),
    Arr.decomposition(c, size(A); counts = [5; zeros(Int, n - 1)]), Arr.decomposition(c, size(A); owners = [0, n - 1, 0, n - 1, 0], dim = 2),
    Arr.decomposition(c, size(A); grid = (1, 1)))

@testset "threads" begin
    @test Threads.nthreads() >= min(2, Sys.CPU_THREADS)
end

@testset "decompositions and moves" begin
    @test everywhere() do c, r
        n = Arr.comm_info(c).size
        first_way = Arr.DistArray(c, A)
        good = size(first_way) == (4, 5) && eltype(first_way) == Float64 && ndims(first_way) == 2 && Arr.gather(first_way) isa ArrArray
        good &= sprint(show, first_way) == "4×5 DistArray{Float64,2}" && Array{Int}(first_way) == A && collect(first_way) == A
        for by in ways(c, n)
            a = Arr.DistArray(by, r == 0 ? ArrArray(A; device = HOST) : nothing)
            mine = A[Arr.indices(by, 1), Arr.indices(by, 2)]
            good &= size(by) == (4, 5) && Arr.part_size(by, r) == size(mine) && Array(Arr.localpart(a)) == mine && Array(a) == A
            good &= Array(Arr.localpart(Arr.redistribute(first_way, by))) == mine
            good &= Array(copyto!(Arr.zeros(Float32, by), a)) == A && Array(copy(a)) == A
            good &= Array(Arr.dist_from_part(by, ArrArray(mine; device = HOST))) == A
            good &= (Arr.gather(a; root = n - 1) === nothing) == (r != n - 1)
            good &= Array(fill!(similar(a, Int32), 7)) == fill(7, 4, 5)
        end
        good && size(Arr.decomposition(c, 7)) == (7,) && Array(Arr.DistArray(c, V)) == V
    end
    # The last dimension is divided, and parts are column-major.
    parts = on_threads((c, r) -> Arr.localpart(Arr.zeros(Arr.decomposition(c, (4, 5)))), last(SIZES))
    @test map(size, parts) == [[(4, 5)], [(4, 3), (4, 2)], [(4, 2), (4, 2), (4, 1)]][last(SIZES)] && all(p -> p isa ArrArray, parts)
end

@testset "broadcasts" begin
    @test everywhere() do c, r
        n = Arr.comm_info(c).size
        good = true
        for by in ways(c, n)
            a, v = Arr.DistArray(by, A), Arr.DistArray(c, V)
            good &= whole(a .* v .+ 1, A .* V .+ 1) && whole(sqrt.(a) .- 2 .* a, sqrt.(A) .- 2 .* A) && whole(a + a, 2A) && whole(a / 2, A / 2)
            good &= whole(a .> 3, collect(A .> 3)) && whole(complex.(a, 1), complex.(A, 1)) && whole(map(abs2, a), abs2.(A))
            b = similar(a)
            b .= a .+ v
            good &= Array(b) == A .+ V
            b .= 2
            good &= Array(b) == fill(2, 4, 5) && whole(Arr.dist_evaluate("x * y + 1", a, a), A .* A .+ 1)
            k = similar(a, Int)
            k .= a
            good &= Array(k) == A && whole(Int.(a), Int.(A)) && (x -> 3).(a) == fill!(similar(a, Int), 3)
        end
        good
    end
    alone = only(Arr.local_comms(1, HOST))    # no variable of the ranks' function, which threads would share
    d = Arr.DistArray(alone, A)
    @test occursin("whole", thrown(() -> d .+ ArrArray(A; device = HOST), ArgumentError))
    @test occursin("identity", thrown(() -> Arr.DistArray(alone, zeros(2, 2)) .+ Ref(I), ArgumentError))
    @test occursin("converts", thrown(() -> Int.(d ./ 2), ArgumentError))
    @test_throws DimensionMismatch d .+ Arr.DistArray(alone, [1.0, 2])
    @test occursin("one rank", thrown(() -> d[1, 2], ArgumentError))
end

@testset "reductions and scans" begin
    @test everywhere() do c, r
        good = true
        for by in ways(c, Arr.comm_info(c).size)
            a = Arr.DistArray(by, A)
            for f in (sum, maximum, minimum, prod, mean, var, std)
                good &= f(a) ≈ f(A) && whole(f(a; dims = 1), f(A; dims = 1)) && whole(f(a; dims = 2), f(A; dims = 2)) && whole(f(a; dims = (1, 2)), f(A; dims = (1, 2)))
            end
            good &= sum(abs2, a) ≈ sum(abs2, A) && extrema(a) == extrema(A) && mapreduce(abs, +, a; init = 2.0) == 212 && sum(a; dims = 3) == a
            good &= any(a .> 19) && !all(a .> 19) && count(x -> x > 3, a) == 17 && Array(any(x -> x > 19, a; dims = 1)) == any(A .> 19; dims = 1)
            good &= Array(all(a .> 2; dims = 1)) == all(A .> 2; dims = 1) && mean(abs, a) == mean(abs, A) && var(a; corrected = false) ≈ var(A; corrected = false)
            good &= all(p -> norm(a, p) ≈ norm(A, p), (2, 1, Inf, -Inf, 0, 3)) && a == copy(a) && a != 2a
            good &= whole(cumsum(a; dims = 1), cumsum(A; dims = 1)) && whole(cumprod(a; dims = 2), cumprod(A; dims = 2))
        end
        v = Arr.DistArray(c, V)
        good && whole(cumsum(v), cumsum(V)) && sum(Arr.DistArray(c, Int32[1, 2])) === 3 && reduce(+, Arr.DistArray(c, Int8[1, 2])) === Int8(3)
    end
end

@testset "views, products, transforms, order" begin
    Z = complex.(A, 21 .- A)
    @test everywhere() do c, r
        good = true
        for by in ways(c, Arr.comm_info(c).size)
            a, v, z = Arr.DistArray(by, A), Arr.DistArray(c, V), Arr.DistArray(by, Z)
            good &= whole(view(a, :, 2:4), A[:, 2:4]) && whole(a[2:3, 1:5], A[2:3, :]) && whole(view(a, 1:0, :), A[1:0, :])
            good &= whole(permutedims(a), permutedims(A)) && whole(transpose(a), permutedims(A)) && whole(a', permutedims(A)) && whole(z', Matrix(Z'))
            good &= whole(a * a', A * A') && whole(a' * v, A' * V) && whole(mul!(similar(a' * a), a', a), A' * A) && dot(v, v) ≈ dot(V, V)
            good &= whole(Arr.fft(z), Array(Arr.fft(ArrArray(Z; device = HOST)))) && whole(Arr.fft(a, 1; keep = false), Array(Arr.fft(ArrArray(A; device = HOST), 1)))
            good &= whole(Arr.ifft(Arr.fft(z)), Z) && whole(Arr.bfft(Arr.fft(z, 2), 2), 5Z)
            half = Arr.rfft(a)
            good &= whole(half, Array(Arr.rfft(ArrArray(A; device = HOST)))) && whole(Arr.irfft(half, 4), A) && whole(Arr.brfft(half, 4), 20A)
            good &= whole(sort(-a; dims = 1), sort(-A; dims = 1)) && whole(sort(-a; dims = 2), sort(-A; dims = 2)) && whole(sort(v), sort(V))
        end
        good
    end
    @test_throws BoundsError view(Arr.DistArray(only(Arr.local_comms(1, HOST)), A), :, 2:6)
end

@testset "random numbers, halos, files" begin
    drawn = [on_threads((c, r) -> Array(f(Arr.Generator(3), T, Arr.decomposition(c, (4, 5)))), n)
             for f in (Arr.rand, Arr.randn, Arr.randexp), T in (Float64, Float32), n in SIZES]
    @test all(numbers == drawn[i, j, 1][1] for i in 1:3, j in 1:2, n in SIZES for numbers in drawn[i, j, n])
    @test first(drawn[1]) == Array(Arr.rand(Arr.Generator(3), 4, 5; device = HOST))
    @test everywhere() do c, r
        n = Arr.comm_info(c).size
        a = copyto!(Arr.zeros(Arr.decomposition(c, size(A)); halo = (1, 1)), Arr.DistArray(c, A))
        mine = Arr.indices(Arr.decomposition(a), 2)
        seen = Ref(0)
        Arr.exchange!(a; periodic = true, meanwhile = () -> (seen[] = size(Arr.localpart(a), 1)))
        good = Array(Arr.localpart(a, 1, 0)) == circshift(A, (-1, 0))[:, mine] && Array(Arr.localpart(a, 0, -1)) == circshift(A, (0, 1))[:, mine]
        b = copyto!(Arr.zeros(Arr.decomposition(c, size(A)); halo = 1), Arr.DistArray(c, A))
        Arr.exchange!(b)
        good &= Array(Arr.localpart(b, 0, 1)) == [A[:, 2:5] zeros(4)][:, mine] && size(Arr.localmemory(b)) == (6, length(mine) + 2)
        good && seen[] == 4 && Arr.exchange!(a; periodic = (false, true)) === a
    end
    mktempdir() do folder
        @test everywhere() do c, r
            n = Arr.comm_info(c).size
            path = joinpath(folder, "$n.npy")
            by = Arr.decomposition(c, size(A); grid = (n, 1))
            Arr.save(path, Arr.DistArray(by, A))
            Array(Arr.load(path, by)) == A && Array(Arr.load(path; device = HOST)) == A
        end
    end
end

@testset "mistakes" begin
    c = only(Arr.local_comms(1, HOST))
    @test occursin("Arr.decomposition: argument grid", thrown(() -> Arr.decomposition(c, (4, 4); grid = (2, 1)), ArgumentError))
    @test_throws ArgumentError Arr.decomposition(c, (4, 4); counts = [4], owners = [0, 0, 0, 0])
    @test_throws ArgumentError Arr.decomposition(c, (4, 4); counts = [4], dim = 0)
    a = Arr.zeros(Arr.decomposition(c, (4, 4)))
    @test_throws ArgumentError Arr.localpart(a, 1, 0)
    Arr.unsafe_free!(a)
    @test_throws Arr.HandleError Arr.localpart(a)
    @test isempty(filter(m -> any(x -> occursin("DistArray", string(x.sig)), m), detect_ambiguities(Arr, Base)))
end
