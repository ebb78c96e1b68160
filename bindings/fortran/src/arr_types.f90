! SPDX-License-Identifier: MIT
! arr_types.f90: type arr_array: ownership, assignment; and what the other modules share.
!
! gfortran 12 does not finalize function results. So a result carries `temporary`: the procedure that takes it as an
! operand releases it (done), and assignment takes its place over. Compilers that do finalize results release a
! second time, which is harmless: a handle that is no longer alive is recognised by the library.
module arr_types
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_retain => arr_retain, c_release => arr_release, c_array_dtype => arr_array_dtype, &
        c_ndim => arr_ndim, c_shape => arr_shape
    use arr_c, only: c_stream_release => arr_stream_release
    use arr_errors, only: arr_error, check
    implicit none
    private
    public :: arr_array, arr_content, arr_stream, arr_release, arr_give
    public :: done, content_done, all_done, ended, take_over, handles, handle_of, stream_of, null_stream, dtype_of, &
        rank_of, shape_of, choice, set_unless

    ! What an array variable holds. Printing is defined for this type (arr_printing): gfortran makes local variables
    ! of a type with such a procedure static, so recursive calls and threads would share local arrays.
    type :: arr_content
        type(arr_array_handle) :: handle           ! the C library's; borrowed where you read it
        logical :: temporary = .false.             ! a function's result that nobody has taken over yet
    end type arr_content

    ! An n-dimensional array. Assignment shares: b = a makes b another name of the same elements; arr_copy copies.
    type, extends(arr_content) :: arr_array
    contains
        procedure :: share                         ! another handle of what an array holds: one = other
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

    ! Frees an array before its variable goes out of scope.
    interface arr_release
        module procedure release_array
    end interface arr_release

contains

    impure elemental subroutine finalize(self)
        type(arr_array), intent(inout) :: self
        call drop(self%handle)
    end subroutine finalize

    subroutine finalize_stream(self)
        type(arr_stream), intent(inout) :: self
        call self%release()
    end subroutine finalize_stream

    ! Work that is in the stream goes on.
    subroutine release_stream(self)
        class(arr_stream), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_stream_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_stream

    subroutine drop(handle)
        type(arr_array_handle), intent(inout) :: handle
        integer(c_int32_t) :: status
        if (.not. c_associated(handle%ptr)) return
        status = c_release(handle)                 ! a stale one does no harm: see the head of this file
        handle%ptr = c_null_ptr
    end subroutine drop

    impure elemental subroutine release_array(a)
        type(arr_array), intent(inout) :: a
        call drop(a%handle)
    end subroutine release_array

    ! To be called last in a function of yours, on its result: the caller's statement then frees it.
    subroutine arr_give(result)
        type(arr_array), intent(inout) :: result
        result%temporary = .true.
    end subroutine arr_give

    ! Takes another handle of rhs, also of a temporary: see the head of this file. Lists: arr_list_assignment.
    subroutine share(lhs, rhs)
        class(arr_array), intent(inout) :: lhs
        type(arr_array), intent(in) :: rhs
        type(arr_array_handle) :: taken
        if (c_associated(rhs%handle%ptr)) call check(c_retain(rhs%handle, taken))
        call done(rhs)
        call drop(lhs%handle)
        lhs%handle = taken
        lhs%temporary = .false.
    end subroutine share

    ! Releases an operand that was a function's result. Every procedure calls it for each of its operands.
    subroutine done(a)
        type(arr_array), intent(in) :: a
        call content_done(a%arr_content)
    end subroutine done

    subroutine content_done(a)
        type(arr_content), intent(in) :: a
        type(arr_array_handle) :: handle
        if (.not. a%temporary) return
        handle = a%handle
        call drop(handle)
    end subroutine content_done

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

    ! An array that a call has made, instead of what the variable held.
    subroutine take_over(a, handle)
        type(arr_array), intent(inout) :: a
        type(arr_array_handle), intent(in) :: handle
        call drop(a%handle)
        a%handle = handle
        a%temporary = .false.
    end subroutine take_over

    function handles(arrays) result(list)
        type(arr_array), intent(in) :: arrays(:)
        type(arr_array_handle) :: list(size(arrays))
        list = arrays%handle
    end function handles

    ! What is not given is NULL.
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

    ! 1, or 0 for .false.
    pure function set_unless(given) result(code)
        logical, intent(in), optional :: given
        integer(c_int32_t) :: code
        code = 1
        if (present(given)) code = merge(1_c_int32_t, 0_c_int32_t, given)
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
