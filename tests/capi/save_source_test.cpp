// SPDX-License-Identifier: MIT
// ARR_SAVE_SOURCE keeps the text that compilers are given; ARR_CUDA_DEBUG asks for code for a debugger.
#include <stdlib.h>

#include <filesystem>
#include <iterator>

#include "modules.h"

namespace arr_test {

namespace {

namespace fs = std::filesystem;

class SavedSource : public Modules {
 protected:
  void SetUp() override {
    Modules::SetUp();
    char path[] = "/tmp/arr-source-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    folder_ = path;
    save_in(folder_);
  }
  void TearDown() override {
    unsetenv("ARR_SAVE_SOURCE");
    unsetenv("ARR_CUDA_DEBUG");
    unsetenv("ARR_CUDA_PTX");
    fs::remove_all(folder_);
    Modules::TearDown();
  }
  static void save_in(const fs::path& path) { setenv("ARR_SAVE_SOURCE", path.c_str(), 1); }
  // Text that no cache has.
  [[nodiscard]] std::string source(const char* body) const {
    return "extern \"C\" __global__ void k(int* x) { " + std::string(body) + " }\n// " + folder_.string() +
           std::to_string(getpid());
  }
  // The sources given to our compiler: the fake NVRTC hands on to the host's, which keeps its text too.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != (host() ? ".cpp" : ".cu")) continue;
      std::ifstream in(entry.path());
      all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return all;
  }

  fs::path folder_;
};

TEST_P(SavedSource, OfAModule) {
  const std::string text = source("*x = 7;");
  arr_module m = load(text.c_str());
  const std::string log = log_of(m);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const std::vector<std::string> all = files();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].find("*x = 7;"), std::string::npos);
  EXPECT_NE(all[0].substr(0, all[0].find('\n')).find(host() ? "-O" : "NVRTC"), std::string::npos) << all[0];
  EXPECT_NE(log.find("source: " + folder_.string() + "/"), std::string::npos) << log;
}

TEST_P(SavedSource, OfWhatDoesNotCompile) {
  const std::string text = source("*x = nothing;");
  arr_module m = nullptr;
  EXPECT_EQ(arr_module_create(text.c_str(), -1, &device, 0, nullptr, &m), ARR_E_COMPILE);
  EXPECT_NE(std::string(arr_last_error()).find("nothing"), std::string::npos) << arr_last_error();
  EXPECT_NE(log_of(nullptr).find("source: " + folder_.string() + "/"), std::string::npos);
  const std::vector<std::string> all = files();
  ASSERT_FALSE(all.empty());
  EXPECT_NE(all[0].find("*x = nothing;"), std::string::npos);
}

TEST_P(SavedSource, WhereItCannotBe) {
  for (const char* folder : {"relative", "/nowhere/at/all"}) {
    save_in(folder);
    const std::string text = source("*x = 8;") + folder;
    arr_module m = load(text.c_str());
    EXPECT_NE(log_of(m).find("warning: ARR_SAVE_SOURCE: " + std::string(folder)), std::string::npos)
        << log_of(m);
    EXPECT_EQ(arr_module_release(m), ARR_OK);
  }
  EXPECT_TRUE(files().empty());
}

TEST_P(SavedSource, ForADebugger) {
  if (host()) GTEST_SKIP() << "the host has ARR_HOST_DEBUG";
  setenv("ARR_CUDA_DEBUG", "1", 1);
  const std::string text = source("*x = 9;");
  arr_module m = load(text.c_str());
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  arr_module_options o = {};
  o.debug = 1;
  m = load((text + "again").c_str(), o);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  for (const std::string& file : files()) {
    const std::string command = file.substr(0, file.find('\n'));
    EXPECT_NE(command.find("--generate-line-info"), std::string::npos) << command;
    EXPECT_EQ(
        (command.find("--device-debug") != std::string::npos) + (command.find(" -G") != std::string::npos), 1)
        << command;
  }
  EXPECT_EQ(files().size(), 2U);
}

TEST_P(SavedSource, ToPtxInsteadOfMachineCode) {
  if (host()) GTEST_SKIP() << "the host's compiler has no PTX";
  const std::string text = source("*x = 10;");
  for (const char* ptx : {"0", "1"}) {
    setenv("ARR_CUDA_PTX", ptx, 1);
    arr_module m = load(text.c_str());  // one is not taken for the other
    EXPECT_EQ(arr_module_release(m), ARR_OK);
  }
  int virtual_code = 0, machine_code = 0;
  for (const std::string& file : files()) {
    const std::string command = file.substr(0, file.find('\n'));
    virtual_code += command.find("-arch=compute_90") != std::string::npos ? 1 : 0;
    machine_code += command.find("-arch=sm_90") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(virtual_code, 1);
  EXPECT_EQ(machine_code, 1);
}

ARR_ON_DEVICES(SavedSource);

}  // namespace
}  // namespace arr_test
