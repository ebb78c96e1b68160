! SPDX-License-Identifier: MIT
! test_user_kernels.f90: element-wise and reduction kernels from pieces of C++, on the host.
program test_user_kernels
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    real(real64), parameter :: x(2, 3) = reshape([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64, 5.0_real64, &
        6.0_real64], [2, 3])
    call skip_without_compiler()
    call elementwise()
    call reductions()
    call mistakes()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine skip_without_compiler()
        type(arr_elementwise_kernel) :: k
        type(arr_array) :: a, z
        type(arr_error) :: err
        a = x
        call k%create('T x', 'T z', 'z = x')
        z = k%run([arr_arg(a)], err=err)
        if (err%status /= ARR_E_UNAVAILABLE) return
        print '(2a)', 'skipped: ', err%message
        stop 77
    end subroutine skip_without_compiler

    subroutine elementwise()
        type(arr_elementwise_kernel) :: squares, two, next
        type(arr_array) :: a, b, z
        real(real64) :: g(2, 3), turned(6)
        logical :: large(2, 3)
        a = x
        call squares%create('T x, T y', 'T z', 'z = x * x + y', name='squares')
        g = squares%run([arr_arg(a), arr_arg(a)])
        call expect(all(g == x * x + x), 'a new array')
        g = squares%run([arr_arg(a + 1), arr_arg(2.0_real64)])
        call expect(all(g == (x + 1)**2 + 2), 'of a temporary and a number')
        z = arr_zeros([2, 3])
        call squares%run_into([arr_arg(a), arr_arg(1.0_real64), arr_arg(z)])
        g = z
        call expect(all(g == x * x + 1), 'into an array')
        call expect(index(squares%source(), 'squares') > 0, 'its source')
        call two%create('T x', 'T less, bool large', 'less = x - 1; large = x > 3.5')
        b = arr_zeros([2, 3], ARR_BOOL)
        call two%run_into([arr_arg(a), arr_arg(z), arr_arg(b)])
        g = z
        large = b
        call expect(all(g == x - 1) .and. all(large .eqv. x > 3.5), 'two outputs')
        call next%create('raw T x', 'T z', 'z = TWICE(x[(i + 1) % x.size()]) + OFFSET', &
            preamble='#define TWICE(x) (2 * (x))', options=['-DOFFSET=4'])
        b = arr_arange(1, 7)
        z = arr_zeros([6])
        call next%run_into([arr_arg(b + 0.0_real64), arr_arg(z)])
        turned = z
        call expect(all(turned == [8, 10, 12, 14, 16, 6]), 'raw, with a preamble and an option')
    end subroutine elementwise

    subroutine reductions()
        type(arr_reduction_kernel) :: length, largest
        type(arr_array) :: a, z
        real(real64) :: g(3), s
        a = x
        call length%create('T x', 'T z', 'x * x', 'a + b', '0', post_map_expr='z = sqrt(a)', name='length')
        g = length%run([arr_arg(a)], dim=1)
        call expect(all(abs(g - sqrt(sum(x * x, 1))) < 1e-14_real64), 'along a dimension')
        s = length%run([arr_arg(a * 1)])
        call expect(abs(s - sqrt(sum(x * x))) < 1e-14_real64, 'over all, of a temporary')
        call largest%create('T x', 'T z', 'x', 'a > b ? a : b', '-1e300')
        z = arr_zeros([1, 3])
        call largest%run_into([arr_arg(a), arr_arg(z)], dim=1, keepdims=.true.)
        s = sum(z)
        call expect(s == 12, 'into an array')
    end subroutine reductions

    subroutine mistakes()
        type(arr_elementwise_kernel) :: k
        type(arr_array) :: a, z
        type(arr_error) :: err
        a = x
        call k%create('T x, ?', 'T z', 'z = x', err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'column', 'a fault in a list of parameters')
        call k%create('T x', 'T z', 'z = nothing_here(x)')
        z = k%run([arr_arg(a)], err=err)
        call expect_failure(err, ARR_E_COMPILE, 'nothing_here', 'source that does not compile')
        z = k%run([arr_arg(a), arr_arg(a), arr_arg(a)], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'args', 'arguments too many')
        call k%release()
        z = k%run([arr_arg(a + 1)], err=err)
        call expect_failure(err, ARR_E_HANDLE, 'k', 'a kernel that was released')
    end subroutine mistakes
end program test_user_kernels
