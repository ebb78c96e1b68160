! SPDX-License-Identifier: MIT
! An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
function rk4(start) result(state)
    use arr
    type(arr_array), intent(in) :: start
    type(arr_array) :: state, k1, k2, k3, k4
    double precision, parameter :: h = 0.01d0
    integer :: step
    state = start
    do step = 1, 100
        k1 = lorenz(state)
        k2 = lorenz(state + h / 2 * k1)
        k3 = lorenz(state + h / 2 * k2)
        k4 = lorenz(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    end do
    call arr_give(state, arr_mean(state, dim=2))
contains
    type(arr_array) function lorenz(u) result(slope)
        type(arr_array), intent(in) :: u
        type(arr_array) :: x, y, z
        call arr_unstack(u, x, y, z, dim=1)
        call arr_give(slope, arr_stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3d0 * z], dim=1))
    end function lorenz
end function rk4
