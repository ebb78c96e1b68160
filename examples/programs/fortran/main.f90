! SPDX-License-Identifier: MIT
! programs FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
program programs
    use arr
    use program_kmeans
    use program_cg
    use program_navier_stokes
    use program_monte_carlo
    use program_pca
    use program_heat
    use program_rk4
    use program_blur
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
        case default; error stop 'programs: there is no program of this name'
        end select
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
end program programs
