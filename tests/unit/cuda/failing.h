// SPDX-License-Identifier: MIT
// Makes every driver function fail at calls of a piece of work, with errors of each kind: the status is
// right, nothing leaks, and the device works on or is lost. Each case is a process of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "backend/interface.h"
#include "support.h"

namespace arr::cuda_test {

// A step of a piece of work: where it fails, its text is kept and its status returned.
#define ARR_STEP(call)                               \
  do {                                               \
    BackendError error;                              \
    if (int32_t status = (call); status != ARR_OK) { \
      text = error.text;                             \
      return status;                                 \
    }                                                \
  } while (0)

// Stops at the first failure, and returns its status. Everything that was created is released.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;
  virtual int32_t steps() = 0;
  virtual void give_back() = 0;
  int32_t run() {
    const int32_t r = steps();
    give_back();
    return r;
  }
  std::string text;

 protected:
  int32_t take(int64_t bytes, void* on, void** p) {
    ARR_STEP(cuda().memory->allocate(0, bytes, on, p, &error));
    blocks_.emplace_back(*p, bytes);
    return ARR_OK;
  }
  void give_back_memory() {
    BackendError e;
    for (auto& [p, bytes] : blocks_) cuda().memory->release(0, p, bytes, nullptr, &e);
  }
  // b = -a, in elements of float32.
  int32_t negate(void* a, void* b, int64_t n, void* stream);
  // b[0] = the sum of a.
  int32_t sum(void* a, void* b, int64_t n, void* stream);
  // b = a @ a, 16 x 16.
  int32_t square(void* a, void* b, void* stream);

 private:
  std::vector<std::pair<void*, int64_t>> blocks_;
};

using MakeWork = std::function<std::unique_ptr<Work>()>;

struct FailureRules {
  // Functions whose failures cannot be reported.
  std::function<bool(const std::string& function)> silent = [](const std::string&) { return false; };
  // Codes by which a function reports something else than a failure.
  std::function<bool(const std::string& function, int32_t code, int64_t call)> answers =
      [](const std::string&, int32_t, int64_t) { return false; };
  int min_cases = 0;  // cases that there must be
};
// The number of the work's calls of each function of the driver; -1: it fails by itself.
std::map<std::string, int64_t> calls_of(const MakeWork& make);
void every_call_may_fail(const MakeWork& make, const FailureRules& rules);

// The pieces of work that there are, each in a file with its rules.
std::unique_ptr<Work> everything();
std::unique_ptr<Work> device_work();
std::unique_ptr<Work> module_work();

}  // namespace arr::cuda_test
