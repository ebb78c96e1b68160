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
    use arr_c, only: c_value_pointer => arr_value_pointer, c_create => arr_module_create, &
        c_launch => arr_launch_raw_options, c_load_file => arr_module_load_file, c_value_texture => arr_value_texture
    use arr_errors, only: arr_error, check, fail, c_texts
    use arr_types, only: arr_array, arr_stream, stream_of
    use arr_host_memory, only: any_scalar, array_value
    use arr_textures, only: arr_texture
    use arr_arguments, only: drop, one_if
    use arr_functions, only: arr_kernel_base, arr_module_base
    implicit none
    private
    public :: arr_module, arr_kernel, arr_argument, arr_arg, arr_arg_pointer

    type, extends(arr_module_base) :: arr_module
    contains
        procedure :: create
        procedure :: create_from_file
        procedure :: load_file
    end type arr_module

    type, extends(arr_kernel_base) :: arr_kernel
    contains
        procedure :: launch
    end type arr_kernel

    ! An argument of a kernel; arr_arg makes it.
    type :: arr_argument
        type(arr_value) :: value
        type(arr_array_handle) :: array
        logical :: temporary = .false.
        logical :: unknown = .false.               ! neither an array nor a number of a kind that libarr has
    end type arr_argument

    ! arr_arg(x): x is an array, a texture, or a number, whose kind is the parameter's type.
    interface arr_arg
        module procedure argument_of
    end interface arr_arg

    ! A raw device address as an argument.
    interface arr_arg_pointer
        module procedure argument_at
    end interface arr_arg_pointer

contains

    ! Compiles source for a device; options is a list such as ['-DN=4  ', '-DREAL=1'], blanks at the ends do not count.
    subroutine create(self, source, device, options, err)
        class(arr_module), intent(inout) :: self
        character(len=*), intent(in) :: source
        type(arr_device), intent(in), optional :: device
        character(len=*), intent(in), optional :: options(:)
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: texts(:, :)
        type(c_ptr), allocatable :: pointers(:)
        call self%release()
        call c_texts(options, texts, pointers)
        call check(c_create(source, len(source, kind=int64), device, size(pointers, kind=c_int32_t), pointers, &
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

    ! A module from a file with CUDA C++ text or an image (PTX, cubin, fatbin, LTO-IR); the lists as options of create.
    subroutine load_file(self, path, device, include_paths, defines, names, options, standard, err)
        class(arr_module), intent(inout) :: self
        character(len=*), intent(in) :: path
        type(arr_device), intent(in), optional :: device
        character(len=*), intent(in), optional :: include_paths(:), defines(:), names(:), options(:)
        integer, intent(in), optional :: standard
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: text1(:, :), text2(:, :), text3(:, :), text4(:, :)
        type(c_ptr), allocatable, target :: place1(:), place2(:), place3(:), place4(:)
        type(arr_module_options) :: o
        call self%release()
        call c_texts(include_paths, text1, place1)
        call c_texts(defines, text2, place2)
        call c_texts(names, text3, place3)
        call c_texts(options, text4, place4)
        o%struct_size = c_sizeof(o)
        if (present(standard)) o%standard = int(standard, c_int32_t)
        o%ninclude_paths = size(place1, kind=c_int32_t)
        o%ndefines = size(place2, kind=c_int32_t)
        o%nnames = size(place3, kind=c_int32_t)
        o%noptions = size(place4, kind=c_int32_t)
        if (size(place1) > 0) o%include_paths = c_loc(place1)
        if (size(place2) > 0) o%defines = c_loc(place2)
        if (size(place3) > 0) o%names = c_loc(place3)
        if (size(place4) > 0) o%options = c_loc(place4)
        call check(c_load_file(trim(path) // c_null_char, device, o, self%handle), err)
    end subroutine load_file

    function argument_of(x) result(argument)
        class(*), intent(in) :: x
        type(arr_argument) :: argument
        type(arr_error) :: problem
        select type (x)
        type is (arr_array)
            argument%value = array_value(x)
            argument%array = x%handle
            argument%temporary = x%temporary
        type is (arr_texture)
            call c_value_texture(argument%value, x%handle)
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
    subroutine launch(self, grid, block, args, shared_bytes, stream, cooperative, err)
        class(arr_kernel), intent(in) :: self
        integer, intent(in) :: grid(:), block(:)
        type(arr_argument), intent(in) :: args(:)
        integer, intent(in), optional :: shared_bytes
        type(arr_stream), intent(in), optional :: stream
        logical, intent(in), optional :: cooperative     ! all blocks run at once
        type(arr_error), intent(out), optional :: err
        type(arr_launch_options) :: options
        integer(int64) :: blocks(3)
        integer(c_int32_t) :: threads(3)
        type(arr_error) :: problem
        integer :: i
        blocks = 1
        threads = 1
        options%struct_size = c_sizeof(options)
        if (present(shared_bytes)) options%shared_bytes = shared_bytes
        options%cooperative = one_if(cooperative)
        do i = 1, size(args)
            if (args(i)%unknown) call fail(ARR_E_DTYPE, 'arr_launch_raw: argument args: one is not a number of a kind &
                &that libarr has', problem)
        end do
        if (size(grid) > 3 .or. size(block) > 3) call fail(ARR_E_ARGUMENT, &
            'arr_launch_raw: arguments grid and block: expected up to 3 entries', problem)
        if (.not. problem%failed()) then
            blocks(:size(grid)) = grid
            threads(:size(block)) = block
            call check(c_launch(self%handle, blocks, threads, options, size(args, kind=c_int32_t), args%value, &
                stream_of(stream)), problem)
        end if
        do i = 1, size(args)
            if (args(i)%temporary) call drop(args(i)%array)
        end do
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine launch
end module arr_kernels
