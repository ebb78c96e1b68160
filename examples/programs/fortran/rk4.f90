! SPDX-License-Identifier: MIT
! An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
module program_rk4
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function lorenz(state) result(slope)
        type(arr_array), intent(in) :: state
        type(arr_array) :: slope, s, x, y, z
        s = state
        x = arr_get(s, 1)
        y = arr_get(s, 2)
        z = arr_get(s, 3)
        slope = arr_stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3.0_dp * z], dim=1)
        call arr_give(slope)
    end function lorenz

    function rk4(start) result(z)
        type(arr_array), intent(in) :: start
        type(arr_array) :: z, state, k1, k2, k3, k4
        real(dp), parameter :: h = 0.01_dp
        integer :: step
        state = start
        do step = 1, 100
            k1 = lorenz(state)
            k2 = lorenz(state + h / 2 * k1)
            k3 = lorenz(state + h / 2 * k2)
            k4 = lorenz(state + h * k3)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        end do
        z = arr_mean(state, dim=2)
    end function rk4
end module program_rk4
