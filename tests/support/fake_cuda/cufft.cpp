// SPDX-License-Identifier: MIT
// The fake cuFFT: transforms by FFTW, in the order of the plan's stream. As the real one it needs a work
// area, which it fills with rubbish, and overwrites what it makes reals from, and with callbacks also the
// rest of what it is given.
#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <map>

#include "cufft_callbacks.h"

namespace arr::fake {
namespace {

// A line of the layouts that cuFFT knows.
struct Side {
  std::array<long long, 3> embed{};
  long long stride = 0, dist = 0;
};
struct Plan {
  bool made = false, automatic = true;
  int rank = 0;
  std::array<long long, 3> n{};
  Side in, out;
  cufftType type = 0;
  long long batch = 0;
  size_t area_bytes = 0;
  void* area = nullptr;
  CUstream stream = nullptr;
  Context* context = nullptr;
  Callback load, store;
  std::array<cufftXtCallbackType, 2> types{};  // of these
};

std::map<cufftHandle, Plan>& plans() {
  static auto* all = new std::map<cufftHandle, Plan>;
  return *all;
}
Plan* find(cufftHandle handle) {
  auto at = plans().find(handle);
  return at == plans().end() ? nullptr : &at->second;
}

bool wide(cufftType t) { return t >= 0x60; }
bool from_real(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
bool to_real(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }
size_t item(cufftType t, bool real) { return (wide(t) ? 8U : 4U) * (real ? 1U : 2U); }

// FFTW's interface guru64.
struct Dim {
  ptrdiff_t n, in, out;
};
using MakeComplex = void* (*)(int, const Dim*, int, const Dim*, void*, void*, int, unsigned);
using MakeReal = void* (*)(int, const Dim*, int, const Dim*, void*, void*, unsigned);
constexpr unsigned estimate = 64, unaligned = 2;

void* fftw(bool precise, const std::string& symbol) {
  static void* of_float = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
  static void* of_double = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
  void* library = precise ? of_double : of_float;
  return library == nullptr ? nullptr : dlsym(library, ((precise ? "fftw_" : "fftwf_") + symbol).c_str());
}

// Elements of an axis on one side.
long long extent(const Plan& p, int d, bool in) {
  const bool halved = d == p.rank - 1 && (in ? to_real(p.type) : from_real(p.type));
  return halved ? p.n[static_cast<size_t>(d)] / 2 + 1 : p.n[static_cast<size_t>(d)];
}
long long step(const Plan& p, const Side& side, int d) {
  long long s = side.stride;
  for (int i = p.rank - 1; i > d; --i) s *= side.embed[static_cast<size_t>(i)];
  return s;
}
// Bytes from the first element to behind the last.
size_t reach(const Plan& p, bool in) {
  const Side& side = in ? p.in : p.out;
  long long last = (p.batch - 1) * side.dist;
  for (int d = 0; d < p.rank; ++d) last += (extent(p, d, in) - 1) * step(p, side, d);
  return static_cast<size_t>(last + 1) * item(p.type, in ? from_real(p.type) : to_real(p.type));
}

// The places of the elements of a side.
std::vector<unsigned long long> offsets(const Plan& p, bool in) {
  const Side& side = in ? p.in : p.out;
  std::array<long long, 3> count{1, 1, 1}, by{};
  for (int d = 0; d < p.rank; ++d) {
    count[static_cast<size_t>(d)] = extent(p, d, in);
    by[static_cast<size_t>(d)] = step(p, side, d);
  }
  std::vector<unsigned long long> all;
  for (long long b = 0; b < p.batch; ++b) {
    for (long long i = 0; i < count[0]; ++i) {
      for (long long j = 0; j < count[1]; ++j) {
        for (long long k = 0; k < count[2]; ++k) {
          all.push_back(static_cast<unsigned long long>(b * side.dist + i * by[0] + j * by[1] + k * by[2]));
        }
      }
    }
  }
  return all;
}

// Spoils all elements of a side.
void overwrite(const Plan& p, bool in, void* data) {
  const size_t bytes = item(p.type, in ? from_real(p.type) : to_real(p.type));
  for (const unsigned long long at : offsets(p, in))
    std::memset(static_cast<char*>(data) + at * bytes, 0xa5, bytes);
}

CUresult by_fftw(const Plan& p, void* in, void* out, int direction) {
  std::array<Dim, 3> dims;
  for (int d = 0; d < p.rank; ++d) {
    dims[static_cast<size_t>(d)] = {p.n[static_cast<size_t>(d)], step(p, p.in, d), step(p, p.out, d)};
  }
  const Dim batch{p.batch, p.in.dist, p.out.dist};
  const bool precise = wide(p.type);
  void* plan = nullptr;
  const unsigned flags = estimate | unaligned;
  if (from_real(p.type) || to_real(p.type)) {
    const char* symbol = from_real(p.type) ? "plan_guru64_dft_r2c" : "plan_guru64_dft_c2r";
    auto make = reinterpret_cast<MakeReal>(fftw(precise, symbol));
    if (make != nullptr) plan = make(p.rank, dims.data(), 1, &batch, in, out, flags);
  } else if (auto make = reinterpret_cast<MakeComplex>(fftw(precise, "plan_guru64_dft"))) {
    plan = make(p.rank, dims.data(), 1, &batch, in, out, direction, flags);
  }
  if (plan == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  if (p.area != nullptr) std::memset(p.area, 0x5a, p.area_bytes);
  reinterpret_cast<void (*)(void*)>(fftw(precise, "execute"))(plan);
  reinterpret_cast<void (*)(void*)>(fftw(precise, "destroy_plan"))(plan);
  return CUDA_SUCCESS;
}

CUresult transform(const Plan& p, void* in, void* out, int direction) {
  std::vector<char> loaded, made;
  void *from = in, *to = out;
  if (p.load.is_set()) {
    loaded.resize(reach(p, true));
    from = loaded.data();
    overwrite(p, true, in);
    p.load.run(in, offsets(p, true), from);
  }
  if (p.store.is_set()) {
    made.resize(reach(p, false));
    to = made.data();
    overwrite(p, false, out);
  }
  if (const CUresult r = by_fftw(p, from, to, direction); r != CUDA_SUCCESS) return r;
  if (to_real(p.type)) overwrite(p, true, in);
  if (p.store.is_set()) p.store.run(out, offsets(p, false), to);
  return CUDA_SUCCESS;
}

// Links the callbacks of a plan that is being made.
cufftResult link(Plan* p) {
  auto element = [&](bool real) {
    return wide(p->type) ? (real ? "double" : "double2") : real ? "float" : "float2";
  };
  auto type = [&](int first, bool real) { return first + (real ? 2 : 0) + (wide(p->type) ? 1 : 0); };
  if ((p->load.is_set() && p->types[0] != type(CUFFT_CB_LD_COMPLEX, from_real(p->type))) ||
      (p->store.is_set() && p->types[1] != type(CUFFT_CB_ST_COMPLEX, to_real(p->type)))) {
    return 3;  // CUFFT_INVALID_TYPE
  }
  if (p->load.is_set()) {
    if (const cufftResult r = p->load.link(true, element(from_real(p->type))); r != CUFFT_SUCCESS) return r;
  }
  return p->store.is_set() ? p->store.link(false, element(to_real(p->type))) : CUFFT_SUCCESS;
}

bool valid(const Plan& p) {
  bool good = p.rank >= 1 && p.rank <= 3 && p.batch >= 1 && p.in.stride >= 1 && p.out.stride >= 1 &&
              p.in.dist >= 0 && p.out.dist >= 0;
  for (int d = 0; good && d < p.rank; ++d) {
    good = p.n[static_cast<size_t>(d)] >= 1;
    // The first entries of the embedding count for nothing.
    if (d > 0) {
      good = good && p.in.embed[static_cast<size_t>(d)] >= extent(p, d, true) &&
             p.out.embed[static_cast<size_t>(d)] >= extent(p, d, false);
    }
  }
  if (good && p.batch > 1) good = p.in.dist >= 1 && p.out.dist >= 1;
  return good;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cufftResult cufftGetVersion(int* version) {
  ARR_FAKE_ENTER(cufftGetVersion);
  *version = static_cast<int>(setting("cufft"));
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType property, int* value) {
  ARR_FAKE_ENTER(cufftGetProperty);
  *value = property == 0 ? static_cast<int>(setting("cufft") / 1000) : 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftCreate(cufftHandle* plan) {
  ARR_FAKE_ENTER(cufftCreate);
  if (current() == nullptr) return CUFFT_INTERNAL_ERROR;
  static int last = 0;
  *plan = ++last;
  plans()[*plan].context = current();
  ++live().handles;
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle plan) {
  ARR_FAKE_ENTER(cufftDestroy);
  const Plan* p = find(plan);
  if (p == nullptr || p->context != current()) return CUFFT_INVALID_PLAN;
  run_all();  // it frees device memory, which waits
  plans().erase(plan);
  --live().handles;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate) {
  ARR_FAKE_ENTER(cufftSetAutoAllocation);
  Plan* p = find(plan);
  if (p == nullptr || p->made) return CUFFT_INVALID_PLAN;
  p->automatic = allocate != 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                long long int istride, long long int idist, long long int* onembed,
                                long long int ostride, long long int odist, cufftType type,
                                long long int batch, size_t* worksize) {
  ARR_FAKE_ENTER(cufftMakePlanMany64);
  Plan* p = find(plan);
  if (p == nullptr || p->made || p->automatic || p->context != current()) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || inembed == nullptr || onembed == nullptr) return CUFFT_INVALID_VALUE;
  p->rank = rank;
  p->in = {{}, istride, idist};
  p->out = {{}, ostride, odist};
  for (size_t d = 0; d < static_cast<size_t>(rank); ++d) {
    p->n[d] = n[d];
    p->in.embed[d] = inembed[d];
    p->out.embed[d] = onembed[d];
  }
  p->type = type;
  p->batch = batch;
  if (!valid(*p)) return CUFFT_INVALID_VALUE;
  if (const cufftResult r = link(p); r != CUFFT_SUCCESS) return r;
  p->area_bytes = static_cast<size_t>(n[rank - 1]) * item(type, false);
  *worksize = p->area_bytes;
  p->made = true;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char* name, const void* ltoir, size_t bytes,
                                  cufftXtCallbackType type, void** caller_info) {
  ARR_FAKE_ENTER(cufftXtSetJITCallback);
  Plan* p = find(plan);
  if (p == nullptr || p->made) return CUFFT_INVALID_PLAN;
  if (name == nullptr || ltoir == nullptr || caller_info == nullptr || type < 0 || type > 7) {
    return CUFFT_INVALID_VALUE;
  }
  p->types[type < CUFFT_CB_ST_COMPLEX ? 0 : 1] = type;
  (type < CUFFT_CB_ST_COMPLEX ? p->load : p->store).set(name, ltoir, bytes, *caller_info);
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  ARR_FAKE_ENTER(cufftSetStream);
  Plan* p = find(plan);
  if (p == nullptr || stream_of(stream) == nullptr) return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle plan, void* area) {
  ARR_FAKE_ENTER(cufftSetWorkArea);
  Plan* p = find(plan);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  p->area = area;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  ARR_FAKE_ENTER(cufftXtExec);
  const Plan* p = find(plan);
  if (p == nullptr || !p->made || p->context != current()) return CUFFT_INVALID_PLAN;
  auto lies = [](void* data, size_t bytes) { return on_device(reinterpret_cast<uintptr_t>(data), bytes); };
  const auto off =
      (reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out)) % item(p->type, false);
  if (off != 0 || (direction != cufft_forward && direction != cufft_inverse) || !lies(in, reach(*p, true)) ||
      !lies(out, reach(*p, false)) || p->area == nullptr || !lies(p->area, p->area_bytes)) {
    return CUFFT_INVALID_VALUE;
  }
  Stream* s = stream_of(p->stream);
  if (s == nullptr) return CUFFT_EXEC_FAILED;
  enqueue(*s, [copy = *p, in, out, direction] { return transform(copy, in, out, direction); });
  return CUFFT_SUCCESS;
}

#pragma GCC visibility pop
}
