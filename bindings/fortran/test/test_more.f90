! SPDX-License-Identifier: MIT
! test_more.f90: lists of devices, the cache of plans, functions into existing arrays, weighted sums of exponentials,
! products of several arrays, equations of tensors, random words and samples.
program test_more
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: ieee_arithmetic
    use arr
    use testing
    implicit none
    call devices()
    call plans()
    call into()
    call exponentials()
    call products()
    call tensors()
    call random()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine devices()
        type(arr_device), allocatable :: list(:)
        type(arr_error) :: err
        integer(int64) :: begin, ending, rate
        allocate(list(0))
        list = arr_device_list(seconds=5.0_real64)
        call expect(size(list) > 0 .and. list(size(list))%type == ARR_HOST, 'there is the host, without a wait')
        list = arr_device_list(kind=ARR_HOST, memory_bytes=1_int64, free_bytes=1_int64, name=arr_device_name())
        call expect(size(list) == 1, 'the host by its name')
        call expect(size(arr_device_list(kind=ARR_HOST, compute=10)) == 0, 'the host has no compute capability')
        call expect(size(arr_device_list(name='no such name')) == 0, 'no device of a name')
        call system_clock(begin, rate)
        list = arr_device_list(free_bytes=huge(1_int64), seconds=0.3_real64)
        call system_clock(ending)
        call expect(size(list) == 0 .and. 10 * (ending - begin) >= 3 * rate, 'a wait for nothing')
        list = arr_device_list(kind=77_c_int32_t, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'not a kind')
    end subroutine devices

    subroutine plans()
        type(arr_array) :: a
        type(arr_fft_cache_stats) :: before, stats
        type(arr_fft_cache_plan), allocatable :: list(:)
        type(arr_error) :: err
        integer(int64) :: id
        integer :: i, found
        complex(real64) :: x(6)
        before = arr_fft_cache_info()
        call arr_fft_cache_clear()
        a = [1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64, 5.0_real64, 6.0_real64]
        x = arr_fft(a)
        call expect(abs(x(1) - 21) < 1e-12_real64, 'a transform')
        stats = arr_fft_cache_info()
        call expect(stats%plans > 0 .and. stats%misses > before%misses, 'its plan is kept')
        call arr_fft_cache_plans(list)
        call expect(size(list) == stats%plans, 'the list of the plans')
        found = 0
        do i = 1, size(list)
            if (list(i)%kind >= 0 .and. list(i)%lengths(1) == 6) found = i
        end do
        call expect(found > 0, 'the plan of 6')
        if (found > 0) then
            call expect(list(found)%real == ARR_FLOAT64 .and. list(found)%transforms == 1, 'what it is')
            id = list(found)%id
            call arr_fft_cache_drop(id)
            call arr_fft_cache_plans(list)
            call expect(all(list%id /= id), 'it is dropped')
            call arr_fft_cache_drop(id, err=err)
            call expect(err%status == ARR_E_ARGUMENT, 'and cannot be dropped again')
        end if
        call arr_fft_cache_plans(list, arr_device(ARR_CUDA, 99), err)
        call expect(err%failed(), 'plans of no device')
        call arr_fft_cache_limit(plans=7_int64)
        stats = arr_fft_cache_info()
        call expect(stats%max_plans == 7 .and. stats%max_bytes == -1, 'limits')
        call arr_fft_cache_clear()
        stats = arr_fft_cache_info()
        call expect(stats%plans == 0, 'none is kept')
        call arr_fft_cache_limit(before%max_plans, before%max_bytes)
    end subroutine plans

    subroutine into()
        type(arr_array) :: a, z, wide, short
        type(arr_error) :: err
        real(real64) :: x(4)
        integer(int32) :: whole(3)
        x = [1.256_real64, -2.5_real64, ieee_value(1.0_real64, ieee_quiet_nan), ieee_value(1.0_real64, ieee_positive_inf)]
        a = x
        z = a + 0
        call arr_round_into(z, a, 1)
        x = z
        call expect(all(x(1:2) == [1.3_real64, -2.5_real64]), 'round')
        call arr_nan_to_num_into(z, a, 0.5_real64, posinf=9.0_real64)
        x = z
        call expect(all(x == [1.256_real64, -2.5_real64, 0.5_real64, 9.0_real64]), 'nan_to_num')
        short = [1.0_real64, 2.0_real64]
        call arr_round_into(short, a, err=err)
        call expect(err%status == ARR_E_SHAPE, 'an array that is too short')
        a = [4, 6, 9]
        wide = a + 0
        call arr_accumulate_into(wide, 'gcd', a)
        whole = wide
        call expect(all(whole == [4, 2, 1]), 'accumulate')
        call arr_reduceat_into(short, 'add', a, [1, 2])
        call same(short, [4.0_real64, 15.0_real64], 'reduceat')
        call arr_accumulate_into(wide, 'plus', a, err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'an operation of another name')
        a = [(0.0_real64, 2.0_real64), (-1.0_real64, 0.0_real64), (1.0_real64, 1.0_real64)]
        call same(arr_angle_degrees(a), [90.0_real64, 180.0_real64, 45.0_real64], 'angles in degrees')
    end subroutine into

    subroutine exponentials()
        type(arr_array) :: a, b, size_of_it, sign_of_it
        real(real64) :: x(2, 2), w(2, 2), s(2), whole
        x = reshape([1.0_real64, 0.5_real64, 700.0_real64, -3.0_real64], [2, 2])
        w = reshape([2.0_real64, -1.0_real64, 3.0_real64, 4.0_real64], [2, 2])
        a = x
        b = w
        whole = arr_logsumexp_weighted(a, b)
        call expect(abs(whole - (700 + log(3.0_real64))) < 1e-12_real64 * 700, 'weighted')
        call arr_logsumexp_signed(a, b, size_of_it, sign_of_it, dim=2)
        s = w(2, 1) * exp(x(2, 1)) + w(2, 2) * exp(x(2, 2))
        call same(size_of_it, [700 + log(3.0_real64), log(abs(s(1)))], 'the size of each row''s sum')
        call same(sign_of_it, [1.0_real64, -1.0_real64], 'its sign')
        call arr_histogram(arr_arange(0.0_real64, 1000.0_real64, 1.0_real64), size_of_it, sign_of_it, bins=int(ARR_BINS_SQRT))
        call expect(size(size_of_it) == 32, 'bins by the root of the number of elements')
    end subroutine exponentials

    subroutine products()
        type(arr_array) :: a, b, v
        type(arr_error) :: err
        character(len=:), allocatable :: steps
        real(real64) :: cost, naive, x
        a = reshape([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64], [2, 2])
        v = [1.0_real64, -1.0_real64]
        b = arr_zeros([2_int64, 50_int64])
        x = arr_multi_dot([v, a, a, v])
        call expect(x == dot_of([1.0_real64, -1.0_real64]), 'a product of several')
        call same(arr_khatri_rao(a, a), reshape([1.0_real64, 2.0_real64, 2.0_real64, 4.0_real64, 9.0_real64, 12.0_real64, &
            12.0_real64, 16.0_real64], [4, 2]), 'khatri_rao')
        steps = arr_einsum_path('ij,jk,lk->il', [a, b, b], cost, naive)
        call expect(steps == '[(1, 2), (0, 1)]' .and. cost > 0 .and. cost < naive, 'the order of contractions: '//steps)
        steps = arr_einsum_path('i0', [a], err=err)
        call expect(err%status == ARR_E_ARGUMENT, 'invalid subscripts')
    end subroutine products

    ! v a a v for the matrix above.
    function dot_of(v) result(x)
        real(real64), intent(in) :: v(2)
        real(real64) :: x, a(2, 2)
        a = reshape([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64], [2, 2])
        x = dot_product(v, matmul(a, matmul(a, v)))
    end function dot_of

    subroutine tensors()
        type(arr_array) :: a, b, inverse
        type(arr_error) :: err
        real(real64) :: matrix(4, 4), x(4)
        integer :: i
        matrix = 0
        do i = 1, 4
            matrix(i, i) = 2.0_real64**i
        end do
        matrix(1, 4) = 1
        x = [1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64]
        a = reshape(matrix, [2, 2, 4])
        b = reshape(matmul(matrix, x), [2, 2])
        call same(arr_tensorsolve(a, b), x, 'tensorsolve')
        a = reshape(transpose(matrix), [4, 2, 2])
        call same(arr_tensorsolve(a, b, dims=[1]), x, 'the dimension of x first')
        a = reshape(matrix, [2, 2, 4])
        inverse = arr_tensorinv(a, 2)
        call same(arr_tensordot(inverse, b, [2, 3], [1, 2]), x, 'tensorinv')
        inverse = arr_tensorinv(a, 1, err=err)
        call expect(err%status == ARR_E_SHAPE, 'no square')
    end subroutine tensors

    subroutine random()
        type(arr_generator) :: generator, other
        type(arr_array) :: a, b
        integer(int64) :: words(6), again(6)
        real(real64) :: rows(3, 2), drawn(5)
        call arr_generator_create(generator, 7_int64)
        call arr_generator_create(other, 7_int64)
        a = arr_random_bits(ARR_UINT32, [6_int64], generator=generator)
        b = arr_random_bits(ARR_UINT32, [6_int64], generator=other)
        words = arr_astype(a, ARR_INT64)
        again = arr_astype(b, ARR_INT64)
        call expect(all(words == again) .and. any(words /= words(1)), 'the words of a seed')
        a = reshape([1.0_real64, 2.0_real64, 3.0_real64, 10.0_real64, 20.0_real64, 30.0_real64], [3, 2])
        rows = arr_random_sample(a, 3_int64, replace=.false., generator=generator)
        call expect(all(rows(:, 2) == 10 * rows(:, 1)) .and. sum(rows(:, 1)) == 6, 'each row once')
        b = [0.0_real64, 0.5_real64, 0.5_real64, 0.0_real64]
        drawn = arr_random_sample(arr_arange(0.0_real64, 4.0_real64, 1.0_real64), 5_int64, weights=b, generator=generator)
        call expect(all(drawn == 1 .or. drawn == 2), 'by weights')
    end subroutine random
end program test_more
