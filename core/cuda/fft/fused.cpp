// SPDX-License-Identifier: MIT
// A transform with programs around it as one plan of cuFFT with callbacks. A plan is made once for each pair
// of programs, kinds of operands and layout; the operands' addresses are parameters of the call.
#include <map>
#include <unordered_set>

#include "base/log.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/scratch.h"
#include "cuda/fft/calls.h"
#include "cuda/fft/layout.h"
#include "expr/op_numbers.h"
#include "expr/ops.h"

namespace arr::cuda {

namespace {

using namespace fft_layout;

constexpr size_t max_operands = Program::max_inputs + 1;

// A program around a transform: its operands, and the text and the parameters that follow from them. The
// operand that cuFFT passes to or takes from the program has no address.
class Around {
 public:
  Around(const Program& p, CallbackKind kind, const Operand* operands, int32_t ndim, const int64_t* shape)
      : program_(&p), kind_(kind), count_(p.inputs.size() + 1) {
    given_ = kind == CallbackKind::load ? p.inputs.size() : 0;
    for (size_t k = 0; k < count_; ++k) {
      if (k != given_) operands_.at(k) = *operands++;
    }
    merge(ndim, shape);
    describe();
  }
  Around(const Around&) = delete;
  Around& operator=(const Around&) = delete;

  [[nodiscard]] const Program* program() const { return program_; }
  [[nodiscard]] uint64_t bits() const {
    return access_bits(shape_.access) << 8 | static_cast<uint64_t>(shape_.dims) << 1 |
           static_cast<uint64_t>(shape_.wide);
  }
  [[nodiscard]] int32_t words() const { return words_.count; }
  [[nodiscard]] FftCallback make(Device& d) const {
    return make_callback(d.limits.arch, *program_, shape_, kind_);
  }
  // The parameters of this call.
  void fill(Arguments* args) const {
    args->set(0, size_);
    args->set(1, int64_t{0});
    set_extents(extents_.data(), shape_.dims, shape_.wide, words_, args);
    set_operands(operands_.data(), shape_.access, words_, shape_.dims, args);
  }

 private:
  // Merges adjacent dimensions if all operands allow it, because each dimension costs every element a
  // division. Their order is kept, because elements are numbered in it.
  void merge(int32_t ndim, const int64_t* shape) {
    int32_t n = 0;
    for (int32_t d = 0; d < ndim; ++d) {
      if (shape[d] == 1) continue;
      bool joins = n > 0;
      for (size_t k = 0; k < count_; ++k) {
        if (operands_[k].strides == nullptr) continue;
        joins = joins && strides_[k][n - 1] == operands_[k].strides[d] * shape[d];
      }
      n += joins ? 0 : 1;
      auto& extent = extents_[static_cast<size_t>(n) - 1];
      extent = joins ? extent * shape[d] : shape[d];
      for (size_t k = 0; k < count_; ++k) {
        if (operands_[k].strides != nullptr) strides_[k][n - 1] = operands_[k].strides[d];
      }
    }
    for (size_t k = 0; k < count_; ++k) {
      if (operands_[k].strides != nullptr) operands_[k].strides = strides_[k];
    }
    shape_.dims = n;
  }
  void describe() {
    shape_.kind = ElementwiseShape::general;
    for (int32_t i = 0; i < shape_.dims; ++i) size_ *= extents_[static_cast<size_t>(i)];
    shape_.wide = size_ > INT32_MAX;
    for (size_t k = 0; k < count_; ++k) {
      const Operand& o = operands_[k];
      shape_.access.push_back(k == given_         ? Access::function_argument
                              : o.data == nullptr ? Access::immediate
                              : o.ramp            ? Access::ramp
                                                  : Access::strided);
      if (k != given_ && o.data != nullptr) {
        shape_.wide = shape_.wide || reach(shape_.dims, extents_.data(), o.strides) > INT32_MAX;
      }
    }
    words_ = elementwise_words(shape_);
  }

  const Program* program_;
  CallbackKind kind_;
  size_t count_, given_ = 0;
  int64_t size_ = 1;
  std::array<Operand, max_operands> operands_;
  std::array<int64_t, max_ndim> extents_{};
  int64_t strides_[max_operands][max_ndim];
  ElementwiseShape shape_;
  Words words_;
};

// The load callback of a transform: the call's program. Transforms of real input also need it to copy the
// elements unchanged, because cuFFT may overwrite input that it reads itself.
class Load {
 public:
  Load(const FusedFftCall& c, DType type) {
    if (c.load != nullptr) {
      around_.emplace(*c.load, CallbackKind::load, c.in, c.ndim, c.in_shape);
    } else if (c.transform.kind == FftKind::c2r) {
      int64_t stride = item_size(type);
      for (int32_t d = c.ndim; d-- > 0; stride *= c.in_shape[d]) strides_[static_cast<size_t>(d)] = stride;
      const Operand same = {const_cast<void*>(c.transform.in), strides_.data(), {}};
      around_.emplace(single_cast(type, type), CallbackKind::load, &same, c.ndim, c.in_shape);
    }
  }
  [[nodiscard]] const Around* get() const { return around_ ? &*around_ : nullptr; }

 private:
  std::array<int64_t, max_ndim> strides_{};
  std::optional<Around> around_;
};

// The store callback: the factor, and the call's program. Without both cuFFT itself writes the results.
class Store {
 public:
  Store(const FusedFftCall& c, DType type) {
    if (c.transform.scale != 1) {
      scaled(c, type);
    } else if (c.store != nullptr) {
      around_.emplace(*c.store, CallbackKind::store, c.more, c.ndim, c.out_shape);
    }
  }
  [[nodiscard]] const Around* get() const { return around_ ? &*around_ : nullptr; }

 private:
  void scaled(const FusedFftCall& c, DType type) {
    ProgramBuilder b;
    std::vector<int32_t> inputs = {b.input(type)};
    const size_t others = c.store == nullptr ? 0 : c.store->inputs.size() - 1;
    for (size_t k = 0; k < others; ++k) inputs.push_back(b.input(c.store->inputs[k + 1]));
    inputs[0] = b.op(op::multiply, inputs[0], b.scalar(scalar_of(c.transform.scale), true));
    b.output(c.store == nullptr ? inputs[0] : b.append(*c.store, 0, inputs));
    const BoundProgram p = b.finish();
    std::vector<Operand> operands(c.more, c.more + others);
    for (const Scalar& s : p.immediates) operands.push_back({nullptr, nullptr, s});
    int64_t stride = item_size(type);
    for (int32_t d = c.ndim; d-- > 0; stride *= c.out_shape[d]) strides_[static_cast<size_t>(d)] = stride;
    operands.push_back(c.store == nullptr ? Operand{c.transform.out, strides_.data(), {}} : c.more[others]);
    around_.emplace(*p.program, CallbackKind::store, operands.data(), c.ndim, c.out_shape);
  }
  std::array<int64_t, max_ndim> strides_{};
  std::optional<Around> around_;
};

// Returns true if the call's program can take the factor as another input.
bool has_room(const FusedFftCall& c) {
  return c.store == nullptr || c.transform.scale == 1 ||
         c.store->inputs.size() < static_cast<size_t>(Program::max_inputs);
}

// The result of a call, if cuFFT may write it directly: data that a plan of several kernels keeps there in
// between is overwritten only by its last kernel, element by element.
char* direct_output(const FusedFftCall& c, DType type) {
  if (c.store == nullptr) return static_cast<char*>(c.transform.out);
  const Program& p = *c.store;
  const Operand& o = c.more[p.inputs.size() - 1];
  int64_t stride = item_size(type);
  bool same = p.nodes[static_cast<size_t>(p.outputs[0])].dtype == type;
  for (int32_t d = c.ndim; d-- > 0; stride *= c.out_shape[d]) {
    same = same && (c.out_shape[d] == 1 || o.strides[d] == stride);
  }
  return same && reinterpret_cast<uintptr_t>(o.data) % 16 == 0 ? static_cast<char*>(o.data) : nullptr;
}

// Keys that cuFFT has refused, per device. The bound limits memory; asking again only costs time.
class Refusals {
 public:
  bool has(int32_t device, const FftKey& key) {
    const std::lock_guard lock(mutex_);
    return all_[device].count(key) != 0;
  }
  void add(int32_t device, const FftKey& key) {
    const std::lock_guard lock(mutex_);
    auto& keys = all_[device];
    if (keys.size() >= max_keys) keys.clear();
    keys.insert(key);
  }

 private:
  static constexpr size_t max_keys = 1024;
  std::mutex mutex_;
  std::map<int32_t, std::unordered_set<FftKey, HashWords<FftKey>>> all_;
};
Refusals& refusals() {
  static auto* all = new Refusals;
  return *all;
}

// Nothing that is captured: graphs may run concurrently, and a plan has one set of parameters.
bool captured(Device& d, Stream& s) {
  if (s.capturing.load(std::memory_order_acquire)) return true;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  d.check(driver().cuStreamIsCapturing(s.handle, &status), "cuStreamIsCapturing", &s);
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

std::shared_ptr<const FftPlan> plan_of(Device& d, const FftKey& key,
                                       const std::array<const Around*, 2>& around) {
  if (refusals().has(d.index, key)) return nullptr;
  auto make = [&] {
    std::array<FftCallback, 2> callbacks;
    std::array<int32_t, 2> words{};
    for (size_t k = 0; k < 2; ++k) {
      if (around[k] == nullptr) continue;
      callbacks[k] = around[k]->make(d);
      words[k] = around[k]->words();
    }
    return std::make_shared<const FftPlan>(d, key,
                                           std::make_unique<FftCallbacks>(d, std::move(callbacks), words));
  };
  try {
    return fft_plans(d.index).get(key, make);
  } catch (const FftRefused& refused) {
    refusals().add(d.index, key);
    log_line(log_level::warning, "cuFFT does not take programs as callbacks: ", refused.what(),
             "; they run as separate passes");
    return nullptr;
  }
}

// Returns false, with the reason in *why.
bool run_fused(Device& d, const FusedFftCall& c, Stream& s, const char** why) {
  if ((*why = no_callbacks()) != nullptr) return false;
  *why = "work is being captured";
  if (captured(d, s)) return false;
  *why = "more axes than a plan has";
  if (c.transform.ndim > max_axes) return false;
  Step step = step_of(c.transform, c.transform.kind, 0, c.transform.ndim);
  Side in = side_of(step, true), out = side_of(step, false);
  out.data = direct_output(c, step.out_type());
  if (c.load != nullptr || step.kind == FftKind::c2r) in.data = nullptr;
  *why = "axes or addresses that one call of cuFFT does not take";
  if (!fits(step, in, out, 1)) return false;
  *why = "no room for the factor among the inputs";
  if (!has_room(c)) return false;
  const Load load(c, step.in_type());
  const Store store(c, step.out_type());
  const std::array<const Around*, 2> around = {load.get(), store.get()};
  FftKey key = key_of(step, in, out, batches_of(in, out, step.nbatch));
  for (size_t k = 0; k < 2; ++k) {
    if (around[k] == nullptr) continue;
    key.programs[k] = around[k]->program();
    key.shapes[k] = around[k]->bits();
  }
  *why = "cuFFT has refused them";
  const auto plan = plan_of(d, key, around);
  if (plan == nullptr) return false;
  const int32_t ndim = step.nbatch + step.ndim;
  std::optional<Scratch> input, output;
  auto room = [&](std::optional<Scratch>* memory, Side* side) {
    if (side->data != nullptr) return;
    memory->emplace(d, s, elements(*side, ndim) * side->item);
    side->data = static_cast<char*>((*memory)->data());
  };
  room(&input, &in);
  room(&output, &out);
  std::array<std::optional<Arguments>, 2> arguments;
  FftCallbacks::Parameters parameters{};
  for (size_t k = 0; k < 2; ++k) {
    if (around[k] == nullptr) continue;
    parameters[k] = &arguments[k].emplace(around[k]->words());
    around[k]->fill(parameters[k]);
  }
  plan->run(d, in.data, out.data, step.kind == FftKind::backward ? cufft_inverse : cufft_forward, s,
            &parameters);
  return true;
}

}  // namespace

void fft_fused(Device& d, const FusedFftCall& call, Stream& s) {
  s.last_work.store("fft", std::memory_order_relaxed);
  const char* why = nullptr;
  if (run_fused(d, call, s, &why)) return;
  log_line(log_level::debug, "fft: programs run as separate passes: ", why);
  fail(ARR_E_UNSUPPORTED, "fft: programs run as separate passes: ", why);
}

}  // namespace arr::cuda
