! SPDX-License-Identifier: MIT
! test_gemms.f90: products with epilogues against the intrinsics.
program test_gemms
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    real(real64) :: x(3, 4), y(4, 2), wanted(3, 2)
    integer :: k
    x = reshape([(sin(k * 1.3_real64), k = 1, 12)], [3, 4])
    y = reshape([(cos(k * 0.7_real64), k = 1, 8)], [4, 2])
    wanted = matmul(x, y)
    call products()
    call activations()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine products()
        type(arr_array) :: a, b, c, z
        real(real64) :: bias(2)
        a = x
        b = y
        call same(arr_gemm(a, b), wanted, 'a product')
        call same(arr_gemm(a * 1, b * 1, alpha=2), 2 * wanted, 'a product times a number')
        c = wanted
        call same(arr_gemm(a, b, alpha=-0.5_real64, beta=3.0_real32, c=c * 1), 2.5_real64 * wanted, 'a sum')
        bias = [1.0_real64, -2.0_real64]
        c = bias
        call same(arr_gemm(a, b, c=c), wanted + spread(bias, 1, 3), 'a bias')
        z = wanted
        call arr_gemm_into(z, a, b * 1, beta=2, c=z)
        call same(z, 3 * wanted, 'a product into its own summand')
        call expect(arr_dtype(arr_gemm(arr_astype(a, ARR_FLOAT32), arr_astype(b, ARR_FLOAT32), alpha=2.0_real64)) == &
            ARR_FLOAT32, 'numbers do not widen')
    end subroutine products

    subroutine activations()
        type(arr_array) :: a, b
        a = x
        b = y
        call same(arr_gemm(a, b, activation=ARR_ACTIVATION_RELU), max(wanted, 0.0_real64), 'relu')
        call same(arr_gemm(a, b, alpha=2, activation=ARR_ACTIVATION_TANH), tanh(2 * wanted), 'tanh')
        call same(arr_gemm(a, b, activation=ARR_ACTIVATION_SIGMOID), 1 / (1 + exp(-wanted)), 'sigmoid')
    end subroutine activations

    subroutine failures()
        type(arr_array) :: a, b, z
        type(arr_error) :: err
        a = x
        b = y
        z = arr_gemm(b * 1, a, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_gemm', 'a product of other shapes')
        z = arr_gemm(a, b, alpha='two', err=err)
        call expect_failure(err, ARR_E_DTYPE, 'number', 'a factor that is no number')
        z = arr_gemm(a, b, activation=99_c_int32_t, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'activation', 'a function that there is not')
        z = arr_zeros([2, 2])
        call arr_gemm_into(z, a, b, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_gemm_into', 'a result of another shape')
    end subroutine failures
end program test_gemms
