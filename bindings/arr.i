/* SPDX-License-Identifier: MIT */
/* arr.i - what the C declarations cannot say, for the generator of the bindings (bindings/generate).
 *
 * Most of it follows from the conventions of the headers and is derived in generate/normalise.py: a parameter
 * called `out` that points to a handle is one new reference, `[n]` at the start of a parameter's comment is its
 * length, "NULL" in it makes it nullable, `axis` and `axes` count from 0. Here stand the exceptions only, each
 * "parameter=value", space separated:
 *
 *   arr:index      the value counts from 0: "index" a position, "stop" an end that is not included
 *   arr:direction  in, out or inout, of an untyped pointer
 *   arr:nullable   1 or 0, where the comment's word NULL misleads or is missing
 *   arr:written    1: the array behind an input handle is written
 */
%module arr

%feature("arr:index", "start=index stop=stop") arr_slice;
%feature("arr:index", "index=index") arr_select;
%feature("arr:index", "index=index") arr_item;
%feature("arr:index", "index=index") arr_item_f64;
%feature("arr:index", "index=index") arr_item_i64;
%feature("arr:index", "index=index") arr_expr_input;
%feature("arr:index", "index=index") arr_expr_var;
%feature("arr:index", "index=index") arr_op_info;
%feature("arr:index", "index=index") arr_op_types;
%feature("arr:index", "indices=index") arr_ufunc_reduceat;
%feature("arr:index", "index=index") arr_reduction_info;

%feature("arr:direction", "host=out") arr_get;
%feature("arr:direction", "to=out") arr_memory_copy;
%feature("arr:direction", "to=out") arr_memory_set;
%feature("arr:direction", "handle=out") arr_ipc_export;
%feature("arr:direction", "data=inout") arr_pinned_register;
%feature("arr:direction", "data=inout") arr_pinned_unregister;

%feature("arr:nullable", "data=0") arr_data;
%feature("arr:nullable", "data=0") arr_pinned_device_data;
%feature("arr:nullable", "native=1") arr_stream_wrap;
%feature("arr:nullable", "p=1") arr_value_pointer;
%feature("arr:nullable", "ctx=1") arr_wrap;
%feature("arr:nullable", "hook=0 drop=1") arr_memory_hook_add;
%feature("arr:nullable", "allocate=1 release=1 drop=1 ctx=1") arr_pinned_set_allocator_functions;
%feature("arr:nullable", "log=1 drop=1 ctx=1") arr_log_set;
%feature("arr:nullable", "get=1 put=1 drop=1 ctx=1") arr_cache_set_store;
%feature("arr:nullable", "allocate=0 release=0 drop=1") arr_memory_set_allocator_functions;
%feature("arr:nullable", "function=0 ctx=1") arr_stream_host_function;

%include "arr/base.h"
%include "arr/constants.h"
%include "arr/dtype.h"
%include "arr/device.h"
%include "arr/memory.h"
%include "arr/memory_kinds.h"
%include "arr/graph.h"
%include "arr/array.h"
%include "arr/view.h"
%include "arr/ops.h"
%include "arr/numeric.h"
%include "arr/reduce.h"
%include "arr/scan.h"
%include "arr/statistics.h"
%include "arr/histogram.h"
%include "arr/expr.h"
%include "arr/methods.h"
%include "arr/weighted.h"
%include "arr/expr_reduce.h"
%include "arr/fuse.h"
%include "arr/module.h"
%include "arr/kernel.h"
%include "arr/texture.h"
%include "arr/cache.h"
%include "arr/profile.h"
%include "arr/library.h"
%include "arr/log.h"
%include "arr/calculus.h"
%include "arr/search.h"
%include "arr/signal.h"
%include "arr/fft.h"
%include "arr/fft_plan.h"
%include "arr/cosine.h"
%include "arr/hankel.h"
%include "arr/user_kernel.h"
%include "arr/linalg.h"
%include "arr/decompositions.h"
%include "arr/solvers.h"
%include "arr/products.h"
%include "arr/gemm.h"
%include "arr/special_matrices.h"
%include "arr/windows.h"
%include "arr/polynomial.h"
%include "arr/random.h"
%include "arr/random_vectors.h"
%include "arr/distributions.h"
%include "arr/io.h"
%include "arr/dlpack.h"
