! SPDX-License-Identifier: MIT
! arr_errors.f90: type arr_error, which every optional err= receives, and the report of failures.
module arr_errors
    use, intrinsic :: iso_c_binding
    use arr_c_types, only: ARR_OK, ARR_E_HANDLE
    use arr_c, only: c_last_error => arr_last_error, c_status_name => arr_status_name
    use arr_counting, only: in_fortran_terms
    implicit none
    private
    public :: arr_error, arr_status_name
    public :: check, fail, c_text, c_texts

    ! status is ARR_OK or one of ARR_E_...; message is one line: function, argument, got, expected.
    type :: arr_error
        integer(c_int32_t) :: status = ARR_OK
        character(len=:), allocatable :: message
    contains
        procedure :: failed
    end type arr_error

    ! Returns the name of a status, 'ARR_E_SHAPE'.
    interface arr_status_name
        module procedure status_name
    end interface arr_status_name

    interface
        function c_strlen(s) bind(c, name='strlen') result(n)
            import
            type(c_ptr), value :: s
            integer(c_size_t) :: n
        end function c_strlen

        ! A procedure of arr_ownership.c, called after each call of the library.
        subroutine c_called() bind(c, name='arr_fortran_called')
        end subroutine c_called
    end interface

contains

    pure function failed(self) result(yes)
        class(arr_error), intent(in) :: self
        logical :: yes
        yes = self%status /= ARR_OK
    end function failed

    function status_name(status) result(name)
        integer(c_int32_t), intent(in) :: status
        character(len=:), allocatable :: name
        name = c_text(c_status_name(status))
    end function status_name

    ! A copy of NUL-terminated text that C owns.
    function c_text(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: copy
        character(kind=c_char), pointer :: bytes(:)
        integer :: i, n
        if (.not. c_associated(text)) then
            copy = ''
            return
        end if
        n = int(c_strlen(text))
        call c_f_pointer(text, bytes, [n])
        allocate (character(len=n) :: copy)
        do i = 1, n
            copy(i:i) = bytes(i)
        end do
    end function c_text

    ! A list of texts for C, and where each begins; blanks at the ends do not count. texts has to stay as it is.
    subroutine c_texts(list, texts, pointers)
        character(len=*), intent(in), optional :: list(:)
        character(kind=c_char), allocatable, target, intent(out) :: texts(:, :)
        type(c_ptr), allocatable, intent(out) :: pointers(:)
        integer :: i, j
        if (.not. present(list)) then
            allocate (texts(1, 0), pointers(0))
            return
        end if
        allocate (texts(len(list) + 1, size(list)), pointers(size(list)))
        texts = c_null_char
        do i = 1, size(list)
            do j = 1, len_trim(list(i))
                texts(j, i) = list(i)(j:j)
            end do
            pointers(i) = c_loc(texts(1, i))
        end do
    end subroutine c_texts

    ! Reports the status of a call of the C library; its text is the last error's.
    subroutine check(status, err)
        integer(c_int32_t), intent(in) :: status
        type(arr_error), intent(out), optional :: err
        if (status /= ARR_OK) call fail(status, explained(status, in_fortran_terms(c_text(c_last_error()))), err)
        call c_called()
    end subroutine check

    ! With what most often has freed an array too early.
    function explained(status, text) result(whole)
        integer(c_int32_t), intent(in) :: status
        character(len=*), intent(in) :: text
        character(len=:), allocatable :: whole
        whole = text
        if (status == ARR_E_HANDLE .and. index(text, 'released') > 0) whole = text // &
            ' (an argument that is an expression is freed by its first use: assign it to a variable first)'
    end function explained

    ! A failure goes to err where the caller gave one; else the program ends here, with the text.
    subroutine fail(status, message, err)
        integer(c_int32_t), intent(in) :: status
        character(len=*), intent(in) :: message
        type(arr_error), intent(out), optional :: err
        if (.not. present(err)) error stop message
        err%status = status
        err%message = message
    end subroutine fail
end module arr_errors
