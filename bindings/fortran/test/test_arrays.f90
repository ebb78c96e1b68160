! SPDX-License-Identifier: MIT
! test_arrays.f90: transfer of every kind and rank, strides, orders, zero size; sharing both ways; views; printing.
program test_arrays
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call kinds()
    call ranks()
    call strides()
    call conversions()
    call sharing()
    call pointers()
    call views()
    call sections()
    call creation()
    call allocating_downloads()
    call printing()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine kinds()
        type(arr_array) :: a
        integer(int8) :: i1(3) = [-huge(1_int8) - 1_int8, 0_int8, 127_int8], j1(3)
        integer(int16) :: i2(2) = [-huge(1_int16) - 1_int16, huge(1_int16)], j2(2)
        integer(int32) :: i4(2) = [-huge(1_int32) - 1_int32, huge(1_int32)], j4(2)
        integer(int64) :: i8(2) = [-huge(1_int64) - 1_int64, huge(1_int64)], j8(2)
        real(real32) :: r4(2) = [1.5_real32, huge(1.0_real32)], s4(2)
        real(real64) :: r8(2) = [0.1_real64, tiny(1.0_real64)], s8(2)
        complex(real32) :: c4(2) = [(1.0, -2.0), (0.5, 3.0)], d4(2)
        complex(real64) :: c8(2) = [(0.1_real64, -2.0_real64), (3.0_real64, 0.0_real64)], d8(2)
        logical(c_bool) :: l1(3) = [.true._c_bool, .false._c_bool, .true._c_bool], m1(3)
        logical :: l4(3) = [.false., .true., .true.], m4(3)
        a = i1; j1 = a; call expect(all(i1 == j1) .and. arr_dtype(a) == ARR_INT8, 'int8')
        a = i2; j2 = a; call expect(all(i2 == j2) .and. arr_dtype(a) == ARR_INT16, 'int16')
        a = i4; j4 = a; call expect(all(i4 == j4) .and. arr_dtype(a) == ARR_INT32, 'int32')
        a = i8; j8 = a; call expect(all(i8 == j8) .and. arr_dtype(a) == ARR_INT64, 'int64')
        a = r4; s4 = a; call expect(all(r4 == s4) .and. arr_dtype(a) == ARR_FLOAT32, 'real32')
        a = r8; s8 = a; call expect(all(r8 == s8) .and. arr_dtype(a) == ARR_FLOAT64, 'real64')
        a = c4; d4 = a; call expect(all(c4 == d4) .and. arr_dtype(a) == ARR_COMPLEX64, 'complex32')
        a = c8; d8 = a; call expect(all(c8 == d8) .and. arr_dtype(a) == ARR_COMPLEX128, 'complex64')
        a = l1; m1 = a; call expect(all(l1 .eqv. m1) .and. arr_dtype(a) == ARR_BOOL, 'logical(c_bool)')
        a = l4; m4 = a; call expect(all(l4 .eqv. m4) .and. arr_dtype(a) == ARR_BOOL, 'logical')
        call expect(arr_dtype_name(ARR_FLOAT64) == 'float64', 'dtype name')
    end subroutine kinds

    subroutine ranks()
        type(arr_array) :: a
        real(real64) :: h0, g0, h1(3), g1(3), h2(2, 3), g2(2, 3), h7(2, 1, 2, 1, 2, 1, 3), g7(2, 1, 2, 1, 2, 1, 3)
        integer :: h15(2, 1, 1, 2, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 2), g15(2, 1, 1, 2, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 2), i
        real(real64), allocatable :: none(:, :)
        h0 = 2.5
        h1 = [1, 2, 3]
        h2 = reshape([1, 2, 3, 4, 5, 6], [2, 3])
        h7 = reshape([(i, i=1, 24)], shape(h7))
        h15 = reshape([(i, i=1, 24)], shape(h15))
        a = h0; g0 = a
        call expect(h0 == g0 .and. rank(a) == 0 .and. size(a) == 1, 'rank 0')
        a = h1; g1 = a
        call expect(all(h1 == g1) .and. rank(a) == 1, 'rank 1')
        a = h2; g2 = a
        call expect(all(h2 == g2) .and. all(shape(a) == [2, 3]) .and. size(a, 2) == 3, 'rank 2')
        call expect(all(arr_strides(a) == [1, 2]), 'column-major')
        a = h7; g7 = a
        call expect(all(h7 == g7) .and. all(shape(a) == shape(h7)), 'rank 7')
        a = h15; g15 = a
        call expect(all(h15 == g15) .and. rank(a) == 15 .and. all(shape(a) == shape(h15)), 'rank 15')
        allocate (none(3, 0))
        a = none
        call expect(size(a) == 0 .and. all(shape(a) == [3, 0]), 'zero size')
        none = a + 1
        call expect(size(sum(a, dim=2)) == 3, 'sum of nothing')
    end subroutine ranks

    subroutine strides()
        type(arr_array) :: a
        real(real64) :: h(4, 6), g(2, 3), back(4, 6)
        type :: point
            real(real64) :: x, y
        end type point
        type(point), target :: points(3)
        real(real64), pointer :: component(:)
        real(real64) :: parts(3)
        integer :: i
        h = reshape([(i, i=1, 24)], shape(h))
        a = h(1::2, 6:1:-2)
        g = a
        call expect(all(g == h(1::2, 6:1:-2)), 'upload of a section with a negative stride')
        back = 0
        back(4:1:-3, 2::2) = a
        call expect(all(back(4:1:-3, 2::2) == g) .and. sum(back) == sum(g), 'download into such a section')
        a = h(2, :)
        call expect(all(shape(a) == [6]), 'a row')
        points = [point(1, 2), point(3, 4), point(5, 6)]
        a = points%y
        parts = a
        call expect(all(parts == [2, 4, 6]), 'components')
        points%x = a * 10
        call expect(all(points%x == [20, 40, 60]) .and. all(points%y == [2, 4, 6]), 'download into components')
        component => points%y
        call arr_wrap(a, component)
        call arr_fill(a, 7)
        call expect(all(points%y == 7) .and. all(points%x == [20, 40, 60]), 'sharing components, by a pointer to them')
        a = arr_load_order(h, ARR_ORDER_C)
        back = a
        call expect(all(back == h) .and. all(arr_strides(a) == [6, 1]), 'row-major array')
        a = h > 3
        call expect(arr_dtype(a) == ARR_BOOL, 'an expression')
    end subroutine strides

    function arr_load_order(h, order) result(a)
        real(real64), intent(in) :: h(:, :)
        integer(c_int32_t), intent(in) :: order
        type(arr_array) :: a
        a = arr_contiguous(arr_upload(h), order)
        call arr_give(a)
    end function arr_load_order

    subroutine conversions()
        type(arr_array) :: a
        real(real32) :: r(3)
        integer :: i(3)
        logical :: l(3)
        a = [1.75_real64, -2.5_real64, 0.0_real64]
        r = a
        call expect(all(r == [1.75, -2.5, 0.0]), 'real64 to real32')
        i = a
        call expect(all(i == [1, -2, 0]), 'real64 to integer, as Fortran truncates')
        l = a
        call expect(all(l .eqv. [.true., .true., .false.]), 'real64 to logical')
        a = arr_astype(a, ARR_FLOAT16)
        r = a
        call expect(all(r == [1.75, -2.5, 0.0]), 'float16, which Fortran does not have')
    end subroutine conversions

    subroutine sharing()
        type(arr_array) :: a
        real(real64), target :: h(4, 3)
        integer(int8), target :: b(5)
        type(arr_error) :: err
        integer, allocatable, target :: nothing(:)
        h = 1
        call arr_wrap(a, h(1::2, :))
        call expect(all(shape(a) == [2, 3]) .and. all(arr_strides(a) == [2, 4]), 'a wrapped section')
        h(3, 2) = 7
        call expect(value(arr_item(a, [2, 2])) == 7, 'a write in Fortran is seen by the library')
        call arr_fill(arr_section(a, [arr_span(1, 1)]), 5)
        call expect(all(h(1, :) == 5) .and. all(h(2, :) == 1), 'a write by the library is seen in Fortran')
        call expect(c_associated(arr_data(a), c_loc(h)), 'the same address')
        b = 3
        call arr_wrap(a, b(5:1:-1))
        call arr_assign(a, int([1, 2, 3, 4, 5], int8))
        call expect(all(b == [5, 4, 3, 2, 1]), 'a negative stride')
        call arr_wrap(a, c_loc(h), ARR_FLOAT64, [4_int64, 3_int64])
        call expect(value(arr_item(a, [3, 2])) == 7, 'a plain address')
        allocate (nothing(0))
        call arr_wrap(a, nothing, err)
        call expect(.not. err%failed() .and. size(a) == 0, 'nothing')
    end subroutine sharing

    function value(a) result(x)
        type(arr_array), intent(in) :: a
        real(real64) :: x
        x = a
    end function value

    subroutine pointers()
        type(arr_array) :: a
        real(real64), pointer :: p(:, :)
        real(real32), pointer :: wrong(:, :)
        real(real64), pointer :: flat(:)
        type(arr_error) :: err
        a = reshape([1, 2, 3, 4, 5, 6], [2, 3])
        a = arr_astype(a, ARR_FLOAT64)
        nullify (p, wrong, flat)
        call arr_pointer(a, p)
        call expect(all(shape(p) == [2, 3]) .and. p(2, 3) == 6 .and. c_associated(c_loc(p), arr_data(a)), 'a pointer')
        p(1, 2) = 30
        call expect(value(sum(a)) == 48, 'a write by the pointer')
        call arr_pointer(transpose(a), p)
        call expect(all(shape(p) == [3, 2]) .and. p(3, 2) == 6 .and. p(2, 1) == 30, 'a pointer to a strided view')
        call arr_pointer(arr_section(a, [arr_span(), arr_span(step=-2)]), p)
        call expect(all(shape(p) == [2, 2]) .and. all(p(1, :) == [5, 1]), 'and with a negative stride')
        call arr_pointer(a, wrong, err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_pointer: argument p', 'a pointer of another kind')
        call arr_pointer(a, flat, err)
        call expect_failure(err, ARR_E_SHAPE, 'shape (2,3)', 'a pointer of another rank')
        call arr_pointer(spread(a, 1, 2), p, err)
        call expect(err%failed(), 'a pointer to a read-only view')
    end subroutine pointers

    subroutine views()
        type(arr_array) :: a, b
        real(real64) :: h(2, 3), t(3, 2), s(2, 4, 3), q(6)
        h = reshape([1, 2, 3, 4, 5, 6], [2, 3])
        a = h
        t = transpose(a)
        call expect(all(t == transpose(h)), 'transpose')
        q = reshape(a, [6])
        call expect(all(q == reshape(h, [6])), 'reshape counts in array element order')
        t = reshape(a, [3_int64, 2_int64])
        call expect(all(t == reshape(h, [3, 2])), 'reshape, 64-bit shape')
        s = spread(a, 2, 4)
        call expect(all(s == spread(h, 2, 4)), 'spread')
        t = arr_permute(a, [2, 1])
        call expect(all(t == transpose(h)), 'permute')
        h = arr_flip(a, dim=2)
        call expect(all(h(:, 1) == [5, 6]), 'flip')
        b = arr_squeeze(reshape(a, [1, 6, 1]))
        call expect(all(shape(b) == [6]), 'squeeze')
        call expect(all(shape(arr_squeeze(reshape(a, [1, 6, 1]), dim=3)) == [1, 6]), 'squeeze of a dimension')
        b = arr_index_axis(a, 2, 3)
        call expect(all(shape(b) == [2]) .and. value(arr_item(b, [1])) == 5, 'select')
        b = a
        call arr_fill(b, 9)
        call expect(value(sum(a)) == 54, 'assignment shares')
        b = arr_copy(a)
        call arr_fill(b, 0)
        call expect(value(sum(a)) == 54, 'a copy does not')
        call expect(iand(arr_flags(a), ARR_FLAG_F) /= 0 .and. arr_nbytes(a) == 48, 'flags, bytes')
    end subroutine views

    subroutine sections()
        type(arr_array) :: a
        real(real64) :: h(5, 4), g(2, 4), e(5, 0), d(5, 4)
        type(arr_error) :: err
        integer :: i
        h = reshape([(i, i=1, 20)], shape(h))
        a = h
        g = arr_section(a, [arr_span(2, 5, 2)])
        call expect(all(g == h(2:5:2, :)), '(2:5:2, :)')
        d = arr_section(a, [arr_span(5, 1, -1), arr_span(step=-1)])
        call expect(all(d == h(5:1:-1, 4:1:-1)), '(5:1:-1, 4:1:-1)')
        e = arr_section(a, [arr_span(), arr_span(3, 2)])
        call expect(size(arr_section(a, [arr_span(), arr_span(3, 2)])) == 0, '(:, 3:2)')
        call arr_assign(arr_section(a, [arr_span(1, 1), arr_span(2, 3)]), [-1.0, -2.0])
        h = a
        call expect(all(h(1, :) == [1, -1, -2, 16]), 'writing into a section')
        a = arr_section(a, [arr_span(0, 2)], err)
        call expect_failure(err, ARR_E_ARGUMENT, 'out of bounds for shape (5,4)', 'position 0')
        call expect(.not. arr_alive(a), 'a failed function gives no array')
        a = h
        a = arr_section(a, [arr_span(2, 6)], err)
        call expect_failure(err, ARR_E_ARGUMENT, 'out of bounds', 'position past the end')
        a = h
        a = arr_index_axis(a, 1, 0, err)
        call expect(err%failed(), 'position 0 of select')
    end subroutine sections

    subroutine creation()
        type(arr_array) :: a
        real(real64) :: x(4), m(2, 3)
        integer :: k(3)
        x = arr_linspace(0.0_real64, 3.0_real64, 4)
        call expect(all(x == [0, 1, 2, 3]), 'linspace')
        k = arr_arange(1, 7, 2)
        call expect(all(k == [1, 3, 5]), 'arange')
        m = arr_eye(2, 3, 1)
        call expect(all(m == reshape([0, 0, 1, 0, 0, 1], [2, 3])), 'eye')
        m = arr_full([2, 3], 1.5)
        call expect(all(m == 1.5), 'full')
        call expect(arr_dtype(arr_full([2], 1.5)) == ARR_FLOAT32 .and. arr_dtype(arr_ones([2])) == ARR_FLOAT64, 'dtypes')
        a = arr_zeros([2_int64, 3_int64], ARR_INT16)
        call expect(all(shape(a) == [2, 3]) .and. arr_dtype(a) == ARR_INT16, 'zeros')
        m = arr_ones_like(a, dtype=ARR_FLOAT64)
        call expect(all(m == 1), 'ones_like')
        call expect(all(arr_strides(arr_empty([2, 3], order=ARR_ORDER_C)) == [3, 1]), 'order')
    end subroutine creation

    ! A download allocates, whatever the host array was before.
    subroutine allocating_downloads()
        real(real64), allocatable, target :: h(:, :), list(:)
        integer(int8), allocatable :: small(:)
        logical(c_bool), allocatable :: mask(:, :)
        type(arr_error) :: err
        call arr_download_allocate(arr_ones([2, 3]) * 2, h)
        call expect(all(shape(h) == [2, 3]) .and. all(h == 2), 'download_allocate')
        call arr_download_allocate(transpose(arr_zeros([4, 1])), h)
        call expect(all(shape(h) == [1, 4]) .and. all(h == 0) .and. all(lbound(h) == 1), 'allocated again')
        call arr_download_allocate(arr_ones([0, 3]) > 0, mask)
        call expect(all(shape(mask) == [0, 3]), 'without elements')
        call arr_download_allocate(arr_arange(1, 4), small)
        call expect(all(small == [1, 2, 3]), 'another kind')
        call arr_download_allocate(arr_ones([2, 3]), list, err=err)
        call expect(err%message == 'arr_download_allocate: host array: rank 1, expected 2 for shape (2,3)', err%message)
        call expect(.not. allocated(list), 'nothing is allocated')
    end subroutine allocating_downloads

    subroutine printing()
        type(arr_array) :: a
        character(len=60) :: lines(3)
        integer :: unit, status
        a = reshape([1, 2, 3, 4], [2, 2])
        open (newunit=unit, status='scratch', action='readwrite')
        write (unit, *) a
        write (unit, '(a,dt,a)') 'a = ', arr_item(a, [2, 1]), '.'
        rewind (unit)
        read (unit, '(a)', iostat=status) lines
        close (unit)
        call expect(status == 0 .and. adjustl(lines(1)) == '[[1 3]', 'print, first line')
        call expect(adjustl(lines(2)) == '[2 4]]', 'print, second line')
        call expect(lines(3) == 'a = 2.', 'DT')
    end subroutine printing
end program test_arrays
