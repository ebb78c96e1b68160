# SPDX-License-Identifier: MIT
# Fourier transforms of a cube, whose planes are divided among the ranks: forwards and back. The largest error.
function fft(comm, n, steps)
    cube = Arr.randn(Arr.Generator(1), Arr.decomposition(comm, (n, n, n)))
    back = cube
    for _ in 1:steps
        back = Arr.ifft(Arr.fft(cube; keep = false); keep = false)
    end
    maximum(abs, cube .- back)
end
