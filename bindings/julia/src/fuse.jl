# SPDX-License-Identifier: MIT
# fuse.jl: element-wise calls that are recorded and run together.

"""
    Arr.fuse(f; shared = false, reorder = false, small = false)

Runs `f()` and returns its value. Element-wise calls that make new arrays in it are recorded, and those whose results
are needed run at its end, in as few passes over memory as possible. Values are identical, in every bit, to those of
the same calls outside; reading a result first computes it. A broadcast is one call already: this is for broadcasts that
use each other's results. An array that is freed in the block by [`unsafe_free!`](@ref), or collected, is never stored.

`shared` promises that during the block only Arr writes to memory that other code knows (`Arr.wrap`, `Array`s that share
an `ArrArray`'s memory); otherwise such memory is read at once. With `reorder` a sum of floats is one pass with the
recorded calls that it sums, and may differ in the last digits. On the host, small results are computed at once, which
takes less time than to record them; with `small` they are recorded too. See `arr_fuse_begin`.

    r = Arr.fuse() do
        t, u = a .* b, c .* a
        t .+ u .- sqrt.(b)
    end
"""
function fuse(f; shared::Bool = false, reorder::Bool = false, small::Bool = false)
    flags = LibArr.ARR_FUSE_SHARED * shared | LibArr.ARR_FUSE_REORDER * reorder | LibArr.ARR_FUSE_SMALL * small
    task = current_task()
    sticky, task.sticky = task.sticky, true   # a scope belongs to a thread, so the task stays on it
    failed = true
    try
        @check LibArr.arr_fuse_begin(flags)
        try
            result = f()
            failed = false
            result
        finally
            # A failure of f is the one that is reported.
            failed ? LibArr.arr_fuse_end() : @check LibArr.arr_fuse_end()
        end
    finally
        task.sticky = sticky
    end
end

"""
    Arr.fuse_automatic!(devices::Symbol)

Selects the devices whose element-wise calls with results of at least 256 KiB are recorded outside of [`fuse`](@ref), so
that a chain of operators is one pass over memory: `:never`, `:host` or `:everywhere`. Without this call `ARR_FUSE` of the
environment decides: `0`, `host` (the default) or `all`.
"""
function fuse_automatic!(devices::Symbol)
    at = findfirst(==(devices), (:never, :host, :everywhere))
    at === nothing && throw(ArgumentError("fuse_automatic!: devices is :$devices, expected :never, :host or :everywhere"))
    @check LibArr.arr_fuse_set_automatic(Int32(at - 1))
end

"""
    Arr.fuse_flush()

Runs the calls that this thread has recorded.
"""
fuse_flush() = @check LibArr.arr_fuse_flush()

"""
    Arr.fuse_info()

Returns `(depth, recorded, programs, skipped)`: the number of open blocks of this thread, and this process's numbers of
recorded results, of programs that ran for them, and of results that were not needed.
"""
function fuse_info()
    s = Ref(LibArr.arr_fuse_stats(sizeof(LibArr.arr_fuse_stats), 0, 0, 0, 0))
    @check LibArr.arr_fuse_info(s)
    (depth = s[].depth, recorded = s[].recorded, programs = s[].programs, skipped = s[].skipped)
end
