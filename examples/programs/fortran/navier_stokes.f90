! SPDX-License-Identifier: MIT
! Navier-Stokes in two dimensions: the vorticity of a periodic flow, by Fourier transforms.
module program_navier_stokes
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function field(spectrum) result(z)
        type(arr_array), intent(in) :: spectrum
        type(arr_array) :: z
        z = real(arr_ifftn(spectrum))
        call arr_give(z)
    end function field

    function navier_stokes(vorticity) result(z)
        type(arr_array), intent(in) :: vorticity
        type(arr_array) :: z, k, kx, ky, k2, keep, w, psi, u, v, advection
        complex(dp), parameter :: i = (0, 1)
        real(dp), parameter :: viscosity = 1e-3_dp, dt = 0.01_dp
        integer :: n, step
        n = int(size(vorticity, 1))
        k = arr_fftfreq(n, 1.0_dp / n)
        kx = arr_expand_dims(k, 1)
        ky = arr_expand_dims(k, 2)
        k2 = kx**2 + ky**2
        keep = k2 < (n / 3.0_dp)**2
        w = arr_fftn(vorticity)
        do step = 1, 20
            psi = w / merge(1, k2, k2 == 0)
            u = field(i * ky * psi)
            v = field(-i * kx * psi)
            advection = u * field(i * kx * w) + v * field(i * ky * w)
            w = (w - dt * keep * arr_fftn(advection)) / (1 + dt * viscosity * k2)
        end do
        z = field(w)
    end function navier_stokes
end module program_navier_stokes
