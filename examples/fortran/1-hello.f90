! SPDX-License-Identifier: MIT
! 1-hello.f90: makes arrays, computes with them, reduces, prints.
program hello
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use arr
    implicit none
    type(arr_array) :: a, b, c
    type(arr_device) :: device
    real(dp) :: h(2, 3), back(2, 3), total

    device = arr_device_select()
    print '(2a)', 'device: ', arr_device_name(device)

    h = reshape([1, 2, 3, 4, 5, 6], shape(h))
    a = arr_upload(h, device=device)             ! on the host: a = h
    b = 2 * a + sqrt(a) / 3.0_dp
    print *, b

    c = matmul(transpose(a), b)                  ! 3 x 3
    print '(a,*(1x,i0))', 'shape of c:', shape(c)

    print *, sum(b, dim=1)                       ! sums of columns
    total = sum(b)                               ! reading a number waits for the device
    print '(a,f0.6)', 'sum: ', total

    back = max(b, 5.0_dp)                        ! back to the host
    if (abs(sum(max(2 * h + sqrt(h) / 3, 5.0_dp)) - sum(back)) > 1e-12_dp) error stop 'not what Fortran computes'
    print *, maxloc(b), merge(a, -a, a > 3)
end program hello
