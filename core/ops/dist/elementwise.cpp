// SPDX-License-Identifier: MIT
// Element-wise operations: one pass over each part.
#include <algorithm>

#include "ops/dist/dist.h"

namespace arr {

namespace {

// The shape that the arrays broadcast to.
Layout shape_of(Dists inputs) {
  Layout out;
  for (const Dist* a : inputs) {
    Layout one, joined;
    one.ndim = a->ndim();
    std::ranges::copy(a->decomposition->shape, one.shape);
    broadcast_shapes(out, one, "in", &joined);
    out = joined;
  }
  return out;
}

// The division of an array that broadcasts to the shape, so that its parts broadcast to those of `whole`,
// whose last axes are its own.
Ref<Decomposition> fitting(const Decomposition& whole, std::span<const int64_t> shape) {
  const size_t missing = whole.shape.size() - shape.size();
  std::vector<Division> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    axes.push_back(shape[i] == whole.shape[missing + i] ? whole.axes[missing + i]
                                                        : Division::whole(shape[i]));
  }
  return with_axes(whole, std::vector<int64_t>(shape.begin(), shape.end()), std::move(axes));
}

// The decomposition of a result of that shape: axes are divided as those of the input with the most elements
// are.
Ref<Decomposition> result_decomposition(const Layout& shape, Dists inputs) {
  const auto most = *std::ranges::max_element(inputs, {}, [](const Dist* a) {
    int64_t n = 1;
    for (const int64_t extent : a->decomposition->shape) n *= extent;
    return n;
  });
  const Decomposition& model = *most->decomposition;
  const size_t missing = static_cast<size_t>(shape.ndim) - model.shape.size();
  std::vector<Division> axes;
  for (int32_t i = 0; i < shape.ndim; ++i) {
    const auto k = static_cast<size_t>(i);
    axes.push_back(k >= missing && model.shape[k - missing] == shape.shape[i]
                       ? model.axes[k - missing]
                       : Division::whole(shape.shape[i]));
  }
  return with_axes(model, std::vector<int64_t>(shape.shape, shape.shape + shape.ndim), std::move(axes));
}

// The inputs' parts that broadcast to those of a decomposition.
class FittedParts {
 public:
  FittedParts(const Decomposition& whole, Dists inputs, Stream* stream) {
    for (const Dist* a : inputs) {
      check_same_comm(*inputs[0], *a, "in");
      held_.push_back(redistributed(*a, *fitting(whole, a->decomposition->shape), stream));
      parts_.push_back(held_.back()->part.get());
    }
  }
  [[nodiscard]] std::span<const Array* const> all() const { return parts_; }

 private:
  std::vector<Ref<Dist>> held_;
  std::vector<const Array*> parts_;
};

Ref<Dist> with_part(Decomposition& by, const Ref<Array>& part) {
  return make<Dist>(Ref<Decomposition>::share(&by), part, std::vector<int64_t>());
}

void check_elementwise(const Expression& e) {
  if (!e.reads_indices()) return;
  fail(ARR_E_UNSUPPORTED, "argument e: reads indices or gathers elements, which are those of one part");
}

}  // namespace

Ref<Dist> dist_apply(const OpInfo& op, Dists inputs, Stream* stream) {
  const Ref<Decomposition> by = result_decomposition(shape_of(inputs), inputs);
  const FittedParts parts(*by, inputs, stream);
  std::vector<Input> operands;
  for (const Array* a : parts.all()) operands.push_back({a, {}, false});
  return with_part(*by, elementwise(op, operands, {}, stream));
}

Ref<Dist> dist_run(const Expression& e, int32_t node, Dists inputs, Stream* stream) {
  check_elementwise(e);
  const Ref<Decomposition> by = result_decomposition(shape_of(inputs), inputs);
  const FittedParts parts(*by, inputs, stream);
  return with_part(*by, run(e, node, parts.all(), stream));
}

void dist_run_into(const Dist& dst, const Expression& e, int32_t node, Dists inputs, Stream* stream) {
  check_elementwise(e);
  check_same_comm(*inputs[0], dst, "dst");
  const Layout shape = shape_of(inputs);
  const Decomposition& by = *dst.decomposition;
  if (!std::ranges::equal(shape.dims(), by.shape)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", shape_text(by.ndim(), by.shape.data()), ", expected ",
         shape.text());
  }
  const FittedParts parts(by, inputs, stream);
  run_into(*dst.part, e, node, parts.all(), stream);
}

}  // namespace arr
