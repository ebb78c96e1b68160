# SPDX-License-Identifier: MIT
# text.jl: arrays as text.

plain(a; size = (24, 80)) = sprint((io, x) -> show(IOContext(io, :limit => true, :displaysize => size), MIME"text/plain"(), x), a)

x = [1.5 2.0; -3.0 4.0]
a = ArrArray(x; device = HOST)
@test plain(a) == "2×2 ArrArray{Float64,2} on host:\n  1.5  2.0\n -3.0  4.0"
@test plain(a') == "2×2 ArrStrided{Float64,2} on host:\n 1.5  -3.0\n 2.0   4.0"
@test sprint(show, a) == "[1.5 2.0; -3.0 4.0]"
@test string(ArrArray([1, 2])) == "[1, 2]"
@test plain(ArrArray{Int}(undef, 0, 3; device = HOST)) == "0×3 ArrArray{Int64,2} on host"
@test occursin("1.5", Arr.format(a)) && count(==('\n'), Arr.format(a)) == 1

# Only the elements that are shown are fetched of a large array, and it looks as Julia's own.
big = reshape(collect(1:10_000), 100, 100)
lines(text) = split(text, '\n')[2:end]
@test lines(plain(ArrArray(big))) == lines(plain(big))
tall = collect(1:5000)
@test lines(plain(ArrArray(tall))) == lines(plain(tall))

@testset "BFloat16" begin
    @test Float32(BFloat16(1.0f0)) === 1.0f0
    @test Float32(BFloat16(Float32(π))) === 3.140625f0
    @test isnan(BFloat16(NaN32)) && isinf(BFloat16(Inf32))
    @test BFloat16(1) + BFloat16(2) === BFloat16(3)
    @test promote_type(BFloat16, Float16) === Float32
    @test promote_type(BFloat16, Int) === BFloat16
    @test BFloat16(1.00390625f0) === BFloat16(1.0f0)             # half way: to even
    @test sprint(show, BFloat16(1.5)) == "BFloat16(1.5)"
    @test Int(BFloat16(7)) === 7
end
