// SPDX-License-Identifier: MIT
#include "cuda/fft/callbacks.h"

#include "base/environment.h"
#include "base/log.h"

namespace arr::cuda {

namespace {

constexpr int32_t version_with_names = 12000;  // in earlier versions this function has other parameters

const Kernel& write_kernel(Device& d) {
  static auto* kernels = new Kernels;
  KernelKey key;
  key.device = d.index;
  return kernels->get(
      d, key, emit_write_words, [] { return std::string("fft parameters"); }, [] { return Words{}; });
}

const char* find_obstacle() {
  if (!environment_flag("ARR_CUFFT_CALLBACKS", true)) return "ARR_CUFFT_CALLBACKS is 0";
  if (environment_flag("ARR_CUDA_DEBUG")) return "ARR_CUDA_DEBUG is set, and LTO-IR is not for a debugger";
  const Cufft& c = cufft();
  if (c.version < version_with_names || c.cufftXtSetJITCallback == nullptr) {
    return "cuFFT is older than 12.0";
  }
  const Nvrtc& n = nvrtc();
  if (n.nvrtcGetLTOIR == nullptr || n.nvrtcGetLTOIRSize == nullptr) return "NVRTC is older than 12.0";
  // cuFFT opens it by name, which succeeds in any folder once it is open.
  std::string ignored;
  probe_nvjitlink(&ignored);
  return nullptr;
}

}  // namespace

const char* no_callbacks() {
  static const char* const obstacle = [] {
    const char* found = find_obstacle();
    if (found != nullptr) log_line(log_level::info, "cuFFT: no load and store callbacks: ", found);
    return found;
  }();
  return obstacle;
}

FftCallback make_callback(int arch, const Program& p, const ElementwiseShape& s, CallbackKind kind) {
  const Nvrtc& n = nvrtc();
  std::vector<std::string> options = generated_options(n, arch);
  // A virtual architecture, as in NVIDIA's examples. LTO-IR leaves the contraction of products and sums to
  // the linker.
  if (const size_t at = options[0].find("=sm_"); at != std::string::npos)
    options[0].replace(at, 4, "=compute_");
  options.insert(options.end(), {"-dlto", "--relocatable-device-code=true", "-DARR_JOINS"});
  FftCallback c;
  const std::string source = emit_callback(p, s, kind, &c.name);
  const bool loads = kind == CallbackKind::load;
  const DType t = loads ? p.nodes[static_cast<size_t>(p.outputs[0])].dtype : p.inputs[0];
  c.type = loads ? CUFFT_CB_LD_COMPLEX : CUFFT_CB_ST_COMPLEX;
  if (!is_complex(t)) c.type += 2;
  if (real_type(t) == DType::float64_) c.type += 1;
  try {
    c.image = compile(n, source, "arr.cu", options, {}, nullptr, ImageKind::ltoir).image;
  } catch (const Error& e) {
    if (e.status() != ARR_E_COMPILE) throw;
    fail(ARR_E_INTERNAL, "the generated callback for ", describe(p), " does not compile: ", e.text());
  }
  return c;
}

FftCallbacks::FftCallbacks(Device& d, std::array<FftCallback, 2> callbacks,
                           const std::array<int32_t, 2>& words)
    : device_(d.index), callbacks_(std::move(callbacks)) {
  for (size_t k = 0; k < 2; ++k) {
    offsets_[k] = bytes_;
    bytes_ += checked::round_up(int64_t{8} * words[k], 128);
  }
  event_ = d.take_event();
  const CUresult r = driver().cuMemAlloc_v2(&memory_, static_cast<size_t>(bytes_));
  if (r != CUDA_SUCCESS) d.give_event(event_);
  d.check(r, "cuMemAlloc");
}

FftCallbacks::~FftCallbacks() {
  Device* d = Device::find(device_);
  if (d == nullptr || d->lost()) return;
  const Current current(*d, std::nothrow);
  finish(*d);
  d->note(driver().cuMemFree_v2(memory_), "cuMemFree");
  d->give_event(event_);
}

void FftCallbacks::finish(Device& d) noexcept {
  if (used_) d.note(driver().cuEventSynchronize(event_), "cuEventSynchronize");
  used_ = false;
}

cufftResult FftCallbacks::set(cufftHandle plan) const {
  for (size_t k = 0; k < 2; ++k) {
    const FftCallback& c = callbacks_[k];
    if (c.image.empty()) continue;
    void* info = reinterpret_cast<void*>(memory_ + static_cast<CUdeviceptr>(offsets_[k]));
    const cufftResult r =
        cufft().cufftXtSetJITCallback(plan, c.name.c_str(), c.image.data(), c.image.size(), c.type, &info);
    if (r != CUFFT_SUCCESS) return r;
  }
  return CUFFT_SUCCESS;
}

void FftCallbacks::write(Device& d, const Parameters& parameters, Stream& s) {
  const Kernel& kernel = write_kernel(d);
  for (size_t k = 0; k < 2; ++k) {
    if (parameters[k] == nullptr) continue;
    Arguments& all = *parameters[k];
    for (int32_t from = 0; from < all.count(); from += written_words) {
      Arguments args(written_words + 2);
      const int32_t n = std::min(all.count() - from, written_words);
      args.set(0, static_cast<int64_t>(memory_) + offsets_[k] + int64_t{8} * from);
      args.set(1, int64_t{n});
      for (int32_t i = 0; i < n; ++i) args[2 + i] = all[from + i];
      for (int32_t i = n; i < written_words; ++i) args[2 + i] = 0;
      launch(d, kernel, {1, 1, 64, 1}, args, s);
    }
  }
}

FftCallbacks::Use::Use(FftCallbacks& of, Device& d, const Parameters& parameters, Stream& s)
    : of_(of), device_(d), stream_(s) {
  if (of.used_) d.check(driver().cuStreamWaitEvent(s.handle, of.event_, 0), "cuStreamWaitEvent", &s);
  try {
    of.write(d, parameters, s);
  } catch (...) {
    of.mark(d, s);
    throw;
  }
}

FftCallbacks::Use::~Use() { of_.mark(device_, stream_); }

void FftCallbacks::mark(Device& d, Stream& s) noexcept {
  const CUresult r = driver().cuEventRecord(event_, s.handle);
  used_ = r == CUDA_SUCCESS;
  if (used_) return;
  d.note(r, "cuEventRecord");
  d.note(driver().cuStreamSynchronize(s.handle), "cuStreamSynchronize");  // the last moment to wait for it
}

}  // namespace arr::cuda
