! SPDX-License-Identifier: MIT
! Gaussian blur of an image of several channels, along its columns and rows.
function blur(image) result(z)
    use arr
    type(arr_array), intent(in) :: image
    type(arr_array) :: z, weights, padded, rows
    integer, parameter :: r = 2, width = 2 * r + 1
    weights = exp(-0.5d0 * (arr_arange(-r, r + 1) / 1.5d0)**2)
    weights = weights / sum(weights)
    padded = arr_pad(image, [r, r, r, r, 0, 0], ARR_PAD_EDGE)
    rows = matmul(arr_sliding_window_view(padded, [width], 1), weights)
    call arr_give(z, matmul(arr_sliding_window_view(rows, [width], 2), weights))
end function blur
