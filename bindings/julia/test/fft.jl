# SPDX-License-Identifier: MIT
# fft.jl: transforms under AbstractFFTs' names against the sum itself.

dft(x, dims, sign = -1) = foldl((y, d) -> mapslices(v -> [sum(v[j] * cis(2pi * sign * mod((j - 1) * (k - 1), length(v)) / length(v))
                                                              for j in eachindex(v)) for k in eachindex(v)], y; dims = d),
                                dims; init = complex.(x))

@testset "complex" begin
    x = rand(5, 4, 3) .+ im .* rand(5, 4, 3)
    a = ArrArray(x)
    for dims in (1, 3, (1, 2), 1:3)
        @test Arr.fft(a, dims) isa ArrArray{ComplexF64,3}
        @test Array(Arr.fft(a, dims)) ≈ dft(x, dims)
        @test Array(Arr.ifft(Arr.fft(a, dims), dims)) ≈ x
        @test Array(Arr.bfft(a, dims)) ≈ dft(x, dims, 1)
    end
    @test Array(Arr.fft(view(a, 5:-2:1, :, 2), 1)) ≈ dft(x[5:-2:1, :, 2], 1)
    @test eltype(Arr.fft(ArrArray(Float32[1, 2, 3]))) === ComplexF32
    @test_throws DimensionMismatch Arr.fft(a, 4)
end

@testset "reals" begin
    x = rand(6, 5)
    a = ArrArray(x)
    @test Array(Arr.rfft(a)) ≈ dft(x, 1:2)[1:4, :]
    @test Array(Arr.rfft(a, (2, 1))) ≈ dft(x, 1:2)[:, 1:3]
    @test Array(Arr.irfft(Arr.rfft(a), 6)) ≈ x
    @test Array(Arr.irfft(Arr.rfft(a, 2), 5, 2)) ≈ x
    @test Array(Arr.brfft(Arr.rfft(a), 6)) ≈ 30 .* x
    @test_throws Exception Arr.rfft(Arr.fft(a))
end

@testset "shifts" begin
    x = collect(1:5)
    @test Array(Arr.fftshift(ArrArray(x))) == [4, 5, 1, 2, 3]
    @test Array(Arr.ifftshift(Arr.fftshift(ArrArray(x)))) == x
end
