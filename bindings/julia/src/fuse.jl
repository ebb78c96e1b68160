# SPDX-License-Identifier: MIT
# fuse.jl: blocks whose element-wise calls are recorded and run together.

"""
    Arr.fuse(f; shared = false, reorder = false, small = false)

Runs `f()` and returns its value; element-wise calls that make new arrays in it are recorded, and what is wanted of
them runs at its end, in as few passes over memory as there is room for. Values are those of the same calls outside,
in every bit; whoever reads one first has it computed. A broadcast is one call already: this is for those that use
each other's results. What is given up in the block by [`unsafe_free!`](@ref), or collected, is never stored.

`shared` promises that only Arr writes memory that others know of (`Arr.wrap`, `Array`s that share an `ArrArray`'s
memory) during the block, which else is read at once. With `reorder` sums of floats are one pass with what they
sum, and may differ in the last digits. On the host, small results are computed at once, which takes less
time than to record them; with `small` they are recorded too. See `arr_fuse_begin`.

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
    Arr.fuse_flush()

Runs what this thread's block of [`fuse`](@ref) has recorded so far.
"""
fuse_flush() = @check LibArr.arr_fuse_flush()

"""
    Arr.fuse_info()

Returns `(depth, recorded, programs, skipped)`: blocks open on this thread; results recorded by this process, programs that
ran instead of them, results that nobody used.
"""
function fuse_info()
    s = Ref(LibArr.arr_fuse_stats(sizeof(LibArr.arr_fuse_stats), 0, 0, 0, 0))
    @check LibArr.arr_fuse_info(s)
    (depth = s[].depth, recorded = s[].recorded, programs = s[].programs, skipped = s[].skipped)
end
