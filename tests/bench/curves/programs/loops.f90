! SPDX-License-Identifier: MIT
! The programs of examples/programs in plain Fortran: loops over arrays of the program, one thread.
module loops
    use, intrinsic :: iso_fortran_env, only: dp => real64
    implicit none
contains
    function loops_heat(field) result(u)
        real(dp), intent(in) :: field(:, :)
        real(dp), allocatable :: u(:, :), next(:, :)
        integer :: i, j, step
        u = field
        next = field
        do step = 1, 100
            do j = 2, size(u, 2) - 1
                do i = 2, size(u, 1) - 1
                    next(i, j) = u(i, j) + 0.2_dp * (u(i + 1, j) + u(i - 1, j) + u(i, j + 1) + u(i, j - 1) &
                                                    - 4 * u(i, j))
                end do
            end do
            call exchange(u, next)
        end do
    end function loops_heat

    subroutine exchange(a, b)
        real(dp), allocatable, intent(inout) :: a(:, :), b(:, :)
        real(dp), allocatable :: held(:, :)
        call move_alloc(a, held)
        call move_alloc(b, a)
        call move_alloc(held, b)
    end subroutine exchange

    pure function lorenz(s) result(slope)
        real(dp), intent(in) :: s(3)
        real(dp) :: slope(3)
        slope = [10 * (s(2) - s(1)), s(1) * (28 - s(3)) - s(2), s(1) * s(2) - 8 / 3.0_dp * s(3)]
    end function lorenz

    function loops_rk4(start) result(means)
        real(dp), intent(in) :: start(:, :)
        real(dp) :: means(3), s(3), k1(3), k2(3), k3(3), k4(3)
        real(dp), parameter :: h = 0.01_dp
        real(dp), allocatable :: state(:, :)
        integer :: j, step
        state = start
        do step = 1, 100
            do j = 1, size(state, 2)
                s = state(:, j)
                k1 = lorenz(s)
                k2 = lorenz(s + h / 2 * k1)
                k3 = lorenz(s + h / 2 * k2)
                k4 = lorenz(s + h * k3)
                state(:, j) = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            end do
        end do
        means = sum(state, dim=2) / size(state, 2)
    end function loops_rk4

    subroutine laplace(p, q)
        real(dp), intent(in) :: p(:, :)
        real(dp), intent(out) :: q(:, :)
        integer :: n, m
        n = size(p, 1)
        m = size(p, 2)
        q = 4 * p
        q(2:, :) = q(2:, :) - p(:n - 1, :)
        q(:n - 1, :) = q(:n - 1, :) - p(2:, :)
        q(:, 2:) = q(:, 2:) - p(:, :m - 1)
        q(:, :m - 1) = q(:, :m - 1) - p(:, 2:)
    end subroutine laplace

    function loops_cg(b) result(x)
        real(dp), intent(in) :: b(:, :)
        real(dp), allocatable :: x(:, :), r(:, :), p(:, :), q(:, :)
        real(dp) :: rho, previous, alpha
        allocate (x, mold=b)
        x = 0
        r = b
        p = b
        q = b
        rho = sum(r * r)
        do while (rho > 1e-10_dp**2)
            call laplace(p, q)
            alpha = rho / sum(p * q)
            x = x + alpha * p
            r = r - alpha * q
            previous = rho
            rho = sum(r * r)
            p = r + rho / previous * p
        end do
    end function loops_cg

    function loops_kmeans(points) result(centres)
        real(dp), intent(in) :: points(:, :)
        integer, parameter :: k = 3
        real(dp) :: centres(k, 2), sums(k, 2), counts(k), distances(k)
        integer :: i, c, round
        centres = points(:k, :)
        do round = 1, 10
            sums = 0
            counts = 0
            do i = 1, size(points, 1)
                distances = (points(i, 1) - centres(:, 1))**2 + (points(i, 2) - centres(:, 2))**2
                c = minloc(distances, dim=1)
                counts(c) = counts(c) + 1
                sums(c, :) = sums(c, :) + points(i, :)
            end do
            centres = sums / spread(counts, 2, 2)
        end do
    end function loops_kmeans
end module loops
