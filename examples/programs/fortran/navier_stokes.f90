! SPDX-License-Identifier: MIT
! Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
function navier_stokes(vorticity) result(w)
    use arr
    type(arr_array), intent(in) :: vorticity
    type(arr_array) :: w, kx, ky, k2, keep, psi, u, v, advection
    double precision, parameter :: viscosity = 1d-3, dt = 0.01d0
    integer :: n, step
    n = size(vorticity, 1)
    kx = arr_fftfreq(n, 1d0 / n)
    ky = arr_expand_dims(kx, 2)
    k2 = kx**2 + ky**2
    keep = k2 < (n / 3d0)**2
    w = arr_fftn(vorticity)
    do step = 1, 20
        psi = w / merge(1, k2, k2 == 0)
        u = field((0, 1) * ky * psi)
        v = field((0, -1) * kx * psi)
        advection = u * field((0, 1) * kx * w) + v * field((0, 1) * ky * w)
        w = (w - dt * keep * arr_fftn(advection)) / (1 + dt * viscosity * k2)
    end do
    call arr_give(w, field(w))
contains
    type(arr_array) function field(spectrum)
        type(arr_array), intent(in) :: spectrum
        call arr_give(field, real(arr_ifftn(spectrum)))
    end function field
end function navier_stokes
