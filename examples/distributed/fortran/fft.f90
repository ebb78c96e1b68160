! SPDX-License-Identifier: MIT
! Fourier transforms of a cube, whose planes are divided among the ranks: forwards and back. The largest error.
function fft(comm, n, steps) result(peak)
    use arr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    type(arr_comm), intent(in) :: comm
    integer, intent(in) :: n, steps
    real(real64) :: peak
    type(arr_decomposition) :: planes
    type(arr_generator) :: random
    type(arr_dist) :: cube, spectrum, back, error, largest
    integer :: step

    call arr_decomposition_create(comm, planes, [n, n, n])
    call arr_generator_create(random, 1_int64)
    call arr_dist_random(planes, cube, random, ARR_DISTRIBUTION_NORMAL)
    do step = 1, steps
        call arr_dist_fftn(cube, spectrum, keep=.false.)
        call arr_dist_fftn(spectrum, back, inverse=.true., keep=.false.)
    end do
    call arr_dist_evaluate('abs(a - b)', error, cube, back)
    call arr_dist_reduce(error, largest, ARR_REDUCTION_MAX)
    peak = arr_dist_gather(largest)
end function fft
