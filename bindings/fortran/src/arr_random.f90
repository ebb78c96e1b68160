! SPDX-License-Identifier: MIT
! arr_random.f90: random numbers whose procedures differ from the library's functions: they count from 1, or take lists.
module arr_random
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use arr_c_types
    use arr_c, only: c_spawn => arr_generator_spawn, c_draw => arr_random_draw_into, &
        c_integers => arr_random_integers_into, c_permutation => arr_random_permutation, c_f64 => arr_value_f64, &
        c_i64 => arr_value_i64, c_array => arr_value_array, c_add => arr_add_v, c_choice => arr_random_choice
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, handle_of, set_unless, stream_of
    use arr_arguments, only: drop, reversed
    use arr_functions, only: arr_generator
    implicit none
    private
    public :: arr_generator_spawn
    public :: arr_random_fill, arr_random_integers, arr_permutation, arr_choice

    ! call arr_generator_spawn(g, children): each becomes a generator with its own stream, others with every call.
    interface arr_generator_spawn
        module procedure generator_spawn
    end interface arr_generator_spawn

    ! call arr_random_fill(a, g, ARR_DISTRIBUTION_NORMAL, 0.0d0, 1.0d0) fills an array with numbers of a distribution; parameters
    ! that are left out have their defaults.
    interface arr_random_fill
        module procedure fill_array
    end interface arr_random_fill

    ! call arr_random_integers(a, g, low, high): uniform whole numbers low .. high, both included.
    interface arr_random_integers
        module procedure integers_4
        module procedure integers_8
    end interface arr_random_integers

contains

    subroutine generator_spawn(generator, children, err)
        type(arr_generator), intent(in) :: generator
        type(arr_generator), intent(inout) :: children(:)
        type(arr_error), intent(out), optional :: err
        type(arr_generator_handle) :: handles(size(children))
        type(arr_error) :: problem
        integer :: i
        call check(c_spawn(generator%handle, int(size(children), c_int32_t), handles), problem)
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
            return
        end if
        do i = 1, size(children)
            call children(i)%release()
            children(i)%handle = handles(i)
        end do
    end subroutine generator_spawn

    subroutine fill_array(array, generator, distribution, p1, p2, p3, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer(c_int32_t), intent(in) :: distribution
        real(real64), intent(in), optional :: p1, p2, p3
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: view
        type(arr_value) :: values(3)
        type(arr_error) :: problem
        if (present(p1)) call c_f64(values(1), p1)
        if (present(p2)) call c_f64(values(2), p2)
        if (present(p3)) call c_f64(values(3), p3)
        call reversed(array, view, problem)
        if (.not. problem%failed()) call check(c_draw(view, generator%handle, distribution, 3_c_int32_t, values, &
            stream_of(stream)), problem)
        call drop(view)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine fill_array

    subroutine integers_4(array, generator, low, high, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer(int32), intent(in) :: low, high
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call integers_8(array, generator, int(low, int64), int(high, int64), stream, err)
    end subroutine integers_4

    subroutine integers_8(array, generator, low, high, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: low, high
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: view
        type(arr_value) :: first, last
        type(arr_error) :: problem
        call c_i64(first, low)
        call c_i64(last, high)
        call reversed(array, view, problem)
        if (.not. problem%failed()) call check(c_integers(view, generator%handle, first, last, .true._c_bool, &
            stream_of(stream)), problem)
        call drop(view)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine integers_8

    ! Returns the numbers 1 .. n in random order, int64.
    function arr_permutation(generator, n, device, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: n
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z, ahead
        type(arr_error) :: problem
        call check(c_permutation(generator%handle, n, n, ARR_INT64, device, stream_of(stream), ahead%handle), problem)
        call from_one(ahead, z, stream, problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_permutation

    ! count random numbers of 1 .. n: again and again, or with replace = .false. each once at most; all alike or by weights,
    ! n of 1 in all.
    function arr_choice(generator, n, count, replace, weights, device, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: n, count
        logical, intent(in), optional :: replace
        type(arr_array), intent(in), optional :: weights
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z, ahead
        type(arr_error) :: problem
        call check(c_choice(generator%handle, n, set_unless(replace), handle_of(weights), 1_c_int32_t, [count], device, &
            stream_of(stream), ahead%handle), problem)
        call from_one(ahead, z, stream, problem)
        if (present(weights)) call done(weights)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_choice

    ! The library's numbers count from 0.
    subroutine from_one(ahead, z, stream, err)
        type(arr_array), intent(in) :: ahead
        type(arr_array), intent(inout) :: z
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(inout) :: err
        type(arr_value) :: from_0, one
        z%temporary = .true.
        if (err%failed()) return
        call c_array(from_0, ahead%handle)
        call c_i64(one, 1_int64)
        call check(c_add(from_0, one, stream_of(stream), z%handle), err)
    end subroutine from_one
end module arr_random
