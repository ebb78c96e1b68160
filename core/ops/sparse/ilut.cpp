// SPDX-License-Identifier: MIT
// Incomplete factors with thresholds: computed on the host, solved with where the matrix is.
#include "backend/sparse.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/lapack_call.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/factor.h"
#include "runtime/dispatch.h"

namespace arr {

Ref<SparseFactor> sparse_ilut(const Sparse& given, const SparseIlutOptions& options, Stream* stream) {
  const int64_t n = check_square(given);
  const Device device = given.device(), host{};
  const DType d = lapack_type(given.dtype(), "a");
  Ref<SparseFactor> f = make<SparseFactor>(SparseFactor::Kind::ilut, n, d, device);
  f->ilut_options = options;
  if (n > INT32_MAX - 1) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", n, " columns, expected less than 2^31 - 1 for a factorization");
  }
  const Ref<Sparse> a = sum_duplicates(*convert(*typed(given, d, stream), SparseFormat::csr, stream), stream);
  const auto on_host = [&](const Array& x, DType type) {
    return contiguous(*to_device(*as_type(x, type, stream), host, stream), Order::C, nullptr);
  };
  const Ref<Array> pointers = on_host(*a->outer, DType::int64_), indices = on_host(*a->inner, DType::int32_),
                   data = on_host(*a->data, d);
  Ref<Array> perms[2];
  for (auto& perm : perms) perm = empty(DType::int32_, {&n, 1}, Order::C, host, nullptr);
  std::shared_ptr<const SparseRows> rows;
  int64_t failed = n;
  SparseIlutCall c;
  c.dtype = d;
  c.n = n;
  c.pointers = reinterpret_cast<const int64_t*>(pointers->data);
  c.indices = reinterpret_cast<const int32_t*>(indices->data);
  c.data = data->data;
  c.options = options;
  c.perm_r = reinterpret_cast<int32_t*>(perms[0]->data);
  c.perm_c = reinterpret_cast<int32_t*>(perms[1]->data);
  c.failed = &failed;
  c.out = &rows;
  const Queue q = queue_for(host, device == host ? stream : nullptr);
  for (const auto* in : {&pointers, &indices, &data}) use_to_read(*(*in)->buffer, q);
  for (const auto& perm : perms) use(*perm->buffer, q);
  call(api<SparseApi>(q).ilut, q.index(), &c, q.handle());
  if (failed < n) {
    fail(ARR_E_LINALG, "argument a: has no incomplete factors: row ", failed,
         " has no pivot: what is left of it is 0 or not finite");
  }
  const auto there = [&](DType type, int64_t count, const void* from) {
    Ref<Array> out = empty(type, {&count, 1}, Order::C, device, stream);
    set(*out, Order::C, from, count * item_size(type), stream);
    return out;
  };
  const auto nnz = static_cast<int64_t>(rows->indices.size());
  f->rows = make_sparse(SparseFormat::csr, {n, n},
                        {there(d, nnz, rows->data()), there(DType::int64_, n + 1, rows->pointers.data()),
                         there(DType::int32_, nnz, rows->indices.data())},
                        true, false, stream);
  f->perm_r = to_device(*perms[0], device, stream);
  f->perm_c = to_device(*perms[1], device, stream);
  f->row_order = inverse_permutation(*as_type(*f->perm_r, DType::int64_, stream), stream);
  f->column_order = inverse_permutation(*as_type(*f->perm_c, DType::int64_, stream), stream);
  return f;
}

}  // namespace arr
