// SPDX-License-Identifier: MIT
#include "runtime/benchmark.h"
#include "backend/stream.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

namespace arr {

namespace {

using Time = std::chrono::steady_clock;

double since(Time::time_point start) {
  return std::chrono::duration<double, std::nano>(Time::now() - start).count();
}

Times summary(std::vector<double> t) {
  Times s;
  std::sort(t.begin(), t.end());
  const size_t n = t.size();
  s.min = t.front();
  s.max = t.back();
  s.median = (t[(n - 1) / 2] + t[n / 2]) / 2;
  s.mean = std::accumulate(t.begin(), t.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (const double x : t) squares += (x - s.mean) * (x - s.mean);
  s.std = std::sqrt(squares / static_cast<double>(n));
  return s;
}

// Two events of a device that does not wait for its work.
class Events {
 public:
  explicit Events(const Queue& q) : q_(q) {
    for (void*& e : events_) call(api<StreamApi>(q).event_create, q.index(), ARR_EVENT_TIMING, &e);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    BackendError ignored;
    for (void* e : events_) {
      if (e != nullptr) api<StreamApi>(q_).event_destroy(q_.index(), e, &ignored);
    }
  }
  void record(int which) { call(api<StreamApi>(q_).event_record, q_.index(), events_[which], q_.handle()); }
  double elapsed() {
    double milliseconds = 0;
    call(api<StreamApi>(q_).event_sync, q_.index(), events_[1]);
    call(api<StreamApi>(q_).event_elapsed, q_.index(), events_[0], events_[1], &milliseconds);
    return milliseconds * 1e6;
  }

 private:
  const Queue& q_;
  void* events_[2] = {};
};

}  // namespace

BenchmarkResult benchmark(const BenchmarkPlan& plan, const Queue& q, const std::function<void()>& run) {
  for (int64_t i = 0; i < plan.warmup; ++i) run();
  call(api<StreamApi>(q).sync, q.index(), q.handle());
  Events events(q);
  std::vector<double> host, device;
  const Time::time_point first = Time::now();
  do {
    events.record(0);
    const Time::time_point start = Time::now();
    run();
    host.push_back(since(start));
    events.record(1);
    device.push_back(events.elapsed());
  } while (static_cast<int64_t>(host.size()) < plan.repeats && since(first) < plan.seconds * 1e9);
  const auto repeats = static_cast<int64_t>(host.size());
  return {repeats, summary(std::move(host)), summary(std::move(device))};
}

}  // namespace arr
