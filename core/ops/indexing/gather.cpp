// SPDX-License-Identifier: MIT
// Reads elements at computed indices by one program. Its first steps check the indices and add up offsets;
// the last step loads the elements.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/host_fast_path.h"

namespace arr {

namespace {

// A program has inputs for this many index arrays; beyond that, two are combined into one first.
constexpr size_t max_terms = 4;

// An index array, and the distance in bytes between consecutive indices of its axis.
struct Term {
  Ref<Array> array;
  Bounds bounds = Bounds::unchecked;
  bool known = false;
  int64_t extent = 0, stride = 0;
  const FaultNote* note = nullptr;
};

// Sorts the terms by descending stride. Returns true if each stride is a multiple of the next; the offset is
// then ((p0 * f0 + p1) * f1 + ...) * f, whose last product costs nothing on the host.
bool nest(std::vector<Term>* terms) {
  std::stable_sort(terms->begin(), terms->end(),
                   [](const Term& a, const Term& b) { return std::abs(a.stride) > std::abs(b.stride); });
  for (size_t k = 0; k + 1 < terms->size(); ++k) {
    const int64_t step = (*terms)[k + 1].stride;
    if (step == 0 || (*terms)[k].stride % step != 0) return false;
  }
  return true;
}

// Builds the program of some terms. Its result is the loaded value, or the offset if there is no `value`. Its
// inputs are the indices, the extents of terms that are not known to be in range, the factors, and the base
// address.
BoundProgram program_of(std::span<const Term> terms, bool nested, DType value) {
  ProgramBuilder b;
  std::array<int32_t, max_terms> at{}, factor{};
  for (size_t k = 0; k < terms.size(); ++k) at.at(k) = b.input(terms[k].array->dtype);
  for (size_t k = 0; k < terms.size(); ++k) {
    if (terms[k].known) {
      at.at(k) = b.cast(at.at(k), DType::int64_);
    } else {
      at.at(k) =
          b.step(position_op(terms[k].bounds), terms[k].array->dtype, b.input(DType::table_), at.at(k));
    }
  }
  for (size_t k = 0; k < terms.size(); ++k) factor.at(k) = b.input(DType::int64_);
  int32_t offset = -1;
  for (size_t k = 0; k < terms.size(); ++k) {
    if (nested) {
      offset = b.op(op::multiply, k == 0 ? at[0] : b.op(op::add, offset, at.at(k)), factor.at(k));
    } else {
      const int32_t part = b.op(op::multiply, at.at(k), factor.at(k));
      offset = k == 0 ? part : b.op(op::add, offset, part);
    }
  }
  if (offset < 0) offset = b.scalar(scalar_of(int64_t{0}), false);
  b.output(value == DType::none ? offset : b.step(op::load, value, b.input(DType::table_), offset));
  return b.finish();
}

// The same program, from a cache.
const BoundProgram& cached_program(std::span<const Term> terms, bool nested, DType value) {
  static auto* programs = new ProgramCache;
  uint64_t key = uint64_t{1} << 63 | static_cast<uint64_t>(nested) << 62 |
                 static_cast<uint64_t>(value) << 48 | static_cast<uint64_t>(terms.size()) << 44;
  for (size_t k = 0; k < terms.size(); ++k) {
    const auto how = static_cast<uint64_t>(terms[k].known ? Bounds::unchecked : terms[k].bounds);
    const auto row = static_cast<uint64_t>(terms[k].known ? 3 : how == 3 ? 0 : how);
    key |= (static_cast<uint64_t>(terms[k].array->dtype) | row << 5) << (8 * k);
  }
  return programs->get(key, [&] { return program_of(terms, nested, value); });
}

// Runs the program of terms. Returns the values at the offsets from `elements`, or the offsets themselves.
Ref<Array> run_terms(std::vector<Term>* terms, DType value, const Input* elements, Order order,
                     Stream* stream) {
  const bool nested = nest(terms);
  const BoundProgram& p = cached_program(*terms, nested, value);
  std::array<Input, Program::max_inputs> inputs;
  size_t n = 0;
  for (const Term& t : *terms) inputs.at(n++) = {t.array.get(), {}, false};
  for (const Term& t : *terms) {
    if (!t.known) inputs.at(n++) = extent_input(t.extent, t.note);
  }
  for (size_t k = 0; k < terms->size(); ++k) {
    const int64_t stride = (*terms)[k].stride;
    const bool last = !nested || k + 1 == terms->size();
    inputs.at(n++) = {nullptr, scalar_of(last ? stride : stride / (*terms)[k + 1].stride), false};
  }
  if (elements != nullptr) inputs.at(n++) = *elements;
  for (const Scalar& s : p.immediates) inputs.at(n++) = {nullptr, s, false};
  return run(*p.program, {inputs.data(), n}, order, stream);
}

std::vector<Term> terms_of(const IndexedView& indexed, const char* argument) {
  std::vector<Term> terms;
  terms.reserve(indexed.indices.size());
  for (const AxisIndex& i : indexed.indices) {
    if (i.axis < 0) continue;
    Term t;
    t.array = i.array;
    t.bounds = i.bounds;
    t.known = i.known;
    t.extent = indexed.view->layout.shape[i.axis];
    t.stride = indexed.view->layout.strides[i.axis];
    if (i.bounds == Bounds::raise && !i.known) {
      const bool is_unsigned = kind(i.array->dtype) == DKind::UINT;
      t.note = fault_note(argument, i.named, is_unsigned, !is_unsigned);
    }
    terms.push_back(std::move(t));
  }
  return terms;
}

// The memory order that the result takes over from its source, as in NumPy.
Order order_of(const Layout& l) {
  if (l.ndim < 2) return Order::C;
  return std::abs(l.strides[0]) < std::abs(l.strides[l.ndim - 1]) ? Order::F : Order::C;
}

}  // namespace

Ref<Array> gather(const IndexedView& indexed, const char* argument, Stream* stream) {
  const Array& a = *indexed.view;
  const Order order = order_of(a.layout);
  if (indexed.shape.size() == 0) {
    IndexedView checked = indexed;
    check_bounds(&checked, argument, stream);
    return create(a.dtype, Layout::contiguous(indexed.shape.dims(), a.item(), order), a.device(), stream);
  }
  if (order == Order::C) {
    if (Ref<Array> out = gather_on_host(indexed, argument, stream)) return out;
  }
  std::vector<Term> terms = terms_of(indexed, argument);
  while (terms.size() > max_terms) {
    std::vector<Term> some(std::make_move_iterator(terms.begin()),
                           std::make_move_iterator(terms.begin() + max_terms));
    terms.erase(terms.begin(), terms.begin() + max_terms);
    Term joined;
    joined.array = run_terms(&some, DType::none, nullptr, Order::K, stream);
    joined.known = true;
    joined.stride = 1;
    terms.push_back(std::move(joined));
  }
  Layout begin = indexed.shape;
  for (int32_t d = 0; d < begin.ndim; ++d) {
    const int32_t axis = indexed.from[d];
    begin.strides[d] = axis < 0 ? 0 : a.layout.strides[axis];
    if (axis < 0) begin.shape[d] = 1;
  }
  const Ref<Array> view = a.view(begin);
  const Input elements = load_base_input(*view, a);
  return run_terms(&terms, a.dtype, &elements, order, stream);
}

}  // namespace arr
