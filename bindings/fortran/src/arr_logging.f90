! SPDX-License-Identifier: MIT
! arr_logging.f90: events of the library that no call returns.
module arr_logging
    use, intrinsic :: iso_c_binding
    use arr_c_types
    use arr_c, only: c_set => arr_log_set
    use arr_errors, only: arr_error, check
    use arr_allocators, only: arr_drop_procedure
    implicit none
    private
    public :: arr_log_set, arr_log_end, arr_log_procedure

    abstract interface
        ! level is ARR_LOG_DEBUG, _INFO or _WARNING; line, for arr_c_text, lives until this returns.
        subroutine arr_log_procedure(ctx, level, line) bind(c)
            import
            type(c_ptr), value :: ctx
            integer(c_int32_t), value :: level
            type(c_ptr), value :: line
        end subroutine arr_log_procedure
    end interface

    ! Lets a procedure of the program, of a module and with bind(c), hear of what the library does, from a level on; another
    ! one that is set ends it, and so does arr_log_end. It runs on the thread that has something to say, several at once,
    ! with locks of the library held: it must be short and call nothing of libarr but these two. drop is called when it runs
    ! no more; not where this fails. Libraries are opened once for a process: set it first.
    interface arr_log_set
        module procedure log_set
    end interface arr_log_set

    interface arr_log_end
        module procedure log_end
    end interface arr_log_end

contains

    subroutine log_set(log, level, ctx, drop, err)
        procedure(arr_log_procedure) :: log
        integer(c_int32_t), intent(in), optional :: level      ! ARR_LOG_INFO if it is not given
        type(c_ptr), intent(in), optional :: ctx
        procedure(arr_drop_procedure), optional :: drop
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: min_level
        type(c_funptr) :: last
        type(c_ptr) :: context
        min_level = ARR_LOG_INFO
        last = c_null_funptr
        context = c_null_ptr
        if (present(level)) min_level = level
        if (present(drop)) last = c_funloc(drop)
        if (present(ctx)) context = ctx
        call check(c_set(min_level, c_funloc(log), last, context), err)
    end subroutine log_set

    subroutine log_end(err)
        type(arr_error), intent(out), optional :: err
        call check(c_set(ARR_LOG_WARNING, c_null_funptr, c_null_funptr, c_null_ptr), err)
    end subroutine log_end
end module arr_logging
