! SPDX-License-Identifier: MIT
! arr_calculus.f90: differences, gradients and integrals along a dimension, convolution, products of vectors.
!
! Like the intrinsics that shift, these work along dimension 1 where no dim is given.
module arr_calculus
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use arr_c_types
    use arr_c_base, only: c_value_weak => arr_value_weak
    use arr_c_view, only: c_transpose => arr_transpose
    use arr_c_array, only: c_release => arr_release
    use arr_c_calculus, only: c_diff => arr_diff, c_ediff1d => arr_ediff1d, c_gradient => arr_gradient, &
        c_trapezoid => arr_trapezoid, c_cumulative_trapezoid => arr_cumulative_trapezoid, c_unwrap => arr_unwrap
    use arr_c_signal, only: c_convolve => arr_convolve, c_correlate => arr_correlate
    use arr_c_linalg, only: c_cross => arr_cross, c_vecdot => arr_vecdot, c_matvec => arr_matvec, c_vecmat => arr_vecmat
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, handle_of, stream_of
    use arr_engine, only: axis_of
    use arr_host_memory, only: any_scalar, array_value
    implicit none
    private
    public :: arr_diff, arr_ediff1d, arr_gradient, arr_trapezoid, arr_cumulative_trapezoid, arr_unwrap
    public :: arr_convolve, arr_correlate, arr_cross, arr_vecdot, arr_matvec, arr_vecmat

    interface arr_diff
        module procedure diff_array
    end interface arr_diff

    interface arr_ediff1d
        module procedure ediff1d_array
    end interface arr_ediff1d

    interface arr_gradient
        module procedure gradient_array
    end interface arr_gradient

    interface arr_trapezoid
        module procedure trapezoid_array
    end interface arr_trapezoid

    interface arr_cumulative_trapezoid
        module procedure cumulative_trapezoid_array
    end interface arr_cumulative_trapezoid

    interface arr_unwrap
        module procedure unwrap_array
    end interface arr_unwrap

    interface arr_convolve
        module procedure convolve_array
    end interface arr_convolve

    interface arr_correlate
        module procedure correlate_array
    end interface arr_correlate

    interface arr_cross
        module procedure cross_array
    end interface arr_cross

    interface arr_vecdot
        module procedure vecdot_array
    end interface arr_vecdot

    interface arr_matvec
        module procedure matvec_array
    end interface arr_matvec

    interface arr_vecmat
        module procedure vecmat_array
    end interface arr_vecmat

contains

    function axis_or_first(dim) result(axis)
        integer, intent(in), optional :: dim
        integer(c_int32_t) :: axis
        axis = 0
        if (present(dim)) axis = axis_of(dim)
    end function axis_or_first

    ! NULL stands for an array that is not given.
    subroutine done_if(a)
        type(arr_array), intent(in), optional :: a
        if (present(a)) call done(a)
    end subroutine done_if

    ! A number, which takes the type of the array it meets, or an array, as the library takes them.
    subroutine weak_value(x, v, err)
        class(*), intent(in) :: x
        type(arr_value), intent(out) :: v
        type(arr_error), intent(out) :: err
        select type (x)
        type is (arr_array)
            v = array_value(x)
        class default
            call any_scalar(x, v, err)
            if (.not. err%failed()) call c_value_weak(v)
        end select
    end subroutine weak_value

    subroutine result_of(z, problem, err)
        type(arr_array), intent(inout) :: z
        type(arr_error), intent(in) :: problem
        type(arr_error), intent(out), optional :: err
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine result_of

    ! Differences of neighbours, taken n times; prepend and append are put in front and behind first.
    function diff_array(array, n, dim, prepend, append, stream, err) result(z)
        type(arr_array), intent(in) :: array
        integer, intent(in), optional :: n, dim
        type(arr_array), intent(in), optional :: prepend, append
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: times
        times = 1
        if (present(n)) times = int(n, c_int32_t)
        call check(c_diff(array%handle, times, axis_or_first(dim), handle_of(prepend), handle_of(append), &
            stream_of(stream), z%handle), problem)
        call done(array)
        call done_if(prepend)
        call done_if(append)
        call result_of(z, problem, err)
    end function diff_array

    ! Differences of neighbours of all elements in array element order.
    function ediff1d_array(array, to_end, to_begin, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: to_end, to_begin
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle) :: reversed
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        call check(c_transpose(array%handle, 0_c_int32_t, out=reversed), problem)
        if (.not. problem%failed()) call check(c_ediff1d(reversed, handle_of(to_end), handle_of(to_begin), &
            stream_of(stream), z%handle), problem)
        status = c_release(reversed)
        call done(array)
        call done_if(to_end)
        call done_if(to_begin)
        call result_of(z, problem, err)
    end function ediff1d_array

    ! The derivative along a dimension. spacing is a number or a vector of coordinates, 1 if it is not given;
    ! edge_order, 1 or 2, is the order of the differences at the ends.
    function gradient_array(array, spacing, dim, edge_order, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in), optional :: spacing
        integer, intent(in), optional :: dim, edge_order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value) :: step(1)
        type(arr_array_handle) :: found(1)
        integer(c_int32_t) :: order, axis(1)
        order = 1
        if (present(edge_order)) order = int(edge_order, c_int32_t)
        axis = axis_or_first(dim)
        if (present(spacing)) then
            call weak_value(spacing, step(1), problem)
        else
            call weak_value(1, step(1), problem)
        end if
        if (.not. problem%failed()) call check(c_gradient(array%handle, 1_c_int32_t, axis, step, order, &
            stream_of(stream), 1_c_int32_t, found), problem)
        z%handle = found(1)
        call done(array)
        if (present(spacing)) then
            select type (spacing)
            type is (arr_array)
                call done(spacing)
            end select
        end if
        call result_of(z, problem, err)
    end function gradient_array

    ! The integral by the trapezoidal rule, over coordinates x or at a distance dx.
    function trapezoid_array(array, x, dx, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: x
        real(real64), intent(in), optional :: dx
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        real(c_double) :: step
        step = 1
        if (present(dx)) step = dx
        call check(c_trapezoid(array%handle, handle_of(x), step, axis_or_first(dim), stream_of(stream), z%handle), &
            problem)
        call done(array)
        call done_if(x)
        call result_of(z, problem, err)
    end function trapezoid_array

    ! The running integral; with include_initial a 0 stands in front, and the shape is that of array.
    function cumulative_trapezoid_array(array, x, dx, dim, include_initial, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(in), optional :: x
        real(real64), intent(in), optional :: dx
        integer, intent(in), optional :: dim
        logical, intent(in), optional :: include_initial
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        real(c_double) :: step
        integer(c_int32_t) :: initial
        step = 1
        if (present(dx)) step = dx
        initial = 0
        if (present(include_initial)) initial = merge(1_c_int32_t, 0_c_int32_t, include_initial)
        call check(c_cumulative_trapezoid(array%handle, handle_of(x), step, axis_or_first(dim), initial, &
            stream_of(stream), z%handle), problem)
        call done(array)
        call done_if(x)
        call result_of(z, problem, err)
    end function cumulative_trapezoid_array

    ! Phases without jumps: multiples of the period, 2 pi, are added where neighbours differ by more than discont.
    function unwrap_array(array, period, discont, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        class(*), intent(in), optional :: period
        real(real64), intent(in), optional :: discont
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value) :: turn
        real(c_double) :: limit
        limit = ieee_value(limit, ieee_quiet_nan)
        if (present(discont)) limit = discont
        if (present(period)) then
            call weak_value(period, turn, problem)
            if (.not. problem%failed()) call check(c_unwrap(array%handle, limit, axis_or_first(dim), turn, &
                stream_of(stream), z%handle), problem)
        else
            call check(c_unwrap(array%handle, limit, axis_or_first(dim), stream=stream_of(stream), out=z%handle), &
                problem)
        end if
        call done(array)
        call result_of(z, problem, err)
    end function unwrap_array

    ! The convolution of two vectors; mode is ARR_CONVOLVE_FULL, if it is not given, _SAME or _VALID.
    function convolve_array(a, v, mode, stream, err) result(z)
        type(arr_array), intent(in) :: a, v
        integer(c_int32_t), intent(in), optional :: mode
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: which
        which = ARR_CONVOLVE_FULL
        if (present(mode)) which = mode
        call check(c_convolve(a%handle, v%handle, which, stream_of(stream), z%handle), problem)
        call done(a)
        call done(v)
        call result_of(z, problem, err)
    end function convolve_array

    ! The correlation of two vectors, sums of a(j + k) * conjg(v(j)); mode is ARR_CONVOLVE_VALID if it is not given.
    function correlate_array(a, v, mode, stream, err) result(z)
        type(arr_array), intent(in) :: a, v
        integer(c_int32_t), intent(in), optional :: mode
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: which
        which = ARR_CONVOLVE_VALID
        if (present(mode)) which = mode
        call check(c_correlate(a%handle, v%handle, which, stream_of(stream), z%handle), problem)
        call done(a)
        call done(v)
        call result_of(z, problem, err)
    end function correlate_array

    ! Vector products of the vectors along a dimension of both; the results lie along it.
    function cross_array(a, b, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: axis
        axis = axis_or_first(dim)
        call check(c_cross(a%handle, b%handle, axis, axis, axis, stream_of(stream), z%handle), problem)
        call done(a)
        call done(b)
        call result_of(z, problem, err)
    end function cross_array

    ! Sums of conjg(a) * b along a dimension of both, in one pass.
    function vecdot_array(a, b, dim, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        call check(c_vecdot(a%handle, b%handle, axis_or_first(dim), stream_of(stream), z%handle), problem)
        call done(a)
        call done(b)
        call result_of(z, problem, err)
    end function vecdot_array

    ! Matrices (..., m, n) times vectors (..., n): the last dimensions are those of the matrices.
    function matvec_array(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        call check(c_matvec(a%handle, b%handle, stream_of(stream), z%handle), problem)
        call done(a)
        call done(b)
        call result_of(z, problem, err)
    end function matvec_array

    ! Vectors (..., n), conjugated, times matrices (..., n, m).
    function vecmat_array(a, b, stream, err) result(z)
        type(arr_array), intent(in) :: a, b
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        call check(c_vecmat(a%handle, b%handle, stream_of(stream), z%handle), problem)
        call done(a)
        call done(b)
        call result_of(z, problem, err)
    end function vecmat_array
end module arr_calculus
