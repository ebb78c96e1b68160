! SPDX-License-Identifier: MIT
! arr_counting.f90: dimensions and positions count from 1 here and from 0 in the C library, whose negative numbers count
! from the end. Fortran has no such numbers, so 0 and below become numbers that the library refuses, from which the
! text of the error is made what the caller wrote.
module arr_counting
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64
    implicit none
    private
    public :: axis_of, turned_axis_of, index_of, in_fortran_terms, whole

    ! Axes below -ARR_MAX_NDIM do not exist, nor do indices of the lower half of the smallest integers.
    integer(c_int32_t), parameter :: REFUSED_AXIS = -1000
    integer(int64), parameter :: MIN_INT64 = -huge(0_int64) - 1, REFUSED_INDEX = MIN_INT64 / 2

    interface index_of
        module procedure index_of_short, index_of_long
    end interface index_of

contains

    elemental function axis_of(dim) result(axis)
        integer, intent(in) :: dim
        integer(c_int32_t) :: axis
        axis = int(dim - 1, c_int32_t)
        if (dim < 1) axis = REFUSED_AXIS + int(max(dim, -1000000000), c_int32_t)
    end function axis_of

    ! The axis of an array that the library has with its axes in reverse: counted from the end.
    elemental function turned_axis_of(dim) result(axis)
        integer, intent(in) :: dim
        integer(c_int32_t) :: axis
        axis = int(-dim, c_int32_t)
        if (dim < 1) axis = axis_of(dim)
    end function turned_axis_of

    elemental function index_of_short(position) result(index)
        integer(int32), intent(in) :: position
        integer(int64) :: index
        index = index_of_long(int(position, int64))
    end function index_of_short

    elemental function index_of_long(position) result(index)
        integer(int64), intent(in) :: position
        integer(int64) :: index
        index = position - 1
        if (position < 1) index = MIN_INT64 - max(position, REFUSED_INDEX + 1)
    end function index_of_long

    ! True if given is an integer of any kind, which number becomes.
    function whole(given, number) result(yes)
        class(*), intent(in) :: given
        integer(int64), intent(inout) :: number
        logical :: yes
        yes = .true.
        select type (given)
        type is (integer(int64))
            number = given
        type is (integer(int32))
            number = given
        type is (integer(int16))
            number = given
        type is (integer(int8))
            number = given
        class default
            yes = .false.
        end select
    end function whole

    ! "arr_sum: argument axes: axis 2 of an array with 2 dimensions" becomes
    ! "arr_sum: argument dim: dimension 3 of an array with 2 dimensions".
    function in_fortran_terms(text) result(changed)
        character(len=*), intent(in) :: text
        character(len=:), allocatable :: changed
        changed = recounted(text, 'axis ', 'dimension ')
        changed = recounted(changed, 'argument index: index ', 'argument position: ')
        if (index(changed, 'argument position: ') > 0) changed = expected_from_one(changed)
        changed = replaced(changed, 'argument axes:', 'argument dim:')
        changed = replaced(changed, 'argument axis:', 'argument dim:')
        changed = replaced(changed, 'expected a live array handle, got one that is NULL', &
            'expected an array, got a variable that holds none')
        changed = replaced(changed, 'expected a live sparse matrix handle, got one that is NULL', &
            'expected a sparse matrix, got a variable that holds none')
        changed = replaced(changed, 'expected a live linear operator handle, got one that is NULL', &
            'expected a linear operator, got a variable that holds none')
        changed = replaced(changed, 'returned no live array handle', 'returned a variable that holds no array')
        if (index(changed, 'arr_sparse_') == 1) changed = parts_from_one(changed)
    end function in_fortran_terms

    ! "argument row: 2 at position 0, expected 0 to 1" becomes "argument row: 3 at position 1, expected 1 to 2".
    function parts_from_one(text) result(changed)
        character(len=*), intent(in) :: text
        character(len=:), allocatable :: changed
        changed = text
        if (index(text, ' at position ') == 0) return
        changed = recounted(changed, 'argument row: ', 'argument row: ')
        changed = recounted(changed, 'argument col: ', 'argument col: ')
        changed = recounted(changed, 'argument indices: ', 'argument indices: ')
        changed = recounted(changed, 'argument indptr: ', 'argument indptr: ')
        changed = recounted(changed, ' at position ', ' at position ')
        changed = recounted(changed, ', expected 0 to ', ', expected 1 to ')
        changed = replaced(changed, ', expected 0', ', expected 1')
        changed = recounted(changed, 'the number of indices, ', 'one more than the number of indices, ')
        changed = recounted(changed, 'less than the one before, ', 'less than the one before, ')
    end function parts_from_one

    ! Each number after `before` as Fortran counts, after `instead`.
    function recounted(text, before, instead) result(changed)
        character(len=*), intent(in) :: text, before, instead
        character(len=:), allocatable :: changed
        integer :: from, at, first, last, ios
        integer(int64) :: number
        character(len=24) :: digits
        changed = ''
        from = 1
        do
            at = index(text(from:), before)
            if (at == 0) exit
            first = from + at - 1 + len(before)
            last = first - 1 + verify(text(first:) // '.', '-0123456789') - 1
            ios = 1
            if (last >= first) read (text(first:last), *, iostat=ios) number
            if (ios == 0) then
                write (digits, '(i0)') counted_from_one(number)
                changed = changed // text(from:first - len(before) - 1) // instead // trim(digits)
            else
                changed = changed // text(from:last)
            end if
            from = last + 1
        end do
        changed = changed // text(from:)
    end function recounted

    ! "..., expected -2 to 1" becomes "..., expected 1 to 2".
    function expected_from_one(text) result(changed)
        character(len=*), intent(in) :: text
        character(len=:), allocatable :: changed
        integer :: at, to, ios
        integer(int64) :: last
        character(len=24) :: digits
        changed = text
        at = index(text, ', expected -')
        if (at == 0) return
        to = index(text(at:), ' to ')
        if (to == 0) return
        read (text(at + to + 3:), *, iostat=ios) last
        if (ios /= 0) return
        write (digits, '(i0)') last + 1
        changed = text(:at - 1) // ', expected 1 to ' // trim(digits)
    end function expected_from_one

    pure function counted_from_one(number) result(counted)
        integer(int64), intent(in) :: number
        integer(int64) :: counted
        counted = number + 1
        if (number <= REFUSED_AXIS) counted = number - REFUSED_AXIS
        if (number < REFUSED_INDEX) counted = MIN_INT64 - number
    end function counted_from_one

    function replaced(text, old, new) result(changed)
        character(len=*), intent(in) :: text, old, new
        character(len=:), allocatable :: changed
        integer :: at
        changed = text
        at = index(changed, old)
        if (at > 0) changed = changed(:at - 1) // new // changed(at + len(old):)
    end function replaced
end module arr_counting
