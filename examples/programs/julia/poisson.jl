# SPDX-License-Identifier: MIT
# Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it.
using Arr

function poisson(f)
    n = size(f, 1)
    line = Arr.spdiagm(n, n, -1 => [-1.0], 0 => [2.0], 1 => [-1.0])
    inside = trues(n, n)
    inside[n÷2+1:end, n÷2+1:end] .= false
    at = findall(vec(inside))
    A = Arr.kronsum(line, line)[at, at]
    u = Arr.zeros(n * n)
    u[at] = Arr.cg(A, f[at] ./ (n + 1)^2; reltol = 1e-12)
    reshape(u, n, n)
end
