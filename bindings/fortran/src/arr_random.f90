! SPDX-License-Identifier: MIT
! arr_random.f90: random numbers whose procedures differ from the library's functions: they count from 1, or take lists.
module arr_random
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_spawn => arr_generator_spawn, c_draw => arr_random_draw_into, &
        c_integers => arr_random_integers_into, c_permutation => arr_random_permutation, c_f64 => arr_value_f64, &
        c_i64 => arr_value_i64, c_array => arr_value_array, c_add => arr_add_v, c_choice => arr_random_choice
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, done, handle_of, set_unless, stream_of
    use arr_arguments, only: drop, integer_number, real_number, reversed
    use arr_functions, only: arr_generator
    implicit none
    private
    public :: arr_generator_spawn
    public :: arr_random_fill, arr_random_integers, arr_permutation, arr_choice

    ! call arr_generator_spawn(g, children): each becomes a generator with its own stream, others with every call.
    interface arr_generator_spawn
        module procedure generator_spawn
    end interface arr_generator_spawn

    ! Fills an array with numbers of a distribution: call arr_random_fill(a, ARR_DISTRIBUTION_NORMAL, 0, 1). Parameters that
    ! are left out have their defaults.
    interface arr_random_fill
        module procedure fill_array
    end interface arr_random_fill

    ! Fills an array with uniform integers low to high, both included.
    interface arr_random_integers
        module procedure fill_integers
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

    subroutine fill_array(array, distribution, p1, p2, p3, generator, stream, err)
        type(arr_array), intent(in) :: array
        integer(c_int32_t), intent(in) :: distribution
        class(*), intent(in), optional :: p1, p2, p3
        type(arr_generator), intent(in), optional :: generator
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: view
        type(arr_value) :: values(3)
        type(arr_error) :: problem
        call set_value('p1', p1, values(1))
        call set_value('p2', p2, values(2))
        call set_value('p3', p3, values(3))
        if (.not. problem%failed()) call reversed(array, view, problem)
        if (.not. problem%failed()) call check(c_draw(view, chosen(generator), distribution, 3_c_int32_t, values, &
            stream_of(stream)), problem)
        call drop(view)
        if (problem%failed()) call fail(problem%status, problem%message, err)

    contains

        subroutine set_value(name, given, value)
            character(len=*), intent(in) :: name
            class(*), intent(in), optional :: given
            type(arr_value), intent(inout) :: value
            real(c_double) :: number
            if (.not. present(given)) return
            number = 0
            call real_number('arr_random_fill: argument ' // name, given, number, problem)
            call c_f64(value, number)
        end subroutine set_value
    end subroutine fill_array

    ! The handle of a generator; that of the default one where none is given.
    function chosen(generator) result(handle)
        type(arr_generator), intent(in), optional :: generator
        type(arr_generator_handle) :: handle
        if (present(generator)) handle = generator%handle
    end function chosen

    subroutine fill_integers(array, low, high, generator, stream, err)
        type(arr_array), intent(in) :: array
        class(*), intent(in) :: low, high
        type(arr_generator), intent(in), optional :: generator
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array_handle) :: view
        type(arr_value) :: first, last
        integer(c_int64_t) :: low_c, high_c
        type(arr_error) :: problem
        call integer_number('arr_random_integers: argument low', low, low_c, problem)
        call integer_number('arr_random_integers: argument high', high, high_c, problem)
        if (.not. problem%failed()) call reversed(array, view, problem)
        if (.not. problem%failed()) then
            call c_i64(first, low_c)
            call c_i64(last, high_c)
            call check(c_integers(view, chosen(generator), first, last, .true._c_bool, stream_of(stream)), problem)
        end if
        call drop(view)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine fill_integers

    ! Returns the numbers 1 to n in random order, int64.
    function arr_permutation(n, device, generator, stream, err) result(z)
        class(*), intent(in) :: n
        type(arr_device), intent(in), optional :: device
        type(arr_generator), intent(in), optional :: generator
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z, ahead
        integer(c_int64_t) :: n_c
        type(arr_error) :: problem
        call integer_number('arr_permutation: argument n', n, n_c, problem)
        if (.not. problem%failed()) call check(c_permutation(chosen(generator), n_c, n_c, ARR_INT64, device, &
            stream_of(stream), ahead%handle), problem)
        call from_one(ahead, z, stream, problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_permutation

    ! Draws count numbers of 1 to n: with replacement, or with replace = .false. without; with equal probabilities, or with
    ! weights whose sum is 1.
    function arr_choice(n, count, replace, weights, device, generator, stream, err) result(z)
        class(*), intent(in) :: n, count
        logical, intent(in), optional :: replace
        type(arr_array), intent(in), optional :: weights
        type(arr_device), intent(in), optional :: device
        type(arr_generator), intent(in), optional :: generator
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z, ahead
        integer(c_int64_t) :: n_c, count_c
        type(arr_error) :: problem
        call integer_number('arr_choice: argument n', n, n_c, problem)
        call integer_number('arr_choice: argument count', count, count_c, problem)
        if (.not. problem%failed()) call check(c_choice(chosen(generator), n_c, set_unless(replace), &
            handle_of(weights), 1_c_int32_t, [count_c], device, stream_of(stream), ahead%handle), problem)
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
