! SPDX-License-Identifier: MIT
! Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around it.
function heat(comm, n, steps) result(peak)
    use arr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    type(arr_comm), intent(in) :: comm
    integer, intent(in) :: n, steps
    real(real64) :: peak
    type(arr_decomposition) :: columns
    type(arr_generator) :: random
    type(arr_dist) :: start, fields(2), largest
    type(arr_array) :: at(5, 2)    ! the points of both fields, and their neighbours
    integer, parameter :: shift(2, 5) = reshape([0, 0, -1, 0, 1, 0, 0, -1, 0, 1], [2, 5])
    integer :: i, k, step

    call arr_decomposition_create(comm, columns, [n, n])
    call arr_generator_create(random, 1_int64)
    call arr_dist_random(columns, start, random, ARR_DISTRIBUTION_UNIFORM)
    do k = 1, 2
        call arr_dist_create(columns, fields(k), halo=[1, 1])
        do i = 1, 5
            at(i, k) = arr_dist_part(fields(k), shift(:, i))
        end do
    end do
    call arr_dist_assign(fields(1), start)
    k = 1
    do step = 1, steps
        call arr_dist_exchange(fields(k))
        call arr_evaluate_into(at(1, 3 - k), 'u + 0.2 * (up + down + left + right - 4 * u)', &
            at(1, k), at(2, k), at(3, k), at(4, k), at(5, k))
        k = 3 - k
    end do
    call arr_dist_reduce(fields(k), largest, ARR_REDUCTION_MAX)
    peak = arr_dist_gather(largest)
end function heat
