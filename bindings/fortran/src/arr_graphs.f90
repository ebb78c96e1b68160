! SPDX-License-Identifier: MIT
! arr_graphs.f90: work of a stream, captured once and launched again and again as a whole.
module arr_graphs
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use arr_c_types
    use arr_c_graph, only: c_begin => arr_graph_begin, c_end => arr_graph_end, c_update => arr_graph_update, &
        c_launch => arr_graph_launch, c_upload => arr_graph_upload, c_dot => arr_graph_dot, &
        c_release => arr_graph_release
    use arr_c_device, only: c_details => arr_stream_details, c_range => arr_stream_priority_range
    use arr_errors, only: arr_error, check
    use arr_types, only: arr_stream, stream_of
    implicit none
    private
    public :: arr_graph, arr_graph_begin, arr_graph_end, arr_graph_update, arr_graph_launch, arr_graph_upload
    public :: arr_graph_dot, arr_capturing, arr_priority_range

    ! Captured work. Pass it on, do not copy it: the first copy that goes ends it.
    type :: arr_graph
        type(arr_graph_handle) :: handle
    contains
        procedure :: release => release_graph
        final :: finalize_graph
    end type arr_graph

    ! From here to arr_graph_end calls with stream= this stream make their results, but what they enqueue is kept for the
    ! graph instead of run; no values can be read meanwhile. Its arrays, results and temporaries too, live as long as it.
    interface arr_graph_begin
        module procedure graph_begin
    end interface arr_graph_begin

    ! Ends the capture; also where it fails.
    interface arr_graph_end
        module procedure graph_end
    end interface arr_graph_end

    ! Ends the capture and puts its work in the place of the graph's; on failure that is as it was.
    interface arr_graph_update
        module procedure graph_update
    end interface arr_graph_update

    ! Enqueues all the work: inputs are read anew, results are overwritten. It comes behind its last launch and behind
    ! what uses its arrays, in any stream.
    interface arr_graph_launch
        module procedure graph_launch
    end interface arr_graph_launch

    ! Brings a graph to the device ahead of its first launch.
    interface arr_graph_upload
        module procedure graph_upload
    end interface arr_graph_upload

    ! Writes what is in a graph to a file in Graphviz' language.
    interface arr_graph_dot
        module procedure graph_dot
    end interface arr_graph_dot

    ! Whether the work of a stream is being captured.
    interface arr_capturing
        module procedure stream_capturing
    end interface arr_capturing

    ! The priorities of streams of a device, the lowest first: a lower number goes first.
    interface arr_priority_range
        module procedure priority_range
    end interface arr_priority_range

contains

    subroutine finalize_graph(self)
        type(arr_graph), intent(inout) :: self
        call self%release()
    end subroutine finalize_graph

    ! A launch that runs goes on.
    subroutine release_graph(self)
        class(arr_graph), intent(inout) :: self
        integer(c_int32_t) :: status
        if (.not. c_associated(self%handle%ptr)) return
        status = c_release(self%handle)
        self%handle%ptr = c_null_ptr
    end subroutine release_graph

    subroutine graph_begin(stream, err)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_begin(stream%handle), err)
    end subroutine graph_begin

    subroutine graph_end(stream, graph, err)
        type(arr_stream), intent(in) :: stream
        type(arr_graph), intent(inout) :: graph
        type(arr_error), intent(out), optional :: err
        call graph%release()
        call check(c_end(stream%handle, graph%handle), err)
    end subroutine graph_end

    subroutine graph_update(graph, stream, err)
        type(arr_graph), intent(in) :: graph
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_update(graph%handle, stream%handle), err)
    end subroutine graph_update

    subroutine graph_launch(graph, stream, err)
        type(arr_graph), intent(in) :: graph
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_launch(graph%handle, stream_of(stream)), err)
    end subroutine graph_launch

    subroutine graph_upload(graph, stream, err)
        type(arr_graph), intent(in) :: graph
        type(arr_stream), intent(in), optional :: stream
        type(arr_error), intent(out), optional :: err
        call check(c_upload(graph%handle, stream_of(stream)), err)
    end subroutine graph_upload

    subroutine graph_dot(graph, path, err)
        type(arr_graph), intent(in) :: graph
        character(len=*), intent(in) :: path
        type(arr_error), intent(out), optional :: err
        call check(c_dot(graph%handle, path, len_trim(path, kind=int64)), err)
    end subroutine graph_dot

    function stream_capturing(stream, err) result(yes)
        type(arr_stream), intent(in) :: stream
        type(arr_error), intent(out), optional :: err
        logical :: yes
        integer(c_int32_t) :: flags, priority, capturing
        capturing = 0
        call check(c_details(stream%handle, flags, priority, capturing), err)
        yes = capturing /= 0
    end function stream_capturing

    function priority_range(device, err) result(range)
        type(arr_device), intent(in), optional :: device
        type(arr_error), intent(out), optional :: err
        integer(c_int32_t) :: range(2)
        range = 0
        call check(c_range(device, range(1), range(2)), err)
    end function priority_range
end module arr_graphs
