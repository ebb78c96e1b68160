// SPDX-License-Identifier: MIT
// Scripted failures of driver functions, a process for each.
#include "failing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "cuda/driver/errors.h"

namespace arr::cuda_test {

int32_t Work::negate(void* a, void* b, int64_t n, void* stream) {
  const int64_t stride = 4;
  const Operand operands[] = {{a, &stride, {}}, {b, &stride, {}}};
  const DType types[] = {DType::float32_};
  ElementwiseCall call{&single_op(*op_find("negative"), types, DType::float32_), 1, &n, operands};
  ARR_STEP(cuda().elementwise->elementwise(0, &call, stream, &error));
  return ARR_OK;
}

int32_t Work::sum(void* a, void* b, int64_t n, void* stream) {
  const int64_t stride = 4;
  const Operand operand = {a, &stride, {}};
  ReduceCall c;
  c.reduction = reduction_info(1);
  c.map = &single_cast(DType::float32_, DType::float32_);
  c.acc = c.out = DType::float32_;
  c.ndim = 1;
  c.shape = &n;
  c.operands = &operand;
  c.output = {b, nullptr, {}};
  ARR_STEP(cuda().reduce->reduce(0, &c, stream, &error));
  return ARR_OK;
}

int32_t Work::square(void* a, void* b, void* stream) {
  MatmulCall c;
  c.dtype = DType::float32_;
  c.m = c.n = c.k = 16;
  c.a = c.b = {a, 64, 4, nullptr};
  c.c = {b, 64, 4, nullptr};
  ARR_STEP(cuda().linalg->matmul(0, &c, stream, &error));
  return ARR_OK;
}

namespace {

struct Failure {
  const char* function;
  int64_t call;
  int32_t code;
};

// Releases cannot report failures, and probes ignore them.
bool never_heard(const std::string& function) {
  return function.find("Destroy") != std::string::npos || function.starts_with("cuMemFree") ||
         function == "cuIpcCloseMemHandle" || function == "cuCtxPopCurrent_v2";
}

// To these, that something is not ready is an answer and no failure. What the work does then, it does well.
bool is_answer(const Failure& f) {
  return f.code == cuda::CUDA_ERROR_NOT_READY && std::string(f.function).ends_with("Query");
}

// After a failure that the device survives: it works, and all memory can be given back.
std::string works_on(const Failure& f, int32_t r, const std::string& why) {
  if (r != ARR_OK) return text("the device does not work on: ", why);
  BackendError e;
  cuda().device->sync(0, &e);
  cuda().memory->trim(0, &e);
  MemoryStats s;
  if (cuda().memory->stats(0, &s, &e) != ARR_OK || s.in_use != 0 || s.cached != 0) return "memory is held";
  // One stream lives as long as its device. One that the driver refused to destroy is still there.
  const bool refused = std::string(f.function) == "cuStreamDestroy_v2";
  if (!refused && arr_fake_cuda_live("streams") > arr_fake_cuda_live("contexts")) return "a stream leaked";
  // Objects that the driver refused to destroy still exist.
  const bool kept = never_heard(f.function);
  for (const char* kind : {"graphs", "arrays", "textures", "pinned", "registered", "opened"}) {
    if (!kept && arr_fake_cuda_live(kind) > 0) return text(kind, " leaked");
  }
  return {};
}

// Runs in a child process; returns a text about the first error.
std::string check(const Failure& f, const MakeWork& make, const FailureRules& rules) {
  arr_fake_cuda_fail(f.function, f.call, f.code, 0);
  const std::unique_ptr<Work> first = make();
  int32_t r = first->run();
  const bool lost = cuda::poisons(f.code);
  if (arr_fake_cuda_calls(f.function) < f.call) return "the scripted call never came";
  // Trimming recovers from the first failure of an allocation.
  const std::string function = f.function;
  const bool repaired = f.code == cuda::CUDA_ERROR_OUT_OF_MEMORY &&
                        (function.starts_with("cuMemAlloc") || function == "cuArray3DCreate_v2");
  if (r == ARR_OK && !repaired && !is_answer(f) && !never_heard(function) && !rules.silent(function)) {
    return "no failure was reported";
  }
  if (r != ARR_OK && is_answer(f)) return text("an answer became status ", r, ": ", first->text);
  if (r != ARR_OK && r != cuda::status_of(f.code) && !(lost && r == ARR_E_LOST)) {
    return text("status ", r, ": ", first->text);
  }
  if (r != ARR_OK && !lost && first->text.find(text("(", f.code, ")")) == std::string::npos &&
      f.code != cuda::CUDA_ERROR_OUT_OF_MEMORY) {
    return "the text does not name the error: " + first->text;
  }
  const std::unique_ptr<Work> second = make();
  r = second->run();
  if (!lost) return works_on(f, r, second->text);
  // A failure while the device was opened leaves no device that could be lost: the driver says it again.
  if (r != ARR_E_LOST && r != cuda::status_of(f.code)) return text("not lost: ", r, " ", second->text);
  return {};
}

std::string in_child(const Failure& f, const MakeWork& make, const FailureRules& rules) {
  int out[2];
  if (pipe(out) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string why = check(f, make, rules);
    const auto written = write(out[1], why.data(), why.size());
    _exit(written == static_cast<ssize_t>(why.size()) ? 0 : 1);
  }
  close(out[1]);
  std::string why;
  char buffer[4096];
  for (ssize_t n; (n = read(out[0], buffer, sizeof buffer)) > 0;) why.append(buffer, static_cast<size_t>(n));
  close(out[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? why : text("the child died: ", status, " ", why);
}

// A child starts anew: under the thread sanitizer that takes a second, and the hundreds of them too long.
#ifdef __SANITIZE_THREAD__
constexpr bool thinned = true;
#else
constexpr bool thinned = false;
#endif

constexpr const char* functions[] = {
#define ARR_CUDA_FN(symbol, need, params) #symbol,
#include "cuda/driver/driver_api.def"
#undef ARR_CUDA_FN
};
constexpr size_t function_count = sizeof functions / sizeof functions[0];

// The number of calls of each function by the work, counted in a child so that this process opens no device.
// Calls of releases, which cannot report failures, count only for functions that nothing else calls. -1: the
// work fails.
std::vector<int64_t> count_calls(const MakeWork& make) {
  int counts[2];
  std::vector<int64_t> all(function_count, -1);
  if (pipe(counts) != 0) return all;
  const size_t bytes = function_count * sizeof(int64_t);
  const pid_t child = fork();
  if (child == 0) {
    const std::unique_ptr<Work> w = make();
    const int32_t r = w->steps();
    std::vector<int64_t> before;
    for (const char* f : functions) before.push_back(arr_fake_cuda_calls(f));
    w->give_back();
    for (size_t i = 0; r == ARR_OK && i < function_count; ++i) {
      all[i] = before[i] != 0 ? before[i] : arr_fake_cuda_calls(functions[i]);
    }
    _exit(write(counts[1], all.data(), bytes) == static_cast<ssize_t>(bytes) ? 0 : 1);
  }
  close(counts[1]);
  const bool complete = read(counts[0], all.data(), bytes) == static_cast<ssize_t>(bytes);
  close(counts[0]);
  waitpid(child, nullptr, 0);
  if (!complete) all.assign(function_count, -1);
  return all;
}

// The first, one between and the last; all of them where ARR_EVERY_CALL is set.
std::set<int64_t> which_calls(int64_t calls) {
  if (calls == 0) return {};
  std::set<int64_t> which{1, calls / 2 + 1, calls};
  for (int64_t k = 1; std::getenv("ARR_EVERY_CALL") != nullptr && k <= calls; ++k) which.insert(k);
  return which;
}

}  // namespace

std::map<std::string, int64_t> calls_of(const MakeWork& make) {
  const std::vector<int64_t> counts = count_calls(make);
  std::map<std::string, int64_t> calls;
  for (size_t i = 0; i < function_count; ++i) calls[functions[i]] = counts[i];
  return calls;
}

void every_call_may_fail(const MakeWork& make, const FailureRules& rules) {
  const std::vector<int64_t> counts = count_calls(make);
  int failed = 0, cases = 0;
  for (size_t i = 0; i < function_count; ++i) {
    const char* f = functions[i];
    const int64_t calls = counts[i];
    ASSERT_GE(calls, 0) << "the work fails without any scripted failure";
    const std::string name = f;
    // cuInit: loading_test.cpp.
    if (name.starts_with("cuGetError") || name == "cuDriverGetVersion" || name == "cuInit") continue;
    for (const int32_t code :
         {cuda::CUDA_ERROR_INVALID_VALUE, cuda::CUDA_ERROR_OUT_OF_MEMORY, cuda::CUDA_ERROR_ILLEGAL_ADDRESS,
          cuda::CUDA_ERROR_NOT_READY, cuda::CUDA_ERROR_LAUNCH_FAILED, cuda::CUDA_ERROR_UNKNOWN}) {
      for (const int64_t call : which_calls(calls)) {
        if (thinned && (call != calls || !cuda::poisons(code))) continue;
        // An old driver reports a missing attribute like this.
        if (name == "cuDeviceGetAttribute" && code == cuda::CUDA_ERROR_INVALID_VALUE && call != 1) continue;
        if (rules.answers(name, code, call)) continue;
        const std::string why = in_child({f, call, code}, make, rules);
        EXPECT_EQ(why, "") << f << " fails with " << code << " at call " << call << " of " << calls;
        failed += why.empty() ? 0 : 1;
        ++cases;
        ASSERT_LT(failed, 12);
      }
    }
  }
  EXPECT_GT(cases, thinned ? rules.min_cases / 5 : rules.min_cases);
}

}  // namespace arr::cuda_test
