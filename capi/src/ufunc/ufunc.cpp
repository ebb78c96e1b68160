// SPDX-License-Identifier: MIT
// ufunc.h: ops by number, with options; outer and at.
#include <array>
#include <optional>
#include <vector>

#include "arr/ufunc.h"
#include "base/renaming.h"
#include "capi/src/entry.h"
#include "ops/elementwise/elementwise.h"
#include "ops/indexing/index.h"

using namespace arr::capi;

namespace {

// An op or a pair of ops.
struct Callee {
  const arr::OpInfo* op = nullptr;
  const arr::PairInfo* pair = nullptr;
  [[nodiscard]] const char* name() const { return op != nullptr ? op->name : pair->name; }
  [[nodiscard]] int32_t nin() const { return op != nullptr ? op->nin : pair->nin; }
  [[nodiscard]] int32_t nout() const { return op != nullptr ? 1 : 2; }
};

Callee callee(int32_t number) {
  Callee c{arr::op_info(number), arr::pair_info(number)};
  if (c.op == nullptr && c.pair == nullptr) {
    arr::fail(ARR_E_ARGUMENT, "argument op: ", number, " is not an operation number");
  }
  return c;
}

const arr::OpInfo& single(int32_t number) {
  Callee c = callee(number);
  if (c.op == nullptr) arr::fail(ARR_E_ARGUMENT, "argument op: ", c.name(), " has 2 results, expected 1");
  return *c.op;
}

// argument: the parameter that errors name if the number of operands is wrong.
void check_counts(const Callee& c, int32_t nin, int32_t nout, const char* argument = "nin",
                  const char* results = "nout") {
  if (nin != c.nin()) {
    arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": ", c.name(), " takes ", c.nin(), " operands, got ",
              nin);
  }
  if (nout != c.nout()) {
    arr::fail(ARR_E_ARGUMENT, "argument ", results, ": ", c.name(), " has ", c.nout(),
              c.nout() == 1 ? " result, got " : " results, got ", nout);
  }
}

// The options of a call. Keeps the mask's array alive.
struct CallOptions {
  explicit CallOptions(const arr_ufunc_options* given) {
    if (given == nullptr) return;
    check_size(*given, "options");
    if (given->dtype != 0) value.dtype = arr::dtype_from(given->dtype, "options");
    value.casting = casting_argument(given->casting);
    if (given->order_set != 0) value.order = arr::order_from(given->order, "options");
    if (given->where == nullptr) return;
    mask.emplace(array(given->where, "options"));
    value.where = mask->get();
  }
  arr::UfuncOptions value;
  std::optional<arr::Pinned<arr::Array>> mask;
};

void add_all(Operands* operands, int32_t nin, const arr_value* in) {
  check_pointer(in, "in");
  for (int32_t i = 0; i < nin; ++i) operands->add(in + i, "in");
}

}  // namespace

arr_status arr_op_find(const char* name, int32_t* op, int32_t* nin, int32_t* nout) {
  return guard("arr_op_find", [&] {
    check_pointer(name, "name");
    check_pointer(op, "op");
    Callee found{arr::op_find(name), arr::pair_find(name)};
    if (found.op == nullptr && found.pair == nullptr) {
      arr::fail(ARR_E_ARGUMENT, "argument name: \"", name, "\" is not the name of an operation");
    }
    *op = found.op != nullptr ? found.op->number : found.pair->number;
    if (nin != nullptr) *nin = found.nin();
    if (nout != nullptr) *nout = found.nout();
  });
}

arr_status arr_op_info(int32_t index, int32_t* op, const char** name, int32_t* nin, int64_t* dtypes,
                       const char** doc) {
  return guard("arr_op_info", [&] {
    auto ops = arr::all_ops();
    auto pairs = arr::all_pairs();
    const size_t count = ops.size() + pairs.size(), i = static_cast<size_t>(index);
    if (index < 0 || i >= count) {
      arr::fail(ARR_E_ARGUMENT, "argument index: ", index, ", there are ", count, " operations");
    }
    const arr::PairInfo* pair = i < ops.size() ? nullptr : &pairs[i - ops.size()];
    const arr::OpInfo& o = pair == nullptr ? ops[i] : *arr::op_info(pair->first);
    if (op != nullptr) *op = pair == nullptr ? o.number : pair->number;
    if (name != nullptr) *name = pair == nullptr ? o.name : pair->name;
    if (nin != nullptr) *nin = o.nin;
    if (doc != nullptr) *doc = pair == nullptr ? o.doc : pair->doc;
    if (dtypes == nullptr) return;
    *dtypes = 0;
    for (const arr::DTypeInfo& d : arr::dtype_table) {
      if (d.bytes != 0 && arr::in_domain(o.domain, d.dtype))
        *dtypes |= int64_t{1} << static_cast<int32_t>(d.dtype);
    }
  });
}

arr_status arr_op_types(int32_t op, int32_t index, int32_t count, arr_dtype* types) {
  return guard("arr_op_types", [&] {
    check_pointer(types, "types");
    const Callee c = callee(op);
    if (count != c.nin() + c.nout()) {
      arr::fail(ARR_E_ARGUMENT, "argument count: ", c.name(), " has ", c.nin() + c.nout(),
                " operands and results, got ", count);
    }
    const arr::OpInfo* each[2] = {c.op != nullptr ? c.op : arr::op_info(c.pair->first),
                                  c.pair != nullptr ? arr::op_info(c.pair->second) : nullptr};
    std::vector<arr::DType> loops = arr::loop_types(*each[0]);
    if (index < 0 || static_cast<size_t>(index) >= loops.size()) {
      arr::fail(ARR_E_ARGUMENT, "argument index: ", index, ", ", c.name(), " has ", loops.size(),
                " signatures");
    }
    const arr::OperandType t{loops[static_cast<size_t>(index)], false};
    std::array<arr::OperandType, 3> operands{t, t, t};
    for (int32_t k = 0; k < c.nin(); ++k) {
      const arr::DType own = arr::own_type(*each[0], static_cast<size_t>(k));
      if (own != arr::DType::none) operands[static_cast<size_t>(k)].dtype = own;
      types[k] = static_cast<arr_dtype>(operands[static_cast<size_t>(k)].dtype);
    }
    for (int32_t k = 0; k < c.nout(); ++k) {
      const auto s = arr::resolve(*each[k], {operands.data(), static_cast<size_t>(c.nin())});
      types[c.nin() + k] = static_cast<arr_dtype>(s.result);
    }
  });
}

arr_status arr_ufunc(int32_t op, int32_t nin, const arr_value* in, const arr_ufunc_options* options,
                     arr_stream stream_handle, int32_t nout, arr_array* out) {
  return guard("arr_ufunc", [&] {
    check_pointer(out, "out");
    const Callee c = callee(op);
    check_counts(c, nin, nout);
    const CallOptions o(options);
    auto s = stream(stream_handle);
    Operands operands;
    add_all(&operands, nin, in);
    if (c.op != nullptr) {
      return publish<arr::Array>(arr::elementwise(*c.op, operands.inputs(), o.value, s.get()), out);
    }
    publish_all(arr::elementwise_pair(*c.pair, operands.inputs(), o.value, s.get()), out);
  });
}

arr_status arr_ufunc_pair_into(arr_array dst_first, arr_array dst_second, int32_t op, int32_t nin,
                               const arr_value* in, const arr_ufunc_options* options,
                               arr_stream stream_handle) {
  return guard("arr_ufunc_pair_into", [&] {
    auto first = array(dst_first, "dst_first");
    auto second = array(dst_second, "dst_second");
    const Callee c = callee(op);
    check_counts(c, nin, 2, "nin", "op");
    const CallOptions o(options);
    auto s = stream(stream_handle);
    Operands operands;
    add_all(&operands, nin, in);
    arr::elementwise_pair_into(*first, *second, *c.pair, operands.inputs(), o.value, s.get());
  });
}

arr_status arr_ufunc_into(arr_array dst, int32_t op, int32_t nin, const arr_value* in,
                          const arr_ufunc_options* options, arr_stream stream_handle) {
  return guard("arr_ufunc_into", [&] {
    auto to = array(dst, "dst");
    const arr::OpInfo& info = single(op);
    check_counts({&info, nullptr}, nin, 1);
    const CallOptions o(options);
    auto s = stream(stream_handle);
    Operands operands;
    add_all(&operands, nin, in);
    arr::elementwise_into(*to, info, operands.inputs(), o.value, s.get());
  });
}

arr_status arr_ufunc_outer(int32_t op, arr_array a, arr_array b, const arr_ufunc_options* options,
                           arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ufunc_outer", out, [&] {
    const arr::OpInfo& info = single(op);
    check_counts({&info, nullptr}, 2, 1, "op");
    auto x = array(a, "a");
    auto y = array(b, "b");
    const CallOptions o(options);
    auto s = stream(stream_handle);
    return arr::renaming(arr::Renames{{"x", "a"}, {"y", "b"}},
                         [&] { return arr::elementwise_outer(info, *x, *y, o.value, s.get()); });
  });
}

arr_status arr_ufunc_outer_into(arr_array dst, int32_t op, arr_array a, arr_array b,
                                const arr_ufunc_options* options, arr_stream stream_handle) {
  return guard("arr_ufunc_outer_into", [&] {
    auto to = array(dst, "dst");
    const arr::OpInfo& info = single(op);
    check_counts({&info, nullptr}, 2, 1, "op");
    auto x = array(a, "a");
    auto y = array(b, "b");
    const CallOptions o(options);
    auto s = stream(stream_handle);
    arr::renaming(arr::Renames{{"x", "a"}, {"y", "b"}},
                  [&] { arr::elementwise_outer_into(*to, info, *x, *y, o.value, s.get()); });
  });
}

arr_status arr_ufunc_at(int32_t op, arr_array a, int32_t nindices, const arr_array* indices,
                        const arr_value* b, arr_stream stream_handle) {
  return guard("arr_ufunc_at", [&] {
    const arr::OpInfo& info = single(op);
    auto to = array(a, "a");
    if (nindices < 0) arr::fail(ARR_E_ARGUMENT, "argument nindices: ", nindices, " is negative");
    if (nindices > 0) check_pointer(indices, "indices");
    std::vector<arr::Pinned<arr::Array>> kept;
    std::vector<const arr::Array*> index_arrays;
    for (int32_t i = 0; i < nindices && i <= arr::max_ndim; ++i) {
      kept.push_back(array(indices[i], "indices"));
      index_arrays.push_back(kept.back().get());
    }
    Operands value;
    if (b != nullptr) value.add(b, "b");
    auto s = stream(stream_handle);
    arr::ufunc_at(info, *to, index_arrays, b == nullptr ? nullptr : value.inputs().data(), s.get());
  });
}
