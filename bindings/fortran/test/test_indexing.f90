! SPDX-License-Identifier: MIT
! test_indexing.f90: subscripts, masks, searches and orders, beside Fortran's own.
program test_indexing
    use, intrinsic :: iso_c_binding
    use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: dp = real64
    real(dp) :: x(4, 3), v(6)
    logical :: mask(4, 3)
    integer :: i
    x = reshape([(real(mod(7 * i, 12), dp), i=0, 11)], [4, 3])
    v = [3.0_dp, 1.0_dp, 2.0_dp, 3.0_dp, 1.0_dp, 0.0_dp]
    mask = x > 4
    call read_at_subscripts()
    call from_the_end()
    call arrays_as_subscripts()
    call written()
    call updated()
    call packed()
    call found()
    call located()
    call shifted()
    call ordered()
    call wrong_subscripts()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine read_at_subscripts()
        type(arr_array) :: a, c
        a = x
        c = v
        call same(arr_get(a, [1, 3]), x([1, 3], :), 'a([1, 3], :)')
        call same(arr_get(a, arr_span(), [3, 1, 3]), x(:, [3, 1, 3]), 'a(:, [3, 1, 3])')
        call same(arr_get(a, [4, 2], [1, 3]), x([4, 2], [1, 3]), 'lists are crossed')
        call same(arr_get(a, [4_int8, 2_int8], arr_span(3, 1, -2)), x([4, 2], 3:1:-2), 'a list and a range')
        call same(arr_get(a, arr_span(2, 4, 2), 3), x(2:4:2, 3), 'a range and a position')
        call same(arr_get(a, 2), x(2, :), 'a position')
        call same(arr_get(a, 2_int64, [3, 1]), x(2, [3, 1]), 'a position and a list')
        call same(arr_get(a, [2, 3], 1), x([2, 3], 1), 'a list and a position')
        call same(arr_get(a, [.true., .false., .true., .true.]), x([1, 3, 4], :), 'logicals')
        call same(arr_get(a, arr_span(), [.true._c_bool, .false._c_bool, .true._c_bool]), x(:, [1, 3]), 'logicals of C')
        call same(arr_get(c, [6, 1, 6]), v([6, 1, 6]), 'a vector')
        call same(arr_get(c, v > 1), pack(v, v > 1), 'logicals for a vector')
    end subroutine read_at_subscripts

    subroutine from_the_end()
        type(arr_span), parameter :: inner = arr_span(2, ARR_END - 1), backwards = arr_span(ARR_END, 1, -2)
        type(arr_array) :: a, z
        type(arr_error) :: err
        a = x
        call same(arr_get(a, inner, arr_span(ARR_END - 1)), x(2:3, 2:), 'a(2:end-1, end-1:)')
        call same(arr_get(a, backwards), x(4:1:-2, :), 'a(end:1:-2, :)')
        call same(arr_get(a, ARR_END, [1_int64, ARR_END]), x(4, [1, 3]), 'a(end, [1, end])')
        call same(arr_section(a, [arr_span(size(a, 1) - 1, ARR_END)]), x(3:4, :), 'a section')
        call same(arr_get(a, arr_span(1, ARR_END - 4)), x(1:0, :), 'no rows')
        z = arr_item(a, [ARR_END, ARR_END - 1])
        call expect(sum_of(z) == x(4, 2), 'an element')
        call arr_set(a, 0, ARR_END)
        call expect(sum_of(arr_get(a, 4)) == 0, 'the last row is written')
        z = arr_get(a, ARR_END + 1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument s1: position 5 of a dimension of extent 4', 'beyond the end')
        z = arr_get(a, arr_span(1, ARR_END + 1), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'out of bounds', 'a range beyond the end')
        z = arr_item(a, [ARR_END + 1, 1_int64], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: 5', 'an element beyond the end')
    end subroutine from_the_end

    subroutine arrays_as_subscripts()
        type(arr_array) :: a, list, t
        integer(int64) :: h(2, 3, 2)
        real(dp) :: y(2, 3, 2)
        a = x
        list = [3, 1]
        call same(arr_get(a, list), x([3, 1], :), 'an array of integers')
        call same(arr_get(a, arr_span(), list), x(:, [3, 1]), 'along the second dimension')
        call same(arr_get(a, list, list), x([3, 1], [3, 1]), 'twice')
        call same(arr_get(a, arr_get(a, arr_span(), 1) > 4), x(pack([1, 2, 3, 4], x(:, 1) > 4), :), 'an array of logicals')
        call same(arr_get(a, arr_sort_index(arr_get(a, arr_span(), 2)), 2), sorted(x(:, 2)), 'temporaries')
        h = reshape([(int(i, int64), i=1, 12)], [2, 3, 2])
        y = real(h, dp)
        t = h
        call expect(sum_of(arr_get(t, [2], arr_span(), [2, 1])) == sum(y([2], :, [2, 1])), 'a range between lists')
        call same(arr_get(arr_get(t, [2, 1], arr_span(), [2, 1]), arr_span(), 3, arr_span()), y([2, 1], 3, [2, 1]), &
            'its dimensions stay in place')
        call same(arr_get(t, 2, [3, 1], [2, 1]), y(2, [3, 1], [2, 1]), 'a position before lists')
        call same(arr_get(t, [2, 1], 3), y([2, 1], 3, :), 'a dimension is left out')
    end subroutine arrays_as_subscripts

    function sum_of(a) result(total)
        type(arr_array), intent(in) :: a
        real(dp) :: total
        total = sum(a)
    end function sum_of

    function sorted(h) result(s)
        real(dp), intent(in) :: h(:)
        real(dp) :: s(size(h)), smallest
        integer :: k, at
        s = h
        do k = 1, size(s)
            at = k - 1 + minloc(s(k:), dim=1)
            smallest = s(at)
            s(at) = s(k)
            s(k) = smallest
        end do
    end function sorted

    subroutine written()
        type(arr_array) :: a, b
        real(dp) :: y(4, 3)
        a = x
        y = x
        call arr_set(a, 0, arr_span(2, 3))
        y(2:3, :) = 0
        call same(a, y, 'a(2:3, :) = 0')
        call arr_set(a, -1.5_dp, [4, 1], [2, 3])
        y([4, 1], [2, 3]) = -1.5_dp
        call same(a, y, 'a([4, 1], [2, 3]) = -1.5')
        b = reshape([1, 2, 3, 4, 5, 6, 7, 8], [4, 2])
        call arr_set(a, b, arr_span(), [3, 1])
        y(:, [3, 1]) = reshape([1, 2, 3, 4, 5, 6, 7, 8], [4, 2])
        call same(a, y, 'a(:, [3, 1]) = b')
        call arr_set(a, 100, 1, 2)
        y(1, 2) = 100
        call same(a, y, 'a(1, 2) = 100')
        call arr_set(a, arr_get(b, 4), 2, [1, 3])
        y(2, [1, 3]) = [4, 8]
        call same(a, y, 'a(2, [1, 3]) = b(4, :)')
        call arr_set(a, 7, [.false., .true., .false., .true.], 3)
        y([2, 4], 3) = 7
        call same(a, y, 'logicals')
    end subroutine written

    subroutine updated()
        type(arr_array) :: n, list
        real(dp) :: expected(4)
        n = arr_zeros([4])
        list = [2, 4, 2, 2]
        call arr_update('add', n, 1, list)
        expected = [0, 3, 0, 1]
        call same(n, expected, 'each position is counted')
        call arr_update('multiply', n, 10, arr_span(1, 2))
        expected(2) = 30
        call same(n, expected, 'a range')
        call arr_update('add', n, 5, [4, 4])
        expected(4) = 11
        call same(n, expected, 'a list of the program')
    end subroutine updated

    subroutine packed()
        type(arr_array) :: a, c, m
        real(dp) :: field(4, 3)
        integer :: counts(3)
        a = x
        c = v
        m = mask
        field = -x
        call same(pack(a, a > 4), pack(x, x > 4), 'pack')
        call same(pack(transpose(a), transpose(a) > 4), pack(transpose(x), transpose(x) > 4), 'pack a view')
        call same(pack(c, c > 9), pack(v, v > 9), 'pack nothing')
        call same(pack(c, c > 2, c), pack(v, v > 2, v), 'pack with a vector')
        call same(unpack(pack(a, m), m, 0), unpack(pack(x, mask), mask, 0.0_dp), 'unpack')
        call same(unpack(pack(a, m), m, -a), unpack(pack(x, mask), mask, field), 'unpack with a field')
        call expect(count_of(count(m)) == count(mask), 'count')
        counts = count(m, dim=1)
        call expect(all(counts == count(mask, dim=1)), 'count along a dimension')
    end subroutine packed

    function count_of(a) result(n)
        type(arr_array), intent(in) :: a
        integer :: n
        n = a
    end function count_of

    subroutine found()
        type(arr_array) :: a, c
        integer :: at(2), one(1), columns(3)
        a = mod(x, 3.0_dp)
        c = v
        at = findloc(a, 1)
        call expect(all(at == findloc(mod(x, 3.0_dp), 1.0_dp)), 'findloc')
        at = findloc(a, 1, back=.true.)
        call expect(all(at == findloc(mod(x, 3.0_dp), 1.0_dp, back=.true.)), 'findloc from the end')
        at = findloc(a, 9)
        call expect(all(at == 0), 'findloc of what is not there')
        at = findloc(a, 1, mask=a > 5)
        call expect(all(at == 0), 'findloc with a mask')
        columns = findloc(a, 2, dim=1)
        call expect(all(columns == findloc(mod(x, 3.0_dp), 2.0_dp, dim=1)), 'findloc along a dimension')
        columns = findloc(a, 2, dim=1, back=.true.)
        call expect(all(columns == findloc(mod(x, 3.0_dp), 2.0_dp, dim=1, back=.true.)), 'the same from the end')
        one = findloc(c, 3.0_dp)
        call expect(one(1) == 1, 'findloc in a vector')
        one = findloc(c, 3.0_dp, back=.true.)
        call expect(one(1) == 4, 'findloc in a vector from the end')
        one = findloc(pack(c, c > 9), 3)
        call expect(one(1) == 0, 'findloc in nothing')
    end subroutine found

    subroutine located()
        type(arr_array) :: a, m, t
        real(dp) :: h(4, 3), none
        logical :: chosen(4, 3)
        integer :: at(2), columns(3), rows(4), one(1)
        h = mod(3 * x, 5.0_dp)
        chosen = mod(x, 2.0_dp) == 0 .and. h > 0
        chosen(:, 2) = .false.
        a = h
        m = chosen
        at = maxloc(a, m)
        call expect(all(at == maxloc(h, chosen)), 'maxloc with a mask')
        at = minloc(a, mask=m)
        call expect(all(at == minloc(h, chosen)), 'minloc with a mask')
        at = maxloc(a, m, back=.true.)
        ! gfortran 12 itself returns an index where the mask is false.
        call expect(all(at == maxloc(merge(h, -1.0_dp, chosen), back=.true.)), 'maxloc with a mask from the end')
        columns = maxloc(a, 1, m)
        call expect(all(columns == maxloc(h, 1, chosen)), 'maxloc with a mask along a dimension, which is true nowhere in one')
        rows = minloc(a, dim=2, mask=m, back=.true.)
        call expect(all(rows == merge(minloc(merge(h, 9.0_dp, chosen), 2, back=.true.), 0, any(chosen, 2))), &
            'minloc with a mask along a dimension from the end')
        at = minloc(-a, m .and. a > 100)
        call expect(all(at == 0), 'minloc of temporary arrays with a mask that is true nowhere')
        t = transpose(h)
        at = minloc(t, t > 1)
        call expect(all(at == minloc(transpose(h), transpose(h) > 1)), 'minloc of a turned array')
        none = ieee_value(none, ieee_quiet_nan)
        t = [none, -huge(none), 3.0_dp, none]
        one = maxloc(t, arr_isfinite(t))
        call expect(one(1) == 3, 'maxloc beside nan')
        one = maxloc(t, t < 0)
        call expect(one(1) == 2, 'maxloc of the smallest number')
        one = minloc(t, t >= 0 .or. arr_isnan(t))
        call expect(one(1) == 1, 'minloc with a nan where the mask is true')
        one = maxloc(pack(t, t > 9), pack(t, t > 9) > 0)
        call expect(one(1) == 0, 'maxloc in nothing')
    end subroutine located

    subroutine shifted()
        type(arr_array) :: a, c
        a = x
        c = v
        do i = -5, 5
            call same(cshift(a, i), cshift(x, i), 'cshift')
            call same(eoshift(a, i), eoshift(x, i), 'eoshift')
            call same(eoshift(a, i, dim=2, boundary=-2), eoshift(x, i, dim=2, boundary=-2.0_dp), 'eoshift with a boundary')
            call same(eoshift(c, i, 0.5_dp), eoshift(v, i, 0.5_dp), 'eoshift of a vector')
        end do
        call same(a, x, 'a stays')
    end subroutine shifted

    subroutine ordered()
        type(arr_array) :: a, c
        integer :: order(6)
        a = x
        c = v
        order = arr_sort_index(c)
        call expect(all(order == [6, 2, 5, 3, 1, 4]), 'arr_sort_index')
        order = arr_sort_index(c, descending=.true.)
        call expect(all(order == [1, 4, 3, 2, 5, 6]), 'arr_sort_index, the greatest first')
        call same(arr_get(c, arr_sort_index(c)), sorted(v), 'order and subscripts')
        call same(arr_sort(arr_get(a, arr_span(), 2)), sorted(x(:, 2)), 'arr_sort')
    end subroutine ordered

    subroutine wrong_subscripts()
        type(arr_array) :: a, list, z
        type(arr_error) :: err
        a = x
        z = arr_get(a, [1, 5], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get: argument s1: position 5 of a dimension of extent 4', 'beyond the end')
        z = arr_get(a, 1, [0], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument s2: position 0', 'position 0')
        z = arr_get(a, -1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument s1: position -1', 'a negative position')
        list = [1, 0]
        z = arr_get(a, list, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get_items', 'position 0 in an array')
        z = arr_get(a, 1, 1, 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'argument s3: more than', 'too many subscripts')
        z = arr_get(a, [.true., .false.], err=err)
        call expect_failure(err, ARR_E_SHAPE, '2 logicals for a dimension of extent 4', 'too few logicals')
        z = arr_get(a, arr_span(1, 9), err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_get', 'a range beyond the end')
        z = arr_get(a, 1.5, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'an integer, arr_span', 'a real subscript')
        z = arr_get(a, 2 * a, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'one dimension', 'a matrix as a subscript')
    end subroutine wrong_subscripts

    subroutine failures()
        type(arr_array) :: a, c, z
        type(arr_error) :: err
        a = x
        c = v
        call arr_set(a, 1, 1, 4, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_set: argument s2: position 4', 'a write beyond the end')
        call arr_set(a, 2 * c, [1, 2], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_set_items', 'a value of another shape')
        call same(a, x, 'nothing is written')
        call arr_update('no such', a, 1, 1, err=err)
        call expect(err%failed(), 'an operation that is not there')
        z = pack(a, c > 1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'pack: argument mask', 'a mask of another shape')
        z = pack(c, c >= 0, arr_zeros([2]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'pack: argument vector', 'a short vector')
        z = unpack(arr_zeros([2]), a >= 0, 0, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'unpack: argument vector', 'too few elements')
        z = findloc(a, 1, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dim', 'a dimension that is not there')
        z = eoshift(a, 1, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dim', 'a shift along one')
    end subroutine failures
end program test_indexing
