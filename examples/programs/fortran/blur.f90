! SPDX-License-Identifier: MIT
! Gaussian blur of an image of several channels, along its columns and rows.
module program_blur
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function blur(image) result(z)
        type(arr_array), intent(in) :: image
        type(arr_array) :: z, padded, rows
        integer, parameter :: r = 2
        real(dp) :: weights(-r:r)
        integer :: i
        weights = exp(-0.5_dp * ([(i, i=-r, r)] / 1.5_dp)**2)
        weights = weights / sum(weights)
        padded = arr_pad(image, [r, r, r, r, 0, 0], ARR_PAD_EDGE)
        rows = matmul(arr_sliding_window_view(padded, [2 * r + 1], 1), weights)
        z = matmul(arr_sliding_window_view(rows, [2 * r + 1], 2), weights)
    end function blur
end module program_blur
