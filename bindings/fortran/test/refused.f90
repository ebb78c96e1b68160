! SPDX-License-Identifier: MIT
! refused.f90: kinds of Fortran instead of element types: each line marked refused does not compile, and no other.
program refused
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use arr
    implicit none
    type(arr_array) :: a, values, indices
    type(arr_fft_plan) :: plan
    real, target :: h(2)
    a = arr_zeros([2, 2], real64)                            ! refused
    a = arr_ones([2, 2], real32)                             ! refused
    a = arr_empty([2, 2], int64)                             ! refused
    a = arr_empty([2_int64, 2_int64], real64)                ! refused
    a = arr_full([2], 1.5d0, real64)                         ! refused
    a = arr_full([2], 1.5d0, dtype=real64)                   ! refused
    a = arr_full_like(a, 1.5d0, dtype=real64)                ! refused
    a = arr_zeros_like(a, real64)                            ! refused
    a = arr_eye(2, dtype=real64)                             ! refused
    a = arr_linspace(0.0_real64, 1.0_real64, 3, dtype=real64)  ! refused
    a = arr_astype(a, real64)                                ! refused
    a = arr_astype(a, int64)                                 ! refused
    a = arr_view(a, real64)                                  ! refused
    a = arr_cumsum(a, 1, real64)                             ! refused
    a = arr_cumsum(a, dtype=real64)                          ! refused
    a = arr_reduce('sum', a, dtype=real64)                   ! refused
    a = arr_hilbert(3, dtype=real64)                         ! refused
    a = arr_pinned([2], real64)                              ! refused
    print *, arr_finfo(real64)                               ! refused
    print *, arr_iinfo(int32)                                ! refused
    print *, arr_isdtype(real64, 'integral')                 ! refused
    print *, arr_can_cast(int32, int64)                      ! refused
    print *, arr_promote_types(int32, int64)                 ! refused
    call plan%create(ARR_FFT_R2C, real64, [4])               ! refused
    call arr_topk(a, values, indices)                        ! refused
    a = arr_zeros([2, 2], ARR_FLOAT64)
    a = arr_full([2], 1.5d0, dtype=ARR_FLOAT32)
    a = arr_astype(a, arr_dtype(a))
    a = arr_full([2], real64)  ! 8 is the value
    call plan%create(ARR_FFT_R2C, ARR_FLOAT64, [4])
    call arr_topk(a, values, indices, 2)
    print *, arr_dtype(a) == ARR_FLOAT64, arr_dtype_name(ARR_FLOAT64)
    if (arr_dtype(a) == real64) print *, 'float64'           ! refused
    a = arr_zeros([2, 2], 8_int64)                           ! refused
    a = arr_zeros([2, 2], size(a, 1))                        ! refused
    a = arr_zeros([2, 2], arr_dtype(real64))                 ! refused
    h = 1
    call arr_wrap(a, h)
end program refused
