! SPDX-License-Identifier: MIT
! Gaussian blur of an image of several channels, along its columns and rows.
module program_blur
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function blur(image) result(z)
        type(arr_array), intent(in) :: image
        type(arr_array) :: z, rows
        integer, parameter :: radius = 2
        real(dp) :: weights(-radius:radius)
        integer :: i, h, w
        h = int(size(image, 1))
        w = int(size(image, 2))
        weights = exp(-0.5_dp * ([(i, i=-radius, radius)] / 1.5_dp)**2)
        weights = weights / sum(weights)
        rows = 0 * image
        do i = -radius, radius
            rows = rows + weights(i) * arr_get(image, clamped(i, h))
        end do
        z = 0 * image
        do i = -radius, radius
            z = z + weights(i) * arr_get(rows, arr_span(), clamped(i, w))
        end do
    end function blur

    ! The positions 1 to n, moved by a number, but not past the edges.
    pure function clamped(by, n) result(list)
        integer, intent(in) :: by, n
        integer :: list(n), i
        list = [(min(max(i + by, 1), n), i=1, n)]
    end function clamped
end module program_blur
