! SPDX-License-Identifier: MIT
! program.f90: calls the function of the family that new_family.sh makes, as module arr has it.
program twice
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
    type(arr_array) :: a
    real(dp) :: out(3)

    a = [-2.0_dp, 3.0_dp, 0.5_dp]
    out = arr_twice(a)
    print '(a,3(1x,g0))', 'Fortran:', out
    if (any(abs(out - [-4.0_dp, 6.0_dp, 1.0_dp]) > 0)) error stop 1
end program twice
