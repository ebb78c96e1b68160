! SPDX-License-Identifier: MIT
! test_errors.f90: failures are typed, carry the library's text, and leave everything usable; memory comes back.
program test_errors
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    call shapes()
    call dtypes()
    call handles()
    call dims()
    call nesting()
    call transfers()
    call memory()
    call loop()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine usable(what)
        character(len=*), intent(in) :: what
        type(arr_array) :: a
        real(real64) :: s
        a = [1.0_real64, 2.0_real64]
        s = sum(a * 2)
        call expect(s == 6, 'usable after ' // what)
    end subroutine usable

    subroutine shapes()
        type(arr_array) :: a, b, c
        type(arr_error) :: err
        a = arr_zeros([3, 4])
        b = arr_zeros([5, 4])
        c = arr_add(a, b, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_add: ', 'shapes that do not broadcast')
        call expect_failure(err, ARR_E_SHAPE, '(3,4)', 'the message has the shape')
        call expect(arr_status_name(err%status) == 'ARR_E_SHAPE', 'status name')
        call expect(.not. arr_alive(c), 'no result')
        c = arr_add(a, a, err=err)
        call expect(.not. err%failed() .and. arr_alive(c), 'err is reset by success')
        call usable('a shape error')
    end subroutine shapes

    subroutine dtypes()
        type(arr_array) :: a
        type(arr_error) :: err
        a = iand(arr_upload([1.0, 2.0]), 1, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_bitwise_and', 'bits of reals')
        a = arr_zeros([2], arr_dtype(99_c_int64_t), err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_zeros', 'no such dtype')
        a = arr_zeros([2], arr_dtype(4294967308_c_int64_t), err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_zeros', 'ARR_FLOAT64 in the lower bits')
        a = arr_full([2], 'text', err=err)
        call expect_failure(err, ARR_E_DTYPE, 'not a number', 'text is no number')
        call usable('a dtype error')
    end subroutine dtypes

    subroutine handles()
        type(arr_array) :: a, b, unset
        type(arr_error) :: err
        real(real64) :: x
        a = arr_ones([3])
        b = a
        call arr_release(a)
        call expect(.not. arr_alive(a) .and. arr_alive(b), 'the other name lives on')
        b = sqrt(a, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_sqrt', 'use after release')
        b = arr_add(unset, 1, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_add', 'an array that was never set')
        call arr_download(unset, x, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_shape', 'download of nothing')
        b = arr_ones([3])
        b = squared_twice(b + 1, err)
        call expect_failure(err, ARR_E_HANDLE, 'freed by its first use', 'an expression that an argument is, used twice')
        call usable('a handle error')
    end subroutine handles

    function squared_twice(a, err) result(b)
        type(arr_array), intent(in) :: a
        type(arr_error), intent(out) :: err
        type(arr_array) :: b
        b = a * a
        b = arr_multiply(a, a, err=err)
        call arr_give(b)
    end function squared_twice

    subroutine dims()
        type(arr_array) :: a, b
        type(arr_error) :: err
        a = arr_ones([2, 3])
        b = sum(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_sum: argument dim: dimension 3 of an array with 2 dimensions', &
            'dim past the rank')
        b = sum(a, dim=0, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension 0 of an array with 2 dimensions', 'dim 0')
        b = sum(a, dim=-1, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension -1 of an array with 2 dimensions', 'dim -1')
        b = maxloc(a, dim=3, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension 3 of', 'maxloc past the rank')
        b = maxloc(a, dim=-5, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension -5 of', 'maxloc before the first dimension')
        b = arr_cumsum(a, dim=-7, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension -7 of', 'a scan before the first dimension')
        b = arr_permute(a, [0, 1], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'dimension 0 of', 'an order with 0')
        b = arr_index_axis(a, 1, 0, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: 0 along dimension 1 of extent 2, expected 1 to 2', &
            'position 0')
        b = arr_index_axis(a, 1, 3, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: 3 along dimension 1 of extent 2, expected 1 to 2', &
            'position 3')
        b = arr_index_axis(a, 2, -1, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: -1 along dimension 2 of extent 3, expected 1 to 3', &
            'position -1')
        b = arr_item(a, [2, 4], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'argument position: 4 along dimension 2 of extent 3, expected 1 to 3', &
            'subscript 4')
        call expect(size(a, 3, err) == 0 .and. err%failed(), 'size of dim 3')
        b = reshape(a, [4, 2], err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_reshape', 'reshape to another size')
        b = maxloc(arr_zeros([0]), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_argmax', 'maxloc of nothing')
        b = spread(a, 5, 2, err=err)
        call expect(err%failed(), 'spread past the rank')
    end subroutine dims

    ! A failure inside an expression frees the temporaries of it too.
    subroutine nesting()
        type(arr_array) :: a, b
        type(arr_error) :: err
        integer(int64) :: before
        a = arr_ones([2, 3])
        before = arr_live_handles()
        b = arr_add(a + 1, arr_ones([4, 5]) * 2, err=err)
        call expect(err%failed() .and. arr_live_handles() == before, 'temporaries of a failed operation')
    end subroutine nesting

    subroutine transfers()
        type(arr_array) :: a, b
        type(arr_error) :: err
        real(real64) :: wrong(3, 2)
        real(real64), allocatable :: nowhere(:, :)
        type :: mixed
            complex(real64) :: z
            integer :: i
        end type mixed
        type(mixed), target :: records(3)
        complex(real64), pointer :: part(:)
        a = arr_ones([2, 3])
        call arr_download(a, wrong, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'shape (3,2), expected (2,3)', 'download into another shape')
        records%z = 1
        part => records%z
        call arr_wrap(b, part, err)
        call expect_failure(err, ARR_E_SHAPE, 'strides', 'strides that are not whole elements')
        call arr_assign(spread(a, 1, 2), 5, err=err)
        call expect_failure(err, ARR_E_READONLY, 'arr_assign', 'writing to a read-only view')
        b = arr_load_npy('/nonexistent/x.npy', err=err)
        call expect_failure(err, ARR_E_IO, '/nonexistent/x.npy', 'a file that is not there')
        allocate (nowhere(0, 0))
        call arr_download(a, nowhere, err=err)
        call expect_failure(err, ARR_E_SHAPE, '(0,0)', 'an array of size zero')
    end subroutine transfers

    subroutine memory()
        type(arr_array) :: a
        type(arr_error) :: err
        type(arr_memory_stats) :: stats
        type(arr_memory_pool_stats) :: pool
        type(arr_device_properties) :: host
        host = arr_device_info()
        call expect(host%memory_bytes > 0 .and. host%compute_major == -1, 'what the host is')
        call arr_memory_limit(0.5_real64)
        stats = arr_memory_info()
        call expect(stats%limit == stats%total / 2, 'the limit as a part')
        call arr_memory_limit(1.5_real64, err=err)
        call expect(err%failed(), 'more than all')
        call arr_memory_reset_peak()
        pool = arr_memory_pool_info()
        call expect(pool%peak == pool%in_use, 'the peak begins anew')
        call expect(pool%hits + pool%misses == pool%allocations, 'hits and misses')
        call arr_memory_limit(256 * 2_int64**20)
        a = arr_zeros([1024, 1024, 1024], err=err)
        call expect_failure(err, ARR_E_MEMORY, 'arr_zeros', 'more than the limit')
        call expect(.not. arr_alive(a), 'no array')
        stats = arr_memory_info()
        call expect(stats%limit == 256 * 2_int64**20, 'the limit')
        call usable('a memory error')
    end subroutine memory

    ! 10,000 arrays of 1 MiB, temporaries among them, under a limit of 256 MiB.
    subroutine loop()
        type(arr_array) :: a, b
        type(arr_memory_stats) :: stats
        integer :: i
        real(real64) :: x
        a = arr_ones([131072])
        do i = 1, 5000
            b = arr_empty_like(a)
            if (mod(i, 50) == 0) b = (a + 1) * 2 - sqrt(a) / max(a, 0.5_real64)
        end do
        do i = 1, 5000
            call inner()
        end do
        x = sum(a)
        call expect(x == 131072, 'after 10,000 allocations')
        stats = arr_memory_info()
        call expect(stats%in_use <= 16 * 2_int64**20, 'memory came back')
        call arr_memory_limit(0_int64)
        call arr_memory_trim()
    end subroutine loop

    subroutine inner()
        type(arr_array) :: local
        local = arr_empty([131072])
    end subroutine inner
end program test_errors
