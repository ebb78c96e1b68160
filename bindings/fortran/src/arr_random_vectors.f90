! SPDX-License-Identifier: MIT
! arr_random_vectors.f90: random choices, lines in random order, and random vectors whose elements depend on each other.
module arr_random_vectors
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_constants
    use arr_c_base, only: c_i64 => arr_value_i64, c_array => arr_value_array
    use arr_c_ops, only: c_add => arr_add_v
    use arr_c_random, only: c_choice => arr_random_choice, c_permuted => arr_random_permuted, &
        c_bits => arr_random_bits, c_sample => arr_random_sample
    use arr_c_random_vectors, only: c_normal => arr_random_multivariate_normal, c_multinomial => arr_random_multinomial, &
        c_dirichlet => arr_random_dirichlet, c_hypergeometric => arr_random_multivariate_hypergeometric
    use arr_errors, only: arr_error, check, fail
    use arr_random, only: arr_generator
    use arr_types, only: arr_array, arr_stream, choice, done, handle_of, stream_of
    implicit none
    private
    public :: arr_random_bits, arr_random_sample
    public :: arr_choice, arr_permuted, arr_multivariate_normal, arr_multinomial, arr_dirichlet, &
        arr_multivariate_hypergeometric

    interface arr_random_bits
        module procedure random_bits
    end interface arr_random_bits

    interface arr_random_sample
        module procedure random_sample
    end interface arr_random_sample

contains

    ! The generator's own words: arrays of a shape of ARR_UINT32, ARR_UINT64 ...
    function random_bits(generator, dtype, shape, device, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        integer(c_int32_t), intent(in) :: dtype
        integer(int64), intent(in) :: shape(:)
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        call check(c_bits(generator%handle, dtype, size(shape, kind=c_int32_t), shape, device, stream_of(stream), z%handle), err)
        z%temporary = .true.
    end function random_bits

    ! count slices of an array along a dimension, the first if none is given: again and again, or with
    ! replace = .false. each once at most; all alike or by weights, 1 in all.
    function random_sample(generator, array, count, dim, replace, weights, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        type(arr_array), intent(in) :: array
        integer(int64), intent(in) :: count
        integer, intent(in), optional :: dim
        logical, intent(in), optional :: replace
        type(arr_array), intent(in), optional :: weights
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: axis, again
        axis = 0
        if (present(dim)) axis = int(dim - 1, c_int32_t)
        again = 1
        if (present(replace)) again = merge(1_c_int32_t, 0_c_int32_t, replace)
        call check(c_sample(generator%handle, array%handle, axis, again, handle_of(weights), 1_c_int32_t, [count], &
            stream_of(stream), z%handle), problem)
        call done(array)
        if (present(weights)) call done(weights)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function random_sample

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
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_array) :: ahead
        type(arr_value) :: from_0, one
        integer(c_int32_t) :: again
        again = 1
        if (present(replace)) again = merge(1_c_int32_t, 0_c_int32_t, replace)
        call check(c_choice(generator%handle, n, again, handle_of(weights), 1_c_int32_t, [count], device, &
            stream_of(stream), ahead%handle), problem)
        if (.not. problem%failed()) then
            call c_array(from_0, ahead%handle)
            call c_i64(one, 1_int64)
            call check(c_add(from_0, one, stream_of(stream), z%handle), problem)
        end if
        if (present(weights)) call done(weights)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_choice

    ! The elements in random order along a dimension, the first if none is given: each line in one of its own, where
    ! arr_shuffle moves whole slices.
    function arr_permuted(array, generator, dim, stream, err) result(z)
        type(arr_array), intent(in) :: array
        type(arr_generator), intent(in) :: generator
        integer, intent(in), optional :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t) :: axis
        axis = 0
        if (present(dim)) axis = int(dim - 1, c_int32_t)
        call check(c_permuted(generator%handle, array%handle, axis, 1_c_int32_t, stream_of(stream), z%handle), problem)
        call done(array)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_permuted

    ! count normal vectors in rows, by ARR_NORMAL_SVD of the covariance if no method is given.
    function arr_multivariate_normal(generator, mean, covariance, count, method, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        type(arr_array), intent(in) :: mean, covariance
        integer(int64), intent(in) :: count
        integer(c_int32_t), intent(in), optional :: method
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        call check(c_normal(generator%handle, mean%handle, covariance%handle, choice(method, ARR_NORMAL_SVD), 1_c_int32_t, &
            [count], stream_of(stream), z%handle), problem)
        call done(mean)
        call done(covariance)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_multivariate_normal

    ! How often each outcome came in so many draws, by their probabilities; count times in rows.
    function arr_multinomial(generator, draws, pvals, count, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        integer(int64), intent(in) :: draws, count
        type(arr_array), intent(in) :: pvals
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value) :: n
        call c_i64(n, draws)
        call check(c_multinomial(generator%handle, n, pvals%handle, 1_c_int32_t, [count], stream_of(stream), z%handle), problem)
        call done(pvals)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_multinomial

    ! Shares of a whole, count times in rows.
    function arr_dirichlet(generator, alpha, count, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        type(arr_array), intent(in) :: alpha
        integer(int64), intent(in) :: count
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        call check(c_dirichlet(generator%handle, alpha%handle, 1_c_int32_t, [count], stream_of(stream), z%handle), problem)
        call done(alpha)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_dirichlet

    ! How many of each colour are among so many drawn without putting them back, count times in rows.
    function arr_multivariate_hypergeometric(generator, colors, draws, count, stream, err) result(z)
        type(arr_generator), intent(in) :: generator
        type(arr_array), intent(in) :: colors
        integer(int64), intent(in) :: draws, count
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        type(arr_value) :: n
        call c_i64(n, draws)
        call check(c_hypergeometric(generator%handle, colors%handle, n, 1_c_int32_t, [count], stream_of(stream), z%handle), &
            problem)
        call done(colors)
        z%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arr_multivariate_hypergeometric
end module arr_random_vectors
