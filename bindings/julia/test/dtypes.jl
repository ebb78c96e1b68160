# SPDX-License-Identifier: MIT
# dtypes.jl: limits, casts, promotion and kinds of element types against Julia's own facts.

@testset "limits of $T" for T in (Float16, Float32, Float64, Arr.BFloat16)
    f = Arr.finfo(T)
    @test (f.dtype, f.bits) == (T, 8 * sizeof(T))
    @test T(f.eps) == eps(T)
    T === Arr.BFloat16 || @test (T(f.max), T(f.smallest_normal)) == (floatmax(T), floatmin(T))
    @test f.min == -f.max && 2.0^f.machep == f.eps
end
@test Arr.finfo(ComplexF32).dtype === Float32
@test_throws Arr.ArrError Arr.finfo(Int32)

@testset "limits of $T" for T in (Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64)
    @test Arr.iinfo(T) === (bits = Int32(8 * sizeof(T)), min = typemin(T), max = typemax(T))
end
@test_throws Arr.ArrError Arr.iinfo(Float32)

@testset "casts and promotion" begin
    @test Arr.can_cast(Int32, Float64) && !Arr.can_cast(Int64, Float32)
    @test Arr.can_cast(Float64, Float32, :same_kind) && !Arr.can_cast(Float64, Int64, :same_kind)
    @test Arr.can_cast(ComplexF64, Bool, :unsafe) && !Arr.can_cast(Int8, Int16, :equiv)
    @test_throws ArgumentError Arr.can_cast(Int8, Int16, :perhaps)
    a = ArrArray(Int16[1, 2]; device = HOST)
    @test Arr.result_type(a, UInt16, Float32) === Float32
    @test Arr.result_type(a, 1.0) === Float64
    @test Arr.result_type(Int8, UInt8) === Int16
    @test_throws ArgumentError Arr.result_type()
    @test map(Arr.min_scalar_type, (10, -10, 1000.0, 1e300, true)) === (UInt8, Int8, Float16, Float64, Bool)
end

@testset "kinds" begin
    @test Arr.isdtype(Int8, "integral") && Arr.isdtype(UInt8, "integral") && !Arr.isdtype(Bool, "integral")
    @test Arr.isdtype(Arr.BFloat16, "real floating") && Arr.isdtype(ComplexF32, "inexact")
    @test_throws ArgumentError Arr.isdtype(Int8, "round")
end
