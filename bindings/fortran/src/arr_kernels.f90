! SPDX-License-Identifier: MIT
! arr_kernels.f90: kernels written in CUDA C++, for GPUs and for the host.
!
!     call module%create(source, device)
!     call module%kernel('saxpy', k)
!     call k%launch(grid=[8], block=[256], args=[arr_arg(n), arr_arg(2.0), arr_arg(x), arr_arg(y)])
module arr_kernels
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_base, only: c_value_pointer => arr_value_pointer
    use arr_c_array, only: c_release => arr_release
    use arr_c_kernel, only: c_create => arr_module_create, c_log => arr_module_log, c_kernel => arr_module_kernel, &
        c_module_release => arr_module_release, c_kernel_release => arr_kernel_release, c_launch => arr_launch_raw
    use arr_errors, only: arr_error, check, fail, c_texts
    use arr_types, only: arr_array, arr_stream, stream_of
    use arr_host_memory, only: any_scalar, array_value
    implicit none
    private
    public :: arr_module, arr_kernel, arr_argument, arr_arg, arr_arg_pointer, arr_module_log

    type :: arr_module
        type(arr_module_handle) :: handle
    contains
        procedure :: create
        procedure :: create_from_file
        procedure :: kernel
        procedure :: release => release_module
        final :: finalize_module
    end type arr_module

    type :: arr_kernel
        type(arr_kernel_handle) :: handle
    contains
        procedure :: launch
        procedure :: release => release_kernel
        final :: finalize_kernel
    end type arr_kernel

    ! An argument of a kernel; arr_arg makes it.
    type :: arr_argument
        type(arr_value) :: value
        type(arr_array_handle) :: array
        logical :: temporary = .false.
        logical :: unknown = .false.               ! neither an array nor a number of a kind that libarr has
    end type arr_argument

    ! arr_arg(x): x is an array or a number, whose kind is the parameter's type.
    interface arr_arg
        module procedure argument_of
    end interface arr_arg

    ! A raw device address as an argument.
    interface arr_arg_pointer
        module procedure argument_at
    end interface arr_arg_pointer

    ! The compiler's messages of a module, or of the last failure.
    interface arr_module_log
        module procedure module_log
    end interface arr_module_log

contains

    ! Compiles source for a device; options is a list such as ['-DN=4  ', '-DREAL=1'], blanks at the ends do not count.
    subroutine create(self, source, device, options, err)
        class(arr_module), intent(inout) :: self
        character(len=*), intent(in) :: source
        type(arr_device), intent(in), optional :: device
        character(len=*), intent(in), optional :: options(:)
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: texts(:, :)
        type(c_ptr), allocatable :: places(:)
        call self%release()
        call c_texts(options, texts, places)
        call check(c_create(source, len(source, kind=int64), device, size(places, kind=c_int32_t), places, &
            self%handle), err)
    end subroutine create

    ! The same with the source in a text file.
    subroutine create_from_file(self, path, device, options, err)
        class(arr_module), intent(inout) :: self
        character(len=*), intent(in) :: path
        type(arr_device), intent(in), optional :: device
        character(len=*), intent(in), optional :: options(:)
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: source
        character(len=200) :: reason
        integer :: unit, status
        integer(int64) :: bytes
        open (newunit=unit, file=trim(path), status='old', action='read', access='stream', form='unformatted', &
            iostat=status, iomsg=reason)
        if (status == 0) then
            inquire (unit, size=bytes)
            allocate (character(len=max(bytes, 0_int64)) :: source)
            read (unit, iostat=status, iomsg=reason) source
            close (unit)
        end if
        if (status == 0) then
            call self%create(source, device, options, err)
        else
            call fail(ARR_E_IO, 'arr_module_create: "' // trim(path) // '": ' // trim(reason), err)
        end if
    end subroutine create_from_file

    subroutine kernel(self, name, k, err)
        class(arr_module), intent(in) :: self
        character(len=*), intent(in) :: name
        type(arr_kernel), intent(inout) :: k
        type(arr_error), intent(out), optional :: err
        call k%release()
        call check(c_kernel(self%handle, trim(name) // c_null_char, k%handle), err)
    end subroutine kernel

    subroutine finalize_module(self)
        type(arr_module), intent(inout) :: self
        call self%release()
    end subroutine finalize_module

    subroutine release_module(self)
        class(arr_module), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_module_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_module

    subroutine finalize_kernel(self)
        type(arr_kernel), intent(inout) :: self
        call self%release()
    end subroutine finalize_kernel

    subroutine release_kernel(self)
        class(arr_kernel), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_kernel_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_kernel

    function argument_of(x) result(argument)
        class(*), intent(in) :: x
        type(arr_argument) :: argument
        type(arr_error) :: problem
        select type (x)
        type is (arr_array)
            argument%value = array_value(x)
            argument%array = x%handle
            argument%temporary = x%temporary
        class default
            call any_scalar(x, argument%value, problem)
            argument%unknown = problem%failed()
        end select
    end function argument_of

    function argument_at(address) result(argument)
        type(c_ptr), intent(in) :: address
        type(arr_argument) :: argument
        call c_value_pointer(argument%value, address)
    end function argument_at

    ! grid and block have up to three entries, x first; what is left out is 1.
    subroutine launch(self, grid, block, args, shared_bytes, stream, err)
        class(arr_kernel), intent(in) :: self
        integer, intent(in) :: grid(:), block(:)
        type(arr_argument), intent(in) :: args(:)
        integer, intent(in), optional :: shared_bytes
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        integer(int64) :: blocks(3), shared
        integer(c_int32_t) :: threads(3)
        type(arr_error) :: problem
        integer(c_int32_t) :: status
        integer :: i
        blocks = 1
        threads = 1
        shared = 0
        if (present(shared_bytes)) shared = shared_bytes
        do i = 1, size(args)
            if (args(i)%unknown) call fail(ARR_E_DTYPE, 'arr_launch_raw: argument args: one is not a number of a kind &
                &that libarr has', problem)
        end do
        if (size(grid) > 3 .or. size(block) > 3) call fail(ARR_E_ARGUMENT, &
            'arr_launch_raw: arguments grid and block: expected up to 3 entries', problem)
        if (.not. problem%failed()) then
            blocks(:size(grid)) = grid
            threads(:size(block)) = block
            call check(c_launch(self%handle, blocks, threads, shared, size(args, kind=c_int32_t), args%value, &
                stream_of(stream)), problem)
        end if
        do i = 1, size(args)
            if (args(i)%temporary) status = c_release(args(i)%array)
        end do
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine launch

    function module_log(module, err) result(text)
        type(arr_module), intent(in), optional :: module
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char), allocatable :: bytes(:)
        type(arr_module_handle) :: handle
        type(arr_error) :: problem
        integer(int64) :: length, i
        if (present(module)) handle = module%handle
        length = 0
        call check(c_log(handle, 0_int64, length=length), problem)
        allocate (bytes(length + 1))
        if (.not. problem%failed()) call check(c_log(handle, length + 1, bytes, length), problem)
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = bytes(i)
        end do
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function module_log
end module arr_kernels
