// SPDX-License-Identifier: MIT
// Programs that add up offsets from indices: checks or wraps each index, multiplies it by its stride.
#include "ops/indexing/index_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "expr/op_numbers.h"
#include "ops/elementwise/program_cache.h"

namespace arr {

std::vector<OffsetTerm> offset_terms(const IndexedView& indexed, const Layout& memory, const char* argument) {
  std::vector<OffsetTerm> terms;
  terms.reserve(indexed.indices.size());
  for (const AxisIndex& i : indexed.indices) {
    if (i.axis < 0) continue;
    const bool noted = !i.known && argument != nullptr;
    terms.push_back({i.array, i.bounds, i.known, memory.shape[i.axis], memory.strides[i.axis],
                     noted ? index_note(argument, i.named, i.array->dtype, i.bounds) : nullptr});
  }
  return terms;
}

// Sorts the terms by descending stride. If each stride is a multiple of the next, the offset is ((p0 * f0 +
// p1) * f1 + ...) * f, whose last product costs nothing in a load on the host.
OffsetSum::OffsetSum(std::vector<OffsetTerm> terms, Stream* stream) : terms_(std::move(terms)) {
  while (terms_.size() > max_terms) {
    const auto begin = terms_.begin(), end = begin + max_terms;
    OffsetTerm joined;
    joined.array = OffsetSum({begin, end}, stream).load(DType::none, nullptr, Order::K, stream);
    joined.known = true;
    joined.stride = 1;
    terms_.erase(begin, end);
    terms_.push_back(std::move(joined));
  }
  std::stable_sort(terms_.begin(), terms_.end(), [](const OffsetTerm& a, const OffsetTerm& b) {
    return std::abs(a.stride) > std::abs(b.stride);
  });
  nested_ = true;
  for (size_t k = 0; k + 1 < terms_.size(); ++k) {
    const int64_t step = terms_[k + 1].stride;
    nested_ = nested_ && step != 0 && terms_[k].stride % step == 0;
  }
}

void OffsetSum::add_arrays(std::vector<Input>* inputs) const {
  for (const OffsetTerm& t : terms_) inputs->push_back({t.array.get(), {}, false});
}

void OffsetSum::add_scalars(std::vector<Input>* inputs) const {
  for (const OffsetTerm& t : terms_) {
    if (!t.known) inputs->push_back(extent_input(t.extent, t.note));
  }
  for (size_t k = 0; k < terms_.size(); ++k) {
    const int64_t stride = terms_[k].stride;
    const bool last = !nested_ || k + 1 == terms_.size();
    inputs->push_back({nullptr, scalar_of(last ? stride : stride / terms_[k + 1].stride), false});
  }
}

int32_t OffsetSum::build(ProgramBuilder& b, std::span<const int32_t> indices) const {
  std::array<int32_t, max_terms> at{}, factor{};
  for (size_t k = 0; k < terms_.size(); ++k) {
    const OffsetTerm& t = terms_[k];
    at.at(k) = t.known ? b.cast(indices[k], DType::int64_)
                       : b.step(position_op(t.bounds), t.array->dtype, b.input(DType::table_), indices[k]);
  }
  for (size_t k = 0; k < terms_.size(); ++k) factor.at(k) = b.input(DType::int64_);
  int32_t offset = -1;
  for (size_t k = 0; k < terms_.size(); ++k) {
    if (nested_) {
      offset = b.op(op::multiply, k == 0 ? at[0] : b.op(op::add, offset, at.at(k)), factor.at(k));
    } else {
      const int32_t part = b.op(op::multiply, at.at(k), factor.at(k));
      offset = k == 0 ? part : b.op(op::add, offset, part);
    }
  }
  return offset < 0 ? integer(b, 0) : offset;
}

uint64_t OffsetSum::key() const {
  uint64_t key = static_cast<uint64_t>(terms_.size()) << 32 | static_cast<uint64_t>(nested_) << 35;
  for (size_t k = 0; k < terms_.size(); ++k) {
    const OffsetTerm& t = terms_[k];
    // Unchecked indices that are not known have the steps of checked ones.
    const Bounds how = t.known ? Bounds::unchecked : t.bounds == Bounds::unchecked ? Bounds::raise : t.bounds;
    key |= (static_cast<uint64_t>(t.array->dtype) | static_cast<uint64_t>(how) << 5) << (8 * k);
  }
  return key;
}

Ref<Array> OffsetSum::load(DType d, const Input* base, Order order, Stream* stream) const {
  static auto* programs = new ProgramCache;
  const uint64_t whole_key = uint64_t{1} << 63 | static_cast<uint64_t>(d) << 40 | key();
  const BoundProgram& p = programs->get(whole_key, [&] {
    ProgramBuilder b;
    std::vector<int32_t> indices;
    for (const OffsetTerm& t : terms_) indices.push_back(b.input(t.array->dtype));
    const int32_t offset = build(b, indices);
    b.output(base == nullptr ? offset : b.step(op::load, d, b.input(DType::table_), offset));
    return b.finish();
  });
  std::vector<Input> inputs;
  inputs.reserve(Program::max_inputs);
  add_arrays(&inputs);
  add_scalars(&inputs);
  if (base != nullptr) inputs.push_back(*base);
  add_constants(p, &inputs);
  return run(*p.program, inputs, order, stream);
}

}  // namespace arr
