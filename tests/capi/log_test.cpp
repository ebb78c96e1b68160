// SPDX-License-Identifier: MIT
// log.h: the messages, their receivers, and the end of a log.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "cache_directory.h"
#include "support.h"

namespace arr_test {
namespace {

struct Lines {
  Lines() = default;
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() { arr_log_set(ARR_LOG_WARNING, nullptr, nullptr, nullptr); }  // nobody tells what is no more
  std::mutex mutex;
  std::vector<std::pair<int32_t, std::string>> all;
  std::atomic<int> dropped = 0, late = 0;  // late: told after its end
  [[nodiscard]] int count(int32_t level, const std::string& what) {
    const std::lock_guard lock(mutex);
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const auto& l) {
      return l.first == level && l.second.find(what) != std::string::npos;
    }));
  }
  [[nodiscard]] bool without_ends() {
    const std::lock_guard lock(mutex);
    return std::all_of(all.begin(), all.end(), [](const auto& l) {
      return !l.second.empty() && l.second.find('\n') == std::string::npos;
    });
  }
};
void note(void* ctx, int32_t level, const char* line) {
  auto& lines = *static_cast<Lines*>(ctx);
  if (lines.dropped != 0) ++lines.late;
  const std::lock_guard lock(lines.mutex);
  lines.all.emplace_back(level, line);
}
void end(void* ctx) { ++static_cast<Lines*>(ctx)->dropped; }

// Libraries are opened once for a process: of its tests this is the first.
TEST(LogOfLibraries, TellsWhatIsOpenedAndChosen) {
  Lines lines;
  ARR_DOES(arr_log_set(ARR_LOG_INFO, note, end, &lines));
  arr_device d{};
  ARR_DOES(arr_device_select(0, &d));
  if (d.type == ARR_CUDA) {
    EXPECT_EQ(lines.count(ARR_LOG_INFO, "libarr_cuda.so: loaded"), 1);
    EXPECT_GE(lines.count(ARR_LOG_INFO, ARR_FAKE_CUDA ": opened"), 1);  // it stands for several libraries
    EXPECT_EQ(lines.count(ARR_LOG_INFO, "driver for CUDA"), 1);
    EXPECT_EQ(lines.count(ARR_LOG_INFO, "device cuda:0 is chosen: the first GPU that works"), 1);
  } else {
    EXPECT_EQ(lines.count(ARR_LOG_INFO, "device host is chosen: no GPU works"), 1);
  }
  arr_array a = nullptr, b = nullptr;
  ARR_DOES(arr_eye(2, 2, 0, ARR_FLOAT64, ARR_ORDER_C, nullptr, nullptr, &a));
  ARR_DOES(arr_det(a, nullptr, &b));
  EXPECT_GT(lines.count(ARR_LOG_INFO, "openblas"), 0);
  for (arr_array x : {a, b}) ARR_DOES(arr_release(x));
  ARR_DOES(arr_log_set(ARR_LOG_INFO, nullptr, nullptr, nullptr));
  EXPECT_EQ(lines.dropped, 1);
  const size_t told = lines.all.size();
  ARR_DOES(arr_device_select(0, &d));
  EXPECT_EQ(lines.all.size(), told);
  EXPECT_TRUE(lines.without_ends());
  for (const auto& [level, line] : lines.all) EXPECT_EQ(level, ARR_LOG_INFO) << line;
}

class Log : public arr::test::CacheDirectory, public testing::WithParamInterface<int32_t> {
 protected:
  void SetUp() override {
    CacheDirectory::SetUp();
    int32_t count = 0;
    ARR_DOES(arr_device_count(GetParam(), &count));
    if (count == 0) GTEST_SKIP() << "no such device";
    device = {GetParam(), 0};
  }
  // A kernel that no other test has.
  void compile(const std::string& text) const {
    arr_module m = nullptr;
    const std::string source =
        "extern \"C\" __global__ void k(int* x) { *x = 7; }\n// " + root_.string() + text;
    ARR_DOES(arr_module_create(source.c_str(), -1, &device, 0, nullptr, &m));
    ARR_DOES(arr_module_release(m));
  }
  arr_device device{};
};

TEST_P(Log, TellsWhatIsCompiledAndKept) {
  Lines lines;
  ARR_DOES(arr_log_set(ARR_LOG_DEBUG, note, end, &lines));
  compile("");
  EXPECT_EQ(lines.count(ARR_LOG_DEBUG, " is compiled, "), 1);
  EXPECT_GE(lines.count(ARR_LOG_DEBUG, " is not there"), 1);
  EXPECT_GE(lines.count(ARR_LOG_DEBUG, " is written, "), 1);
  lines.all.clear();
  compile("");
  EXPECT_EQ(lines.count(ARR_LOG_DEBUG, " is compiled, "), 0);
  EXPECT_EQ(lines.count(ARR_LOG_DEBUG, " is not there"), 0);
  if (GetParam() == ARR_CUDA) {  // the host's compilations are kept in memory too
    EXPECT_EQ(lines.count(ARR_LOG_DEBUG, " is found"), 1);
  }
  lines.all.clear();
  ARR_DOES(arr_log_set(ARR_LOG_WARNING, note, end, &lines));
  compile("more");
  EXPECT_TRUE(lines.all.empty()) << lines.all.front().second;
  EXPECT_TRUE(lines.without_ends());
}

TEST_P(Log, WarnsOfACacheThatIsOfNoUse) {
  Lines lines;
  ARR_DOES(arr_log_set(ARR_LOG_WARNING, note, end, &lines));
  use("relative");
  compile("");
  EXPECT_GE(lines.count(ARR_LOG_WARNING, "cache directory relative: not an absolute path"), 1);
}

TEST_P(Log, EndsEachFunctionOnce) {
  Lines first, second;
  ARR_DOES(arr_log_set(ARR_LOG_DEBUG, note, end, &first));
  for (const int32_t level : {0, 4, -1}) {
    EXPECT_EQ(arr_log_set(level, note, end, &second), ARR_E_ARGUMENT);
    EXPECT_NE(std::string(arr_last_error()).find("argument level: " + std::to_string(level)),
              std::string::npos);
  }
  EXPECT_EQ(first.dropped + second.dropped, 0);
  ARR_DOES(arr_log_set(ARR_LOG_DEBUG, note, nullptr, &second));
  EXPECT_EQ(first.dropped, 1);
  compile("");
  EXPECT_TRUE(first.all.empty());
  EXPECT_FALSE(second.all.empty());
  ARR_DOES(arr_log_set(ARR_LOG_DEBUG, nullptr, end, &second));  // nothing to end later
  ARR_DOES(arr_log_set(0, nullptr, nullptr, nullptr));
  EXPECT_EQ(arr_log_set(0, note, nullptr, &second), ARR_E_ARGUMENT);
  EXPECT_EQ(first.dropped, 1);
  EXPECT_EQ(second.dropped, 0);
}

TEST_P(Log, MayChangeWhileThreadsTell) {
  std::atomic<bool> over = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      arr_device d{};
      while (!over) EXPECT_EQ(arr_device_select(0, &d), ARR_OK) << arr_last_error();
    });
  }
  std::vector<Lines> listeners(200);
  for (Lines& l : listeners) {
    ARR_DOES(arr_log_set(ARR_LOG_INFO, note, end, &l));
    std::this_thread::yield();
  }
  ARR_DOES(arr_log_set(ARR_LOG_INFO, nullptr, nullptr, nullptr));
  over = true;
  for (std::thread& t : threads) t.join();
  for (Lines& l : listeners) {
    EXPECT_EQ(l.dropped, 1);
    EXPECT_EQ(l.late, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Log, testing::Values(ARR_HOST, ARR_CUDA), name_of);

}  // namespace
}  // namespace arr_test
