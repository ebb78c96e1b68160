# SPDX-License-Identifier: MIT
# iterative.jl: linear operators and iterative solvers against dense computations of Julia.

using SparseArrays

# A matrix for which all methods work: Hermitian, positive definite, of known condition.
definite(T, n = 24) = spdiagm(-1 => fill(T(-1), n - 1), 0 => fill(T(2.5), n), 1 => fill(T(-1), n - 1))
general(T, n = 24) = definite(T, n) + spdiagm(2 => fill(T(0.5), n - 2))
right(T, n = 24) = T[mod(3k, 7) - 2 for k in 1:n]
residual(S, x, b) = norm(Array(S) * Array(x) - b) / norm(b)
const METHODS = ((Arr.cg, Arr.cg!, definite), (Arr.minres, Arr.minres!, definite), (Arr.gmres, Arr.gmres!, general),
                 (Arr.bicgstab, Arr.bicgstab!, general), (Arr.cgs, Arr.cgs!, general),
                 (Arr.tfqmr, Arr.tfqmr!, general), (Arr.lgmres, Arr.lgmres!, general))

@testset "$f of $T" for (f, f!, matrix) in METHODS, T in (Float32, Float64, ComplexF64)
    S, b = matrix(T), right(T)
    T <: Complex && (S = S + im * (triu(S, 1) - tril(S, -1)) / 4)
    A, B, tol = Arr.sparse(S; format = :csr), ArrArray(b), T === Float32 ? 1e-5 : 1e-9
    x = f(A, B; reltol = tol)
    @test x isa ArrArray{T,1} && residual(S, x, b) < 20tol
    for other in (Arr.sparse(S), ArrArray(Array(S)), v -> A * v, Arr.LinearOperator(A), Arr.LinearOperator{T}(v -> A * v, 24))
        @test Array(f(other, B; reltol = tol)) ≈ Array(x) rtol = 50tol
    end
    x, history = f(A, B; reltol = tol, log = true)
    @test history.isconverged && history.info == 0 && length(history[:resnorm]) == history.iters > 3 && issorted(history[:resnorm][end-1:end]; rev = true)
    y = ArrArray(fill(T(NaN), 24))
    @test f!(y, A, B; reltol = tol, initially_zero = true) === y && Array(y) == Array(x)
    y, again = f!(y, A, B; reltol = 10tol, log = true)
    @test f === Arr.tfqmr || again.iters <= 1 && f(A, B; reltol = 10tol, x0 = x, log = true)[2].iters <= 1
    x, history = f(A, B; reltol = 0, maxiter = 1, log = true, (f in (Arr.gmres, Arr.lgmres) ? (restart = 2,) : ())...)
    @test !history.isconverged && history.info == 1 && x isa ArrArray && sprint(show, history) == "Not converged after $(history.iters) iterations."
end

@testset "preconditioners" begin
    S, b = general(Float64), right(Float64)
    S = S + Diagonal(collect(1.0:24) .^ 2)
    A, B, d = Arr.sparse(S), ArrArray(b), ArrArray(diag(S))
    plain = Arr.gmres(A, B; reltol = 1e-10, log = true)[2].iters
    inverse = Arr.LinearOperator(Diagonal(1 ./ d))
    for P in (Arr.jacobi(A), Diagonal(d), Arr.Preconditioner(inverse), Arr.Preconditioner(Diagonal(1 ./ d)), v -> v ./ d, lu(ArrArray(Array(S))))
        x, history = Arr.gmres(A, B; reltol = 1e-10, Pl = P, log = true)
        @test residual(S, x, b) < 1e-8 && history.isconverged && history.iters < plain
    end
    P = Arr.jacobi(A)
    @test size(P) == (24, 24) && Array(P \ B) ≈ b ./ diag(S) && Array(ldiv!(P, copy(B))) == Array(ldiv!(similar(B), P, B)) == Array(P \ B)
    @test occursin("Arr.Preconditioner(M)", thrown(() -> Arr.cg(A, B; Pl = inverse), ArgumentError))
end

# An object that has only what solvers of IterativeSolvers ask for.
struct Stencil
    n::Int
end
Base.size(s::Stencil) = (s.n, s.n)
Base.size(s::Stencil, d) = s.n
Base.eltype(::Type{Stencil}) = Float64
function LinearAlgebra.mul!(y, s::Stencil, x)
    y .= 2.5 .* x
    view(y, 2:s.n) .-= view(x, 1:s.n-1)
    view(y, 1:s.n-1) .-= view(x, 2:s.n)
    y
end
@testset "an object with mul!" begin
    x = Arr.cg(Stencil(24), ArrArray(right(Float64)); reltol = 1e-10)
    @test residual(definite(Float64), x, right(Float64)) < 1e-9
    O = Arr.LinearOperator(Stencil(24))
    @test eltype(O) === Float64 && size(O) == (24, 24) && Array(O * x) ≈ right(Float64)
end

@testset "algebra of operators of $T" for T in (Float32, Float64, ComplexF64)
    m, k = T[1 2 0; 0 3 4], T[1 0; 2 1; 0 5]
    T <: Complex && (m = m .* (1 + 2im))
    M, K, x, y = ArrArray(m), ArrArray(k), T[1, 2, 3], T[1, -1]
    dense, function_ = Arr.LinearOperator(M), Arr.LinearOperator{T}(v -> M * v, 2, 3; adjoint = v -> M' * v)
    for O in (dense, function_, Arr.LinearOperator(Arr.sparse(M)))
        @test size(O) == (2, 3) && size(O, 2) == 3 && eltype(O) === T && Arr.device(O) == HOST
        P = Arr.LinearOperator(K)
        @test Array(O * ArrArray(x)) ≈ m * x && Array(O' * ArrArray(y)) ≈ m' * y && Array(transpose(O) * ArrArray(y)) ≈ transpose(m) * y
        @test Array((O * P) * ArrArray(y)) ≈ m * k * y
        @test Array((O * P)^2 * ArrArray(y)) ≈ (m * k)^2 * y && Array((O + 2O - O / 2) * ArrArray(x)) ≈ 2.5m * x
        @test Array((I - O * P) * ArrArray(y)) ≈ (I - m * k) * y && Array((O * P + 3I) * ArrArray(y)) ≈ (m * k + 3I) * y && Array(-O * ArrArray(x)) ≈ -m * x
        X = T[1 2; 3 4; 5 6]
        @test Array(O * ArrArray(X)) ≈ m * X
        z = ArrArray(y)
        @test mul!(z, O, ArrArray(x)) === z && Array(z) ≈ m * x && Array(mul!(z, O, ArrArray(x), 2, 1)) ≈ 3m * x
    end
    @test sprint(show, dense) == "2×3 Arr.LinearOperator{$T}"
    d = Arr.LinearOperator(Diagonal(ArrArray(x)))
    @test Array(d * ArrArray(x)) ≈ x .^ 2 && Array((2.0Arr.LinearOperator(ArrArray(Float32[1 2])) * ArrArray(Float32[1, 1]))) == [6.0]
end

@testset "progress and its end" begin
    A, b, seen = Arr.sparse(definite(Float64)), ArrArray(right(Float64)), Tuple{Int,Float64}[]
    x, history = Arr.cg(A, b; reltol = 1e-10, log = true, callback = (i, r) -> (push!(seen, (i, r)); i == 4))
    @test map(first, seen) == 1:4 && map(last, seen) == history[:resnorm] && history.iters == 4 && !history.isconverged
    @test Arr.cg(A, b; callback = (i, r) -> nothing, check_every = 3, log = true)[2].isconverged
end

@testset "exceptions in functions end the solver" begin
    A, b = Arr.sparse(definite(Float64)), ArrArray(right(Float64))
    calls = Ref(0)
    failing(v) = (calls[] += 1) == 3 ? error("in the product") : A * v
    before = Arr.memory_info().in_use
    for f in map(first, METHODS)
        calls[] = 0
        @test thrown(() -> f(failing, b), ErrorException) == "in the product" && calls[] == 3
        @test thrown(() -> f(A, b; callback = (i, r) -> error("in the callback $i")), ErrorException) == "in the callback 1"
        @test thrown(() -> f(A, b; Pl = v -> error("in Pl")), ErrorException) == "in Pl"
        @test residual(definite(Float64), f(A, b), right(Float64)) < 1e-3
    end
    O = Arr.LinearOperator{Float64}(v -> error("plain"), 3; adjoint = v -> throw(BoundsError()))
    @test thrown(() -> (O + O) * b[1:3], ErrorException) == "plain" && thrown(() -> (2O)' * b[1:3], BoundsError) isa String
    # An operand is lent: the function may return it, but not keep it.
    kept = Ref{Any}()
    same = Arr.LinearOperator{Float64}(v -> (kept[] = v), 24)
    @test Array(same * b) == Array(b) && occursin("freed", thrown(() -> sum(kept[]), Arr.HandleError))
    # A solver in the function of a solver, and tasks that change during a call.
    inner(v) = (yield(); Arr.cg(A, v; reltol = 1e-12))
    @test Array(Arr.gmres(inner, b; reltol = 1e-9)) ≈ definite(Float64) * right(Float64) rtol = 1e-6
    @test fetch(@async Array(Arr.cg(inner, b; reltol = 1e-9))) ≈ definite(Float64) * right(Float64) rtol = 1e-6
end
@testset "operators keep their functions" begin
    made(k) = let w = ArrArray(fill(float(k), 5)); 2Arr.LinearOperator{Float64}(v -> v .* w, 5) + Arr.LinearOperator(Diagonal(w)) end
    operators = [made(k) for k in 1:20]
    GC.gc()
    @test all(Array(operators[k] * Arr.ones(5)) == fill(3.0k, 5) for k in 1:20)
end

@testset "types, other equations" begin
    S, b = definite(Float64), right(Int)
    x = Arr.cg(Arr.sparse(Int.(2S)), ArrArray(b); reltol = 1e-10)
    @test x isa ArrArray{Float64,1} && residual(2S, x, b) < 1e-9
    @test Arr.cg(Arr.sparse(definite(Float32)), ArrArray(b)) isa ArrArray{Float32,1}
    @test Arr.cg(Arr.sparse(S), ArrArray(ComplexF64.(b))) isa ArrArray{ComplexF64,1}
    # minres: singular, and shifted.
    L = spdiagm(-1 => fill(-1.0, 23), 0 => [1.0; fill(2.0, 22); 1.0], 1 => fill(-1.0, 23))
    c = [1.0; zeros(22); -1.0]
    @test residual(L, Arr.minres(Arr.sparse(L), ArrArray(c); reltol = 1e-10), c) < 1e-8
    @test residual(S - 0.75I, Arr.minres(Arr.sparse(S), ArrArray(right(Float64)); shift = 0.75, reltol = 1e-12, maxiter = 500), right(Float64)) < 1e-8
    # A breakdown, as SciPy numbers it.
    _, history = Arr.bicgstab(Arr.sparse([0.0 1; -1 0]), ArrArray([1.0, 0]); log = true)
    @test !history.isconverged && history.info < 0
end

@testset "least squares by $f of $T" for (f, f!) in ((Arr.lsqr, Arr.lsqr!), (Arr.lsmr, Arr.lsmr!)), T in (Float64, ComplexF64)
    S = [general(T); spdiagm(0 => T.(1:24))][:, 1:20]
    T <: Complex && (S = S * (1 + im) + im * [S[25:end, :]; S[1:24, :]])
    b = T[mod(5k, 11) - 3 for k in 1:48]
    A, B, exact = Arr.sparse(S), ArrArray(b), Array(S) \ b
    tight = (atol = 1e-13, btol = 1e-13, maxiter = 200)
    x, history = f(A, B; log = true, tight...)
    @test Array(x) ≈ exact rtol = 1e-8
    @test history.istop == 2 && history.iters > 3 && isapprox(history.r1norm, norm(Array(S) * exact - b); rtol = 1e-6)
    @test history.xnorm ≈ norm(exact) rtol = 1e-6
    for other in (ArrArray(Array(S)), Arr.LinearOperator{T}(v -> A * v, 48, 20; adjoint = v -> A' * v))
        @test Array(f(other, B; tight...)) ≈ exact rtol = 1e-8
    end
    @test Array(f(A, B; damp = 2, tight...)) ≈ [Array(S); 2I] \ [b; zeros(20)] rtol = 1e-8
    y = Arr.ones(T, 20)
    @test f!(y, A, B; tight...) === y && isapprox(Array(y), exact; rtol = 1e-8)
    @test f(A, B; maxiter = 1, log = true)[2].istop == 7 && f(A, B; callback = (i, r) -> i == 2, log = true, tight...)[2].iters == 2
    @test thrown(() -> f(A, B; callback = (i, r) -> error("stop")), ErrorException) == "stop"
    @test occursin("the operator has no adjoint", thrown(() -> f(Arr.LinearOperator{T}(v -> A * v, 48, 20), B), Arr.UnsupportedError))
end

@testset "eigenvalues and singular values of $T" for T in (Float32, Float64, ComplexF64)
    S = definite(T) + spdiagm(0 => T.(1:24))
    T <: Complex && (S = S + im * (triu(S, 1) - tril(S, -1)))
    A, all_of_them, tol = Arr.sparse(S), eigvals(Hermitian(Array(S))), T === Float32 ? 1f-4 : 1e-8
    for (which, range) in ((:LM, 21:24), (:SM, 1:4), (:LR, 21:24), (:SR, 1:4), (:BE, [1, 2, 23, 24]))
        values, vectors = Arr.eigsh(A; nev = 4, which = which)
        @test Array(values) ≈ all_of_them[range] rtol = tol
        @test values isa ArrArray{real(T),1} && norm(Array(S) * Array(vectors) - Array(vectors) * Diagonal(Array(values))) < 100tol
    end
    @test Array(Arr.eigsh(Arr.LinearOperator{T}(v -> A * v, 24); nev = 2, ncv = 12, v0 = Arr.ones(T, 24)).values) ≈ all_of_them[23:24] rtol = tol
    G = Array(general(T))
    n, by_size = size(G, 1), sort(eigvals(G); by = z -> -abs(z))
    values, vectors = Arr.eigs(ArrArray(G); nev = 4, ncv = n)
    @test abs.(Array(values)) ≈ abs.(by_size[1:4]) rtol = tol
    @test norm(G * Array(vectors) - Array(vectors) * Diagonal(Array(values))) < 100tol
    @test minimum(real, Array(Arr.eigs(Arr.sparse(sparse(G)); nev = 1, which = :SR, ncv = n).values)) ≈ minimum(real, by_size) rtol = tol
    @test Arr.opnorm1est(ArrArray(G); t = n) ≈ opnorm(G, 1) rtol = tol
    E, two = G ./ opnorm(G, 1), T[i - j for i in 1:n, j in 1:2]
    @test Array(Arr.expm_multiply(ArrArray(E), ArrArray(two))) ≈ exp(E) * two rtol = tol
    @test thrown(() -> Arr.expm_multiply(v -> v, ArrArray(two)), Arr.UnsupportedError) isa String
    all_times = Arr.expm_multiply(Arr.sparse(sparse(E)), ArrArray(two), 0:0.5:1; trace = tr(E))
    @test size(all_times) == (n, 2, 3)
    @test Array(all_times)[:, :, 2] ≈ exp(E / 2) * two rtol = tol
    m = Array(general(T))[:, 1:20]
    U, s, V = Arr.svds(ArrArray(m); nsv = 3)
    @test Array(s) ≈ svdvals(m)[1:3] rtol = tol
    @test norm(m * Array(V) - Array(U) * Diagonal(Array(s))) < 100tol
    @test Array(Arr.svds(ArrArray(m); nsv = 2, which = :SM).S) ≈ svdvals(m)[19:20] rtol = tol
    X = ArrArray(T[mod(7i * j + j^2, 13) - 6 for i in 1:24, j in 1:3])
    for (largest, range) in ((true, 24:-1:22), (false, 1:3))
        values, vectors = Arr.lobpcg(A, largest, X; maxiter = 200, tol = tol / 10, P = Arr.jacobi(A))
        @test Array(values) ≈ all_of_them[range] rtol = 10tol
        @test norm(Array(S) * Array(vectors) - Array(vectors) * Diagonal(Array(values))) < 1000tol
    end
    d = real(T).(1:24) ./ 10
    expected = sort(real.(eigvals(Array(S), Matrix(Diagonal(d)))); rev = true)
    @test Array(Arr.lobpcg(A, true, X; B = Diagonal(ArrArray(d)), maxiter = 300, tol = tol / 10).values) ≈ expected[1:3] rtol = 10tol
end

@testset "misuse" begin
    A, b = Arr.sparse(definite(Float64)), ArrArray(right(Float64))
    @test occursin("Arr.cg: argument b: shape (3,), expected (24) or (24,1)", thrown(() -> Arr.cg(A, b[1:3]), DimensionMismatch))
    @test occursin("Arr.gmres: argument a: shape (2,3), expected a square operator", thrown(() -> Arr.gmres(ArrArray(ones(2, 3)), b[1:2]), DimensionMismatch))
    @test occursin("Arr.cg: the function of the operator returned shape (3,), expected (24,)", thrown(() -> Arr.cg(v -> v[1:3], b), DimensionMismatch))
    @test occursin("the function returned $(Array{Float64,1}), expected an array of Arr", thrown(() -> Arr.cg(v -> Array(v), b), ArgumentError))
    @test occursin("Arr.cg: reltol is nan", thrown(() -> Arr.cg(A, b; reltol = NaN), ArgumentError))
    @test occursin("Arr.minres: Pl has shape (3,3)", thrown(() -> Arr.minres(A, b; Pl = Diagonal(b[1:3])), DimensionMismatch))
    @test occursin("the operator has no adjoint", thrown(() -> Arr.LinearOperator{Float64}(v -> A * v, 24)', Arr.UnsupportedError))
    @test occursin("move it first, by Arr.sparse(A) or ArrArray(A)", thrown(() -> Arr.cg(definite(Float64), b), ArgumentError))
    @test occursin("restart = 0", thrown(() -> Arr.gmres(A, b; restart = 0), ArgumentError))
    @test_throws MethodError Arr.cg(A, b; restart = 3)
    @test occursin("+: argument b: shape (2,3), expected that of a, (24,24)",
        thrown(() -> Arr.LinearOperator(A) + Arr.LinearOperator(ArrArray(ones(2, 3))), DimensionMismatch))
    @test occursin("which :XX: expected one of :LM, :SM", thrown(() -> Arr.eigsh(A; which = :XX), ArgumentError))
    @test occursin("which :LA: expected one of :LM, :SM", thrown(() -> Arr.eigs(A; which = :LA), ArgumentError))
    @test occursin("Arr.expm_multiply: 1 times, expected 2 or more", thrown(() -> Arr.expm_multiply(A, b, 0:0), ArgumentError))
    @test occursin("argument t", thrown(() -> Arr.opnorm1est(A; t = 0), ArgumentError))
    @test occursin("Arr.LinearOperator{T}(f, m, n; adjoint)", thrown(() -> Arr.eigsh(v -> A * v), ArgumentError))
    @test occursin("Arr.eigsh: argument k", thrown(() -> Arr.eigsh(A; nev = 25), ArgumentError)) && occursin("Arr.svds: ", thrown(() -> Arr.svds(A; nsv = 0), ArgumentError))
    @test thrown(() -> Arr.eigsh(Arr.LinearOperator{Float64}(v -> error("in it"), 24)), ErrorException) == "in it"
    O = Arr.LinearOperator(A)
    @test occursin("*: argument x: shape (3,), expected (24) or (24,k)", thrown(() -> O * b[1:3], DimensionMismatch))
    Arr.unsafe_free!(O)
    @test occursin("the linear operator was freed", thrown(() -> O * b, Arr.HandleError)) && occursin("(freed)", sprint(show, O))
    @test works()
end
