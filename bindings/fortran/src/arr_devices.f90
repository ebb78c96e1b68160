! SPDX-License-Identifier: MIT
! arr_devices.f90: the library itself, devices and their memory, streams and events.
module arr_devices
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use arr_c_types
    use arr_c_base, only: c_version => arr_version, c_build_info => arr_build_info, c_live_handles => arr_live_handles, &
        c_check_abi => arr_check_abi
    use arr_c_device, only: c_select => arr_device_select, c_count => arr_device_count, c_name => arr_device_name, &
        c_sync => arr_device_sync, c_probe => arr_backend_probe, c_stream_wrap => arr_stream_wrap, &
        c_stream_native => arr_stream_native, c_stream_sync => arr_stream_sync, &
        c_stream_query => arr_stream_query, c_stream_wait => arr_stream_wait_event, c_wait_stream => arr_stream_wait_stream, &
        c_event_create => arr_event_create, c_event_record => arr_event_record, c_event_sync => arr_event_sync, &
        c_event_query => arr_event_query, c_event_elapsed => arr_event_elapsed, c_event_release => arr_event_release, &
        c_device_info => arr_device_info, c_priority => arr_stream_create_priority
    use arr_c_memory, only: c_memory_info => arr_memory_info, c_memory_limit => arr_memory_limit, &
        c_memory_trim => arr_memory_trim, &
        c_limit_fraction => arr_memory_limit_fraction, c_pool_info => arr_memory_pool_info, &
        c_reset_peak => arr_memory_reset_peak
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_stream, stream_of
    implicit none
    private
    public :: arr_event, arr_stream_create, arr_stream_wrap, arr_stream_native, arr_sync, arr_done, arr_wait
    public :: arr_device_info
    public :: arr_event_create, arr_record, arr_elapsed
    public :: arr_available, arr_version, arr_build_info, arr_live_handles
    public :: arr_device_select, arr_device_count, arr_device_name, arr_backend_report
    public :: arr_memory_info, arr_memory_limit, arr_memory_trim, arr_memory_pool_info, arr_memory_reset_peak

    ! A mark in a stream.
    type :: arr_event
        type(arr_event_handle) :: handle
    contains
        final :: finalize_event
    end type arr_event

    ! Whether the library can be loaded and used; err tells why not.
    interface arr_available
        module procedure available
    end interface arr_available

    ! major * 1000000 + minor * 1000 + patch; 0 without the library.
    interface arr_version
        module procedure version
    end interface arr_version

    interface arr_build_info
        module procedure build_info
    end interface arr_build_info

    ! Handles alive in the process, for leak checks.
    interface arr_live_handles
        module procedure live_handles
    end interface arr_live_handles

    ! The device that ARR_DEVICE names, else a GPU, else the host; require_gpu=.true. takes no host.
    interface arr_device_select
        module procedure device_select
    end interface arr_device_select

    ! How many devices of type ARR_HOST or ARR_CUDA there are.
    interface arr_device_count
        module procedure device_count
    end interface arr_device_count

    interface arr_device_name
        module procedure device_name
    end interface arr_device_name

    ! Whether a backend works, and what was tried.
    interface arr_backend_report
        module procedure backend_report
    end interface arr_backend_report

    ! Waits for a device, a stream or an event.
    interface arr_sync
        module procedure sync_device
        module procedure sync_stream
        module procedure sync_event
    end interface arr_sync

    ! Whether the work in a stream, or before an event, is done.
    interface arr_done
        module procedure stream_done
        module procedure event_done
    end interface arr_done

    ! What a device is; -1 for what it does not have.
    interface arr_device_info
        module procedure device_info
    end interface arr_device_info

    interface arr_stream_create
        module procedure stream_create
    end interface arr_stream_create

    ! A stream of CUDA Fortran or OpenACC, which stays theirs.
    interface arr_stream_wrap
        module procedure stream_wrap
    end interface arr_stream_wrap

    interface arr_stream_native
        module procedure stream_native
    end interface arr_stream_native

    ! Later work in the stream waits for the event, or for all that is in another stream now.
    interface arr_wait
        module procedure stream_wait
        module procedure stream_wait_stream
    end interface arr_wait

    interface arr_event_create
        module procedure event_create
    end interface arr_event_create

    interface arr_record
        module procedure event_record
    end interface arr_record

    ! Milliseconds between two events made with timing=.true.
    interface arr_elapsed
        module procedure event_elapsed
    end interface arr_elapsed

    interface arr_memory_info
        module procedure memory_info
    end interface arr_memory_info

    ! Most bytes that may be in use on a device, or which part (a real) of what it has; 0 for no limit.
    interface arr_memory_limit
        module procedure memory_limit
        module procedure memory_limit_fraction
    end interface arr_memory_limit

    ! What a device's pool has done.
    interface arr_memory_pool_info
        module procedure memory_pool_info
    end interface arr_memory_pool_info

    ! Lets the peaks begin anew from what is in use now.
    interface arr_memory_reset_peak
        module procedure memory_reset_peak
    end interface arr_memory_reset_peak

    interface arr_memory_trim
        module procedure memory_trim
    end interface arr_memory_trim

contains

    function available(err) result(yes)
        type(arr_error), intent(out), optional :: err
        logical :: yes
        type(arr_error) :: problem
        call check(c_check_abi(ARR_VERSION_NUMBER), problem)
        yes = .not. problem%failed()
        if (present(err)) err = problem
    end function available

    function version() result(number)
        integer(c_int32_t) :: number
        number = c_version()
    end function version

    function live_handles() result(n)
        integer(int64) :: n
        n = c_live_handles()
    end function live_handles

    function as_text(bytes, length) result(text)
        character(kind=c_char), intent(in) :: bytes(:)
        integer(int64), intent(in) :: length
        character(len=:), allocatable :: text
        integer(int64) :: i
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = bytes(i)
        end do
    end function as_text

    function build_info(err) result(text)
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char) :: bytes(4096)
        integer(int64) :: length
        length = 0
        call check(c_build_info(size(bytes, kind=int64), bytes, length), err)
        text = as_text(bytes, min(length, size(bytes, kind=int64) - 1))
    end function build_info

    function device_select(require_gpu, err) result(device)
        logical, intent(in), optional :: require_gpu
        type(arr_error), intent(out), optional :: err
        type(arr_device) :: device
        integer(c_int32_t) :: flags
        flags = 0
        if (present(require_gpu)) flags = merge(ARR_REQUIRE_GPU, 0_c_int32_t, require_gpu)
        call check(c_select(flags, device), err)
    end function device_select

    function device_count(type, err) result(n)
        integer(c_int32_t), intent(in) :: type
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: n
        n = 0
        call check(c_count(type, n), err)
    end function device_count

    function device_name(device, err) result(name)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: name
        character(kind=c_char) :: bytes(256)
        integer(int64) :: length
        length = 0
        call check(c_name(device, size(bytes, kind=int64), bytes, length), err)
        name = as_text(bytes, min(length, size(bytes, kind=int64) - 1))
    end function device_name

    function backend_report(type, err) result(text)
        integer(c_int32_t), intent(in) :: type
        type(arr_error), intent(out), optional :: err
        character(len=:), allocatable :: text
        character(kind=c_char) :: bytes(8192)
        integer(int64) :: length
        integer(c_int32_t) :: state
        length = 0
        call check(c_probe(type, state, size(bytes, kind=int64), bytes, length), err)
        text = as_text(bytes, min(length, size(bytes, kind=int64) - 1))
    end function backend_report

    function device_info(device, err) result(properties)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_device_properties) :: properties
        properties%struct_size = c_sizeof(properties)
        call check(c_device_info(device, properties), err)
    end function device_info

    subroutine sync_device(device, err)
        type(arr_device), intent(in) :: device
        type(arr_error), intent(out), optional :: err
        call check(c_sync(device), err)
    end subroutine sync_device

    subroutine sync_stream(stream, err)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_stream_sync(stream%handle), err)
    end subroutine sync_stream

    subroutine sync_event(event, err)
        type(arr_event), intent(in) :: event
        type(arr_error), intent(out), optional :: err
        call check(c_event_sync(event%handle), err)
    end subroutine sync_event

    ! A lower priority goes first.
    subroutine stream_create(stream, device, blocking, err, priority)
        type(arr_stream), intent(inout) :: stream
        type(arr_device), intent(in), optional :: device
        logical, intent(in), optional :: blocking
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t), intent(in), optional :: priority
        integer(c_int32_t) :: flags, level
        level = 0
        if (present(priority)) level = priority
        call stream%release()
        flags = 0
        if (present(blocking)) flags = merge(ARR_STREAM_BLOCKING, 0_c_int32_t, blocking)
        call check(c_priority(device, flags, level, stream%handle), err)
    end subroutine stream_create

    subroutine stream_wrap(stream, native, device, err)
        type(arr_stream), intent(inout) :: stream
        type(c_ptr), intent(in) :: native
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call stream%release()
        call check(c_stream_wrap(device, native, stream%handle), err)
    end subroutine stream_wrap

    function stream_native(stream, err) result(native)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        type(c_ptr) :: native
        native = c_null_ptr
        call check(c_stream_native(stream%handle, native), err)
    end function stream_native

    function stream_done(stream, err) result(yes)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: answer
        answer = 0
        call check(c_stream_query(stream%handle, answer), err)
        yes = answer /= 0
    end function stream_done

    subroutine stream_wait(stream, event, err)
        type(arr_stream), intent(in) :: stream
        type(arr_event), intent(in) :: event
        type(arr_error), intent(out), optional :: err
        call check(c_stream_wait(stream%handle, event%handle), err)
    end subroutine stream_wait

    subroutine stream_wait_stream(stream, other, err)
        type(arr_stream), intent(in) :: stream, other
        type(arr_error), intent(out), optional :: err
        call check(c_wait_stream(stream%handle, other%handle), err)
    end subroutine stream_wait_stream

    subroutine finalize_event(self)
        type(arr_event), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_event_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine finalize_event

    ! With shared other processes may open it, by arr_ipc_export_event; it tells no times then.
    subroutine event_create(event, device, timing, err, shared)
        type(arr_event), intent(inout) :: event
        type(arr_device), intent(in), optional :: device
        logical, intent(in), optional :: timing, shared
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: flags
        call finalize_event(event)
        flags = 0
        if (present(timing)) flags = merge(ARR_EVENT_TIMING, 0_c_int32_t, timing)
        if (present(shared)) flags = flags + merge(ARR_EVENT_SHARED, 0_c_int32_t, shared)
        call check(c_event_create(device, flags, event%handle), err)
    end subroutine event_create

    subroutine event_record(event, stream, err)
        type(arr_event), intent(in) :: event
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_event_record(event%handle, stream_of(stream)), err)
    end subroutine event_record

    function event_done(event, err) result(yes)
        type(arr_event), intent(in) :: event
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: answer
        answer = 0
        call check(c_event_query(event%handle, answer), err)
        yes = answer /= 0
    end function event_done

    function event_elapsed(start, stop, err) result(milliseconds)
        type(arr_event), intent(in) :: start, stop
        type(arr_error), intent(out), optional :: err
        real(real64) :: milliseconds
        milliseconds = 0
        call check(c_event_elapsed(start%handle, stop%handle, milliseconds), err)
    end function event_elapsed

    function memory_info(device, err) result(stats)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_memory_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_memory_info(device, stats), err)
    end function memory_info

    subroutine memory_limit(bytes, device, err)
        integer(int64), intent(in) :: bytes
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_memory_limit(device, bytes), err)
    end subroutine memory_limit

    subroutine memory_limit_fraction(fraction, device, err)
        real(real64), intent(in) :: fraction
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_limit_fraction(device, fraction), err)
    end subroutine memory_limit_fraction

    function memory_pool_info(device, err) result(stats)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        type(arr_memory_pool_stats) :: stats
        stats%struct_size = c_sizeof(stats)
        call check(c_pool_info(device, stats), err)
    end function memory_pool_info

    subroutine memory_reset_peak(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_reset_peak(device), err)
    end subroutine memory_reset_peak

    subroutine memory_trim(device, err)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        call check(c_memory_trim(device), err)
    end subroutine memory_trim
end module arr_devices
