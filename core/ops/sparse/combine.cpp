// SPDX-License-Identifier: MIT
// Ops of two sparse matrices by the backend's call.
#include "backend/sparse.h"
#include "expr/program.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/fitted.h"

namespace arr {

Ref<Sparse> combined(const OpInfo& op, const Sparse& a, const Sparse& b, bool both, bool wide,
                     Stream* stream) {
  const auto work = api<SparseApi>(a.device()).combine;
  const std::array<OperandType, 2> given{{{a.dtype(), false}, {b.dtype(), false}}};
  if (work == nullptr || is_mixed(op, given)) return {};
  SparseCombineCall c;
  c.dtype = resolve(op, given).operand;
  const std::array<DType, 2> types{c.dtype, c.dtype};
  c.op = only_op(eager_op(op, types, DType::none, Casting::same_kind, "dtype"));
  if (c.op == 0) return {};
  const int64_t bound = both ? std::min(a.nnz(), b.nnz()) : a.nnz() + b.nnz();
  c.index_type = index_type_for(a.extents, bound, wide);
  c.both = both;
  c.lines = a.lines();
  const auto cast = [&](const Ref<Array>& x) { return as_type(*x, c.index_type, stream); };
  const Ref<Array> parts[6] = {cast(a.outer), cast(a.inner), as_type(*a.data, c.dtype, stream),
                               cast(b.outer), cast(b.inner), as_type(*b.data, c.dtype, stream)};
  c.a = {parts[0]->data, parts[1]->data, parts[2]->data};
  c.b = {parts[3]->data, parts[4]->data, parts[5]->data};
  return fitted(SparseFormat::csr, a.extents, c, work, parts, bound, wide, stream);
}

}  // namespace arr
