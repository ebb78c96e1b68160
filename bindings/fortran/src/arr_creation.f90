! SPDX-License-Identifier: MIT
! arr_creation.f90: new arrays. They are column-major; dtype defaults to ARR_FLOAT64 and device to the host.
module arr_creation
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use arr_c_types
    use arr_c_array, only: c_create => arr_create, c_zeros => arr_zeros, c_ones => arr_ones, c_full => arr_full, &
        c_empty_like => arr_empty_like, c_zeros_like => arr_zeros_like, c_ones_like => arr_ones_like, &
        c_full_like => arr_full_like, c_arange => arr_arange, c_linspace => arr_linspace, c_eye => arr_eye, &
        c_wrap => arr_wrap
    use arr_errors, only: arr_error, check, fail
    use arr_types, only: arr_array, arr_stream, choice, done, stream_of
    use arr_host_memory, only: any_scalar
    implicit none
    private
    public :: arr_empty, arr_zeros, arr_ones, arr_full, arr_arange, arr_linspace, arr_eye, arr_wrap
    public :: arr_empty_like, arr_zeros_like, arr_ones_like, arr_full_like

    ! arr_empty(shape, dtype, order, device, stream, err): elements as the memory happens to be.
    interface arr_empty
        module procedure empty_4
        module procedure empty_8
    end interface arr_empty

    interface arr_zeros
        module procedure zeros_4
        module procedure zeros_8
    end interface arr_zeros

    interface arr_ones
        module procedure ones_4
        module procedure ones_8
    end interface arr_ones

    ! arr_full(shape, value, ...): value is a number of any kind; dtype defaults to its type.
    interface arr_full
        module procedure full_4
        module procedure full_8
    end interface arr_full

    ! arr_arange(start, stop, step, ...): numbers from start up to but not including stop, as in NumPy.
    interface arr_arange
        module procedure arange
    end interface arr_arange

    ! arr_linspace(start, stop, count, endpoint, ...): stop is the last number unless endpoint is .false.
    interface arr_linspace
        module procedure linspace
    end interface arr_linspace

    ! arr_eye(rows, columns, k, ...): ones on the k-th diagonal.
    interface arr_eye
        module procedure eye
    end interface arr_eye

    interface arr_empty_like
        module procedure empty_like
    end interface arr_empty_like

    interface arr_zeros_like
        module procedure zeros_like
    end interface arr_zeros_like

    interface arr_ones_like
        module procedure ones_like
    end interface arr_ones_like

    interface arr_full_like
        module procedure full_like
    end interface arr_full_like

    ! call arr_wrap(a, pointer, dtype, shape, strides, device): memory of OpenACC, CUDA Fortran or another library.
    interface arr_wrap
        module procedure wrap_pointer
    end interface arr_wrap

    abstract interface
        function c_creator(dtype, ndim, shape, order, device, stream, out) bind(c) result(status)
            import
            integer(c_int32_t), value :: dtype, ndim
            integer(c_int64_t), intent(in), optional :: shape(*)
            integer(c_int32_t), value :: order
            type(arr_device), intent(in), optional :: device
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_creator

        function c_similar(a, dtype, order, stream, out) bind(c) result(status)
            import
            type(arr_array_handle), value :: a
            integer(c_int32_t), value :: dtype, order
            type(arr_stream_handle), value :: stream
            type(arr_array_handle), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_similar
    end interface

contains

    subroutine make(f, shape, dtype, order, device, stream, a, err)
        procedure(c_creator) :: f
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: a
        type(arr_error), intent(out), optional :: err
        call check(f(choice(dtype, ARR_FLOAT64), size(shape, kind=c_int32_t), shape, choice(order, ARR_ORDER_F), &
            device, stream_of(stream), a%handle), err)
        a%temporary = .true.
    end subroutine make

    function empty_4(shape, dtype, order, device, stream, err) result(a)
        integer(int32), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_create, int(shape, int64), dtype, order, device, stream, a, err)
    end function empty_4

    function empty_8(shape, dtype, order, device, stream, err) result(a)
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_create, shape, dtype, order, device, stream, a, err)
    end function empty_8

    function zeros_4(shape, dtype, order, device, stream, err) result(a)
        integer(int32), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_zeros, int(shape, int64), dtype, order, device, stream, a, err)
    end function zeros_4

    function zeros_8(shape, dtype, order, device, stream, err) result(a)
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_zeros, shape, dtype, order, device, stream, a, err)
    end function zeros_8

    function ones_4(shape, dtype, order, device, stream, err) result(a)
        integer(int32), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_ones, int(shape, int64), dtype, order, device, stream, a, err)
    end function ones_4

    function ones_8(shape, dtype, order, device, stream, err) result(a)
        integer(int64), intent(in) :: shape(:)
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call make(c_ones, shape, dtype, order, device, stream, a, err)
    end function ones_8

    function full_8(shape, value, dtype, order, device, stream, err) result(a)
        integer(int64), intent(in) :: shape(:)
        class(*), intent(in) :: value
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        type(arr_value) :: v
        type(arr_error) :: problem
        call any_scalar(value, v, problem)
        if (.not. problem%failed()) call check(c_full(choice(dtype, v%dtype), size(shape, kind=c_int32_t), shape, &
            choice(order, ARR_ORDER_F), v, device, stream_of(stream), a%handle), problem)
        a%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function full_8

    function full_4(shape, value, dtype, order, device, stream, err) result(a)
        integer(int32), intent(in) :: shape(:)
        class(*), intent(in) :: value
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        a = full_8(int(shape, int64), value, dtype, order, device, stream, err)
        a%temporary = .true.
    end function full_4

    function arange(start, stop, step, dtype, device, stream, err) result(a)
        class(*), intent(in) :: start, stop
        class(*), intent(in), optional :: step
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        type(arr_value) :: first, last, by
        type(arr_error) :: problem
        call any_scalar(start, first, problem)
        if (.not. problem%failed()) call any_scalar(stop, last, problem)
        if (problem%failed()) then
            continue
        else if (present(step)) then
            call any_scalar(step, by, problem)
            if (.not. problem%failed()) call check(c_arange(first, last, by, choice(dtype, 0_c_int32_t), device, &
                stream_of(stream), a%handle), problem)
        else
            call check(c_arange(first, last, dtype=choice(dtype, 0_c_int32_t), device=device, &
                stream=stream_of(stream), out=a%handle), problem)
        end if
        a%temporary = .true.
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function arange

    function linspace(start, stop, count, endpoint, dtype, device, stream, err) result(a)
        real(real64), intent(in) :: start, stop
        integer, intent(in) :: count
        logical, intent(in), optional :: endpoint
        integer(c_int32_t), intent(in), optional :: dtype
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        integer(c_int32_t) :: closed
        closed = 1
        if (present(endpoint)) closed = merge(1_c_int32_t, 0_c_int32_t, endpoint)
        call check(c_linspace(start, stop, int(count, int64), closed, choice(dtype, ARR_FLOAT64), device, &
            stream_of(stream), a%handle), err)
        a%temporary = .true.
    end function linspace

    function eye(rows, columns, k, dtype, order, device, stream, err) result(a)
        integer, intent(in) :: rows
        integer, intent(in), optional :: columns, k
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_device), intent(in), optional :: device
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: a
        call check(c_eye(int(rows, int64), int(choice(columns, rows), int64), int(choice(k, 0), int64), &
            choice(dtype, ARR_FLOAT64), choice(order, ARR_ORDER_F), device, stream_of(stream), a%handle), err)
        a%temporary = .true.
    end function eye

    subroutine make_like(f, a, dtype, order, stream, b, err)
        procedure(c_similar) :: f
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_array), intent(inout) :: b
        type(arr_error), intent(out), optional :: err
        call check(f(a%handle, choice(dtype, 0_c_int32_t), choice(order, ARR_ORDER_K), stream_of(stream), b%handle), err)
        b%temporary = .true.
        call done(a)
    end subroutine make_like

    function empty_like(a, dtype, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call make_like(c_empty_like, a, dtype, order, stream, b, err)
    end function empty_like

    function zeros_like(a, dtype, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call make_like(c_zeros_like, a, dtype, order, stream, b, err)
    end function zeros_like

    function ones_like(a, dtype, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        call make_like(c_ones_like, a, dtype, order, stream, b, err)
    end function ones_like

    function full_like(a, value, dtype, order, stream, err) result(b)
        type(arr_array), intent(in) :: a
        class(*), intent(in) :: value
        integer(c_int32_t), intent(in), optional :: dtype, order
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        type(arr_array) :: b
        type(arr_value) :: v
        type(arr_error) :: problem
        call any_scalar(value, v, problem)
        if (.not. problem%failed()) call check(c_full_like(a%handle, choice(dtype, 0_c_int32_t), &
            choice(order, ARR_ORDER_K), v, stream_of(stream), b%handle), problem)
        b%temporary = .true.
        call done(a)
        if (problem%failed()) call fail(problem%status, problem%message, err)
    end function full_like

    ! Strides are in elements; without them the memory is column-major. It must stay valid while a and its views live.
    subroutine wrap_pointer(a, pointer, dtype, shape, strides, device, err)
        type(arr_array), intent(inout) :: a
        type(c_ptr), intent(in) :: pointer
        integer(c_int32_t), intent(in) :: dtype
        integer(int64), intent(in) :: shape(:)
        integer(int64), intent(in), optional :: strides(:)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(int64) :: steps(size(shape))
        type(arr_array) :: new
        type(arr_error) :: problem
        integer :: i
        steps = [(product(shape(:i - 1)), i = 1, size(shape))]
        if (present(strides)) then
            if (size(strides) /= size(shape)) then
                call fail(ARR_E_SHAPE, 'arr_wrap: argument strides: expected as many as shape has', err)
                return
            end if
            steps = strides
        end if
        call check(c_wrap(pointer, dtype, size(shape, kind=c_int32_t), shape, steps, device, c_null_funptr, &
            c_null_ptr, new%handle), problem)
        if (problem%failed()) then
            call fail(problem%status, problem%message, err)
        else
            a = new
        end if
    end subroutine wrap_pointer
end module arr_creation
