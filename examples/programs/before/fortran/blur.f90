! SPDX-License-Identifier: MIT
! Gaussian blur of an image of several channels, along its columns and rows.
module program_blur
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
contains
    function part(a, first_row, last_row, first_column, last_column) result(p)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: first_row, last_row, first_column, last_column
        type(arr_array) :: p
        p = arr_section(a, [arr_span(first_row, last_row), arr_span(first_column, last_column)])
        call arr_give(p)
    end function part

    function blur(image) result(z)
        type(arr_array), intent(in) :: image
        type(arr_array) :: z, padded, kernel
        integer, parameter :: r = 2
        real(dp) :: weights(-r:r)
        integer :: h, w, i
        h = int(size(image, 1))
        w = int(size(image, 2))
        weights = exp(-0.5_dp * ([(i, i=-r, r)] / 1.5_dp)**2)
        weights = weights / sum(weights)
        padded = arr_zeros([h + 2 * r, w + 2 * r, int(size(image, 3))], ARR_FLOAT64)
        call arr_assign(part(padded, r + 1, r + h, r + 1, r + w), image)
        call arr_assign(part(padded, 1, r, 1, w + 2 * r), part(padded, r + 1, r + 1, 1, w + 2 * r))
        call arr_assign(part(padded, r + h + 1, h + 2 * r, 1, w + 2 * r), part(padded, r + h, r + h, 1, w + 2 * r))
        call arr_assign(part(padded, 1, h + 2 * r, 1, r), part(padded, 1, h + 2 * r, r + 1, r + 1))
        call arr_assign(part(padded, 1, h + 2 * r, r + w + 1, w + 2 * r), part(padded, 1, h + 2 * r, r + w, r + w))
        kernel = reshape(spread(weights, 2, size(weights)) * spread(weights, 1, size(weights)), [2 * r + 1, 2 * r + 1, 1])
        z = arr_fftconvolve(padded, kernel, ARR_CONVOLVE_VALID, dim=[1, 2])
        call arr_consume(image)
        call arr_give(z)
    end function blur
end module program_blur
