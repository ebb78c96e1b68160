# SPDX-License-Identifier: MIT
# operations.jl: every row of the table of operations against Julia's own arithmetic, in types of every kind.

const SAMPLES = (Float64[1, 2, 3, 1, 2, 3], Float64[1, 1, 2, 3, 2, 1], Float64[2, 3, 3, 3, 2, 3])

sample(::Type{Bool}, k) = isodd.(Int.(SAMPLES[k]))
sample(::Type{T}, k) where {T<:Integer} = T.(SAMPLES[k])
sample(::Type{T}, k) where {T<:AbstractFloat} = T.(SAMPLES[k] .+ 0.25)
sample(::Type{T}, k) where {T<:Complex} = T.(SAMPLES[k] .+ 0.25 .+ (SAMPLES[k] .- 1.75) .* im)

# References for ops of the table that Julia does not have.
const REFERENCES = Dict(:logical_and => (x, y) -> !iszero(x) & !iszero(y), :logical_or => (x, y) -> !iszero(x) | !iszero(y),
                        :logical_xor => (x, y) -> iszero(x) != iszero(y), :square => x -> x * x)

near(x::AbstractArray, y) = all(i -> near(x[i], y[i]), eachindex(x))
near(x::T, y) where {T<:Union{AbstractFloat,Complex}} =
    x == y || (x != x && y != y) || abs(x - y) <= 16 * eps(real(T)) * abs(y)
near(x, y) = x == y

# The eager function of the C API, for rows that only the library knows.
function eager(row, arrays)
    out = Ref(LibArr.arr_array())
    values = [first(Arr.argument(a)) for a in arrays]
    GC.@preserve arrays @test LibArr.arr_ufunc(row.number, Int32(length(values)), values, C_NULL, LibArr.arr_stream(), Int32(1), out) == 0
    Array(Arr.adopt(out[]))
end

# Operands as the package lifts them: NumPy's floats for small integers are narrower.
lifted(row, xs, T) = row.inputs in (:COND, :INT64) ? map(ArrArray, xs) : [ArrArray(Arr.lifted(row, T).(x)) for x in xs]

function operands(row, T)
    xs = Any[sample(T, k) for k in 1:row.arity]
    row.inputs === :COND && (xs[1] = sample(Bool, 1))
    row.inputs === :INT64 && !(T <: Integer) && (xs[end] = sample(Int, row.arity))
    xs
end

# Number by number: broadcasting would be compiled anew for each function and type.
elementwise(@nospecialize(f), xs...) = identity.(Any[f((x[i] for x in xs)...) for i in eachindex(xs[1])])

# Base has no such function of these elements, so a broadcast has none either.
refused_by_base(f, xs) =
    try
        elementwise(f, xs...)
        false
    catch e
        e isa MethodError
    end

function check(row, T)
    xs = operands(row, T)
    arrays = map(ArrArray, xs)
    f = Arr.inbase(row) ? getfield(Base, Arr.julia_name(row)) : getfield(Arr, row.name)
    reference = Arr.inbase(row) ? f : get(REFERENCES, row.name, nothing)
    got = try
        f.(arrays...)
    catch e
        # A type that the library's domain or Base leaves out is refused by name.
        refused = !(Arr.kind(T) in row.domain) || (Arr.inbase(row) && refused_by_base(f, xs))
        e isa Arr.TraceError && refused && return :refused
        rethrow()
    end
    want = try
        reference === nothing ? eager(row, lifted(row, xs, T)) : elementwise(reference, xs...)
    catch e
        missing_there = e isa ErrorException && occursin("not implemented", e.msg)
        e isa Union{MethodError,DivideError,DomainError} || missing_there || rethrow()
        return :beyond_julia
    end
    ok = near(Array(got), want) && (!Arr.inbase(row) || eltype(got) === eltype(want))
    ok || println("$(row.name) of $T: got ", Array(got), ", expected ", want)
    ok ? :same : :different
end

# Each row is compiled anew for each type, which takes most of the time: one type of each kind always, of the
# others a third, another one from row to row.
types_of(k) = [T for (i, T) in enumerate(Arr.ELTYPES) if T in (Bool, Int64, Float64, ComplexF64) || (i + k) % 3 == 0]

verdicts = Dict(:same => 0, :refused => 0, :beyond_julia => 0)
@testset "$(row.name)" for (k, row) in enumerate(LibArr.OPS)
    for T in types_of(k)
        verdict = check(row, T)
        @test verdict !== :different
        verdicts[verdict] = get(verdicts, verdict, 0) + 1
    end
end
@test verdicts[:same] > 3 * length(LibArr.OPS)
println(verdicts)

@testset "operators of arrays and numbers" begin
    x, y = [1.0 -2.0; 3.5 4.0], [2.0 2.0; -1.0 0.5]
    a, b = ArrArray(x), ArrArray(y)
    for (got, want) in ((a + b, x + y), (a - b, x - y), (-a, -x), (2a, 2x), (a * 3, x * 3), (a / 4, x / 4), (2 \ a, 2 \ x),
                        (a .^ 2, x .^ 2), (2 .^ a, 2 .^ x), (a .> b, x .> y), (1 .- a, 1 .- x), (a .== 4, x .== 4))
        @test got isa ArrArray
        @test eltype(got) === eltype(want)
        @test Array(got) ≈ want
    end
    for (got, want) in ((a .* im, x .* im), (a .+ (1 + 2im), x .+ (1 + 2im)), (a .+ 1 // 2, x .+ 1 // 2), (π .* a, π .* x))
        @test eltype(got) === eltype(want)
        @test Array(got) ≈ want
    end
    @test_throws DimensionMismatch a + ArrArray([1.0, 2.0])
end

@testset "types of $A with $B" for A in (Bool, Int8, UInt16, Float16, Float32, ComplexF32), B in (Bool, UInt8, Int64, Float64)
    x, y = sample(A, 1), sample(B, 2)
    for f in (+, /)
        want = elementwise(f, x, y)
        got = f.(ArrArray(x), ArrArray(y))
        @test eltype(got) === eltype(want)
        @test near(Array(got), want)
        @test eltype(f.(ArrArray(x), y[1])) === eltype(want)
    end
end
