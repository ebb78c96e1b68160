! SPDX-License-Identifier: MIT
! arr_types.F90: type arr_array: ownership, assignment; and what the other modules share.
!
! Assignment gives a variable its own handle, and the variable releases it: docs/decisions/0035. gfortran 12 does not
! finalize function results. So a result of this module is `temporary`: the procedure that has it as an operand releases
! it (done). Compilers that do finalize results release it a second time, which the library refuses.
module arr_types
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_array_dtype => arr_array_dtype, c_ndim => arr_ndim, c_shape => arr_shape
    use arr_c, only: c_release => arr_release, c_stream_release => arr_stream_release
    use arr_errors, only: arr_error, check, fail
    implicit none
    private
    public :: arr_array, arr_content, arr_stream, arr_release, arr_give, arr_live_handles, &
        arr_scope_begin, arr_scope_end, arr_keep
    public :: done, all_done, ended, take_over, handles, handle_of, stream_of, null_stream, &
        dtype_of, rank_of, shape_of, choice, set_unless

    ! Content of an array variable. Printing is defined for this type (arr_printing): gfortran makes local variables
    ! of a type with such a procedure static, so recursive calls and threads would share local arrays.
    type :: arr_content
        type(arr_array_handle) :: handle           ! the C library's; borrowed where you read it
        integer(c_intptr_t) :: owner = 0           ! the address of the variable that received it by assignment
        logical :: temporary = .false.             ! a function's result that nobody has taken over yet
    end type arr_content

    ! An n-dimensional array. Assignment shares: b = a makes b another name of the same elements; arr_copy copies.
    type, extends(arr_content) :: arr_array
    contains
        procedure :: share => arr_fortran_share_array    ! another handle of what an array holds: one = other
        generic :: assignment(=) => share
        final :: finalize
    end type arr_array

    ! A queue of work in order, made by arr_stream_create. Pass it on, do not copy it: the first copy that goes ends it.
    type :: arr_stream
        type(arr_stream_handle) :: handle
    contains
        procedure :: release => release_stream
        final :: finalize_stream
    end type arr_stream

    ! The assignment of arrays: one gets another handle of what the other holds. In C, because it reads what lhs
    ! held although lhs has intent(out): with intent(inout) gfortran 12 would, in assignments of types with
    ! components of type arr_array, copy the left side, assign to the copy and finalize the copy. Of flang it serves
    ! lists as well: see arr_list_assignment.
    interface
#ifdef __flang__
        impure elemental subroutine arr_fortran_share_array(lhs, rhs)
#else
        subroutine arr_fortran_share_array(lhs, rhs)
#endif
            import :: arr_array
            class(arr_array), intent(out) :: lhs
            type(arr_array), intent(in) :: rhs
        end subroutine arr_fortran_share_array
    end interface

    ! 1 if the compiler finalizes the left side of an assignment, as the standard says; arr_ownership.c reads it.
    integer(c_int32_t), bind(c, name='arr_fortran_finalizes_left_sides'), protected, public :: finalizes_left_sides = &
#if defined(__GFORTRAN__) && __GNUC__ < 13
        0
#else
        1
#endif

    ! arr_ownership.c. A variable is given by its handle, whose address is the variable's.
    interface
        subroutine c_assigned(variable, taken) bind(c, name='arr_fortran_array_assigned')
            import :: arr_array_handle
            type(arr_array_handle), intent(inout) :: variable
            type(arr_array_handle), value :: taken
        end subroutine c_assigned

        subroutine c_finalized(variable) bind(c, name='arr_fortran_array_finalized')
            import :: arr_array_handle
            type(arr_array_handle), intent(inout) :: variable
        end subroutine c_finalized

        subroutine c_released(variable) bind(c, name='arr_fortran_array_released')
            import :: arr_array_handle
            type(arr_array_handle), intent(inout) :: variable
        end subroutine c_released
    end interface

    interface
        function c_scope_begin() bind(c, name='arr_fortran_scope_begin') result(done)
            import :: c_bool
            logical(c_bool) :: done
        end function c_scope_begin

        function c_scope_end() bind(c, name='arr_fortran_scope_end') result(done)
            import :: c_bool
            logical(c_bool) :: done
        end function c_scope_end

        subroutine c_kept(variable) bind(c, name='arr_fortran_array_kept')
            import :: arr_array_handle
            type(arr_array_handle), intent(inout) :: variable
        end subroutine c_kept
    end interface

    ! Returns the number of live handles of the process, for leak checks.
    interface
        function arr_live_handles() bind(c, name='arr_fortran_live_handles') result(n)
            import :: c_int64_t
            integer(c_int64_t) :: n
        end function arr_live_handles
    end interface

    ! Frees an array before its variable goes out of scope.
    interface arr_release
        module procedure release_array
    end interface arr_release

    ! To be called last in a function of yours, on its result: the caller's statement then frees it. With a value, which
    ! may be an expression of the result, it is result = value before.
    interface arr_give
        module procedure give_array
    end interface arr_give

    ! Keeps the array of a variable at the end of the scope, which leaves it to the scope around it. A variable that the
    ! compiler has filled without an assignment, as source= does, gets its own handle.
    interface arr_keep
        module procedure keep_array
    end interface arr_keep

    ! Releases an operand that was a function's result. Every procedure calls it for each of its operands.
    interface done
        module procedure done_array
    end interface done

contains

    impure elemental subroutine finalize(self)
        type(arr_array), intent(inout) :: self
        call c_finalized(self%handle)
    end subroutine finalize

    subroutine finalize_stream(self)
        type(arr_stream), intent(inout) :: self
        call self%release()
    end subroutine finalize_stream

    ! Work in the stream continues.
    subroutine release_stream(self)
        class(arr_stream), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_stream_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_stream

    impure elemental subroutine release_array(a)
        type(arr_array), intent(inout) :: a
        call c_released(a%handle)
    end subroutine release_array

    impure elemental subroutine give_array(result, value)
        type(arr_array), intent(inout) :: result
        type(arr_array), intent(in), optional :: value
        if (present(value)) result = value
        result%temporary = .true.
    end subroutine give_array

    ! Begins a scope of this thread: arr_scope_end releases the arrays that variables have received since.
    subroutine arr_scope_begin(err)
        type(arr_error), intent(out), optional :: err
        if (.not. c_scope_begin()) call fail(ARR_E_MEMORY, 'arr_scope_begin: out of memory', err)
    end subroutine arr_scope_begin

    ! Releases the arrays that variables of this thread have received since arr_scope_begin, except those of arr_keep.
    subroutine arr_scope_end(err)
        type(arr_error), intent(out), optional :: err
        if (.not. c_scope_end()) call fail(ARR_E_ARGUMENT, 'arr_scope_end: no scope is open on this thread', err)
    end subroutine arr_scope_end

    impure elemental subroutine keep_array(a)
        type(arr_array), intent(inout) :: a
        call c_kept(a%handle)
    end subroutine keep_array

    subroutine done_array(a)
        class(arr_content), intent(in) :: a
        integer(c_int32_t) :: status
        if (a%temporary) status = c_release(a%handle)
    end subroutine done_array

    subroutine all_done(arrays)
        type(arr_array), intent(in) :: arrays(:)
        integer :: i
        do i = 1, size(arrays)
            call done(arrays(i))
        end do
    end subroutine all_done

    ! After a call that made z: its error; the operands are done.
    subroutine ended(status, z, err, a, b, c)
        integer(c_int32_t), intent(in) :: status
        type(arr_array), intent(inout) :: z
        type(arr_error), intent(out), optional :: err
        type(arr_array), intent(in) :: a
        type(arr_array), intent(in), optional :: b, c
        call check(status, err)
        z%temporary = .true.
        call done(a)
        if (present(b)) call done(b)
        if (present(c)) call done(c)
    end subroutine ended

    ! For C: the end of an assignment that failed.
    subroutine failed_assignment(status) bind(c, name='arr_fortran_failed_assignment')
        integer(c_int32_t), value :: status
        call check(status)
    end subroutine failed_assignment

    ! An array that a call has made, instead of what the variable held.
    subroutine take_over(a, handle)
        type(arr_array), intent(inout) :: a
        type(arr_array_handle), intent(in) :: handle
        call c_assigned(a%handle, handle)
    end subroutine take_over

    function handles(arrays) result(list)
        type(arr_array), intent(in) :: arrays(:)
        type(arr_array_handle) :: list(size(arrays))
        list = arrays%handle
    end function handles

    ! An absent argument is NULL.
    function handle_of(a) result(handle)
        type(arr_array), intent(in), optional :: a
        type(arr_array_handle) :: handle
        if (present(a)) handle = a%handle
    end function handle_of

    pure function choice(given, default) result(number)
        integer(c_int32_t), intent(in), optional :: given
        integer(c_int32_t), intent(in) :: default
        integer(c_int32_t) :: number
        number = default
        if (present(given)) number = given
    end function choice

    pure function set_unless(given) result(yes)
        logical, intent(in), optional :: given
        logical(c_bool) :: yes
        yes = .true.
        if (present(given)) yes = given
    end function set_unless

    pure function null_stream() result(handle)
        type(arr_stream_handle) :: handle
        handle%ptr = c_null_ptr
    end function null_stream

    pure function stream_of(stream) result(handle)
        type(arr_stream), intent(in), optional :: stream
        type(arr_stream_handle) :: handle
        if (present(stream)) handle = stream%handle
    end function stream_of

    ! 0 where a is not alive; the call that follows says so.
    function dtype_of(a) result(dtype)
        type(arr_array), intent(in) :: a
        integer(c_int32_t) :: dtype
        dtype = 0
        if (c_array_dtype(a%handle, dtype) /= ARR_OK) dtype = 0
    end function dtype_of

    subroutine rank_of(a, n, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(out) :: n
        type(arr_error), intent(out), optional :: err
        n = 0
        call check(c_ndim(a%handle, n), err)
    end subroutine rank_of

    subroutine shape_of(a, n, extents, err)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(out) :: n
        integer(int64), intent(out) :: extents(ARR_MAX_NDIM)
        type(arr_error), intent(out), optional :: err
        n = 0
        extents = 0
        call check(c_shape(a%handle, ARR_MAX_NDIM, extents, n), err)
    end subroutine shape_of
end module arr_types
