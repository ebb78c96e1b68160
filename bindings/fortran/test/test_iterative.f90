! SPDX-License-Identifier: MIT
! test_iterative.f90: linear operators and iterative solvers against Fortran's own products; procedures of the program.
program test_iterative
    use, intrinsic :: iso_fortran_env
    use arr
    use testing
    implicit none
    integer, parameter :: n = 6
    real(real64) :: m(n, n), wide(2, n), right(n)
    integer :: i, calls, told
    m = 0
    do i = 1, n
        m(i, i) = 4 + i
        if (i > 1) m(i, i - 1) = -1
        if (i < n) m(i, i + 1) = -1
    end do
    wide = reshape([(real(mod(5 * i, 7), real64), i=1, 2 * n)], [2, n])
    right = [(real(i, real64), i=1, n)]
    call each('solvers', solvers)
    call each('least squares', least_squares)
    call each('eigenvalues', eigenvalues)
    call each('options', options)
    call each('procedures', procedures)
    call each('combinations', combinations)
    call each('properties', properties)
    call each('failures', failures)
    call ownership()
    call expect(arr_live_handles() == 0, 'no handle is left')
    call finish()

contains

    ! The product of m, and of its transpose, which m equals, by arrays.
    function product_of_m(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        calls = calls + 1
        y = matmul(m, x)
        call arr_give(y)
    end function product_of_m

    function product_of_wide(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        y = matmul(wide, x)                ! without arr_give: nothing is left all the same
    end function product_of_wide

    function product_of_tall(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        y = matmul(transpose(wide), x)
        call arr_give(y)
    end function product_of_tall

    function itself(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        y = x
    end function itself

    function nothing(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        type(arr_error) :: err
        y = arr_add(x, arr_ones([n + 1]), err=err)
    end function nothing

    function too_long(x) result(y)
        type(arr_array), intent(in) :: x
        type(arr_array) :: y
        y = arr_concat([x, x], dim=1)
        call arr_give(y)
    end function too_long

    function ends_third(iterations, residual) result(stops)
        integer(int64), intent(in) :: iterations
        real(real64), intent(in) :: residual
        logical :: stops
        told = told + 1
        stops = iterations >= 3 .and. residual > 0
    end function ends_third

    subroutine solved(x, info, what)
        type(arr_array), intent(in) :: x
        type(arr_solve_info), intent(in) :: info
        character(len=*), intent(in) :: what
        real(real64) :: h(n)
        h = x
        call expect(maxval(abs(matmul(m, h) - right)) < 1e-9_real64, what)
        call expect(info%info == 0 .and. info%iterations > 0 .and. info%residual < 1e-9_real64, what // ': its report')
    end subroutine solved

    subroutine solvers()
        type(arr_sparse) :: s
        type(arr_linop) :: l
        type(arr_array) :: a, b, x
        type(arr_solve_info) :: info
        real(real64) :: h(n)
        a = m
        b = right
        s = arr_to_csr(a)
        l = s
        x = arr_solve_cg(s, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'cg')
        x = arr_solve_cg(l, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'cg of an operator')
        x = arr_solve_cg(a, reshape(b, [n, 1]), rtol=1e-12_real64, info=info)
        call solved(x, info, 'cg of an array')
        x = arr_solve_cgs(s, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'cgs')
        x = arr_solve_bicgstab(2 * l, 2 * b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'bicgstab')
        x = arr_solve_gmres(s * 1, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'gmres')
        x = arr_solve_minres(s, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'minres')
        x = arr_solve_tfqmr(l, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'tfqmr')
        x = arr_solve_lgmres(a, b, rtol=1e-12_real64, restart=3, augment=0, info=info)
        call solved(x, info, 'lgmres')
        h = arr_solve_cg(s, b)
        call expect(maxval(abs(matmul(m, h) - right)) < 1e-4_real64, 'the default tolerance')
    end subroutine solvers

    ! The gradient of the sum of squares is 0 at the solution.
    subroutine least_squares()
        type(arr_sparse) :: s
        type(arr_array) :: b, x, var
        type(arr_lsqr_info) :: info
        real(real64) :: tall(n, 2), h(2)
        tall = transpose(wide)
        b = right
        s = arr_to_csc(arr_upload(tall))
        h = arr_solve_lsqr(s, b, atol=1e-12_real64, btol=0, info=info)
        call expect(maxval(abs(matmul(wide, matmul(tall, h) - right))) < 1e-8_real64, 'lsqr')
        call expect(info%istop == 2 .and. abs(info%r1norm - norm2(matmul(tall, h) - right)) < 1e-8_real64, 'its report')
        x = arr_solve_lsqr(s, b, damp=2, atol=1e-12_real64, var=var)
        h = x
        call expect(maxval(abs(matmul(wide, matmul(tall, h) - right) + 4 * h)) < 1e-8_real64, 'with damping')
        call expect(all(shape(var) == [2]), 'variances')
        h = arr_solve_lsmr(arr_linop_from_dense(arr_upload(tall)), b, atol=1e-12_real64, btol=1e-12_real64, info=info)
        call expect(maxval(abs(matmul(wide, matmul(tall, h) - right))) < 1e-8_real64 .and. info%iterations > 0, 'lsmr')
        x = arr_solve_lsmr(s, b, maxiter=1, info=info)
        call expect(info%istop == 7 .and. info%iterations == 1, 'the end by maxiter')
    end subroutine least_squares

    subroutine eigenvalues()
        type(arr_array) :: w, v, u, vh, x
        real(real64) :: values(2), product(n), vectors(n, 2), left(2, 2), rows(2, n), begin(n, 2)
        complex(real64) :: pair(1)
        real(real64) :: norm
        integer(int64) :: iterations
        call arr_eigsh(arr_to_csr(arr_upload(m)), 2, w, v, which=ARR_EIGEN_SA)
        values = w
        vectors = v
        call expect(maxval(abs(matmul(m, vectors) - vectors * spread(values, 1, n))) < 1e-8_real64 .and. &
            values(1) <= values(2), 'eigenvectors')
        call arr_eigsh(arr_upload(m), 1_int64, w, ncv=5, tol=1e-10_real64)
        call arr_eigh(arr_upload(m), x, v)
        call same(w, [maxval([(element(x, i), i=1, n)])], 'the largest eigenvalue')
        call arr_eigs(arr_upload(m), 1, x, which=ARR_EIGEN_LR)
        pair = x
        call same(w, [real(pair(1), real64)], 'the largest real part')
        call arr_onenormest(arr_upload(m), norm)
        call expect(abs(norm - maxval(sum(abs(m), 1))) < 1e-10_real64, 'a norm')
        x = arr_expm_multiply(arr_upload(m), arr_upload(m(:, 1)), trace_re=1.0)
        v = arr_expm_multiply(arr_upload(m), arr_upload(m(:, 1)), num=3, start=0, stop=1)
        product = matmul(arr_expm(arr_upload(m)), arr_upload(m(:, 1)))
        call same(x, product, 'an exponential')
        call expect(all(shape(v) == [3, n]), 'exponentials at several times')
        call arr_svds(arr_upload(wide), 2, w, u, vh)
        values = w
        left = u
        rows = vh
        call expect(maxval(abs(matmul(left * spread(values, 1, 2), rows) - wide)) < 1e-8_real64, 'singular vectors')
        begin = 0
        begin(1, 1) = 1
        begin(2, 2) = 1
        call arr_lobpcg(arr_upload(m), arr_upload(begin), w, v, m=arr_linop_jacobi(arr_to_csr(arr_upload(m))), &
            smallest=.true., tol=1e-9, maxiter=100, iterations=iterations)
        values = w
        vectors = v
        call expect(maxval(abs(matmul(m, vectors) - vectors * spread(values, 1, n))) < 1e-6_real64 .and. &
            iterations > 0, 'lobpcg')
    end subroutine eigenvalues

    function element(a, position) result(x)
        type(arr_array), intent(in) :: a
        integer, intent(in) :: position
        real(real64) :: x
        x = arr_item(a, [position])
    end function element

    subroutine options()
        type(arr_sparse) :: s
        type(arr_array) :: b, x
        type(arr_solve_info) :: info
        s = arr_to_csr(arr_upload(m))
        b = right
        x = arr_solve_cg(s, b, rtol=0, maxiter=2, info=info)
        call expect(info%info == 2 .and. info%iterations == 2, 'maxiter')
        x = arr_solve_cg(s, b, maxiter=0, info=info)
        call same(x, 0 * right, 'no iterations')
        x = arr_solve_cg(s, b, atol=100.0, rtol=0, info=info)
        call expect(info%info == 0 .and. info%iterations == 0, 'atol')
        x = arr_solve_cg(s, b, rtol=1e-12_real64)
        x = arr_solve_cg(s, b, rtol=1e-9_real64, x0=x, info=info)
        call expect(info%info == 0 .and. info%iterations == 0, 'the solution as x0')
        x = arr_solve_cg(s, b, rtol=1e-12_real64, m=arr_linop_jacobi(s), info=info)
        call solved(x, info, 'a preconditioner')
        x = arr_solve_cg(s, b, rtol=1e-12_real64, m=arr_inv(arr_upload(m)), info=info)
        call solved(x, info, 'the inverse as a preconditioner')
        call expect(info%iterations <= 2, 'which is exact')
        x = arr_solve_bicgstab(s, b, rtol=1e-12_real64, m=arr_sparse_eye(n), check_every=4, info=info)
        call solved(x, info, 'the identity as a preconditioner')
        told = 0
        x = arr_solve_cg(s, b, rtol=0, callback=ends_third, info=info)
        call expect(told >= 3 .and. info%info == 3, 'a callback that ends the solver')
        x = arr_solve_gmres(s, b, rtol=1e-12_real64, restart=2, maxiter=100_int64, info=info)
        call solved(x, info, 'restarts')
        x = arr_solve_minres(s + arr_sparse_eye(n), b, rtol=1e-13_real64, shift=1, info=info)
        call solved(x, info, 'a shift')
    end subroutine options

    subroutine procedures()
        type(arr_linop) :: l, w
        type(arr_array) :: b, x
        type(arr_solve_info) :: info
        type(arr_stream) :: stream
        real(real64) :: v(n), u(2), g(n, 3)
        b = right
        v = right - 2
        u = [1.0_real64, -3.0_real64]
        g = reshape([(real(i, real64), i=1, 3 * n)], [n, 3])
        calls = 0
        l = arr_linop_from_function(n, n, product_of_m)
        x = arr_solve_cg(l, b, rtol=1e-12_real64, info=info)
        call solved(x, info, 'cg of a procedure')
        call expect(calls >= info%iterations, 'which is called')
        w = arr_linop_from_function(2, n, product_of_wide, rmatvec=product_of_tall)
        call same(matmul(w, arr_upload(v)), matmul(wide, v), 'a procedure')
        call same(matmul(w, arr_upload(g)), matmul(wide, g), 'of a matrix')
        call same(matmul(transpose(w), arr_upload(u)), matmul(u, wide), 'the procedure of the adjoint')
        call same(matmul(arr_linop_adjoint(w), arr_upload(u)), matmul(u, wide), 'the adjoint')
        call same(matmul(arr_linop_from_function(n, n, itself), arr_upload(v)), v, 'the argument as the result')
        call arr_stream_create(stream)
        call same(arr_linop_apply(w, arr_upload(v), stream=stream), matmul(wide, v), 'in a stream')
        x = arr_solve_gmres(l, b, rtol=1e-12_real64, m=arr_linop_from_function(n, n, itself), info=info, stream=stream)
        call arr_sync(stream)
        call solved(x, info, 'a solver in a stream')
        call stream%release()
    end subroutine procedures

    subroutine combinations()
        type(arr_linop) :: l, w, d
        type(arr_array) :: x
        real(real64) :: v(n), u(2)
        v = right**2
        u = [2.0_real64, 5.0_real64]
        x = v
        l = arr_upload(m)
        w = arr_linop_from_dense(arr_upload(wide))
        d = arr_linop_diagonal(arr_upload(right))
        call same(matmul(l, x), matmul(m, v), 'a dense matrix')
        call same(matmul(arr_linop_from_sparse(arr_to_coo(arr_upload(m))), x), matmul(m, v), 'a sparse one')
        call same(matmul(d, x), right * v, 'a diagonal')
        call same(matmul(arr_linop_identity(n), x), v, 'the identity')
        call same(matmul(l + d, x), matmul(m, v) + right * v, 'a sum')
        call same(matmul(l - 2 * d, x), matmul(m, v) - 2 * right * v, 'a difference')
        call same(matmul(-l, x), -matmul(m, v), 'negative')
        call same(matmul(l * 0.5_real64, x), matmul(m, v) / 2, 'a multiple')
        call same(matmul(matmul(w, l), x), matmul(wide, matmul(m, v)), 'a product')
        call same(matmul(arr_linop_power(l, 2), x), matmul(m, matmul(m, v)), 'a power')
        call same(matmul(transpose(w), arr_upload(u)), matmul(u, wide), 'a transpose')
        call same(arr_linop_apply(w, arr_upload(u), op=ARR_MATRIX_TRANSPOSED), matmul(u, wide), 'its product')
        call same(matmul(arr_linop_scaled(l, 3), x), 3 * matmul(m, v), 'a number of any kind')
        call expect(arr_dtype(2 * arr_linop_identity(n, ARR_FLOAT32)) == ARR_FLOAT32, 'an integer does not widen')
        call expect(arr_dtype((0.0, 1.0) * l) == ARR_COMPLEX128, 'complex numbers do')
    end subroutine combinations

    subroutine properties()
        type(arr_linop) :: w, f
        type(arr_linop_properties) :: info
        w = arr_upload(wide)
        f = arr_linop_from_function(2, n, product_of_wide, dtype=ARR_FLOAT32)
        call expect(all(shape(w) == [2, n]) .and. size(w, 1) == 2 .and. size(w, 2) == n, 'extents')
        call expect(arr_dtype(f) == ARR_FLOAT32 .and. arr_alive(f), 'type')
        info = arr_linop_info(w)
        call expect(info%adjoint == 1 .and. info%rows == 2, 'properties')
        info = arr_linop_info(f)
        call expect(info%adjoint == 0 .and. info%columns == n, 'those of a procedure')
    end subroutine properties

    subroutine failures()
        type(arr_linop) :: l, f
        type(arr_array) :: b, x
        type(arr_solve_info) :: info
        type(arr_error) :: err
        b = right
        l = arr_upload(m)
        x = arr_solve_cg(arr_upload(wide), b, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_solve_cg: argument a', 'an operator that is not square')
        x = arr_solve_cg(l, arr_ones([n + 1]), info=info, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_solve_cg: argument b', 'a right side')
        call expect(.not. arr_alive(x), 'no solution')
        x = arr_solve_cg(l, b, m=3, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_solve_cg: argument m: expected an arr_linop', 'a preconditioner')
        x = arr_solve_cg(l, b, rtol='small', err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_solve_cg: argument rtol: expected a real or integer number', 'a tolerance')
        x = arr_solve_gmres(l, b, restart=2.5, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_solve_gmres: argument restart: expected an integer', 'restarts')
        x = arr_solve_cg(arr_linop_from_function(n, n, nothing), b, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'arr_solve_cg: the function matvec of the operator returned a variable ' // &
            'that holds no array', 'a procedure that fails')
        x = arr_solve_gmres(l, b, m=arr_linop_from_function(n, n, too_long), err=err)
        call expect_failure(err, ARR_E_SHAPE, 'the function matvec of the operator returned shape (12,), expected (6,)', &
            'a procedure with a wrong result')
        f = arr_linop_from_function(2, n, product_of_wide)
        x = arr_solve_lsqr(f, arr_ones([2]), err=err)
        call expect_failure(err, ARR_E_UNSUPPORTED, 'arr_solve_lsqr', 'least squares without the adjoint')
        call arr_eigsh(l, n + 1, x, err=err)
        call expect_failure(err, ARR_E_ARGUMENT, 'arr_eigsh: argument k', 'a number of eigenvalues')
        l = transpose(f, err=err)
        call expect_failure(err, ARR_E_UNSUPPORTED, 'arr_linop_transpose', 'no procedure of the adjoint')
        call expect(.not. arr_alive(l), 'no transpose')
        x = matmul(l, b, err=err)
        call expect_failure(err, ARR_E_HANDLE, 'expected a linear operator, got a variable that holds none', 'no operator')
        l = arr_linop_from_function(-1, n, product_of_wide, err=err)
        call expect_failure(err, ARR_E_SHAPE, 'arr_linop_from_function: argument rows: -1', 'a number of rows')
        l = arr_linop_from_function(n, 'six', product_of_m, err=err)
        call expect_failure(err, ARR_E_DTYPE, 'arr_linop_from_function: argument columns: expected an integer', 'of columns')
        call expect(size(f, 3, err=err) == 0, 'the size along no dimension')
        call expect_failure(err, ARR_E_ARGUMENT, 'size: argument dim', 'its error')
    end subroutine failures

    ! Each statement leaves as many handles as there are variables.
    subroutine ownership()
        type(arr_linop) :: l, k, list(2)
        type(arr_linop), allocatable :: many(:)
        integer(int64) :: before
        real(real64) :: h(n)
        before = arr_live_handles()
        l = arr_linop_from_function(n, n, product_of_m)
        k = l
        k = k
        call expect(arr_live_handles() == before + 2, 'another name')
        l = l + 2 * k - matmul(l, k)
        l = arr_upload(m)
        l = arr_to_csr(arr_upload(m))
        call expect(arr_live_handles() == before + 2, 'assigned again')
        h = matmul(k, arr_upload(right))
        call expect(all(abs(h - matmul(m, right)) < 1e-12_real64), 'the other name has the old operator')
        call expect(arr_live_handles() == before + 2, 'an expression')
        many = [l, -k]
        list = many
        many = [many, l + k]
        call expect(arr_live_handles() == before + 7, 'lists')
        deallocate (many)
        call arr_release(list)
        call arr_release(l)
        h = arr_solve_cg(k, arr_upload(right), m=2 * k)
        call expect(arr_live_handles() == before + 1, 'released')
        call arr_scope_begin()
        l = k
        k = k + k
        call arr_keep(k)
        call arr_scope_end()
        call expect(arr_alive(k) .and. .not. arr_alive(l), 'a scope')
        call arr_release(k)
    end subroutine ownership
end program test_iterative
