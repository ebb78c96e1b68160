# SPDX-License-Identifier: MIT
# Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
using Arr

field(spectrum) = real.(Arr.ifft(spectrum))

function navier_stokes(vorticity; viscosity = 1e-3, dt = 0.01, steps = 20)
    n = size(vorticity, 1)
    kx = transpose(Arr.fftfreq(n, n))
    ky = Arr.fftfreq(n, n)
    k2 = kx .^ 2 .+ ky .^ 2
    keep = k2 .< (n / 3)^2
    w = Arr.fft(vorticity)
    for _ in 1:steps
        psi = w ./ ifelse.(k2 .== 0, 1, k2)
        u, v = field(im .* ky .* psi), field(-im .* kx .* psi)
        advection = u .* field(im .* kx .* w) .+ v .* field(im .* ky .* w)
        w = (w .- dt .* keep .* Arr.fft(advection)) ./ (1 .+ dt * viscosity .* k2)
    end
    field(w)
end
