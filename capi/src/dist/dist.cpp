// SPDX-License-Identifier: MIT
// dist.h: distributed arrays.
#include "capi/src/arguments.h"
#include "capi/src/dist/handles.h"
#include "capi/src/expression/arguments.h"
#include "capi/src/reduce/arguments.h"

using namespace arr::capi;

arr_status arr_dist_create(arr_decomposition by, arr_dtype dtype, int32_t nhalo, const int64_t* halo,
                           arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_create", stream_handle, out, [&](arr::Stream* s) {
    auto p = decomposition(by);
    return arr::dist_zeros(*p, arr::dtype_from(dtype), numbers(nhalo, halo, "nhalo", "halo"), s);
  });
}

arr_status arr_dist_from_part(arr_decomposition by, arr_array part, arr_dist* out) {
  return make_dist("arr_dist_from_part", nullptr, out, [&](arr::Stream*) {
    auto p = decomposition(by);
    return arr::dist_of_part(*p, *array(part, "part"));
  });
}

arr_status arr_dist_scatter(arr_decomposition by, arr_array src, int32_t root, arr_stream stream_handle,
                            arr_dist* out) {
  return make_dist("arr_dist_scatter", stream_handle, out, [&](arr::Stream* s) {
    auto p = decomposition(by);
    auto from = optional_array(src, "src");
    arr::Ref<arr::Dist> made;
    by_all_ranks(p->comm(), "decomposition", [&] { made = arr::dist_scatter(*p, from.get(), root, s); });
    return made;
  });
}

arr_status arr_dist_gather(arr_dist a, int32_t root, arr_stream stream_handle, arr_array* out) {
  return guard("arr_dist_gather", [&] {
    check_pointer(out, "out");
    auto x = dist(a, "a");
    auto s = stream(stream_handle);
    arr::Ref<arr::Array> whole = by_ranks_of(*x, [&] { return arr::dist_gather(*x, root, s.get()); });
    if (!whole) {
      *out = nullptr;
      return;
    }
    publish<arr::Array>(std::move(whole), out);
  });
}

arr_status arr_dist_dtype(arr_dist a, arr_dtype* dtype) {
  return query("arr_dist_dtype", [&] {
    check_pointer(dtype, "dtype");
    *dtype = static_cast<arr_dtype>(dist(a, "a")->dtype());
  });
}

arr_status arr_dist_decomposition(arr_dist a, arr_decomposition* out) {
  return query("arr_dist_decomposition", [&] {
    check_pointer(out, "out");
    publish<arr::Decomposition>(dist(a, "a")->decomposition, out);
  });
}

arr_status arr_dist_part(arr_dist a, int32_t noffsets, const int64_t* offsets, arr_array* out) {
  return make_array("arr_dist_part", out, [&] {
    auto x = dist(a, "a");
    const auto by = numbers(noffsets, offsets, "noffsets", "offsets");
    return by.empty() ? x->part->view(x->part->layout) : x->shifted(by);
  });
}

arr_status arr_dist_memory(arr_dist a, arr_array* out) {
  return make_array("arr_dist_memory", out, [&] {
    auto x = dist(a, "a");
    return x->memory->view(x->memory->layout);
  });
}

arr_status arr_dist_release(arr_dist a) { return release(a, arr::Kind::dist); }

arr_status arr_dist_exchange(arr_dist a, int32_t nperiodic, const int32_t* periodic,
                             arr_stream stream_handle) {
  return guard("arr_dist_exchange", [&] {
    auto x = dist(a, "a");
    auto s = stream(stream_handle);
    const auto ends = numbers(nperiodic, periodic, "nperiodic", "periodic");
    by_all_ranks(x->decomposition->comm(), "a", [&] {
      arr::start_exchange(*x, ends, s.get());
      arr::finish_exchange(*x);
    });
  });
}

arr_status arr_dist_exchange_begin(arr_dist a, int32_t nperiodic, const int32_t* periodic,
                                   arr_stream stream_handle) {
  return guard("arr_dist_exchange_begin", [&] {
    auto x = dist(a, "a");
    auto s = stream(stream_handle);
    const auto ends = numbers(nperiodic, periodic, "nperiodic", "periodic");
    by_all_ranks(x->decomposition->comm(), "a", [&] { arr::start_exchange(*x, ends, s.get()); });
  });
}

arr_status arr_dist_exchange_end(arr_dist a) {
  return guard("arr_dist_exchange_end", [&] {
    auto x = dist(a, "a");
    by_all_ranks(x->decomposition->comm(), "a", [&] { arr::finish_exchange(*x); });
  });
}

arr_status arr_dist_assign(arr_dist dst, arr_dist src, arr_stream stream_handle) {
  return guard("arr_dist_assign", [&] {
    auto to = dist(dst, "dst"), from = dist(src, "src");
    auto s = stream(stream_handle);
    by_all_ranks(to->decomposition->comm(), "dst", [&] { arr::dist_assign(*to, *from, s.get()); });
  });
}

arr_status arr_dist_redistribute(arr_dist a, arr_decomposition by, arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_redistribute", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    auto p = decomposition(by);
    return by_ranks_of(*x, [&] {
      arr::Ref<arr::Dist> made = arr::dist_empty(*p, x->dtype(), s);
      arr::dist_assign(*made, *x, s);
      return made;
    });
  });
}

arr_status arr_dist_transpose(arr_dist a, int32_t naxes, const int32_t* axes, arr_dist* out) {
  return make_dist("arr_dist_transpose", nullptr, out, [&](arr::Stream*) {
    auto x = dist(a, "a");
    return arr::dist_transpose(*x, numbers(naxes, axes, "naxes", "axes"));
  });
}

arr_status arr_dist_apply(int32_t op, int32_t nin, const arr_dist* in, arr_stream stream_handle,
                          arr_dist* out) {
  return make_dist("arr_dist_apply", stream_handle, out, [&](arr::Stream* s) {
    const arr::OpInfo& what = ufunc_argument(op);
    if (nin != what.nin) {
      arr::fail(ARR_E_ARGUMENT, "argument nin: ", nin, ", expected ", what.nin, " of ", what.name);
    }
    return by_ranks_of(nin, in, [&](arr::Dists inputs) { return arr::dist_apply(what, inputs, s); });
  });
}

arr_status arr_dist_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_dist* in,
                             arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_expr_run", stream_handle, out, [&](arr::Stream* s) {
    auto expr = lookup<arr::Expression>(e, "e");
    return by_ranks_of(nin, in, [&](arr::Dists inputs) { return arr::dist_run(*expr, node, inputs, s); });
  });
}

arr_status arr_dist_expr_run_into(arr_dist dst, arr_expr e, int32_t node, int32_t nin, const arr_dist* in,
                                  arr_stream stream_handle) {
  return guard("arr_dist_expr_run_into", [&] {
    auto to = dist(dst, "dst");
    auto expr = lookup<arr::Expression>(e, "e");
    auto s = stream(stream_handle);
    by_all_ranks(to->decomposition->comm(), "dst",
                 [&] { arr::dist_run_into(*to, *expr, node, Dists(nin, in).all(), s.get()); });
  });
}

arr_status arr_dist_evaluate(const char* text, int64_t length, int32_t nin, const arr_dist* in,
                             arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_evaluate", stream_handle, out, [&](arr::Stream* s) {
    const std::string_view formula = string_argument(text, length, "text");
    return by_ranks_of(nin, in, [&](arr::Dists inputs) {
      const arr::Formula f = arr::formula_of(formula);
      return arr::dist_run(*f.expression, f.node, inputs, s);
    });
  });
}

arr_status arr_dist_reduce(arr_dist a, int32_t reduction, int32_t naxes, const int32_t* axes, bool keepdims,
                           arr_stream stream_handle, arr_dist* out) {
  return make_dist("arr_dist_reduce", stream_handle, out, [&](arr::Stream* s) {
    auto x = dist(a, "a");
    const arr::ReductionInfo& by = reduction_argument(reduction);
    const uint32_t over = arr::axis_mask(x->ndim(), naxes, axes);
    return by_ranks_of(*x, [&] { return arr::dist_reduce(by, *x, over, keepdims, s); });
  });
}

arr_status arr_dist_accumulate(int32_t op, arr_dist a, int32_t axis, arr_stream stream_handle,
                               arr_dist* out) {
  return make_dist("arr_dist_accumulate", stream_handle, out, [&](arr::Stream* s) {
    const arr::OpInfo& what = ufunc_argument(op);
    auto x = dist(a, "a");
    return by_ranks_of(*x, [&] { return arr::dist_accumulate(what, *x, axis, s); });
  });
}

arr_status arr_dist_slice(arr_dist a, int32_t axis, int64_t from, int64_t to, arr_dist* out) {
  return make_dist("arr_dist_slice", nullptr, out,
                   [&](arr::Stream*) { return arr::dist_slice(*dist(a, "a"), axis, from, to); });
}
