! SPDX-License-Identifier: MIT
! arr_random.f90: random numbers: generators, distributions by number, whole numbers, order.
module arr_random
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use arr_c_types
    use arr_constants
    use arr_c_random, only: c_create => arr_generator_create_of, c_release => arr_generator_release, &
        c_seed => arr_generator_seed, c_advance => arr_generator_advance, c_jumped => arr_generator_jumped, &
        c_spawn => arr_generator_spawn, c_get_state => arr_generator_get_state, c_set_state => arr_generator_set_state, &
        c_draw => arr_random_draw_into, &
        c_integers => arr_random_integers_into, c_shuffle => arr_random_shuffle, c_permutation => arr_random_permutation
    use arr_c_base, only: c_f64 => arr_value_f64, c_i64 => arr_value_i64, c_array => arr_value_array
    use arr_c_ops, only: c_add => arr_add_v
    use arr_c_view, only: c_transpose => arr_transpose
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, stream_of
    implicit none
    private
    public :: arr_generator, arr_generator_create, arr_generator_seed, arr_generator_advance, arr_generator_jumped
    public :: arr_generator_spawn, arr_generator_state, arr_generator_get_state, arr_generator_set_state
    public :: arr_random_fill, arr_random_integers, arr_shuffle, arr_permutation

    ! A source of random numbers, by Philox4x32-10; they depend on seed and order of calls alone, not on device or threads.
    ! One that was not created is the process's own. Pass it on, do not copy it: the first copy that goes ends it.
    type :: arr_generator
        type(arr_generator_handle) :: handle
    contains
        procedure :: release => release_generator
        final :: finalize_generator
    end type arr_generator

    ! call arr_generator_create(g [, seed, bit_generator]): by ARR_PHILOX4X32 or ARR_PCG64 (with NumPy's numbers) ...; without a seed from the system's entropy.
    interface arr_generator_create
        module procedure generator_create
    end interface arr_generator_create

    ! call arr_generator_seed(g [, seed]) starts it anew.
    interface arr_generator_seed
        module procedure generator_seed
    end interface arr_generator_seed

    ! call arr_generator_advance(g, blocks) moves on by blocks of four words, as if numbers had been drawn.
    interface arr_generator_advance
        module procedure generator_advance
    end interface arr_generator_advance

    ! call arr_generator_jumped(g, ahead [, jumps]): ahead becomes a generator of the same stream, so many of its kind's own
    ! distances on, one if none is given.
    interface arr_generator_jumped
        module procedure generator_jumped
    end interface arr_generator_jumped

    ! call arr_generator_spawn(g, children): each becomes a generator with a stream of its own, others with every call.
    interface arr_generator_spawn
        module procedure generator_spawn
    end interface arr_generator_spawn

    ! call arr_generator_get_state(g, state), call arr_generator_set_state(g, state): where it is, and back there.
    interface arr_generator_get_state
        module procedure generator_get_state
    end interface arr_generator_get_state
    interface arr_generator_set_state
        module procedure generator_set_state
    end interface arr_generator_set_state

    ! call arr_random_fill(a, g, ARR_DISTRIBUTION_NORMAL, 0.0d0, 1.0d0) fills an array with numbers of a distribution; parameters
    ! that are left out have their defaults.
    interface arr_random_fill
        module procedure fill_array
    end interface arr_random_fill

    ! call arr_random_integers(a, g, low, high): uniform whole numbers low .. high, both included.
    interface arr_random_integers
        module procedure integers_4, integers_8
    end interface arr_random_integers

    ! call arr_shuffle(a, g, dim): the slices along a dimension in random order, in place.
    interface arr_shuffle
        module procedure shuffle_array
    end interface arr_shuffle

contains

    subroutine finalize_generator(self)
        type(arr_generator), intent(inout) :: self
        call self%release()
    end subroutine finalize_generator

    subroutine release_generator(self)
        class(arr_generator), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_generator

    subroutine generator_create(generator, seed, bit_generator, err)
        type(arr_generator), intent(inout) :: generator
        integer(int64), intent(in), optional :: seed
        integer(c_int32_t), intent(in), optional :: bit_generator
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: bits
        bits = ARR_PHILOX4X32
        if (present(bit_generator)) bits = bit_generator
        call generator%release()
        if (present(seed)) then
            call check(c_create(bits, 1_c_int32_t, [seed], generator%handle), err)
        else
            call check(c_create(bits, 0_c_int32_t, [0_int64], generator%handle), err)
        end if
    end subroutine generator_create

    subroutine generator_seed(generator, seed, err)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in), optional :: seed
        type(arr_error), intent(out), optional :: err
        if (present(seed)) then
            call check(c_seed(generator%handle, 1_c_int32_t, [seed]), err)
        else
            call check(c_seed(generator%handle, 0_c_int32_t, [0_int64]), err)
        end if
    end subroutine generator_seed

    subroutine generator_advance(generator, blocks, err)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: blocks
        type(arr_error), intent(out), optional :: err
        call check(c_advance(generator%handle, blocks), err)
    end subroutine generator_advance

    subroutine generator_jumped(generator, ahead, jumps, err)
        type(arr_generator), intent(in) :: generator
        type(arr_generator), intent(inout) :: ahead
        integer(int64), intent(in), optional :: jumps
        type(arr_error), intent(out), optional :: err
        integer(int64) :: n
        n = 1
        if (present(jumps)) n = jumps
        call ahead%release()
        call check(c_jumped(generator%handle, n, ahead%handle), err)
    end subroutine generator_jumped

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

    subroutine generator_get_state(generator, state, err)
        type(arr_generator), intent(in) :: generator
        type(arr_generator_state), intent(out) :: state
        type(arr_error), intent(out), optional :: err
        state%struct_size = c_sizeof(state)
        call check(c_get_state(generator%handle, state), err)
    end subroutine generator_get_state

    subroutine generator_set_state(generator, state, err)
        type(arr_generator), intent(in) :: generator
        type(arr_generator_state), intent(in) :: state
        type(arr_error), intent(out), optional :: err
        call check(c_set_state(generator%handle, state), err)
    end subroutine generator_set_state

    subroutine fill_array(array, generator, distribution, p1, p2, p3, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer(c_int32_t), intent(in) :: distribution
        real(real64), intent(in), optional :: p1, p2, p3
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: view
        type(arr_value) :: values(3)
        type(arr_error) :: problem
        if (present(p1)) call c_f64(values(1), p1)
        if (present(p2)) call c_f64(values(2), p2)
        if (present(p3)) call c_f64(values(3), p3)
        call reversed(array, view, problem)
        if (.not. problem%failed()) call check(c_draw(view%handle, generator%handle, distribution, 3_c_int32_t, values, &
            stream_of(stream)), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine fill_array

    ! The library counts elements in row-major order: with the dimensions reversed that is Fortran's.
    subroutine reversed(array, view, err)
        type(arr_array), intent(in) :: array
        type(arr_array), intent(inout) :: view
        type(arr_error), intent(out), optional :: err
        call check(c_transpose(array%handle, 0_c_int32_t, out=view%handle), err)
    end subroutine reversed

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
        type(arr_array) :: view
        type(arr_value) :: first, last
        type(arr_error) :: problem
        call c_i64(first, low)
        call c_i64(last, high)
        call reversed(array, view, problem)
        if (.not. problem%failed()) call check(c_integers(view%handle, generator%handle, first, last, 1_c_int32_t, &
            stream_of(stream)), problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine integers_8

    subroutine shuffle_array(array, generator, dim, stream, err)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: axis
        axis = 0
        if (present(dim)) axis = int(dim - 1, c_int32_t)
        call check(c_shuffle(array%handle, generator%handle, axis, 0_c_int32_t, stream_of(stream)), err)
    end subroutine shuffle_array

    ! The numbers 1 .. n in random order, int64.
    function arr_permutation(generator, n, device, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: n
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z, ahead
        type(arr_value) :: from_0, one
        type(arr_error) :: problem
        call check(c_permutation(generator%handle, n, n, ARR_INT64, device, stream_of(stream), ahead%handle), problem)
        if (.not. problem%failed()) then
            call c_array(from_0, ahead%handle)
            call c_i64(one, 1_int64)
            call check(c_add(from_0, one, stream_of(stream), z%handle), problem)
        end if
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_permutation
end module arr_random
