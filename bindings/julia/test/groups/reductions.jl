# SPDX-License-Identifier: MIT
# reductions.jl: reduce, mapreduce and the functions that write their results into an array of the reduced size.
isdefined(@__MODULE__, :compare) || include("adapter.jl")

const REDUCED = ((10,) => (1,), (10, 10) => (1, 10), (10, 10) => (10, 1), (10, 10) => (1, 1), (10, 10) => (10,), (5, 4, 3) => (1, 4, 1), (5, 4, 3) => (5, 1, 3),
                 (5, 4, 3) => (1, 1, 1), (5, 4, 3) => (5, 4, 1), (10, 10) => (10, 10))

@testset "into arrays of $T" for T in NUMBERS
    for (from, to) in REDUCED
        x = T <: Integer ? drawn(T, from...) : drawn(T, from...) ./ T(3) .+ T(0.5)
        R = Base.promote_op(Base.add_sum, T, T)
        @test compare((r, a) -> sum!(r, a), zeros(R, to), x)
        @test compare((r, a) -> sum!(abs, r, a), zeros(real(R), to), x)
        # Products of all elements leave the range of small types.
        (T === Float16 || T <: Integer) && length(x) > 20 || @test compare((r, a) -> prod!(r, a), zeros(R, to), x)
        @test compare((r, a) -> prod!(r, a), zeros(R, to), x .- x .+ one(T))
        T <: Complex && continue
        @test compare((r, a) -> maximum!(r, a), zeros(T, to), x)
        @test compare((r, a) -> minimum!(r, a), zeros(T, to), x)
        # Base begins with the first elements as they are, so that its results may be none of f.
        along = Tuple(d for d in eachindex(from) if d > length(to) || to[d] == 1)
        for (f, g, by) in ((maximum!, maximum, e -> -e), (minimum!, minimum, abs2))
            @test agrees(f(by, ArrArray(zeros(T, to)), ArrArray(x)), reshape(g(by, x; dims = along), to))
        end
        @test compare((r, a) -> any!(r, a), fill(false, to), x .> T(1))
        @test compare((r, a) -> all!(r, a), fill(false, to), x .> T(1))
        @test compare((r, a) -> any!(e -> e > 1, r, a), fill(false, to), x)
        @test compare((r, a) -> all!(e -> e > 1, r, a), fill(false, to), x)
    end
    @test compare((r, a) -> sum!(r, a; init = false), ones(T, 1, 4), T <: Integer ? drawn(T, 3, 4) : drawn(T, 3, 4))
    @test compare((r, a) -> sum!(r, a), zeros(T, 2, 4), drawn(T, 3, 4))
    T <: Complex || @test compare((r, a) -> maximum!(r, a; init = false), ones(T, 3), drawn(T, 3, 4))
end

@testset "reduce of $T" for T in NUMBERS
    x = drawn(T, 6, 3)
    small = T <: Integer ? x .% T(2) .+ T(1) : x
    for dims in (1, 2, (1, 2), 3, [1]), (op, y) in ((+, x), (*, small), (Base.add_sum, x), (Base.mul_prod, small))
        @test compare(a -> reduce(op, a; dims = dims), y)
        @test compare(a -> reduce(op, a; dims = dims, init = one(T)), y)
        @test compare(a -> mapreduce(e -> e + one(e), op, a; dims = dims), op in (*, Base.mul_prod) ? small .- small : y)
    end
    for op in (+, *)
        @test compare(a -> reduce(op, a), small[1:4, 1])
        @test compare(a -> reduce(op, a; init = one(T)), small[1:4, 1])
        @test compare(a -> reduce(op, a), T[])
        @test compare(a -> reduce(op, a; init = one(T)), T[])
        @test compare(a -> reduce(op, a; dims = 1), zeros(T, 0, 2))
    end
    T <: Complex && continue
    for op in (max, min), dims in (1, 2, (1, 2), :)
        @test compare(a -> reduce(op, a; dims = dims), x)
        @test compare(a -> mapreduce(abs2, op, a; dims = dims), x)
        @test compare(a -> reduce(op, a; dims = dims, init = T(3)), x)
    end
    T <: Integer || continue
    for op in (&, |, xor)
        @test compare(a -> reduce(op, a), x)
        # Base has no such reduction of dimensions.
        @test Array(reduce(op, ArrArray(x); dims = 1)) == mapslices(c -> reduce(op, c), x; dims = 1)
    end
end

@testset "running sums of $T" for T in NUMBERS
    v, x, c = drawn(T, 8), drawn(T, 4, 5), drawn(T, 2, 3, 4)
    one_like = T <: Integer ? v .% T(2) .+ T(1) : v
    for (f, y) in ((cumsum, v), (cumprod, one_like), (a -> accumulate(+, a), v), (a -> cumsum(a; dims = 1), x), (a -> cumsum(a; dims = 2), x),
                   (a -> cumsum(a; dims = 3), c), (a -> accumulate(+, a; dims = 2), x), (a -> cumsum(a; dims = 1), v), (a -> cumprod(a; dims = 2), x .- x .+ one(T)),
                   (a -> accumulate(+, a; init = T(3)), v), (a -> accumulate(+, a; dims = 1, init = T(3)), x), (a -> cumsum(view(a, 2:3, :); dims = 2), x),
                   (a -> cumsum!(similar(a), a; dims = 1), x), (a -> accumulate!(+, similar(a), a; dims = 1), x), (a -> accumulate!(+, similar(a), a), v),
                   (a -> cumsum!(similar(a), a), v), (a -> cumprod!(similar(a), a), one_like), (a -> accumulate(*, a), one_like))
        @test compare(f, y)
    end
    T <: Complex && continue
    @test compare(a -> accumulate(max, a), v)
    @test compare(a -> accumulate(min, a; dims = 2), x)
    @test compare(a -> diff(a), v)
    @test compare(a -> diff(a; dims = 2), x)
end

@testset "sorts of $T" for T in (WHOLES..., REALS...)
    v, x = drawn(T, 20), drawn(T, 5, 6)
    for f in (sort, a -> sort(a; rev = true), a -> sort(a; by = abs), sort!, a -> sort!(a; rev = true), issorted,
              a -> issorted(sort(a)), a -> sort(view(a, 3:9)), a -> searchsortedfirst(sort(a), T(3)), a -> partialsort(a, 3), a -> partialsort(a, 1:4),
              a -> partialsort!(copy(a), 3), unique, a -> sort(unique(a)), a -> sort(a)[end:end], a -> sort(a; by = e -> -e), a -> a[sortperm(a)],
              a -> a[sortperm(a; rev = true)], a -> allunique(a))
        @test compare(f, v)
    end
    @test compare(a -> sort(a; dims = 1), x)
    @test compare(a -> sort(a; dims = 2, rev = true), x)
    @test compare(a -> sort!(a; dims = 2), x)
    @test compare(a -> sortperm(a), collect(T, 9:-1:1))
    @test compare(a -> sortslices(a; dims = 1), x)
    @test compare((p, a) -> (sortperm!(p, a); a[p]), collect(1:20), v)
end
