# SPDX-License-Identifier: MIT
# The programs of examples/programs in plain Julia: loops over arrays of Base, one thread.
module Loops

function heat(field; c = 0.2, steps = 100)
    u, next = copy(field), copy(field)
    for _ in 1:steps
        @inbounds for j in 2:size(u, 2)-1
            @simd for i in 2:size(u, 1)-1
                around = u[i+1, j] + u[i-1, j] + u[i, j+1] + u[i, j-1]
                next[i, j] = u[i, j] + c * (around - 4 * u[i, j])
            end
        end
        u, next = next, u
    end
    u
end

lorenz(x, y, z) = (10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z)

function rk4(start; h = 0.01, steps = 100)
    state = copy(start)
    @inbounds for _ in 1:steps, j in 1:size(state, 2)
        s = (state[1, j], state[2, j], state[3, j])
        k1 = lorenz(s...)
        k2 = lorenz((s .+ h / 2 .* k1)...)
        k3 = lorenz((s .+ h / 2 .* k2)...)
        k4 = lorenz((s .+ h .* k3)...)
        s = s .+ h / 6 .* (k1 .+ 2 .* k2 .+ 2 .* k3 .+ k4)
        state[1, j], state[2, j], state[3, j] = s
    end
    vec(sum(state; dims = 2)) ./ size(state, 2)
end

function laplace!(q, p)
    n, m = size(p)
    @inbounds for j in 1:m, i in 1:n
        sum = 4 * p[i, j]
        i > 1 && (sum -= p[i-1, j])
        i < n && (sum -= p[i+1, j])
        j > 1 && (sum -= p[i, j-1])
        j < m && (sum -= p[i, j+1])
        q[i, j] = sum
    end
end

function product(a, b)
    total = 0.0
    @inbounds @simd for i in eachindex(a, b)
        total += a[i] * b[i]
    end
    total
end

function cg(b; tolerance = 1e-10)
    x, r, p, q = zero(b), copy(b), copy(b), similar(b)
    rho = product(r, r)
    while rho > tolerance^2
        laplace!(q, p)
        alpha = rho / product(p, q)
        @inbounds @simd for i in eachindex(x)
            x[i] += alpha * p[i]
            r[i] -= alpha * q[i]
        end
        previous, rho = rho, product(r, r)
        @inbounds @simd for i in eachindex(p)
            p[i] = r[i] + rho / previous * p[i]
        end
    end
    x
end

function kmeans(points; k = 3, rounds = 10)
    centres = points[1:k, :]
    for _ in 1:rounds
        sums, counts = zeros(k, 2), zeros(k)
        @inbounds for i in 1:size(points, 1)
            nearest, least = 0, Inf
            for c in 1:k
                d = (points[i, 1] - centres[c, 1])^2 + (points[i, 2] - centres[c, 2])^2
                if d < least
                    nearest, least = c, d
                end
            end
            counts[nearest] += 1
            sums[nearest, 1] += points[i, 1]
            sums[nearest, 2] += points[i, 2]
        end
        centres = sums ./ counts
    end
    centres
end

end
