! SPDX-License-Identifier: MIT
! arr_linear_operators.f90: linear operators: those of procedures of the program, sums and multiples, what solvers take.
! Other procedures are in arr_functions and arr_sparse_operators.
module arr_linear_operators
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c, only: c_from_function => arr_linop_from_function, c_from_sparse => arr_linop_from_sparse, &
        c_from_dense => arr_linop_from_dense, c_info => arr_linop_info, c_sum => arr_linop_sum, c_scaled => arr_linop_scaled, &
        c_retain_operator => arr_linop_retain, c_release_operator => arr_linop_release, c_retain => arr_retain, &
        c_release => arr_release, c_array_sync => arr_array_sync, c_stream_sync => arr_stream_sync, &
        c_value_weak => arr_value_weak
    use arr_arguments, only: integer_number
    use arr_element_types, only: arr_dtype, dtype_number
    use arr_errors, only: arr_error, check, fail
    use arr_handle_types, only: arr_linop, arr_sparse, done
    use arr_host_memory, only: any_scalar
    use arr_types, only: arr_array, done
    implicit none
    private
    public :: arr_linop_from_function, arr_linop_function, arr_solve_callback
    public :: assignment(=), operator(+), operator(-), size, shape, arr_alive
    public :: any_operator, done_any, drop_operator, operator_of, read_operator, report_to, scaled_operator, solver_progress

    abstract interface
        ! Returns the product of the operator with x, of rank 1, or 2 if the operator is multiplied by a matrix. A
        ! variable that holds no array ends the call that needs the product with an error.
        function arr_linop_function(x) result(y)
            import :: arr_array
            type(arr_array), intent(in) :: x
            type(arr_array) :: y
        end function arr_linop_function

        ! Is told the number of iterations and the norm of the residual; .true. ends the solver.
        function arr_solve_callback(iterations, residual) result(stops)
            import :: int64, real64
            integer(int64), intent(in) :: iterations
            real(real64), intent(in) :: residual
            logical :: stops
        end function arr_solve_callback
    end interface

    ! The library passes these back to the procedures with bind(c) below. Addresses, because gfortran 12 does not compile
    ! a component that is a pointer to functions whose results are finalized.
    type, bind(c) :: linop_procedures
        type(c_funptr) :: matvec = c_null_funptr, rmatvec = c_null_funptr
    end type linop_procedures
    type, bind(c) :: solver_progress
        type(c_funptr) :: told = c_null_funptr
    end type solver_progress

    ! Makes an operator of procedures of the program: y = matvec(x), and y = rmatvec(x) for the adjoint; without it the
    ! operator has no adjoint and no transpose. Internal procedures are valid as long as the procedure that contains
    ! them runs.
    interface arr_linop_from_function
        module procedure from_function
    end interface arr_linop_from_function

    ! An operator of a matrix: l = s.
    interface assignment(=)
        module procedure assign_matrix, assign_dense
    end interface assignment(=)

    interface operator(+)
        module procedure sum_of_operators
    end interface operator(+)

    interface operator(-)
        module procedure difference_of_operators, negative_operator
    end interface operator(-)

    interface size
        module procedure size_of_operator
    end interface size

    interface shape
        module procedure shape_of_operator
    end interface shape

    interface arr_alive
        module procedure operator_alive
    end interface arr_alive

    ! A new handle of an operator, or of one that is made of a matrix; drop_operator releases it.
    interface operator_of
        module procedure of_operator, of_matrix, of_dense
    end interface operator_of

contains

    ! ------------------------------------------------------------------------------- procedures of the program

    function from_function(rows, columns, matvec, rmatvec, dtype, device, err) result(z)
        class(*), intent(in) :: rows, columns
        procedure(arr_linop_function) :: matvec
        procedure(arr_linop_function), optional :: rmatvec
        type(arr_dtype), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_linop) :: z
        type(linop_procedures), pointer :: both
        type(c_funptr) :: adjoint
        type(arr_error) :: problem
        integer(int64) :: m, n
        m = 0
        n = 0
        call integer_number('arr_linop_from_function: argument rows', rows, m, problem)
        call integer_number('arr_linop_from_function: argument columns', columns, n, problem)
        allocate (both)
        both%matvec = c_funloc(matvec)
        adjoint = c_null_funptr
        if (present(rmatvec)) then
            both%rmatvec = c_funloc(rmatvec)
            adjoint = c_funloc(call_rmatvec)
        end if
        if (.not. problem%failed()) call check(c_from_function(m, n, number_of(dtype), device, c_funloc(call_matvec), &
            adjoint, c_funloc(drop_functions), c_loc(both), z%handle), problem)
        z%temporary = .true.
        if (.not. problem%failed()) return
        deallocate (both)
        call fail(problem%status, problem%message, err)
    end function from_function

    pure function number_of(dtype) result(number)
        type(arr_dtype), intent(in), optional :: dtype
        integer(c_int32_t) :: number
        number = ARR_FLOAT64
        if (present(dtype)) number = dtype_number(dtype)
    end function number_of

    recursive function call_matvec(ctx, x, stream, out) bind(c) result(status)
        type(c_ptr), value :: ctx
        type(arr_array_handle), value :: x
        type(arr_stream_handle), value :: stream
        type(arr_array_handle), intent(inout) :: out
        integer(c_int32_t) :: status
        type(linop_procedures), pointer :: both
        call c_f_pointer(ctx, both)
        status = applied(both%matvec, x, stream, out)
    end function call_matvec

    recursive function call_rmatvec(ctx, x, stream, out) bind(c) result(status)
        type(c_ptr), value :: ctx
        type(arr_array_handle), value :: x
        type(arr_stream_handle), value :: stream
        type(arr_array_handle), intent(inout) :: out
        integer(c_int32_t) :: status
        type(linop_procedures), pointer :: both
        call c_f_pointer(ctx, both)
        status = applied(both%rmatvec, x, stream, out)
    end function call_rmatvec

    ! The function works in the default stream, so that another stream has to wait for it and it for the other one.
    recursive function applied(address, x, stream, out) result(status)
        type(c_funptr), intent(in) :: address
        type(arr_array_handle), intent(in) :: x
        type(arr_stream_handle), intent(in) :: stream
        type(arr_array_handle), intent(inout) :: out
        integer(c_int32_t) :: status
        procedure(arr_linop_function), pointer :: f
        type(arr_array) :: operand
        status = ARR_OK
        if (c_associated(stream%ptr)) status = c_stream_sync(stream)
        if (status /= ARR_OK) return
        call c_f_procpointer(address, f)
        operand%handle = x
        call hand_over(f(operand), out, status)
        operand%handle%ptr = c_null_ptr            ! it was lent
        if (c_associated(stream%ptr) .and. c_associated(out%ptr)) status = c_array_sync(out)
    end function applied

    ! A new handle of a function's result, whose own is released whether or not the function called arr_give. None for a
    ! variable that holds none: the library says so.
    subroutine hand_over(y, out, status)
        type(arr_array), intent(in) :: y
        type(arr_array_handle), intent(inout) :: out
        integer(c_int32_t), intent(out) :: status
        integer(c_int32_t) :: ended
        out%ptr = c_null_ptr
        status = ARR_OK
        if (.not. c_associated(y%handle%ptr)) return
        status = c_retain(y%handle, out)
        ended = c_release(y%handle)
    end subroutine hand_over

    subroutine drop_functions(ctx) bind(c)
        type(c_ptr), value :: ctx
        type(linop_procedures), pointer :: both
        call c_f_pointer(ctx, both)
        deallocate (both)
    end subroutine drop_functions

    ! Puts a callback into a solver's options; `reports` has to live as long as the call.
    subroutine report_to(callback, reports, address, ctx)
        procedure(arr_solve_callback) :: callback
        type(solver_progress), intent(inout), target :: reports
        type(c_funptr), intent(inout) :: address
        type(c_ptr), intent(inout) :: ctx
        reports%told = c_funloc(callback)
        address = c_funloc(report)
        ctx = c_loc(reports)
    end subroutine report_to

    recursive function report(ctx, iterations, residual) bind(c) result(stops)
        type(c_ptr), value :: ctx
        integer(c_int64_t), value :: iterations
        real(c_double), value :: residual
        logical(c_bool) :: stops
        type(solver_progress), pointer :: reports
        procedure(arr_solve_callback), pointer :: told
        call c_f_pointer(ctx, reports)
        call c_f_procpointer(reports%told, told)
        stops = told(iterations, residual)
    end function report

    ! ------------------------------------------------------------------------------- operators of matrices

    subroutine of_operator(a, handle, err)
        type(arr_linop), intent(in) :: a
        type(arr_linop_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        if (.not. err%failed()) call check(c_retain_operator(a%handle, handle), err)
    end subroutine of_operator

    subroutine of_matrix(a, handle, err)
        type(arr_sparse), intent(in) :: a
        type(arr_linop_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        if (.not. err%failed()) call check(c_from_sparse(a%handle, handle), err)
    end subroutine of_matrix

    subroutine of_dense(a, handle, err)
        type(arr_array), intent(in) :: a
        type(arr_linop_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        if (.not. err%failed()) call check(c_from_dense(a%handle, handle), err)
    end subroutine of_dense

    subroutine any_operator(what, a, handle, err)
        character(len=*), intent(in) :: what
        class(*), intent(in), optional :: a
        type(arr_linop_handle), intent(inout) :: handle
        type(arr_error), intent(inout) :: err
        if (err%failed() .or. .not. present(a)) return
        select type (a)
        type is (arr_linop)
            call operator_of(a, handle, err)
        type is (arr_sparse)
            call operator_of(a, handle, err)
        type is (arr_array)
            call operator_of(a, handle, err)
        class default
            call fail(ARR_E_DTYPE, what // ': expected an arr_linop, arr_sparse or arr_array', err)
        end select
    end subroutine any_operator

    subroutine done_any(a)
        class(*), intent(in), optional :: a
        if (.not. present(a)) return
        select type (a)
        type is (arr_linop)
            call done(a)
        type is (arr_sparse)
            call done(a)
        type is (arr_array)
            call done(a)
        end select
    end subroutine done_any

    subroutine drop_operator(handle)
        type(arr_linop_handle), intent(in) :: handle
        integer(c_int32_t) :: status
        status = c_release_operator(handle)
    end subroutine drop_operator

    subroutine assign_matrix(lhs, rhs)
        type(arr_linop), intent(inout) :: lhs
        type(arr_sparse), intent(in) :: rhs
        type(arr_linop) :: made
        call check(c_from_sparse(rhs%handle, made%handle))
        made%temporary = .true.
        lhs = made
        made%handle%ptr = c_null_ptr
        call done(rhs)
    end subroutine assign_matrix

    subroutine assign_dense(lhs, rhs)
        type(arr_linop), intent(inout) :: lhs
        type(arr_array), intent(in) :: rhs
        type(arr_linop) :: made
        call check(c_from_dense(rhs%handle, made%handle))
        made%temporary = .true.
        lhs = made
        made%handle%ptr = c_null_ptr
        call done(rhs)
    end subroutine assign_dense

    ! ------------------------------------------------------------------------------- properties

    subroutine read_operator(a, info, err)
        type(arr_linop), intent(in) :: a
        type(arr_linop_properties), intent(out) :: info
        type(arr_error), intent(out), optional :: err
        info%struct_size = c_sizeof(info)
        call check(c_info(a%handle, info), err)
        call done(a)
    end subroutine read_operator

    function size_of_operator(array, dim, err) result(n)
        type(arr_linop), intent(in) :: array
        integer, intent(in) :: dim
        type(arr_error), intent(out), optional :: err
        integer(int64) :: n
        type(arr_linop_properties) :: info
        type(arr_error) :: problem
        call read_operator(array, info, problem)
        n = merge(info%rows, merge(info%columns, 0_int64, dim == 2), dim == 1)
        if (.not. problem%failed() .and. (dim < 1 .or. dim > 2)) &
            call fail(ARR_E_ARGUMENT, 'size: argument dim: expected 1 or 2', problem)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function size_of_operator

    function shape_of_operator(source, err) result(extents)
        type(arr_linop), intent(in) :: source
        type(arr_error), intent(out), optional :: err
        integer(int64) :: extents(2)
        type(arr_linop_properties) :: info
        call read_operator(source, info, err)
        extents = [info%rows, info%columns]
    end function shape_of_operator

    function operator_alive(a) result(yes)
        type(arr_linop), intent(in) :: a
        logical :: yes
        type(arr_linop_properties) :: info
        type(arr_error) :: problem
        call read_operator(a, info, problem)
        yes = .not. problem%failed()
    end function operator_alive

    ! ------------------------------------------------------------------------------- sums and multiples

    function sum_of_operators(x, y) result(z)
        type(arr_linop), intent(in) :: x, y
        type(arr_linop) :: z
        call check(c_sum(x%handle, y%handle, z%handle))
        z%temporary = .true.
        call done(x)
        call done(y)
    end function sum_of_operators

    function difference_of_operators(x, y) result(z)
        type(arr_linop), intent(in) :: x, y
        type(arr_linop) :: z
        z = x + (-y)
        z%temporary = .true.
    end function difference_of_operators

    function negative_operator(x) result(z)
        type(arr_linop), intent(in) :: x
        type(arr_linop) :: z
        call scaled_operator(x, -1, z)
    end function negative_operator

    ! Integers do not widen the operator's type.
    subroutine scaled_operator(a, x, z)
        type(arr_linop), intent(in) :: a
        class(*), intent(in) :: x
        type(arr_linop), intent(inout) :: z
        type(arr_value) :: v
        type(arr_error) :: problem
        call any_scalar(x, v, problem)
        if (v%dtype == ARR_INT32 .or. v%dtype == ARR_INT64) call c_value_weak(v)
        if (.not. problem%failed()) call check(c_scaled(a%handle, v, z%handle), problem)
        z%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message)
    end subroutine scaled_operator
end module arr_linear_operators
