! SPDX-License-Identifier: MIT
! programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
program main
    use arr
    use programs
    implicit none
    type(arr_array) :: input, output
    character(len=:), allocatable :: path
    integer :: i

    do i = 2, command_argument_count()
        path = argument(1) // '/' // argument(i)
        input = arr_load_npy(path // '.npy')
        select case (argument(i))
        case ('kmeans'); output = kmeans(input)
        case ('cg'); output = cg(input)
        case ('navier_stokes'); output = navier_stokes(input)
        case ('monte_carlo'); output = monte_carlo(input)
        case ('pca'); output = pca(input)
        case ('heat'); output = heat(input)
        case ('rk4'); output = rk4(input)
        case ('blur'); output = blur(input)
        case ('pagerank'); output = pagerank(input)
        case ('poisson'); output = poisson(input)
        case default; error stop 'programs: there is no program of this name'
        end select
        ! The functions end with arr_give, so only their results are left (docs/guides/fortran.md, Memory).
        if (arr_live_handles() /= 2) error stop 'programs: arrays are left besides input and output'
        call arr_save_npy(output, path // '_result.npy')
    end do

contains

    function argument(i) result(text)
        integer, intent(in) :: i
        character(len=:), allocatable :: text
        integer :: length
        call get_command_argument(i, length=length)
        allocate (character(len=length) :: text)
        call get_command_argument(i, text)
    end function argument
end program main
