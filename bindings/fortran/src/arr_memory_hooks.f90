! SPDX-License-Identifier: MIT
! arr_memory_hooks.f90: calls of a procedure at every allocation and release of an array's memory.
!
!     call hook%profile()
!     ...                                                        ! the work to be measured
!     print '(a)', hook%report()
module arr_memory_hooks
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_add => arr_memory_hook_add, c_remove => arr_memory_hook_remove, &
        c_debug => arr_memory_hook_debug, c_profile => arr_memory_hook_profile, c_report => arr_memory_profile_report
    use arr_errors, only: arr_error, check, fail, c_text
    use arr_allocators, only: arr_drop_procedure
    implicit none
    private
    public :: arr_memory_hook, arr_memory_procedure

    ! A hook, until it is removed or goes out of scope. Pass it on, do not copy it: the first copy that goes removes it.
    type :: arr_memory_hook
        integer(c_int64_t) :: id = 0               ! 0: there is none
    contains
        procedure :: add
        procedure :: debug
        procedure :: profile
        procedure :: report
        procedure :: remove
        final :: finalize_hook
    end type arr_memory_hook

    abstract interface
        ! event is ARR_MEMORY_ALLOC or ARR_MEMORY_FREE; function, for arr_c_text, is the name of the public function that
        ! runs, or ''.
        subroutine arr_memory_procedure(ctx, event, device_type, device_index, bytes, address, function) bind(c)
            import
            type(c_ptr), value :: ctx
            integer(c_int32_t), value :: event, device_type, device_index
            integer(c_int64_t), value :: bytes
            type(c_ptr), value :: address, function
        end subroutine arr_memory_procedure
    end interface

contains

    ! Calls a procedure of the program, of a module and with bind(c), on any thread, from within the call that takes or
    ! returns the memory: it must be short and call nothing of libarr. drop is called when it has been removed and runs no
    ! more; not where this fails.
    subroutine add(self, hook, ctx, drop, err)
        class(arr_memory_hook), intent(inout) :: self
        procedure(arr_memory_procedure) :: hook
        type(c_ptr), intent(in), optional :: ctx
        procedure(arr_drop_procedure), optional :: drop
        type(arr_error), intent(out), optional :: err
        type(c_funptr) :: last
        type(c_ptr) :: context
        call finalize_any(self)
        last = c_null_funptr
        context = c_null_ptr
        if (present(drop)) last = c_funloc(drop)
        if (present(ctx)) context = ctx
        call check(c_add(c_funloc(hook), last, context, self%id), err)
    end subroutine add

    ! Writes a line for each, "alloc 4096 bytes on cuda:0 at 0x7f.. in arr_add", to the end of a file, or to the standard
    ! error unit.
    subroutine debug(self, path, err)
        class(arr_memory_hook), intent(inout) :: self
        character(len=*), intent(in), optional :: path
        type(arr_error), intent(out), optional :: err
        call finalize_any(self)
        if (present(path)) then
            call check(c_debug(path, len_trim(path, kind=int64), self%id), err)
        else
            call check(c_debug(length=0_int64, id=self%id), err)
        end if
    end subroutine debug

    ! Adds up what arrays each function of libarr allocates, for report.
    subroutine profile(self, err)
        class(arr_memory_hook), intent(inout) :: self
        type(arr_error), intent(out), optional :: err
        call finalize_any(self)
        call check(c_profile(self%id), err)
    end subroutine profile

    ! Returns a line per function with allocations, bytes, bytes still in use and their peak, most bytes first.
    function report(self, err) result(text)
        class(arr_memory_hook), intent(in) :: self
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char), allocatable, target :: bytes(:)
        type(arr_error) :: problem
        integer(int64) :: length
        length = 0
        call check(c_report(self%id, 0_int64, length=length), problem)
        allocate (bytes(length + 1))
        bytes(1) = c_null_char
        if (.not. problem%failed()) call check(c_report(self%id, length + 1, bytes, length), problem)
        text = c_text(c_loc(bytes))
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function report

    ! Removes the hook; a call that has begun in another thread may still finish.
    subroutine remove(self, err)
        class(arr_memory_hook), intent(inout) :: self
        type(arr_error), intent(out), optional :: err
        integer(c_int64_t) :: id
        id = self%id
        self%id = 0
        call check(c_remove(id), err)
    end subroutine remove

    subroutine finalize_any(self)
        class(arr_memory_hook), intent(inout) :: self
        integer(c_int32_t) :: status
        if (self%id == 0) return
        status = c_remove(self%id)
        self%id = 0
    end subroutine finalize_any

    subroutine finalize_hook(self)
        type(arr_memory_hook), intent(inout) :: self
        call finalize_any(self)
    end subroutine finalize_hook
end module arr_memory_hooks
