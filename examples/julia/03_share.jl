# SPDX-License-Identifier: MIT
# 03_share.jl - passes an array to another library in the same process by DLPack, without a copy.
#
# The other library is OpenBLAS, called through Julia's LinearAlgebra. It uses nothing of libarr: the DLPack
# struct has the address of the memory, and its deleter releases the struct.
using Arr
using LinearAlgebra

check(ok, what) = ok ? println("ok    ", what) : error(what)

a = Arr.fill(1.5, 4, 3; device = Arr.Device(:host))

tensor = Arr.to_dlpack(a)                    # a DLManagedTensorVersioned
x = unsafe_wrap(Array, tensor)               # a Julia Array over its memory
check(pointer(x) == pointer(a), "both sides have the memory at $(pointer(a))")

BLAS.scal!(length(x), 2.0, x, 1)             # OpenBLAS doubles the elements
check(all(a .== 3.0), "what OpenBLAS wrote is seen by libarr")
a .+= 1
check(all(x .== 4.0), "what libarr wrote is seen by OpenBLAS: sum $(BLAS.asum(length(x), x, 1))")

Arr.unsafe_free!(a)
check(x[end] == 4.0, "the memory lives on while the other side uses it")

# The other direction: memory of Julia becomes an array of libarr.
y = [1.0, 2.0, 3.0]
b = Arr.from_dlpack(Arr.to_dlpack(y))
check(pointer(b) == pointer(y), "Julia's array is libarr's at $(pointer(y))")
b .= 10 .* b
check(y == [10.0, 20.0, 30.0], "what libarr wrote is seen in Julia's array: $y")
