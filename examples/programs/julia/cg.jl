# SPDX-License-Identifier: MIT
# Conjugate gradients for the five-point Laplacian of a grid.
using Arr, LinearAlgebra

@views function laplace(p)
    q = 4 .* p
    q[2:end, :] .-= p[1:end-1, :]
    q[1:end-1, :] .-= p[2:end, :]
    q[:, 2:end] .-= p[:, 1:end-1]
    q[:, 1:end-1] .-= p[:, 2:end]
    q
end

function cg(b; tolerance = 1e-10)
    x = zero(b)
    r, p = copy(b), copy(b)
    rho = dot(r, r)
    while rho > tolerance^2
        q = laplace(p)
        alpha = rho / dot(p, q)
        x .+= alpha .* p
        r .-= alpha .* q
        previous, rho = rho, dot(r, r)
        p .= r .+ rho / previous .* p
    end
    x
end
