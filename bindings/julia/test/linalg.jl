# SPDX-License-Identifier: MIT
# linalg.jl: products and norms against LinearAlgebra's own.

@testset "product of $A and $B" for (A, B) in ((Float64, Float64), (Float32, Float32), (ComplexF64, ComplexF64), (Float32, Int64),
                                                (Int32, Int32), (Float32, ComplexF32))
    x, y = A.(rand(1:4, 5, 3)), B.(rand(1:4, 3, 4))
    a, b = ArrArray(x), ArrArray(y)
    @test Array(a * b) ≈ x * y
    @test eltype(a * b) === eltype(x * y)
    @test Array(b' * a') ≈ y' * x'
    @test Array(a * ArrArray(y[:, 1])) ≈ x * y[:, 1]
    @test Array(view(a, 5:-2:1, :) * b) ≈ x[5:-2:1, :] * y
    @test Array(a' * a) ≈ x' * x
end

@testset "into" begin
    x, y, z = rand(4, 3), rand(3, 5), rand(4, 5)
    a, b, c = map(ArrArray, (x, y, z))
    @test Array(mul!(similar(c), a, b)) ≈ x * y
    @test Array(mul!(copy(c), a, b, 2.0, 3.0)) ≈ 2 * x * y + 3 * z
    @test Array(mul!(copy(c), a, b, 2.0, 0.0)) ≈ 2 * x * y
    @test Array(mul!(Arr.zeros(4), a, ArrArray(y[:, 1]))) ≈ x * y[:, 1]
    @test Array(mul!(view(copy(c), :, 1:2), a, ArrArray(y[:, 1:2]))) ≈ x * y[:, 1:2]
    @test occursin("does not multiply", thrown(() -> a * a, DimensionMismatch))
    @test_throws DimensionMismatch mul!(Arr.zeros(2, 2), a, b)
    @test size(ArrArray(rand(3, 0)) * ArrArray(rand(0, 2))) == (3, 2)
    @test works()
end

# Factors of zero: what they stand before is not read, as in BLAS.
@testset "mul! with factors of zero" begin
    y, z, n = [1.0 2; 3 4], [5.0 6; 7 8], fill(NaN, 2, 2)
    for α in (0, 1, 2.5), β in (0, 1, 2.5), (p, q, r) in ((y, z, z), (n, z, y), (y, n, z), (y, z, n))
        got, want = Array(mul!(ArrArray(r), ArrArray(p), ArrArray(q), α, β)), mul!(copy(r), p, q, float(α), float(β))
        @test isapprox(got, want; nans = true)
        v = r[:, 1]
        @test isapprox(Array(mul!(ArrArray(v), ArrArray(p), ArrArray(q[:, 1]), α, β)),
                       mul!(copy(v), p, q[:, 1], float(α), float(β)); nans = true)
    end
    @test_throws DimensionMismatch mul!(Arr.zeros(3, 2), ArrArray(y), ArrArray(z), 0, 1)
end

# The adjoint of a complex array is a copy, so a write into it would be lost.
@testset "adjoints of complex arrays are not written" begin
    z = ArrArray(zeros(ComplexF64, 2, 2))
    x = z .+ 1
    for write in (() -> z' .= 1, () -> mul!(z', x, x), () -> copyto!(z', x), () -> fill!(z', 1), () -> rmul!(z', 2),
                  () -> (@allowscalar z'[1, 1] = 1), () -> view(z', :, 1) .= 1, () -> ArrArray([1.0im, 2.0im])' .= 1)
        @test occursin("read-only", thrown(write, Arr.ReadonlyError))
    end
    @test iszero(Array(z)) && Array(copy(x') .= 2) == fill(2, 2, 2)
    r = ArrArray([1.0 2; 3 4])
    r' .= [5.0 6; 7 8]
    @test Array(r) == [5 7; 6 8]
end

@testset "gemm of $T" for T in (Float32, Float64)
    x, y, z, bias = rand(T, 4, 3), rand(T, 3, 5), rand(T, 4, 5), rand(T, 4)
    a, b, c, d = map(ArrArray, (x, y, z, bias))
    @test Array(Arr.gemm(a, b)) ≈ x * y
    got = Arr.gemm(a, b; alpha = 2, beta = -0.5, c)
    @test eltype(got) === T && Array(got) ≈ 2 * x * y - z / 2
    @test Array(Arr.gemm(a, b; c = d)) ≈ x * y .+ bias
    @test Array(Arr.gemm(a, b; c = view(d, 4:-1:1))) ≈ x * y .+ reverse(bias)
    @test Array(Arr.gemm(a, ArrArray(y[:, 1]); c = d)) ≈ x * y[:, 1] + bias
    @test Array(Arr.gemm(b', a'; alpha = -1, activation = :relu)) == zeros(T, 5, 4)
    @test Array(Arr.gemm(a, b; c = d, activation = :relu, fast = true)) ≈ max.(x * y .+ bias, 0)
    s = x * y .- T(1)
    for (name, f) in ((:relu, u -> max(u, 0)), (:silu, u -> u / (1 + exp(-u))), (:sigmoid, u -> 1 / (1 + exp(-u))), (:tanh, tanh),
                      (:gelu_tanh, u -> u * (1 + tanh(sqrt(2 / T(π)) * (u + T(0.044715) * u^3))) / 2))
        @test Array(Arr.gemm(a, b; c = ArrArray(-ones(T, 4)), activation = name)) ≈ f.(s)
    end
    @test Array(Arr.gemm(a, b; activation = :gelu)) ≈ x * y .* Array(Arr.ndtr.(a * b))
    @test occursin(":gelu_tanh", thrown(() -> Arr.gemm(a, b; activation = :softmax), ArgumentError))
    @test_throws DimensionMismatch Arr.gemm(a, b; c = ArrArray(rand(T, 5)))
    same = copy(c)
    @test Arr.gemm!(same, a, b; alpha = 2, beta = -0.5, c = same) === same && Array(same) == Array(got)
    @test Array(Arr.gemm!(Arr.zeros(T, 4), a, ArrArray(y[:, 1]); c = d)) ≈ x * y[:, 1] + bias
    @test_throws DimensionMismatch Arr.gemm!(Arr.zeros(T, 4, 4), a, b)
end

@testset "several factors" begin
    x, y, z = rand(4, 3), rand(3, 5), rand(5, 2)
    a, b, c = map(ArrArray, (x, y, z))
    @test Array(Arr.multi_dot(a, b, c)) ≈ x * y * z
    @test Array(Arr.multi_dot(a, b, ArrArray(z[:, 1]))) ≈ x * y * z[:, 1]
    @test_throws Exception Arr.multi_dot(a, c)
    v = rand(6, 3)
    @test Array(Arr.khatri_rao(a, ArrArray(v))) ≈ hcat((kron(x[:, j], v[:, j]) for j in 1:3)...)
end

@testset "norms" begin
    x = randn(20)
    a = ArrArray(x)
    for p in (1, 2, 3, Inf, -Inf, 0)
        @test norm(a, p) ≈ norm(x, p)
    end
    @test norm(ArrArray([3e200, 4e200])) ≈ 5e200
    @test norm(ArrArray(ComplexF64[3im, 4])) ≈ 5
    @test dot(a, a) ≈ dot(x, x)
    @test dot(ArrArray([1.0im, 2]), ArrArray([1.0im, 2])) == 5
    @test Array(rmul!(copy(a), 2)) == 2x
    @test Array(axpy!(2, a, copy(a))) ≈ 3x
    @test_throws DimensionMismatch dot(a, ArrArray([1.0]))
end

@testset "products" begin
    x, y = rand(3, 3), rand(3, 2)
    a, b = ArrArray(x), ArrArray(y)
    @test tr(a) ≈ tr(x)
    @test Array(diag(a)) == diag(x)
    @test Array(diag(a, 1)) == diag(x, 1)
    @test Array(tril(a)) == tril(x)
    @test Array(triu(a, 1)) == triu(x, 1)
    @test Array(kron(a, b)) ≈ kron(x, y)
    @test Array(kron(a[:, 1], b[:, 2])) ≈ kron(x[:, 1], y[:, 2])
    @test Array(a^3) ≈ x^3
    @test opnorm(a, 1) ≈ opnorm(x, 1)
    @test opnorm(a, Inf) ≈ opnorm(x, Inf)
    @test Array(Arr.einsum("ij,jk->ki", a, b)) ≈ permutedims(x * y)
    @test Array(Arr.einsum("ii->i", a)) == diag(x)
    path = Arr.einsum_path("ij,jk,kl->il", a, b, transpose(b))
    @test length(path.steps) == 2 && path.steps[2] == (1, 2)
    @test 0 < path.cost < path.naive
    @test Arr.einsum_path("ij,jk->ik", a, b).steps == [(1, 2)]
    @test Array(Arr.tensordot(a, b, (1,), (1,))) ≈ x' * y
    @test_throws DimensionMismatch tr(b)
    @test_throws DimensionMismatch Arr.tensordot(a, b, (1, 2), (1,))
    @test works()
end

@testset "norms of $(eltype(x))" for x in (Int8[100, 100, 100], Int8[-128, -128], UInt8[200, 200], Int16[30000, 30000],
        [typemax(Int), typemax(Int)], [typemin(Int), 1], [true, false, true], UInt64[typemax(UInt64), 1], [1e200, -1e200],
        [1e-200, 1e-200], [5e-324, 5e-324], Float32[1f30, 1f30], Float32[1f-30], Float16[300, 400],
        [3.0, -4.0], ComplexF64[3 + 4im, 1e200im], ComplexF32[1f-30], [0.0, 0.0], [Inf, 1.0], [NaN, 1.0], Float64[])
    for p in (1, 2, Inf, -Inf, 0, 3, 0.5, -1, -2, 1.5)
        want, got = norm(x, p), norm(ArrArray(x), p)
        @test isequal(got, want) || isapprox(got, want; rtol = 8 * eps(typeof(want)))
        @test typeof(got) === typeof(want) || p == 0
    end
end

@test norm(ArrArray([1e-160, 1e-160])) ≈ sqrt(2) * 1e-160 rtol = 1e-15   # its squares are subnormal

@testset "normalized, added to the identity, diagonals" begin
    for x in ([3.0, 4.0], [1e-310, 2e-310], [1e300, 1e300], Float32[1, 2], [1 2; 3 4], [3.0im, 4.0])
        @test Array(normalize(ArrArray(x))) ≈ normalize(x)
    end
    x = [1.0 2; 3 4]
    a = ArrArray(x)
    for f in (+, -)
        @test Array(f(a, I)) == f(x, I) && Array(f(2I, a)) == f(2I, x) && eltype(f(ArrArray([1 2; 3 4]), 1.5I)) === Float64
    end
    @test_throws DimensionMismatch ArrArray(rand(2, 3)) + I
    v = [1, 2, 3]
    @test Array(diagm(ArrArray(v))) == diagm(v)
    @test Array(diagm(1 => ArrArray(v), -2 => ArrArray([7.0, 8.0]))) == diagm(1 => v, -2 => [7.0, 8.0])
    @test Array(transpose!(similar(a), a)) == x' && Array(adjoint!(ArrArray(zeros(ComplexF64, 2, 2)), a .+ 1im)) == (x .+ 1im)'
end

@testset "rows of $T" for T in (Float64, Int8, ComplexF64)
    x, y, m = T.([1, 2, 3]), T.([4, 5, 6]), T.([1 2 3; 4 5 6; 7 8 10])
    T <: Complex && (x = x .+ [1im, 2im, -1im])
    a, b, z = ArrArray(x), ArrArray(y), ArrArray(m)
    @test a'b === x'y && transpose(a) * b === transpose(x) * y
    @test a' * z * b === x' * m * y && dot(a, z, b) == dot(x, m, y)
    @test a' isa ArrRow{T,2} && Array(a') == x' && Array(a'') == x && Array(transpose(transpose(a))) == x
    @test Array(a' * z) == x' * m && a' * z isa ArrRow && Array(a * b') == x * y'
    @test (2a') * b == (2x') * y && (a' / 2) * b == (x' / 2) * y && (-a') * b == (-x') * y && (a' + b') * b == (x' + y') * y
    @test map(v -> 2v, a') * b == map(v -> 2v, x') * y && a'[:, 2:3] * b[2:3] == x'[:, 2:3] * y[2:3]
    @test conj(a') * b == conj(x') * y && copy(a') * b == x' * y
    @test Array(a' .+ z) == x' .+ m && Array(sum(a'; dims = 2)) == sum(x'; dims = 2) && permutedims(a) isa ArrArray{T,2}
    @test Array(a' / float.(z)) ≈ x' / float.(m)
    @test deepcopy(a') * b == x' * y
    @test_throws DimensionMismatch a' * b[1:2]
    @test sqrt(abs(a'a)) ≈ norm(x) || T === Int8
end

@testset "complex products with real arrays" begin
    x, y, c = rand(ComplexF64, 2, 2), rand(2, 2), rand(ComplexF64, 2, 2)
    @test Array(mul!(ArrArray(c), ArrArray(x), ArrArray(y), 2.0, 1.0)) ≈ 2x * y + c
    @test Array(mul!(ArrArray(c[:, 1]), ArrArray(x), ArrArray(y[:, 1]), 2.0, 1.0)) ≈ 2x * y[:, 1] + c[:, 1]
end

@testset "adjoints of vectors, norms of nothing" begin
    for f! in (adjoint!, transpose!)
        @test Array(f!(ArrArray(zeros(3)), ArrArray([1.0 2 3]))) == [1, 2, 3]
        @test Array(f!(ArrArray(zeros(1, 3)), ArrArray([1.0, 2, 3]))) == [1 2 3]
        @test Array(f!(ArrArray(zeros(3, 2)), ArrArray([1.0 2 3; 4 5 6]))) == [1 4; 2 5; 3 6]
        @test_throws DimensionMismatch f!(ArrArray(zeros(3)), ArrArray(zeros(3, 1)))
    end
    @test Array(adjoint!(ArrArray(zeros(ComplexF64, 1)), ArrArray(fill(1.0 + 2im, 1, 1)))) == [1 - 2im]
    @test opnorm(ArrArray(zeros(1, 0)), 1) === opnorm(zeros(1, 0), 1) && opnorm(ArrArray(zeros(Float32, 0, 2))) === 0f0
end
