! SPDX-License-Identifier: MIT
! test_linalg.f90: products, equations and decompositions against Fortran's own and against their defining equations.
program test_linalg
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    real(real64), parameter :: x(3, 3) = reshape([4.0_real64, 1.0_real64, 2.0_real64, 0.0_real64, 3.0_real64, &
        1.0_real64, 1.0_real64, 2.0_real64, 5.0_real64], [3, 3])
    real(real64), parameter :: y(3, 2) = reshape([1.0_real64, 2.0_real64, 3.0_real64, -1.0_real64, 0.5_real64, &
        2.0_real64], [3, 2])
    call products()
    call equations()
    call least_squares()
    call numbers()
    call triangular_factors()
    call orthogonal_factors()
    call eigenvalues()
    call stacks()
    call failures()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    subroutine products()
        type(arr_array) :: a, b, u, v
        complex(real64) :: z
        real(real64) :: s, outer(2, 3)
        integer :: i
        a = x
        b = y
        u = y(:, 1)
        v = [(2.0_real64, -1.0_real64), (0.0_real64, 1.0_real64), (1.0_real64, 0.0_real64)]
        s = dot_product(u, u + 0)
        call expect(s == 14, 'dot_product')
        z = dot_product(v, u)
        call expect(z == (5.0_real64, -1.0_real64), 'dot_product conjugates its first')
        call same(arr_dot(a, b), matmul(x, y), 'dot')
        call same(arr_inner(a, transpose(b)), matmul(x, y), 'inner')
        outer = spread([5.0_real64, 7.0_real64], 2, 3) * spread(y(:, 1), 1, 2)
        v = [5.0_real64, 7.0_real64]
        call same(arr_outer(v, u), outer, 'outer')
        call same(arr_outer('multiply', v, u), outer, 'outer of an operation')
        call same(arr_kron(v, u), [5 * y(:, 1), 7 * y(:, 1)], 'kron')
        call same(arr_tensordot(a, b, [1], [1]), matmul(transpose(x), y), 'tensordot')
        call same(arr_einsum('ij,jk->ki', [a, b]), transpose(matmul(x, y)), 'einsum')
        call same(arr_einsum('ii->i', [a + 0]), [(x(i, i), i = 1, 3)], 'einsum of a temporary')
        call same(arr_matrix_power(a, 3), matmul(x, matmul(x, x)), 'matrix_power')
        s = arr_trace(a)
        call expect(s == 12, 'trace')
        s = arr_trace(a * 1, k=1)
        call expect(s == 2, 'trace along another diagonal')
        call same(arr_diagonal(a, -1), [x(2, 1), x(3, 2)], 'diagonal')
        call same(arr_tril(a) + arr_triu(a, 1), x, 'tril and triu')
        call expect(element(arr_tril(a), 1, 3) == 0, 'tril')
    end subroutine products

    ! An element of a matrix.
    function element(a, i, j) result(e)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: i, j
        real(real64) :: e
        e = arr_item(a, [i, j])
    end function element

    subroutine equations()
        type(arr_array) :: a, b, u, lu, pivots
        real(real64) :: upper(3, 3), lower(3, 3)
        a = x
        b = matmul(x, y)
        u = matmul(x, y(:, 1))
        call same(arr_solve(a, b), y, 'solve')
        call same(arr_solve(a, u), y(:, 1), 'solve of a vector')
        call same(matmul(arr_inv(a * 1), b), y, 'inv')
        call arr_lu_factor(a, lu, pivots)
        call same(arr_lu_solve(lu, pivots, b), y, 'lu_solve')
        u = matmul(transpose(x), y(:, 1))
        call same(arr_lu_solve(lu, pivots, u, ARR_MATRIX_TRANSPOSED), y(:, 1), 'lu_solve of the transpose')
        upper = x
        upper(2, 1) = 0
        upper(3, 1:2) = 0
        lower = x
        lower(1, 2:3) = 0
        lower(2, 3) = 0
        b = matmul(upper, y)
        call same(arr_solve_triangular(a, b), y, 'solve_triangular, upper')
        b = matmul(lower, y)
        call same(arr_solve_triangular(a, b, lower=.true.), y, 'solve_triangular, lower')
        b = matmul(transpose(lower), y)
        call same(arr_solve_triangular(a, b, lower=.true., op=ARR_MATRIX_ADJOINT), y, 'solve_triangular, adjoint')
        lower(1, 1) = 1
        lower(2, 2) = 1
        lower(3, 3) = 1
        b = matmul(lower, y)
        call same(arr_solve_triangular(a, b, lower=.true., unit_diagonal=.true.), y, 'solve_triangular, unit diagonal')
    end subroutine equations

    subroutine least_squares()
        type(arr_array) :: a, b, z, residuals, rank, s
        integer(int64) :: r
        a = reshape([3.0_real64, 0.0_real64, 0.0_real64, 0.0_real64, 2.0_real64, 0.0_real64], [3, 2])
        b = [3.0_real64, 4.0_real64, 5.0_real64]
        call arr_lstsq(a, b, z, residuals, rank, s)
        call same(z, [1.0_real64, 2.0_real64], 'lstsq')
        call same(s, [3.0_real64, 2.0_real64], 'its singular values')
        r = rank
        call expect(r == 2, 'its rank')
        call expect(abs(element(reshape(residuals, [1, 1]), 1, 1) - 25) < 1e-12_real64, 'its residual')
        call arr_lstsq(a * 1, b * 1, z, rcond=0.9_real64)
        call same(z, [1.0_real64, 0.0_real64], 'lstsq with rcond')
        call same(arr_pinv(a), reshape([1 / 3.0_real64, 0.0_real64, 0.0_real64, 0.5_real64, 0.0_real64, 0.0_real64], &
            [2, 3]), 'pinv')
        r = arr_matrix_rank(a)
        call expect(r == 2, 'matrix_rank')
        r = arr_matrix_rank(a, tol=2.5_real64)
        call expect(r == 1, 'matrix_rank with tol')
    end subroutine least_squares

    subroutine numbers()
        type(arr_array) :: a, sign, logdet, d, b, u, p
        real(real64) :: s
        a = x
        s = arr_det(a)
        call expect(abs(s - 47) < 1e-12_real64, 'det')
        call arr_slogdet(-a, sign, logdet)
        s = sign
        call expect(s == -1, 'the sign of a determinant')
        s = logdet
        call expect(abs(s - log(47.0_real64)) < 1e-12_real64, 'the logarithm of a determinant')
        d = reshape([4.0_real64, 0.0_real64, 0.0_real64, 1.0_real64], [2, 2])
        s = arr_cond(d)
        call expect(abs(s - 4) < 1e-12_real64, 'cond')
        s = arr_cond(d, 1.0_real64)
        call expect(abs(s - 4) < 1e-12_real64, 'cond of order 1')
        s = arr_matrix_norm(a)
        call expect(abs(s - norm2(x)) < 1e-12_real64, 'matrix_norm')
        s = arr_matrix_norm(a, 1.0_real64)
        call expect(s == maxval(sum(abs(x), 1)), 'matrix_norm of order 1')
        a = reshape([0.0_real64, 0.0_real64, 2.0_real64, 0.0_real64], [2, 2])
        call same(arr_expm(a), reshape([1.0_real64, 0.0_real64, 2.0_real64, 1.0_real64], [2, 2]), 'expm')
        a = reshape([4.0_real64, 0.0_real64, 1.0_real64, 4.0_real64], [2, 2])
        call same(arr_real(arr_sqrtm(a)), reshape([2.0_real64, 0.0_real64, 0.25_real64, 2.0_real64], [2, 2]), 'sqrtm')
        call same(arr_real(arr_fractional_matrix_power(a, 0.5_real64)), &
            reshape([2.0_real64, 0.0_real64, 0.25_real64, 2.0_real64], [2, 2]), 'fractional_matrix_power')
        call same(arr_real(arr_expm(arr_logm(a))), reshape([4.0_real64, 0.0_real64, 1.0_real64, 4.0_real64], [2, 2]), &
            'logm')
        a = reshape([-2.0_real64, 0.0_real64, 0.0_real64, 0.5_real64], [2, 2])
        b = reshape([4.0_real64, 0.0_real64, 0.0_real64, 3.0_real64], [2, 2])
        call same(arr_signm(a), reshape([-1.0_real64, 0.0_real64, 0.0_real64, 1.0_real64], [2, 2]), 'signm')
        call same(arr_sinm(a), reshape([sin(-2.0_real64), 0.0_real64, 0.0_real64, sin(0.5_real64)], [2, 2]), 'sinm')
        call same(arr_solve_sylvester(a, a, b), reshape([-1.0_real64, 0.0_real64, 0.0_real64, 3.0_real64], [2, 2]), &
            'solve_sylvester')
        call same(arr_solve_continuous_lyapunov(a, b), &
            reshape([-1.0_real64, 0.0_real64, 0.0_real64, 3.0_real64], [2, 2]), 'solve_continuous_lyapunov')
        call arr_polar(a, u, p)
        call same(u, reshape([-1.0_real64, 0.0_real64, 0.0_real64, 1.0_real64], [2, 2]), 'u of polar')
        call same(p, reshape([2.0_real64, 0.0_real64, 0.0_real64, 0.5_real64], [2, 2]), 'p of polar')
    end subroutine numbers

    subroutine triangular_factors()
        type(arr_array) :: a, p, l, u
        real(real64) :: s(3, 3)
        s = matmul(x, transpose(x))
        a = s
        l = arr_cholesky(a)
        call same(matmul(l, transpose(l)), s, 'cholesky')
        call expect(element(l, 1, 2) == 0, 'cholesky is lower')
        u = arr_cholesky(a, upper=.true.)
        call same(matmul(transpose(u), u), s, 'cholesky, upper')
        call expect(element(u, 2, 1) == 0, 'cholesky is upper')
        a = y
        call arr_lu(a, p, l, u)
        call same(matmul(p, matmul(l, u)), y, 'lu')
        call expect(element(l, 1, 2) == 0 .and. element(u, 2, 1) == 0, 'lu is triangular')
    end subroutine triangular_factors

    subroutine orthogonal_factors()
        type(arr_array) :: a, q, r, u, s, vh
        real(real64) :: one(2, 2)
        a = y
        one = reshape([1.0_real64, 0.0_real64, 0.0_real64, 1.0_real64], [2, 2])
        call arr_qr(a, q, r)
        call same(matmul(q, r), y, 'qr')
        call same(matmul(transpose(q), q), one, 'q')
        call arr_qr(a * 1, q, r, complete=.true.)
        call expect(all(shape(q) == [3, 3]) .and. all(shape(r) == [3, 2]), 'complete qr')
        call same(matmul(q, r), y, 'complete qr')
        call arr_svd(a, u, s, vh)
        call same(matmul(u * s, vh), y, 'svd')
        call same(matmul(vh, transpose(vh)), one, 'vh')
        call expect(all(shape(u) == [3, 2]), 'svd without full matrices')
        call arr_svd(a, u, q, vh, full_matrices=.true.)
        call expect(all(shape(u) == [3, 3]), 'svd with full matrices')
        call same(arr_svdvals(a) - s, [0.0_real64, 0.0_real64], 'svdvals')
    end subroutine orthogonal_factors

    subroutine eigenvalues()
        type(arr_array) :: a, values, vectors
        complex(real64) :: c(2), turned(2, 2), w(2, 2)
        real(real64), parameter :: root = sqrt(5.0_real64)
        a = reshape([2.0_real64, 1.0_real64, 9.0_real64, 3.0_real64], [2, 2])
        call arr_eigh(a, values, vectors)
        call same(values, [(5 - root) / 2, (5 + root) / 2], 'eigh')
        call same(matmul(vectors * values, transpose(vectors)), reshape([2.0_real64, 1.0_real64, 1.0_real64, &
            3.0_real64], [2, 2]), 'eigh, its vectors')
        call same(arr_eigvalsh(a), [(5 - root) / 2, (5 + root) / 2], 'eigvalsh')
        call same(arr_eigvalsh(transpose(a), upper=.true.), [(5 - root) / 2, (5 + root) / 2], 'eigvalsh, upper')
        a = reshape([0.0_real64, 1.0_real64, -1.0_real64, 0.0_real64], [2, 2])
        call arr_eig(a, values, vectors)
        c = values
        w = vectors
        call expect(all(abs(c - conjg(c([2, 1]))) < 1e-12_real64) .and. all(abs(abs(c) - 1) < 1e-12_real64), 'eig')
        turned = matmul(reshape([0.0_real64, 1.0_real64, -1.0_real64, 0.0_real64], [2, 2]), w)
        call expect(all(abs(turned - w * spread(c, 1, 2)) < 1e-12_real64), 'eig, its vectors')
        c = arr_eigvals(a)
        call expect(all(abs(abs(c) - 1) < 1e-12_real64), 'eigvals')
    end subroutine eigenvalues

    subroutine stacks()
        type(arr_array) :: a
        real(real64) :: h(2, 3, 3), d(2)
        h(1, :, :) = x
        h(2, :, :) = 2 * x
        a = h
        d = arr_det(a)
        call expect(all(abs(d - [47, 376]) < 1e-10_real64), 'det of a stack')
    end subroutine stacks

    subroutine failures()
        type(arr_array) :: a, b, c, q
        type(arr_error) :: err
        a = arr_ones([2, 2])
        b = [1.0_real64, 2.0_real64]
        c = arr_solve(a, b, err=err)
        call expect_failure(err, ARR_E_LINALG, 'singular', 'solve of a singular matrix')
        c = arr_inv(a * 1, err=err)
        call expect_failure(err, ARR_E_LINALG, 'singular', 'inv of a singular matrix')
        c = arr_cholesky(-a, err=err)
        call expect_failure(err, ARR_E_LINALG, 'positive definite', 'cholesky of no positive definite matrix')
        call arr_qr(b, c, q, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_qr', 'qr of a vector')
        call arr_lstsq(a, arr_ones([3]), c, q, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_lstsq', 'lstsq of shapes that do not fit')
        c = arr_tensordot(a, b * 1, [1, 2], [1], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'dims_a', 'tensordot of unequal lists')
        c = arr_einsum('ij,jk', [a], err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_einsum', 'einsum of too few arrays')
        c = arr_det(a, err=err)
        call expect(.not. err%failed(), 'det of a singular matrix')
    end subroutine failures
end program test_linalg
