// SPDX-License-Identifier: MIT
// Makes plans. Radix plans need no measurements, so a first call does not wait. If FFTW is available and the
// effort is higher than estimate, the faster of the radix plan and FFTW's plan is used.
#include "host/fft/plans.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/checked.h"
#include "base/environment.h"
#include "host/device/pool_block.h"

namespace arr::host {

namespace {

bool to_complex(FftKind k) { return k != FftKind::c2r; }
bool from_complex(FftKind k) { return k != FftKind::r2c; }

int64_t side_bytes(bool complex, bool halved, DType real, int64_t n) {
  const int64_t count = !complex ? n : halved ? n / 2 + 1 : n;
  return count * item_size(real) * (complex ? 2 : 1);
}

Fftw::Plan make_plan(const Fftw& f, const LineKey& key, FftEffort effort) {
  const int64_t item = item_size(key.real), in_item = item * (from_complex(key.kind) ? 2 : 1),
                out_item = item * (to_complex(key.kind) ? 2 : 1);
  const Fftw::Dim line{key.n, 1, 1}, batch{key.lines, key.in_ld / in_item, key.out_ld / out_item};
  const int nbatch = key.lines > 1 ? 1 : 0;
  // FFTW's measurements run on these arrays. They start as zeros, because subnormal numbers would be slow.
  const int64_t in_bytes = line_in_bytes(key.kind, key.real, key.n) + (key.lines - 1) * key.in_ld;
  const int64_t out_bytes = line_out_bytes(key.kind, key.real, key.n) + (key.lines - 1) * key.out_ld;
  const PoolBlock in(in_bytes), out(out_bytes);
  std::memset(in.data(), 0, static_cast<size_t>(in_bytes));
  std::memset(out.data(), 0, static_cast<size_t>(out_bytes));
  const unsigned flags = effort == FftEffort::patient ? fftw_patient : fftw_measure,
                 keep = flags | fftw_preserve_input;
  const std::lock_guard lock(fftw_planner());
  switch (key.kind) {
    case FftKind::forward:
    case FftKind::backward:
      return f.plan_dft(1, &line, nbatch, &batch, in.data(), out.data(),
                        key.kind == FftKind::forward ? -1 : 1, keep);
    case FftKind::r2c:
      return f.plan_r2c(1, &line, nbatch, &batch, in.data(), out.data(), keep);
    default:
      return f.plan_c2r(1, &line, nbatch, &batch, in.data(), out.data(), flags | fftw_destroy_input);
  }
}

}  // namespace

int64_t line_in_bytes(FftKind kind, DType real, int64_t n) {
  return side_bytes(from_complex(kind), kind == FftKind::c2r, real, n);
}
int64_t line_out_bytes(FftKind kind, DType real, int64_t n) {
  return side_bytes(to_complex(kind), kind == FftKind::r2c, real, n);
}

Roots::Roots(int64_t n) : n_(n), bits_(static_cast<int>(std::bit_width(static_cast<uint64_t>(n)) + 1) / 2) {
  auto root = [n](int64_t k) {
    const double angle = std::numbers::pi / 4 * static_cast<double>(k) / static_cast<double>(n);
    return std::complex<double>(std::cos(angle), std::sin(angle));
  };
  const int64_t step = int64_t{1} << bits_;
  for (int64_t k = 0; k < step; ++k) fine_.push_back(root(k));
  for (int64_t k = 0; k <= n; k += step) coarse_.push_back(root(k));
}

int64_t Roots::bytes() const {
  return static_cast<int64_t>((fine_.size() + coarse_.size()) * sizeof(std::complex<double>));
}

CosineRoots::CosineRoots(int32_t type, DType real, int64_t n) {
  const int64_t count = type == 4 ? n / 2 : n / 4 + 1;
  auto add = [&](double x) {
    if (real == DType::float64_) {
      of_double_.push_back(x);
    } else {
      of_float_.push_back(static_cast<float>(x));
    }
  };
  auto rows = [&](int64_t step, int64_t first, int64_t whole, double sign) {
    auto angle = [&](int64_t k) {
      return std::numbers::pi * static_cast<double>(step * k + first) / static_cast<double>(whole);
    };
    for (int64_t k = 0; k < count; ++k) add(std::cos(angle(k)));
    for (int64_t k = 0; k < count; ++k) add(sign * std::sin(angle(k)));
  };
  if (type == 4) {
    rows(8, 1, 8 * n, 1);
  } else {
    rows(1, 0, 2 * n, -1);
    rows(5, 0, 2 * n, -1);
  }
}

FftPlan::~FftPlan() {
  if (plan == nullptr) return;
  const std::lock_guard lock(fftw_planner());
  library->destroy(plan);
}

namespace {

// The time of one line, by the radix plan or by FFTW's.
double seconds(const FftPlan& plan, const LineKey& key, bool radix) {
  using Clock = std::chrono::steady_clock;
  const int64_t in_bytes = line_in_bytes(key.kind, key.real, key.n);
  PoolBlock in(in_bytes), out(line_out_bytes(key.kind, key.real, key.n)), scratch(plan.scratch());
  std::memset(in.data(), 0, static_cast<size_t>(in_bytes));
  std::chrono::duration<double> best = std::chrono::hours(1);
  for (int i = 0; i < 5; ++i) {
    const Clock::time_point begin = Clock::now();
    if (radix) {
      plan.radix->run(in.data(), 0, out.data(), 0, scratch.data());
    } else {
      plan.execute(plan.plan, in.data(), out.data());
    }
    best = std::min<std::chrono::duration<double>>(best, Clock::now() - begin);
  }
  return best.count();
}

HeldPlan make(const LineKey& key, FftEffort wanted) {
  auto fresh = std::make_shared<FftPlan>();
  if (key.split) {
    fresh->roots = std::make_unique<Roots>(key.n);
    fresh->bytes = fresh->roots->bytes();
    fresh->effort = FftEffort::patient;  // no effort would make it better
    return fresh;
  }
  if (key.cosine != 0) {
    fresh->cosine = std::make_unique<CosineRoots>(key.cosine, key.real, key.n);
    fresh->bytes = fresh->cosine->bytes();
    fresh->effort = FftEffort::patient;
    return fresh;
  }
  fresh->effort = wanted;
  const bool radix_batch = key.lines > 1 && key.out_ld == 0;  // the key of a radix plan has no distances
  if (key.lines == 1 || radix_batch) {
    fresh->radix = radix_plan(key.kind, key.real, key.n, key.lines);
    fresh->bytes = fresh->radix->bytes();
  }
  // Plans for several lines at equal distances are always FFTW's: they go with an FFTW plan for one line,
  // even if the effort was lowered after that was made.
  const bool several = key.lines > 1 && !radix_batch;
  if (radix_batch || (!several && (wanted == FftEffort::estimate || !has_fftw(key.real)))) return fresh;
  const Fftw& f = fftw(key.real);
  fresh->library = &f;
  fresh->execute = key.kind == FftKind::r2c   ? f.execute_r2c
                   : key.kind == FftKind::c2r ? f.execute_c2r
                                              : f.execute_dft;
  fresh->plan = make_plan(f, key, wanted);
  if (fresh->plan == nullptr && fresh->radix != nullptr) return fresh;
  if (fresh->plan == nullptr) {
    fail(ARR_E_UNSUPPORTED, "FFTW has no plan for a transform of ", key.n, " elements");
  }
  const bool both = fresh->radix != nullptr && !environment_flag("ARR_FFTW_ALWAYS");
  if (both && seconds(*fresh, key, true) <= seconds(*fresh, key, false)) return fresh;
  fresh->radix.reset();
  // FFTW does not report its memory: about one complex factor per element.
  fresh->bytes = checked::mul(key.n, 2 * item_size(key.real), "a plan's bytes");
  return fresh;
}

}  // namespace

HeldPlan FftPlans::get(const LineKey& key) {
  const FftEffort wanted = effort_.load();
  return cache_.get(
      key, [&] { return make(key, wanted); }, [&](const FftPlan& plan) { return plan.effort >= wanted; });
}

HeldPlan FftPlans::fresh(const LineKey& key) const { return make(key, effort_.load()); }

FftCacheStats FftPlans::stats() const {
  const auto c = cache_.counts();
  return {c.hits, c.misses, c.entries, c.bytes, c.max_entries, c.max_bytes};
}

std::vector<FftCachePlan> FftPlans::list() const {
  std::vector<FftCachePlan> all;
  cache_.visit([&](int64_t id, const LineKey& key, const FftPlan& plan) {
    all.push_back(
        {id, key.split || key.cosine != 0, key.kind, key.real, {key.n, 0, 0}, key.lines, plan.bytes});
  });
  return all;
}

FftPlans& fft_plans() {
  static auto* plans = new FftPlans;
  return *plans;
}

}  // namespace arr::host
