! SPDX-License-Identifier: MIT
! arr_expressions.f90: fused expressions: written with nodes, run on arrays in one pass over memory.
!
!     call e%create()
!     x = e%input(1); y = e%input(2)
!     r = e%run(2 * sin(x) + y, [a, b])
! or parsed:
!     call e%parse('sqrt(x*x + y*y)', z)
!     r = e%run(z, [a, b])
! or both at once:
!     r = arr_evaluate('sqrt(x*x + y*y) / k', a, b, 2)
module arr_expressions
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c, only: c_value_weak => arr_value_weak, c_parse => arr_expr_parse, c_reduce => arr_expr_reduce, &
        c_scan => arr_expr_scan, c_input => arr_expr_input, c_constant => arr_expr_constant, c_op => arr_expr_op, &
        c_cast => arr_expr_cast, c_gather => arr_expr_gather, c_run => arr_expr_run, c_run_into => arr_expr_run_into, &
        c_describe => arr_expr_describe, c_evaluate => arr_evaluate, c_evaluate_into => arr_evaluate_into, &
        c_product => arr_sparse_matmul_expr
    use arr_element_types, only: dtype_number
    use arr_handle_types, only: arr_sparse, done_sparse => done
    use arr_errors, only: arr_error, check, fail, c_texts
    use arr_types, only: arr_array, arr_stream, done, all_done, handles, stream_of
    use arr_host_memory, only: any_scalar
    use arr_engine, only: dims_of, axis_of
    use arr_arguments, only: as_text, flag, length, weak_value, done_value
    use arr_functions, only: arr_expr_base
    implicit none
    private
    public :: arr_expr, arr_node, arr_cast, node_of, constant, arr_evaluate, arr_evaluate_into

    type, extends(arr_expr_base) :: arr_expr
    contains
        procedure :: parse
        procedure :: input
        procedure :: gather
        procedure :: run
        procedure :: product => run_on_product
        procedure :: reduce
        procedure :: scan => scan_node
        procedure :: run_into
        procedure :: describe
    end type arr_expr

    ! A value of an expression. A failure while it was built is reported when it is run.
    type :: arr_node
        type(arr_expr_handle) :: expr
        integer(c_int32_t) :: node = -1
        type(arr_error) :: failure
    end type arr_node

    ! Casts x to another element type.
    interface arr_cast
        module procedure cast_node
    end interface arr_cast

    ! Evaluates a formula of arrays and numbers.
    interface arr_evaluate
        module procedure evaluate
    end interface arr_evaluate
    interface arr_evaluate_into
        module procedure evaluate_into
    end interface arr_evaluate_into

contains

    ! Parses a formula in the library's notation, which is Python's with NumPy's names; z is the node of the whole. The
    ! arrays of run are its variables in the order in which they appear, or in that of `variables`.
    subroutine parse(self, formula, z, variables, err)
        class(arr_expr), intent(inout) :: self
        character(len=*), intent(in) :: formula
        type(arr_node), intent(out) :: z
        character(len=*), intent(in), optional :: variables(:)
        type(arr_error), intent(out), optional :: err
        character(kind=c_char), allocatable, target :: names(:, :)
        type(c_ptr), allocatable :: pointers(:)
        call self%release()
        call c_texts(variables, names, pointers)
        call check(c_parse(formula, len(formula, kind=int64), size(pointers, kind=c_int32_t), pointers, z%node, &
            self%handle), err)
        z%expr = self%handle
    end subroutine parse

    ! Returns the node of the array at this index, from 1, of the list that run receives.
    function input(self, position) result(x)
        class(arr_expr), intent(in) :: self
        integer, intent(in) :: position
        type(arr_node) :: x
        x%expr = self%handle
        call check(c_input(self%handle, int(position - 1, c_int32_t), x%node), x%failure)
    end function input

    ! Gathers elements of the array at this index of the list, at indices from nodes of integers, one per dimension.
    ! Indices count from 0. The array does not take part in broadcasting.
    function gather(self, position, indices, bounds) result(x)
        class(arr_expr), intent(in) :: self
        integer, intent(in) :: position
        type(arr_node), intent(in) :: indices(:)
        integer(c_int32_t), intent(in), optional :: bounds    ! ARR_BOUNDS_RAISE and so on
        type(arr_node) :: x
        integer(c_int32_t) :: nodes(size(indices)), outside
        integer :: i
        x%expr = self%handle
        outside = ARR_BOUNDS_RAISE
        if (present(bounds)) outside = bounds
        do i = 1, size(indices)
            nodes(i) = indices(i)%node
            if (indices(i)%failure%failed()) x%failure = indices(i)%failure
            if (.not. c_associated(indices(i)%expr%ptr, x%expr%ptr)) &
                call fail(ARR_E_ARGUMENT, 'arr_expr_gather: the indices belong to different expressions', x%failure)
        end do
        if (x%failure%failed()) return
        call check(c_gather(self%handle, int(position - 1, c_int32_t), size(nodes, kind=c_int32_t), nodes, outside, &
            x%node), x%failure)
    end function gather

    ! The node of a plain number in the expression of another node. It is weak: the arrays are not known yet.
    function constant(x, partner) result(z)
        class(*), intent(in) :: x
        type(arr_node), intent(in) :: partner
        type(arr_node) :: z
        type(arr_value) :: v
        z = partner
        if (z%failure%failed()) return
        call any_scalar(x, v, z%failure)
        if (z%failure%failed()) return
        call c_value_weak(v)
        call check(c_constant(z%expr, v, z%node), z%failure)
    end function constant

    function node_of(op, operands) result(z)
        integer(c_int32_t), intent(in) :: op
        type(arr_node), intent(in) :: operands(:)
        type(arr_node) :: z
        integer(c_int32_t) :: nodes(size(operands))
        integer :: i
        z%expr = operands(1)%expr
        do i = 1, size(operands)
            nodes(i) = operands(i)%node
            if (operands(i)%failure%failed()) z%failure = operands(i)%failure
            if (.not. c_associated(operands(i)%expr%ptr, z%expr%ptr)) &
                call fail(ARR_E_ARGUMENT, 'arr_expr_op: the operands belong to different expressions', z%failure)
        end do
        if (z%failure%failed()) return
        call check(c_op(z%expr, op, size(nodes, kind=c_int32_t), nodes, z%node), z%failure)
    end function node_of

    function cast_node(x, dtype) result(z)
        type(arr_node), intent(in) :: x
        type(arr_dtype), intent(in) :: dtype
        type(arr_node) :: z
        z = x
        if (.not. z%failure%failed()) call check(c_cast(z%expr, x%node, dtype_number(dtype), z%node), z%failure)
    end function cast_node

    ! Computes the node's elements for these arrays, which broadcast.
    function run(self, node, arrays, stream, err) result(z)
        class(arr_expr), intent(in) :: self
        type(arr_node), intent(in) :: node
        type(arr_array), intent(in) :: arrays(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        problem = node%failure
        if (.not. problem%failed()) call check(c_run(self%handle, node%node, size(arrays, kind=c_int32_t), &
            handles(arrays), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call all_done(arrays)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function run

    ! Runs it on the product of a sparse matrix with a vector or a matrix, the first array of the list, and on others that
    ! broadcast to it: r = e%product(max(y + b, 0), a, x, [bias]).
    function run_on_product(self, node, a, x, arrays, stream, err) result(z)
        class(arr_expr), intent(in) :: self
        type(arr_node), intent(in) :: node
        type(arr_sparse), intent(in) :: a
        type(arr_array), intent(in) :: x
        type(arr_array), intent(in), optional :: arrays(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_array_handle), allocatable :: others(:)
        type(arr_error) :: problem
        problem = node%failure
        allocate (others(0))
        if (present(arrays)) others = handles(arrays)
        if (.not. problem%failed()) call check(c_product(a%handle, x%handle, self%handle, node%node, &
            size(others, kind=c_int32_t), others, stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done_sparse(a)
        call done(x)
        if (present(arrays)) call all_done(arrays)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function run_on_product

    ! Evaluates a formula of up to eight arrays and numbers, which are its variables in the order of their first use. A number
    ! takes the type of the array that it meets. The formula is parsed once in a process.
    function evaluate(formula, x1, x2, x3, x4, x5, x6, x7, x8, stream, err) result(z)
        character(len=*), intent(in) :: formula
        class(*), intent(in) :: x1
        class(*), intent(in), optional :: x2, x3, x4, x5, x6, x7, x8
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_value) :: values(8)
        type(arr_error) :: problem
        integer(c_int32_t) :: n
        call collect(values, n, problem, x1, x2, x3, x4, x5, x6, x7, x8)
        if (.not. problem%failed()) call check(c_evaluate(formula, len(formula, kind=int64), n, values, &
            stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call done_values(x1, x2, x3, x4, x5, x6, x7, x8)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function evaluate

    ! Evaluates a formula like arr_evaluate into an array of the result's shape, which may be one of the operands.
    subroutine evaluate_into(dst, formula, x1, x2, x3, x4, x5, x6, x7, x8, stream, err)
        type(arr_array), intent(in) :: dst
        character(len=*), intent(in) :: formula
        class(*), intent(in) :: x1
        class(*), intent(in), optional :: x2, x3, x4, x5, x6, x7, x8
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_value) :: values(8)
        type(arr_error) :: problem
        integer(c_int32_t) :: n
        call collect(values, n, problem, x1, x2, x3, x4, x5, x6, x7, x8)
        if (.not. problem%failed()) call check(c_evaluate_into(dst%handle, formula, len(formula, kind=int64), n, values, &
            stream_of(stream)), problem)
        call done_values(x1, x2, x3, x4, x5, x6, x7, x8)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine evaluate_into

    ! The operands that are present, as the C library takes them.
    subroutine collect(values, n, problem, x1, x2, x3, x4, x5, x6, x7, x8)
        type(arr_value), intent(out) :: values(:)
        integer(c_int32_t), intent(out) :: n
        type(arr_error), intent(inout) :: problem
        class(*), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
        n = 0
        call add(x1, values, n, problem)
        call add(x2, values, n, problem)
        call add(x3, values, n, problem)
        call add(x4, values, n, problem)
        call add(x5, values, n, problem)
        call add(x6, values, n, problem)
        call add(x7, values, n, problem)
        call add(x8, values, n, problem)
    end subroutine collect

    subroutine done_values(x1, x2, x3, x4, x5, x6, x7, x8)
        class(*), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
        call done_value(x1)
        call done_value(x2)
        call done_value(x3)
        call done_value(x4)
        call done_value(x5)
        call done_value(x6)
        call done_value(x7)
        call done_value(x8)
    end subroutine done_values

    subroutine add(x, values, n, problem)
        class(*), intent(in), optional :: x
        type(arr_value), intent(inout) :: values(:)
        integer(c_int32_t), intent(inout) :: n
        type(arr_error), intent(inout) :: problem
        type(arr_value), allocatable :: v
        if (.not. present(x)) return
        call weak_value(x, v, problem)
        if (problem%failed()) return
        n = n + 1
        values(n) = v
    end subroutine add

    ! Reduces the node over all dimensions or some, in one pass: nothing of the full shape is stored.
    function reduce(self, node, reduction, arrays, dim, keepdims, stream, err) result(z)
        class(arr_expr), intent(in) :: self
        type(arr_node), intent(in) :: node
        integer(c_int32_t), intent(in) :: reduction        ! ARR_REDUCTION_SUM and so on
        type(arr_array), intent(in) :: arrays(:)
        integer, intent(in), optional :: dim(..)
        logical, intent(in), optional :: keepdims
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        integer(c_int32_t), allocatable :: axes(:)
        problem = node%failure
        if (present(dim)) axes = dims_of(dim)
        if (.not. problem%failed()) call check(c_reduce(self%handle, node%node, reduction, length(axes), &
            axes, flag(keepdims), size(arrays, kind=c_int32_t), handles(arrays), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call all_done(arrays)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function reduce

    ! Accumulates the node along a dimension, in one pass.
    function scan_node(self, node, reduction, arrays, dim, stream, err) result(z)
        class(arr_expr), intent(in) :: self
        type(arr_node), intent(in) :: node
        integer(c_int32_t), intent(in) :: reduction        ! ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
        type(arr_array), intent(in) :: arrays(:)
        integer, intent(in) :: dim
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: z
        type(arr_error) :: problem
        problem = node%failure
        if (.not. problem%failed()) call check(c_scan(self%handle, node%node, reduction, axis_of(dim), &
            size(arrays, kind=c_int32_t), handles(arrays), stream_of(stream), z%handle), problem)
        z%temporary = .true.
        call all_done(arrays)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function scan_node

    ! Computes like run, into an array or a section of one.
    subroutine run_into(self, dst, node, arrays, stream, err)
        class(arr_expr), intent(in) :: self
        type(arr_array), intent(in) :: dst
        type(arr_node), intent(in) :: node
        type(arr_array), intent(in) :: arrays(:)
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_error) :: problem
        problem = node%failure
        if (.not. problem%failed()) call check(c_run_into(dst%handle, self%handle, node%node, &
            size(arrays, kind=c_int32_t), handles(arrays), stream_of(stream)), problem)
        call all_done(arrays)
        call done(dst)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end subroutine run_into

    ! Returns the program that would run, with its casts, as text.
    function describe(self, node, arrays, err) result(text)
        class(arr_expr), intent(in) :: self
        type(arr_node), intent(in) :: node
        type(arr_array), intent(in) :: arrays(:)
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char), allocatable :: bytes(:)
        integer(int64) :: n_bytes
        integer(c_int32_t) :: n
        type(arr_error) :: problem
        problem = node%failure
        n = size(arrays, kind=c_int32_t)
        n_bytes = 0
        if (.not. problem%failed()) call check(c_describe(self%handle, node%node, n, handles(arrays), 0_int64, &
            length=n_bytes), problem)
        allocate (bytes(n_bytes + 1))
        if (.not. problem%failed()) call check(c_describe(self%handle, node%node, n, handles(arrays), n_bytes + 1, &
            bytes, n_bytes), problem)
        call all_done(arrays)
        call as_text(bytes, n_bytes, text)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function describe
end module arr_expressions
