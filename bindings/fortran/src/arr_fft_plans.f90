! SPDX-License-Identifier: MIT
! arr_fft_plans.f90: plans of transforms; the effort of planning, and the knowledge of earlier measurements.
!
!     call plan%create(ARR_FFT_R2C, ARR_FLOAT64, shape(a), dim=[1])
!     do i = 1, n
!         call plan%execute_into(z, a)
!     end do
module arr_fft_plans
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_create => arr_fft_plan_create, c_execute => arr_fft_plan_execute, &
        c_output => arr_fft_plan_output, c_transpose => arr_transpose
    use arr_element_types, only: dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_arguments, only: drop, flag, reversed
    use arr_functions, only: arr_fft_plan_base
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    implicit none
    private
    public :: arr_fft_plan

    ! A transform of arrays of one shape and type, contiguous in column-major order, on one device. What the libraries have
    ! planned lives as long as it, whatever becomes of the device's cache. Pass it on, do not copy it: the first copy that
    ! goes ends it.
    type, extends(arr_fft_plan_base) :: arr_fft_plan
    contains
        procedure, private :: create_4
        procedure, private :: create_8
        generic :: create => create_4, create_8
        procedure :: execute
        procedure :: execute_into
    end type arr_fft_plan

contains

    ! Plans a transform. kind: ARR_FFT_C2C, both ways, ARR_FFT_R2C, forward, with dim(1) halved to n / 2 + 1, or
    ! ARR_FFT_C2R, backward from that half. real, ARR_FLOAT32 or ARR_FLOAT64, is the type of the numbers or of their
    ! parts; shape that of the real array where there is one; dim the dimensions, all if it is not given.
    subroutine create_8(self, kind, real, shape, dim, device, err)
        class(arr_fft_plan), intent(inout) :: self
        integer(c_int32_t), intent(in) :: kind
        type(arr_dtype), intent(in) :: real
        integer(int64), intent(in) :: shape(:)
        integer, intent(in), optional :: dim(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t), allocatable :: axes(:)
        integer(c_int32_t) :: n, i
        call self%release()
        n = size(shape, kind=c_int32_t)
        ! The library plans for row-major order, in which everything stands the other way round; n is no axis.
        if (present(dim)) then
            axes = [(merge(n - int(dim(i), c_int32_t), n, dim(i) >= 1 .and. dim(i) <= n), i = size(dim), 1, -1)]
        else
            axes = [(i, i = 0, n - 1)]
        end if
        call check(c_create(kind, dtype_number(real), n, shape(size(shape):1:-1), size(axes, kind=c_int32_t), axes, device, &
            self%handle), err)
    end subroutine create_8

    subroutine create_4(self, kind, real, shape, dim, device, err)
        class(arr_fft_plan), intent(inout) :: self
        integer(c_int32_t), intent(in) :: kind
        type(arr_dtype), intent(in) :: real
        integer, intent(in) :: shape(:)
        integer, intent(in), optional :: dim(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call self%create_8(kind, real, int(shape, int64), dim, device, err)
    end subroutine create_4

    ! Transforms rows, a view of a in row-major order, into another.
    subroutine transform(plan, a, rows, inverse, norm, stream, problem)
        type(arr_fft_plan_handle), intent(in) :: plan
        type(arr_array), intent(in) :: a
        type(arr_array_handle), intent(in) :: rows
        logical, intent(in), optional :: inverse
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out) :: problem
        type(arr_array_handle) :: source
        call reversed(a, source, problem)
        if (problem%failed()) return
        call check(c_execute(plan, source, rows, flag(inverse), choice(norm, ARR_FFT_BACKWARD), stream_of(stream)), problem)
        call drop(source)
    end subroutine transform

    ! Transforms a; norm, ARR_FFT_..., says which transform has the factor 1 / n: the inverse if it is not given. Plans of
    ! kind ARR_FFT_C2R want inverse=.true.
    function execute(self, a, inverse, norm, stream, err) result(z)
        class(arr_fft_plan), intent(in) :: self
        type(arr_array), intent(in) :: a
        logical, intent(in), optional :: inverse
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        call check(c_output(self%handle, stream_of(stream), rows), problem)
        if (.not. problem%failed()) then
            call transform(self%handle, a, rows, inverse, norm, stream, problem)
            if (.not. problem%failed()) call check(c_transpose(rows, 0_c_int32_t, out=z%handle), problem)
            call drop(rows)
        end if
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function execute

    ! Transforms into z, an array of the plan's shape and type.
    subroutine execute_into(self, z, a, inverse, norm, stream, err)
        class(arr_fft_plan), intent(in) :: self
        type(arr_array), intent(in) :: z, a
        logical, intent(in), optional :: inverse
        integer(c_int32_t), intent(in), optional :: norm
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: rows
        type(arr_error) :: problem
        call reversed(z, rows, problem)
        if (.not. problem%failed()) call transform(self%handle, a, rows, inverse, norm, stream, problem)
        call drop(rows)
        call done(z)
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine execute_into
end module arr_fft_plans
