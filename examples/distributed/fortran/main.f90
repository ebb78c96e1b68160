! SPDX-License-Identifier: MIT
! mpiexec -n RANKS ./distributed_fortran NAME N STEPS: runs a program on as many processes; without mpiexec on one. Prints its
! number and the seconds that it took.
program main
    use arr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    interface
        function heat(comm, n, steps) result(peak)
            import :: arr_comm, real64
            type(arr_comm), intent(in) :: comm
            integer, intent(in) :: n, steps
            real(real64) :: peak
        end function heat
        function fft(comm, n, steps) result(peak)
            import :: arr_comm, real64
            type(arr_comm), intent(in) :: comm
            integer, intent(in) :: n, steps
            real(real64) :: peak
        end function fft
    end interface
    type(arr_comm), allocatable :: comms(:)
    type(arr_comm_properties) :: at
    type(arr_error) :: err
    character(len=16) :: name, text
    integer :: n, steps
    integer(int64) :: from, to, rate
    real(real64) :: number

    call get_command_argument(1, name)
    call get_command_argument(2, text)
    read (text, *) n
    call get_command_argument(3, text)
    read (text, *) steps
    allocate (comms(1))
    call arr_comm_mpi(comms(1), err=err)
    if (err%failed()) call arr_comm_local(comms, 1)    ! there is no MPI
    at = arr_comm_info(comms(1))
    call system_clock(from, rate)
    select case (name)
    case ('heat'); number = heat(comms(1), n, steps)
    case ('fft'); number = fft(comms(1), n, steps)
    case default; error stop 'distributed: there is no program of this name'
    end select
    call system_clock(to)
    if (at%rank == 0) print '(a,a,es22.15,a,f0.4,a,i0)', trim(name), ': ', number, ' in ', real(to - from, real64) / rate, &
        ' s on ', at%size
    call comms%release()
end program main
