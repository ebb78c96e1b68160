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

@testset "hermitian, frequencies, lengths" begin
    x = rand(3, 7)
    for norm in (:backward, :ortho, :forward)
        half = Arr.ihfft(ArrArray(x); norm)
        @test size(half) == (3, 4) && eltype(half) === ComplexF64
        @test Array(Arr.hfft(half, 7; norm)) ≈ x
    end
    @test Array(Arr.ihfft(ArrArray(x), 1)) ≈ dft(x, 1, 1)[1:2, :] ./ 3
    for norm in (:backward, :ortho, :forward), (dims, n) in ((1:2, 3), ((2, 1), 7), (2, 7))
        half = Arr.ihfftn(ArrArray(x), dims; norm)
        @test size(half, first(dims)) == n ÷ 2 + 1 && eltype(half) === ComplexF64
        @test Array(Arr.hfftn(half, n, dims; norm)) ≈ x
    end
    @test Array(Arr.ihfftn(ArrArray(x))) ≈ conj.(dft(x, 1:2))[1:2, :] ./ 21
    @test_throws ArgumentError Arr.hfftn(ArrArray(x), 3; norm = :none)
    @test Array(Arr.fftfreq(4, 2.0)) == [0, 0.5, -1, -0.5] && Array(Arr.rfftfreq(5, 5)) ≈ [0, 1, 2]
    @test Arr.next_fast_len(97) == 98 && Arr.next_fast_len(97; real = true) == 100
    @test_throws ArgumentError Arr.next_fast_len(0)
end

@testset "plans that are kept" begin
    before = Arr.fft_cache(HOST)
    Arr.fft_cache_clear!(HOST)
    a = ArrArray(rand(48); device = HOST)
    Arr.fft(a)
    filled = Arr.fft_cache(HOST)
    @test filled.plans > 0 && filled.misses > before.misses
    Arr.fft(a)
    @test Arr.fft_cache(HOST).hits > filled.hits
    plans = Arr.fft_cache_plans(HOST)
    @test length(plans) == Arr.fft_cache(HOST).plans
    mine = plans[findfirst(p -> p.kind !== :table && p.lengths == [48], plans)]
    @test mine.real === Float64 && mine.transforms == 1 && mine.bytes >= 0
    @test Arr.fft_cache_drop!(mine.id, HOST) === nothing
    @test all(p -> p.id != mine.id, Arr.fft_cache_plans(HOST))
    @test_throws ArgumentError Arr.fft_cache_drop!(mine.id, HOST)
    Arr.fft_cache_limit!(HOST; plans = 0)
    @test Arr.fft_cache(HOST).plans == 0 && Arr.fft_cache(HOST).max_plans == 0
    Arr.fft_cache_limit!(HOST; plans = before.max_plans)
    @test Arr.fft_cache(HOST).max_plans == before.max_plans && Arr.fft_cache(HOST).max_bytes == -1
end

# The sums by their definition.
cosines(x) = [2 * sum(x[j] * cos(pi * (2j - 1) * (k - 1) / 2length(x)) for j in eachindex(x)) for k in eachindex(x)]
sines(x) = [2 * sum(x[j] * sin(pi * (2j - 1) * k / 2length(x)) for j in eachindex(x)) for k in eachindex(x)]

@testset "cosines and sines" begin
    x = rand(6, 5)
    a = ArrArray(x)
    for (f, sums) in ((Arr.dct, cosines), (Arr.dst, sines)), d in 1:2
        @test Array(f(a, d; norm = :backward)) ≈ mapslices(sums, x; dims = d)
    end
    @test Array(Arr.dct(a, 1:2; norm = :backward)) ≈ mapslices(cosines, mapslices(cosines, x; dims = 1); dims = 2)
    for (f, back) in ((Arr.dct, Arr.idct), (Arr.dst, Arr.idst)), type in 1:4, norm in (:ortho, :backward, :forward)
        @test Array(back(f(a; type = type, norm = norm); type = type, norm = norm)) ≈ x
    end
    @test sum(abs2, Array(Arr.dct(a))) ≈ sum(abs2, x)
    ends = Array(Arr.dct(a, 1; norm = :backward, orthogonalize = true))
    @test ends[1, :] .* sqrt(2) ≈ cosines.(eachcol(x)) .|> first && ends[2:end, :] ≈ mapslices(cosines, x; dims = 1)[2:end, :]
    @test Array(Arr.dct(a, 1; orthogonalize = false)) .* sqrt(12) ≈ mapslices(cosines, x; dims = 1)
    @test eltype(Arr.dct(ArrArray(Float32[1, 2, 3]))) === Float32
    @test_throws ArgumentError Arr.dct(a; norm = :some)
    @test_throws Exception Arr.dct(a; type = 5)
    @test_throws DimensionMismatch Arr.dst(a, 3)
end

@testset "Hankel transforms" begin
    # r^2 exp(-r^2 / 2) is its own transform of order 1.
    f(r) = r^2 * exp(-r^2 / 2)
    dln = 16 / 255
    r = exp.(dln .* ((0:255) .- 127.5))
    offset = Arr.fhtoffset(dln, 1)
    @test abs(offset) <= dln
    a = ArrArray([f.(r) 2f.(r)])
    got = Array(Arr.fht(a, dln, 1; offset = offset))
    @test maximum(abs, got - [f.(r .* exp(offset)) 2f.(r .* exp(offset))]) <= 1e-6
    @test Array(Arr.ifht(Arr.fht(a, dln, 1; bias = 0.1), dln, 1; bias = 0.1)) ≈ Array(a)
    @test Array(Arr.fht(ArrArray(collect(Array(a)')), dln, 1, 2; offset = offset)) ≈ got'
    @test_throws ArgumentError Arr.fht(a, 0, 1)
    @test_throws DimensionMismatch Arr.fht(a, dln, 1, 3)
end

# The sum itself, over two dimensions.
function convolution(a, v)
    out = zeros(size(a) .+ size(v) .- 1)
    for i in CartesianIndices(a), j in CartesianIndices(v)
        out[i + j - CartesianIndex(1, 1)] += a[i] * v[j]
    end
    out
end

@testset "convolution" begin
    x, y = rand(30, 7), rand(3, 4)
    a, v = ArrArray(x), ArrArray(y)
    full = convolution(x, y)
    for f in (Arr.fftconvolve, Arr.oaconvolve)
        @test Array(f(a, v)) ≈ full
        @test Array(f(a, v; mode = :same)) ≈ full[2:31, 2:8]
        @test Array(f(a, v; mode = :valid)) ≈ full[3:30, 4:7]
        @test Array(f(a, ArrArray(y[:, 1:1]), 1)) ≈ hcat((convolution(x[:, k:k], y[:, 1:1]) for k in 1:7)...)
        @test_throws DimensionMismatch f(a, ArrArray(y[:, 1]))
        @test_throws ArgumentError f(a, v; mode = :some)
    end
end

@testset "plans" begin
    x = randn(ComplexF64, 90)
    a = ArrArray(x)
    estimated = Array(Arr.fft(a))
    @test Arr.fft_effort!(:measure) === :estimate
    @test Array(Arr.fft(a)) ≈ estimated
    learnt = Arr.fft_wisdom()
    @test Arr.fft_effort!(:estimate) === :measure
    Arr.forget_fft_wisdom()
    @test length(Arr.fft_wisdom()) < length(learnt)
    Arr.import_fft_wisdom(learnt)
    @test length(Arr.fft_wisdom()) == length(learnt)
    @test Array(Arr.fft(a)) ≈ estimated
    Arr.forget_fft_wisdom()
    @test occursin("wisdom", thrown(() -> Arr.import_fft_wisdom("nothing"), ArgumentError))
    @test occursin(":measure", thrown(() -> Arr.fft_effort!(:fast), ArgumentError))
end

@testset "planned ahead" begin
    x = rand(6, 5, 4) .+ im .* rand(6, 5, 4)
    a, r = ArrArray(x; device = HOST), ArrArray(real(x); device = HOST)
    for dims in (1, 3, (2, 1), 1:3)
        p, q = Arr.plan_fft(a, dims), Arr.plan_rfft(r, dims)
        @test p isa Arr.FFTPlan{ComplexF64,ComplexF64,3} && q isa Arr.FFTPlan{Float64,ComplexF64,3}
        @test Array(p * a) ≈ Array(Arr.fft(a, dims)) ≈ dft(x, dims)
        @test Array(q * r) ≈ Array(Arr.rfft(r, dims))
        @test Array(p \ (p * a)) ≈ x
        @test Array(q \ (q * r)) ≈ real(x)
        @test size(inv(q)) == size(q * r) && size(q) == size(r)
        @test Array(Arr.plan_ifft(a, dims) * a) ≈ Array(Arr.ifft(a, dims))
        b = Arr.plan_bfft(a, dims)
        @test Array(b * a) ≈ Array(Arr.bfft(a, dims)) && Array(inv(b) * (b * a)) ≈ x
        d = size(r, first(dims))
        half = Arr.rfft(r, dims)
        @test Array(Arr.plan_irfft(half, d, dims) * half) ≈ real(x)
        c = Arr.plan_brfft(half, d, dims)
        @test Array(c * half) ≈ Array(Arr.brfft(half, d, dims))
        @test Array(inv(c) * (c * half)) ≈ Array(half)
    end
    y = ArrArray{ComplexF64}(undef, 6, 5, 4; device = HOST)
    p = Arr.plan_fft(a)
    @test mul!(y, p, a) === y && Array(y) ≈ dft(x, 1:3)
    back = similar(y)
    @test Array(ldiv!(back, p, y)) ≈ x
    @test Array(p * r) ≈ dft(real(x), 1:3)                                  # converted
    @test Array(p * view(a, 6:-1:1, :, :)) ≈ dft(x[6:-1:1, :, :], 1:3)      # copied
    @test occursin("shares memory", thrown(() -> mul!(a, p, a), ArgumentError))
    @test occursin("not contiguous", thrown(() -> mul!(y, p, view(a, 6:-1:1, :, :)), DimensionMismatch))
    @test_throws DimensionMismatch p * Arr.zeros(ComplexF64, 6, 5, 3; device = HOST)
    @test_throws DimensionMismatch Arr.plan_fft(a, 4)
    @test_throws DimensionMismatch Arr.plan_irfft(a, 12, 1)
    @test_throws DimensionMismatch Arr.plan_irfft(a, 6, 4)
    @test_throws DimensionMismatch Arr.plan_rfft(r, ())
    @test_throws MethodError Arr.plan_rfft(a)
    v = ArrArray(Float32[1, 2, 3]; device = HOST)
    @test eltype(Arr.plan_fft(v) * v) === ComplexF32
    @test Arr.details(p).plans > 0 && Arr.device(p) == HOST
    @test repr(Arr.plan_rfft(r, (2, 1))) == "Arr.FFTPlan of 6×5×4 Float64 to $ComplexF64 along 2, 1 on host"
    Arr.unsafe_free!(p)
    @test occursin("freed", thrown(() -> p * a, Arr.HandleError))
    GC.gc()
    before = LibArr.arr_live_handles()
    foreach(_ -> Arr.plan_fft(a), 1:20)
    @test LibArr.arr_live_handles() > before
    GC.gc()
    @test LibArr.arr_live_handles() <= before
end
