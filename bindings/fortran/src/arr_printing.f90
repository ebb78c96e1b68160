! SPDX-License-Identifier: MIT
! arr_printing.f90: print *, a: arrays as text.
!
! In a separate module, by an interface and for the type that arr_array extends: what arr_types says of arr_content
! holds as soon as the compiler sees this procedure for arr_array itself.
module arr_printing
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c, only: c_format => arr_format
    use arr_element_types, only: arr_dtype
    use arr_errors, only: arr_error, check
    use arr_formats, only: write_rows
    use arr_queries, only: arr_dtype_name
    use arr_types, only: arr_content, done
    implicit none
    private
    public :: write(formatted)

    interface write(formatted)
        module procedure write_text, write_dtype
    end interface write(formatted)

contains

    ! print *, a: the elements as text, cut like NumPy's; DT with a number, DT(5), shows that many at each end, and DT with
    ! an edit descriptor, DT"f8.2", all of them by it.
    subroutine write_text(dtv, unit, iotype, v_list, iostat, iomsg)
        class(arr_content), intent(in) :: dtv
        integer, intent(in) :: unit
        character(len=*), intent(in) :: iotype
        integer, intent(in) :: v_list(:)
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        character(kind=c_char), allocatable :: text(:)
        integer(int64) :: length
        integer(c_int32_t) :: edge
        type(arr_error) :: err
        if (len(iotype) > 2 .and. iotype(1:min(2, len(iotype))) == 'DT') then
            call write_rows(dtv%handle, iotype(3:), unit, iostat, iomsg, err)
            call done(dtv)
            if (err%failed()) call told(err, unit, iostat, iomsg)
            return
        end if
        edge = 0
        if (iotype(1:min(2, len(iotype))) == 'DT' .and. size(v_list) > 0) edge = int(v_list(1), c_int32_t)
        length = 0
        call check(c_format(dtv%handle, edge, 0_int64, length=length), err)
        allocate (text(length + 1))
        if (.not. err%failed()) call check(c_format(dtv%handle, edge, length + 1, text, length), err)
        call done(dtv)
        if (err%failed()) then
            call told(err, unit, iostat, iomsg)
            return
        end if
        call write_lines(text(:length), unit, iostat, iomsg)
    end subroutine write_text

    subroutine told(err, unit, iostat, iomsg)
        type(arr_error), intent(in) :: err
        integer, intent(in) :: unit
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        iostat = 1 - int(err%status)
        iomsg = err%message
        write (unit, '(a)') err%message         ! gfortran 12 goes on where a child statement has failed
    end subroutine told

    subroutine write_lines(text, unit, iostat, iomsg)
        character(kind=c_char), intent(in) :: text(:)
        integer, intent(in) :: unit
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        integer :: first, i
        iostat = 0
        first = 1
        do i = 1, size(text)
            if (text(i) /= new_line('a')) cycle
            write (unit, '(*(a))', iostat=iostat, iomsg=iomsg) text(first:i - 1)
            if (iostat == 0) write (unit, '(/)', iostat=iostat, iomsg=iomsg)
            if (iostat /= 0) return
            first = i + 1
        end do
        if (first <= size(text)) write (unit, '(*(a))', iostat=iostat, iomsg=iomsg) text(first:)
    end subroutine write_lines

    ! print *, arr_dtype(a): the name, DT(10) in ten columns.
    subroutine write_dtype(dtv, unit, iotype, v_list, iostat, iomsg)
        type(arr_dtype), intent(in) :: dtv
        integer, intent(in) :: unit
        character(len=*), intent(in) :: iotype
        integer, intent(in) :: v_list(:)
        integer, intent(out) :: iostat
        character(len=*), intent(inout) :: iomsg
        character(len=:), allocatable :: text
        type(arr_error) :: err
        text = arr_dtype_name(dtv, err)
        if (err%failed()) text = '(no type)'
        if (iotype == 'LISTDIRECTED') text = text // ' '
        if (size(v_list) > 0) text = text // repeat(' ', max(0, v_list(1) - len(text)))
        write (unit, '(a)', iostat=iostat, iomsg=iomsg) text
    end subroutine write_dtype
end module arr_printing
