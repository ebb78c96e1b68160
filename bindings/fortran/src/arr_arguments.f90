! SPDX-License-Identifier: MIT
! arr_arguments.f90: from arguments of procedures to those of the C library: defaults, flags, dimensions, numbers, texts.
module arr_arguments
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use arr_c_types
    use arr_c, only: c_value_array => arr_value_array, c_value_weak => arr_value_weak, c_op_find => arr_op_find, &
        c_ndim => arr_ndim, c_transpose => arr_transpose, c_release => arr_release, c_retain => arr_retain, &
        c_astype => arr_astype, c_value_i64 => arr_value_i64, c_subtract => arr_subtract_v, c_add => arr_add_v
    use arr_counting, only: axis_of, whole
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, dtype_of, stream_of, take_over
    use arr_host_memory, only: any_scalar, array_value
    implicit none
    private
    public :: axis_or_first, bits, flag, is_set, length, not_a_number, one_if, integer_number, real_number, real_numbers
    public :: cosine_norm, lay_out, from_zero, positions_from_zero, from_one, reversed, turned, drop, give, give_from_one
    public :: give_all, same_size, done_if, done_value
    public :: plain_value, reversed_value, weak_value, operation, as_text

    ! The number of elements of a list, 0 where it is absent.
    interface length
        module procedure length_short, length_long
    end interface length

    interface give
        module procedure give_array
    end interface give

contains

    ! ------------------------------------------------------------------------------- numbers and truth values

    ! Sets a number from one of any kind of reals or integers; one that is not given leaves it as it is.
    subroutine real_number(what, given, number, err)
        character(len=*), intent(in) :: what
        class(*), intent(in), optional :: given
        real(c_double), intent(inout) :: number
        type(arr_error), intent(inout) :: err
        integer(int64) :: integral
        if (err%failed() .or. .not. present(given)) return
        select type (given)
        type is (real(real64))
            number = given
        type is (real(real32))
            number = given
        class default
            if (whole(given, integral)) then
                number = real(integral, c_double)
            else
                call fail(ARR_E_DTYPE, what // ': expected a real or integer number', err)
            end if
        end select
    end subroutine real_number

    subroutine integer_number(what, given, number, err)
        character(len=*), intent(in) :: what
        class(*), intent(in), optional :: given
        integer(c_int64_t), intent(inout) :: number
        type(arr_error), intent(inout) :: err
        if (err%failed() .or. .not. present(given)) return
        if (.not. whole(given, number)) call fail(ARR_E_DTYPE, what // ': expected an integer', err)
    end subroutine integer_number

    subroutine real_numbers(what, given, numbers, err)
        character(len=*), intent(in) :: what
        class(*), intent(in) :: given(:)
        real(c_double), allocatable, intent(out) :: numbers(:)
        type(arr_error), intent(inout) :: err
        integer :: i
        allocate (numbers(size(given)), source=0.0_c_double)
        do i = 1, size(given)
            call real_number(what, given(i), numbers(i), err)
        end do
    end subroutine real_numbers

    function not_a_number() result(x)
        real(c_double) :: x
        x = ieee_value(x, ieee_quiet_nan)
    end function not_a_number

    pure function is_set(given) result(yes)
        logical, intent(in), optional :: given
        logical :: yes
        yes = .false.
        if (present(given)) yes = given
    end function is_set

    pure function flag(given) result(yes)
        logical, intent(in), optional :: given
        logical(c_bool) :: yes
        yes = is_set(given)
    end function flag

    ! For components of structs.
    pure function one_if(given) result(code)
        logical, intent(in), optional :: given
        integer(c_int32_t) :: code
        code = merge(1_c_int32_t, 0_c_int32_t, is_set(given))
    end function one_if

    pure function bits(given, mask) result(code)
        logical, intent(in), optional :: given
        integer(c_int32_t), intent(in) :: mask
        integer(c_int32_t) :: code
        code = merge(mask, 0_c_int32_t, is_set(given))
    end function bits

    ! ARR_FFT_..., and whether cosine transforms scale the ends, if that is said.
    pure function cosine_norm(norm, orthogonalize) result(code)
        integer(c_int32_t), intent(in), optional :: norm
        logical, intent(in), optional :: orthogonalize
        integer(c_int32_t) :: code
        code = ARR_FFT_BACKWARD
        if (present(norm)) code = norm
        if (present(orthogonalize)) code = code + merge(ARR_COSINE_ORTHOGONAL, ARR_COSINE_PLAIN, orthogonalize)
    end function cosine_norm

    ! ------------------------------------------------------------------------------- dimensions

    function axis_or_first(dim) result(axis)
        integer, intent(in), optional :: dim
        integer(c_int32_t) :: axis
        axis = 0
        if (present(dim)) axis = axis_of(dim)
    end function axis_or_first

    pure function length_short(list) result(n)
        integer(c_int32_t), intent(in), allocatable :: list(:)
        integer(c_int32_t) :: n
        n = 0
        if (allocated(list)) n = size(list, kind=c_int32_t)
    end function length_short

    pure function length_long(list) result(n)
        integer(c_int64_t), intent(in), allocatable :: list(:)
        integer(c_int32_t) :: n
        n = 0
        if (allocated(list)) n = size(list, kind=c_int32_t)
    end function length_long

    ! The dimension that transforms of reals halve is the library's last: the dimensions go to it in reverse.
    subroutine lay_out(function, a, s, dim, axes, extents, err)
        character(len=*), intent(in) :: function
        type(arr_array), intent(in) :: a
        integer, intent(in), optional :: s(:), dim(:)
        integer(c_int32_t), intent(out), allocatable :: axes(:)
        integer(c_int64_t), intent(out), allocatable :: extents(:)
        type(arr_error), intent(inout) :: err
        integer(c_int32_t) :: n
        integer :: i
        n = 0
        if (c_ndim(a%handle, n) /= ARR_OK) n = 0           ! the call that follows says so
        if (present(dim)) then
            axes = axis_of(dim(size(dim):1:-1))
        else
            axes = [(int(i - 1, c_int32_t), i = n, 1, -1)]
        end if
        allocate (extents(size(axes)), source=-1_c_int64_t)
        if (present(s)) extents = s(size(s):1:-1)
        if (size(extents) /= size(axes)) call fail(ARR_E_ARGUMENT, function // &
            ': s: an extent is expected for each of the dimensions', err)
    end subroutine lay_out

    ! Indices that count from 1 as the library's, a handle to drop. Those of narrow types become wider first: 0, which is
    ! none, must not become the largest one. What are no integers stay as they are: the library refuses them.
    subroutine from_zero(a, shifted, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array_handle), intent(inout) :: shifted
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: wide
        type(arr_value) :: one, v
        if (err%failed()) return
        select case (dtype_of(a))
        case (ARR_INT8, ARR_UINT8, ARR_INT16, ARR_UINT16)
            call check(c_astype(a%handle, ARR_INT32, ARR_CAST_SAFE, ARR_ORDER_K, stream_of(stream), wide), err)
        case (ARR_UINT32)
            call check(c_astype(a%handle, ARR_INT64, ARR_CAST_SAFE, ARR_ORDER_K, stream_of(stream), wide), err)
        case (ARR_INT32, ARR_INT64, ARR_UINT64)
            call check(c_retain(a%handle, wide), err)
        case default
            call check(c_retain(a%handle, shifted), err)
            return
        end select
        call c_value_i64(one, 1_int64)
        call c_value_weak(one)
        call c_value_array(v, wide)
        if (.not. err%failed()) call check(c_subtract(v, one, stream_of(stream), shifted), err)
        call drop(wide)
    end subroutine from_zero

    ! The same for functions whose negative indices count from the end: without a sign, 0 and below are out of range.
    subroutine positions_from_zero(a, shifted, stream, err)
        type(arr_array), intent(in) :: a
        type(arr_array_handle), intent(inout) :: shifted
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: signed
        call from_zero(a, signed, stream, err)
        select case (dtype_of(a))
        case (ARR_INT8, ARR_INT16, ARR_INT32, ARR_INT64, ARR_UINT8, ARR_UINT16, ARR_UINT32, ARR_UINT64)
            if (.not. err%failed()) call check(c_astype(signed, ARR_UINT64, ARR_CAST_UNSAFE, ARR_ORDER_K, &
                stream_of(stream), shifted), err)
            call drop(signed)
        case default
            shifted = signed                       ! the library refuses it
        end select
    end subroutine positions_from_zero

    ! The library's indices as those that count from 1.
    subroutine from_one(indices, shifted, stream, err)
        type(arr_array_handle), intent(in) :: indices
        type(arr_array_handle), intent(inout) :: shifted
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_value) :: one, v
        if (err%failed()) return
        call c_value_i64(one, 1_int64)
        call c_value_weak(one)
        call c_value_array(v, indices)
        call check(c_add(v, one, stream_of(stream), shifted), err)
    end subroutine from_one

    ! A view with the dimensions in reverse, in which the library's order of elements is Fortran's.
    subroutine reversed(a, view, err)
        type(arr_array), intent(in) :: a
        type(arr_array_handle), intent(inout) :: view
        type(arr_error), intent(inout) :: err
        if (.not. err%failed()) call check(c_transpose(a%handle, 0_c_int32_t, out=view), err)
    end subroutine reversed

    ! Replaces a new array by such a view of it.
    subroutine turned(rows, a, err)
        type(arr_array_handle), intent(in) :: rows
        type(arr_array), intent(inout) :: a
        type(arr_error), intent(inout) :: err
        if (err%failed()) return
        call check(c_transpose(rows, 0_c_int32_t, out=a%handle), err)
        call drop(rows)
    end subroutine turned

    ! ------------------------------------------------------------------------------- arrays and numbers

    subroutine drop(handle)
        type(arr_array_handle), intent(in) :: handle
        integer(c_int32_t) :: status
        status = c_release(handle)
    end subroutine drop

    ! A new array for an optional result.
    subroutine give_array(new, a)
        type(arr_array_handle), intent(in) :: new
        type(arr_array), intent(inout), optional :: a
        if (present(a)) then
            call take_over(a, new)
        else
            call drop(new)
        end if
    end subroutine give_array

    subroutine give_from_one(new, a, stream, err)
        type(arr_array_handle), intent(in) :: new
        type(arr_array), intent(inout), optional :: a
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_array_handle) :: shifted
        if (present(a)) call from_one(new, shifted, stream, err)
        call drop(new)
        call give(shifted, a)
    end subroutine give_from_one

    subroutine give_all(new, arrays)
        type(arr_array_handle), intent(in) :: new(:)
        type(arr_array), intent(inout) :: arrays(:)
        integer :: i
        do i = 1, size(new)
            call take_over(arrays(i), new(i))
        end do
    end subroutine give_all

    ! As many results as operands: the library gets one length for both.
    subroutine same_size(name, got, expected, err)
        character(len=*), intent(in) :: name
        integer, intent(in) :: got, expected
        type(arr_error), intent(inout) :: err
        character(len=24) :: numbers(2)
        if (got == expected .or. err%failed()) return
        write (numbers, '(i0)') got, expected
        err%status = ARR_E_ARGUMENT
        err%message = name // ': got an array of ' // trim(numbers(1)) // ' results, expected ' // trim(numbers(2))
    end subroutine same_size

    subroutine done_if(a)
        type(arr_array), intent(in), optional :: a
        if (present(a)) call done(a)
    end subroutine done_if

    subroutine done_value(x)
        class(*), intent(in), optional :: x
        if (.not. present(x)) return
        select type (x)
        type is (arr_array)
            call done(x)
        end select
    end subroutine done_value

    ! A number or an array; what is not given is not allocated, and counts as absent for the library.
    subroutine plain_value(x, v, err)
        class(*), intent(in), optional :: x
        type(arr_value), intent(out), allocatable :: v
        type(arr_error), intent(inout) :: err
        if (.not. present(x)) return
        allocate (v)
        if (err%failed()) return
        select type (x)
        type is (arr_array)
            v = array_value(x)
        class default
            call any_scalar(x, v, err)
        end select
    end subroutine plain_value

    ! The same for a number that takes the type of the array operand.
    subroutine weak_value(x, v, err)
        class(*), intent(in), optional :: x
        type(arr_value), intent(out), allocatable :: v
        type(arr_error), intent(inout) :: err
        call plain_value(x, v, err)
        if (.not. present(x) .or. err%failed()) return
        select type (x)
        type is (arr_array)
            continue
        class default
            call c_value_weak(v)
        end select
    end subroutine weak_value

    ! The same of an array beside others whose dimensions are reversed: a view of it, to be dropped.
    subroutine reversed_value(x, v, view, err)
        class(*), intent(in), optional :: x
        type(arr_value), intent(out), allocatable :: v
        type(arr_array_handle), intent(inout) :: view
        type(arr_error), intent(inout) :: err
        call weak_value(x, v, err)
        if (.not. present(x)) return
        select type (x)
        type is (arr_array)
            call reversed(x, view, err)
            call c_value_array(v, view)
        end select
    end subroutine reversed_value

    ! ------------------------------------------------------------------------------- texts

    ! The number of an operation by its name.
    subroutine operation(name, number, err)
        character(len=*), intent(in) :: name
        integer(c_int32_t), intent(out) :: number
        type(arr_error), intent(inout) :: err
        number = 0
        if (.not. err%failed()) call check(c_op_find(trim(name) // c_null_char, number), err)
    end subroutine operation

    ! The text that the library wrote; another thread may have made it longer than there was room.
    subroutine as_text(bytes, n, text)
        character(kind=c_char), intent(in) :: bytes(:)
        integer(c_int64_t), intent(in) :: n
        character(len=:), allocatable, intent(out) :: text
        integer(c_int64_t) :: i
        allocate (character(len=min(n, size(bytes, kind=c_int64_t) - 1)) :: text)
        do i = 1, len(text, kind=c_int64_t)
            text(i:i) = bytes(i)
        end do
    end subroutine as_text
end module arr_arguments
