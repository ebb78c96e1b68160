! SPDX-License-Identifier: MIT
! programs_before FOLDER NAME ... - runs programs on FOLDER/NAME.npy, and writes FOLDER/NAME_result.npy.
program programs_before
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
    character(len=4096) :: folder, name
    integer :: i

    call get_command_argument(1, folder)
    do i = 2, command_argument_count()
        call get_command_argument(i, name)
        input = arr_load_npy(trim(folder) // '/' // trim(name) // '.npy')
        select case (name)
        case ('kmeans'); output = kmeans(input)
        case ('cg'); output = cg(input)
        case ('navier_stokes'); output = navier_stokes(input)
        case ('monte_carlo'); output = monte_carlo(input)
        case ('pca'); output = pca(input)
        case ('heat'); output = heat(input)
        case ('rk4'); output = rk4(input)
        case ('blur'); output = blur(input)
        case default; error stop 'programs_before: there is no program of this name'
        end select
        call arr_save_npy(output, trim(folder) // '/' // trim(name) // '_result.npy')
    end do
end program programs_before
