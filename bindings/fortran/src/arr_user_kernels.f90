! SPDX-License-Identifier: MIT
! arr_user_kernels.f90: kernels from pieces of C++: element by element, or as a reduction, on any device.
!
!     call k%create('T x, T y', 'T z', 'z = x * x + y')
!     z = k%run([arr_arg(a), arr_arg(b)])
!
! Elements are numbered from 0 in C++, those of raw arrays in row-major order.
module arr_user_kernels
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_elementwise => arr_elementwise_kernel, c_run => arr_elementwise_kernel_run, &
        c_reduction => arr_reduction_kernel, c_reduce => arr_reduction_kernel_run
    use arr_errors, only: arr_error, check, fail, c_texts
    use arr_types, only: arr_array, arr_stream, stream_of
    use arr_engine, only: dims_of
    use arr_arguments, only: bits, drop, flag, length
    use arr_functions, only: arr_user_kernel_base
    use arr_kernels, only: arr_argument
    implicit none
    private
    public :: arr_elementwise_kernel, arr_reduction_kernel

    ! C++ that runs once per element.
    type, extends(arr_user_kernel_base) :: arr_elementwise_kernel
    contains
        procedure :: create => create_elementwise
        procedure :: run => run_new
        procedure :: run_into
    end type arr_elementwise_kernel

    ! C++ that maps elements, combines the results a and b, and finishes.
    type, extends(arr_user_kernel_base) :: arr_reduction_kernel
    contains
        procedure :: create => create_reduction
        procedure :: run => reduce_new
        procedure :: run_into => reduce_into
    end type arr_reduction_kernel

contains

    ! Text for C, empty where it is not given.
    function c_string(text) result(bytes)
        character(len=*), intent(in), optional :: text
        character(kind=c_char, len=:), allocatable :: bytes
        bytes = c_null_char
        if (present(text)) bytes = trim(text) // c_null_char
    end function c_string

    ! The parameters are lists such as 'T x, float32 y, raw T z'; the operation is statements that set the outputs.
    subroutine create_elementwise(self, in_params, out_params, operation, name, preamble, loop_prep, after_loop, &
            options, keep_dims, err)
        class(arr_elementwise_kernel), intent(inout) :: self
        character(len=*), intent(in) :: in_params, out_params, operation
        character(len=*), intent(in), optional :: name, preamble, loop_prep, after_loop, options(:)
        logical, intent(in), optional :: keep_dims
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: texts(:, :)
        type(c_ptr), allocatable :: pointers(:)
        character(kind=c_char, len=:), allocatable :: label
        call self%release()
        call c_texts(options, texts, pointers)
        label = 'kernel' // c_null_char
        if (present(name)) label = c_string(name)
        call check(c_elementwise(c_string(in_params), c_string(out_params), c_string(operation), label, &
            c_string(preamble), c_string(loop_prep), c_string(after_loop), bits(keep_dims, &
            ARR_KERNEL_KEEP_DIMS), size(pointers, kind=c_int32_t), pointers, self%handle), err)
    end subroutine create_elementwise

    ! map_expr is an expression of the inputs, reduce_expr one that combines a and b, identity the identity of that,
    ! post_map_expr a statement that sets the outputs from a; without it the first one is a.
    subroutine create_reduction(self, in_params, out_params, map_expr, reduce_expr, identity, post_map_expr, name, &
            reduce_type, preamble, options, err)
        class(arr_reduction_kernel), intent(inout) :: self
        character(len=*), intent(in) :: in_params, out_params, map_expr, reduce_expr, identity
        character(len=*), intent(in), optional :: post_map_expr, name, reduce_type, preamble, options(:)
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: texts(:, :)
        type(c_ptr), allocatable :: pointers(:)
        character(kind=c_char, len=:), allocatable :: label
        call self%release()
        call c_texts(options, texts, pointers)
        label = 'kernel' // c_null_char
        if (present(name)) label = c_string(name)
        call check(c_reduction(c_string(in_params), c_string(out_params), c_string(map_expr), c_string(reduce_expr), &
            c_string(post_map_expr), c_string(identity), label, c_string(reduce_type), c_string(preamble), &
            size(pointers, kind=c_int32_t), pointers, self%handle), err)
    end subroutine create_reduction

    ! Runs a kernel of one output, into a new array.
    function run_new(self, args, stream, err) result(z)
        class(arr_elementwise_kernel), intent(in) :: self
        type(arr_argument), intent(in) :: args(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: found(1)
        type(arr_error) :: problem
        call known(args, problem)
        if (.not. problem%failed()) call check(c_run(self%handle, size(args, kind=c_int32_t), args%value, -1_int64, &
            0_c_int32_t, stream=stream_of(stream), nout=1_c_int32_t, out=found), problem)
        z%handle = found(1)
        z%temporary = .true.
        call finish(args, problem, err)
    end function run_new

    ! args has the inputs, then the outputs, which are written. `elements` says how many where all are raw.
    subroutine run_into(self, args, elements, stream, err)
        class(arr_elementwise_kernel), intent(in) :: self
        type(arr_argument), intent(in) :: args(:)
        integer(int64), intent(in), optional :: elements
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(int64) :: n
        n = -1
        if (present(elements)) n = elements
        call known(args, problem)
        if (.not. problem%failed()) call check(c_run(self%handle, size(args, kind=c_int32_t), args%value, n, &
            0_c_int32_t, stream=stream_of(stream), nout=0_c_int32_t), problem)
        call finish(args, problem, err)
    end subroutine run_into

    ! Runs a kernel of one output, over all dimensions or some, into a new array.
    function reduce_new(self, args, dim, keepdims, stream, err) result(z)
        class(arr_reduction_kernel), intent(in) :: self
        type(arr_argument), intent(in) :: args(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: found(1)
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)      ! gfortran 12 does not pass an absent argument of any rank on
        call known(args, problem)
        if (.not. problem%failed()) call check(c_reduce(self%handle, size(args, kind=c_int32_t), args%value, length(axes), &
            axes, flag(keepdims), stream_of(stream), 1_c_int32_t, found), problem)
        z%handle = found(1)
        z%temporary = .true.
        call finish(args, problem, err)
    end function reduce_new

    ! args has the inputs, then the outputs, which are written.
    subroutine reduce_into(self, args, dim, keepdims, stream, err)
        class(arr_reduction_kernel), intent(in) :: self
        type(arr_argument), intent(in) :: args(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        if (present(dim)) axes = dims_of(dim)
        call known(args, problem)
        if (.not. problem%failed()) call check(c_reduce(self%handle, size(args, kind=c_int32_t), args%value, length(axes), &
            axes, flag(keepdims), stream_of(stream), 0_c_int32_t), problem)
        call finish(args, problem, err)
    end subroutine reduce_into

    subroutine known(args, err)
        type(arr_argument), intent(in) :: args(:)
        type(arr_error), intent(out) :: err
        if (any(args%unknown)) call fail(ARR_E_DTYPE, 'arr_user_kernel: argument args: one is not a number of a kind &
            &that libarr has', err)
    end subroutine known

    subroutine finish(args, problem, err)
        type(arr_argument), intent(in) :: args(:)
        type(arr_error), intent(in) :: problem
        type(arr_error), intent(out), optional :: err
        integer :: i
        do i = 1, size(args)
            if (args(i)%temporary) call drop(args(i)%array)
        end do
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine finish
end module arr_user_kernels
