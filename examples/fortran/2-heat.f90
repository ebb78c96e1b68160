! SPDX-License-Identifier: MIT
! 2-heat.f90: KERNEL.cu IN.npy OUT.npy: 1,000 steps of the heat equation by a raw CUDA kernel, on a GPU or the host.
program heat
    use, intrinsic :: iso_fortran_env, only: dp => real64, int64, error_unit
    use, intrinsic :: iso_c_binding, only: c_int
    use arr
    implicit none
    integer, parameter :: steps = 1000
    real(dp), parameter :: c = 0.2_dp
    interface
        function isatty(fd) bind(c) result(yes)
            import :: c_int
            integer(c_int), value :: fd
            integer(c_int) :: yes
        end function isatty
    end interface
    type(arr_array) :: u, v, swapped
    type(arr_device) :: device
    type(arr_module) :: module
    type(arr_kernel) :: kernel
    integer(int64) :: ny, nx
    real(dp) :: residual
    integer :: step, blocks(2)

    device = arr_device_select()
    call module%create_from_file(argument(1), device)
    call module%kernel('heat', kernel)
    ! The kernel counts in row-major order: dimension 1 is y.
    u = arr_contiguous(arr_astype(arr_load_npy(argument(2), device), ARR_FLOAT64), ARR_ORDER_C)
    v = arr_empty_like(u)
    ny = size(u, 1)
    nx = size(u, 2)
    blocks = int([(nx + 31) / 32, (ny + 7) / 8])
    do step = 1, steps
        call kernel%launch(blocks, [32, 8], [arr_arg(u), arr_arg(v), arr_arg(ny), arr_arg(nx), arr_arg(c)])
        swapped = u; u = v; v = swapped
        if (mod(step, 20) == 0 .and. isatty(2_c_int) /= 0) write (error_unit, '(4a)', advance='no') &
            achar(13), '[', repeat('#', step / 20) // repeat(' ', (steps - step) / 20), ']'
    end do
    if (isatty(2_c_int) /= 0) write (error_unit, *)
    residual = maxval(abs(u - v))
    print '(a,es0.12e2)', 'residual ', residual
    call arr_save_npy(u, argument(3))
contains
    function argument(i) result(text)
        integer, intent(in) :: i
        character(len=1000) :: text
        if (command_argument_count() /= 3) error stop 'usage: heat KERNEL.cu IN.npy OUT.npy'
        call get_command_argument(i, text)
    end function argument
end program heat
