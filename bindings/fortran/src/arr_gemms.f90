! SPDX-License-Identifier: MIT
! arr_gemms.f90: matrix products with what is done to each element of the result.
module arr_gemms
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c_base, only: c_value_weak => arr_value_weak
    use arr_c_gemm, only: c_gemm => arr_gemm, c_gemm_into => arr_gemm_into
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, handle_of, stream_of
    use arr_host_memory, only: any_scalar
    implicit none
    private
    public :: arr_gemm, arr_gemm_into

    interface arr_gemm
        module procedure gemm
    end interface arr_gemm

    interface arr_gemm_into
        module procedure gemm_into
    end interface arr_gemm_into

contains

    ! A number, which takes the type of the arrays; not allocated where none is given.
    subroutine factor(x, v, err)
        class(*), intent(in), optional :: x
        type(arr_value), intent(out), allocatable :: v
        type(arr_error), intent(inout) :: err
        if (.not. present(x) .or. err%failed()) return
        allocate (v)
        call any_scalar(x, v, err)
        if (.not. err%failed()) call c_value_weak(v)
    end subroutine factor

    subroutine all_ended(problem, err, a, b, c)
        type(arr_error), intent(in) :: problem
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in) :: a, b
        type(arr_array), intent(in), optional :: c
        call done(a)
        call done(b)
        if (present(c)) call done(c)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine all_ended

    ! activation(alpha a b + beta c): the product, then one pass over it for all the rest. alpha and beta are numbers, 1
    ! if they are not given; c broadcasts to the product, so that a vector is added to each of its rows. activation is
    ! ARR_ACTIVATION_..., none if it is not given.
    function gemm(a, b, alpha, beta, c, activation, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        class(*), intent(in), optional :: alpha, beta
        type(arr_array), intent(in), optional :: c
        integer(c_int32_t), intent(in), optional :: activation
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_value), allocatable :: by, times
        type(arr_error) :: problem
        call factor(alpha, by, problem)
        call factor(beta, times, problem)
        ! An allocatable that is not allocated counts as absent.
        if (.not. problem%failed()) call check(c_gemm(a%handle, b%handle, by, times, handle_of(c), &
            choice(activation, ARR_ACTIVATION_NONE), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call all_ended(problem, err, a, b, c)
    end function gemm

    ! The same into an array of the product's shape, which may be c.
    subroutine gemm_into(z, a, b, alpha, beta, c, activation, stream, err)
        type(arr_array), intent(in) :: z, a, b
        class(*), intent(in), optional :: alpha, beta
        type(arr_array), intent(in), optional :: c
        integer(c_int32_t), intent(in), optional :: activation
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_value), allocatable :: by, times
        type(arr_error) :: problem
        call factor(alpha, by, problem)
        call factor(beta, times, problem)
        if (.not. problem%failed()) call check(c_gemm_into(z%handle, a%handle, b%handle, by, times, handle_of(c), &
            choice(activation, ARR_ACTIVATION_NONE), stream_of(stream)), problem)
        call all_ended(problem, err, a, b, c)
    end subroutine gemm_into
end module arr_gemms
