! SPDX-License-Identifier: MIT
! time ROUNDS PROGRAM:SIZE ... - times the programs of examples/programs/fortran and those of loops.f90 in turns.
! Prints a line per program and size: PROGRAM SIZE DIFFERENCE OURS PEER OURS PEER ..., times in nanoseconds.
program time_programs
    use, intrinsic :: iso_fortran_env, only: dp => real64, int64
    use arr
    use programs, only: cg, heat, kmeans, rk4
    use loops
    implicit none
    character(len=64) :: text
    integer :: i, rounds, n, colon

    call get_command_argument(1, text)
    read (text, *) rounds
    do i = 2, command_argument_count()
        call get_command_argument(i, text)
        colon = index(text, ':')
        read (text(colon + 1:), *) n
        call compare(text(:colon - 1), n)
    end do

contains

    function input(name, n) result(x)
        character(len=*), intent(in) :: name
        integer, intent(in) :: n
        real(dp), allocatable :: x(:, :)
        integer :: i
        select case (name)
        case ('rk4'); allocate (x(3, n * n))
        case ('kmeans'); allocate (x(n * n, 2))
        case default; allocate (x(n, n))
        end select
        call random_number(x)
        if (name == 'rk4') x(3, :) = x(3, :) + 20
        if (name == 'kmeans') x = x + 2 * spread([(mod(i, 3), i=1, n * n)], 2, 2)
    end function input

    subroutine ours(name, a, z)
        character(len=*), intent(in) :: name
        type(arr_array), intent(in) :: a
        real(dp), allocatable, intent(inout) :: z(:, :)
        select case (name)
        case ('heat'); z = heat(a)
        case ('cg'); z = cg(a)
        case ('kmeans'); z = kmeans(a)
        case ('rk4'); z(:, 1) = rk4(a)
        end select
    end subroutine ours

    subroutine peer(name, x, z)
        character(len=*), intent(in) :: name
        real(dp), intent(in) :: x(:, :)
        real(dp), allocatable, intent(out) :: z(:, :)
        select case (name)
        case ('heat'); z = loops_heat(x)
        case ('cg'); z = loops_cg(x)
        case ('kmeans'); z = loops_kmeans(x)
        case ('rk4'); z = spread(loops_rk4(x), 2, 1)
        end select
    end subroutine peer

    subroutine compare(name, n)
        character(len=*), intent(in) :: name
        integer, intent(in) :: n
        real(dp), allocatable :: x(:, :), mine(:, :), expected(:, :)
        type(arr_array) :: a
        integer(int64) :: start, middle, ending
        integer :: round
        x = input(name, n)
        a = x
        call peer(name, x, expected)
        allocate (mine, mold=expected)
        call ours(name, a, mine)
        write (*, '(a, 1x, i0, 1x, es9.2)', advance='no') name, n, &
            maxval(abs(mine - expected)) / maxval(abs(expected))
        do round = 1, rounds
            call system_clock(start)
            call ours(name, a, mine)
            call system_clock(middle)
            call peer(name, x, expected)
            call system_clock(ending)
            write (*, '(2(1x, i0))', advance='no') middle - start, ending - middle
        end do
        write (*, *)
    end subroutine compare
end program time_programs
