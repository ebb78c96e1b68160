// SPDX-License-Identifier: MIT
// The device runtime and archives among the inputs of a link, as far as that is seen without a GPU: what the
// options take, where the archive is looked for. nvrtc.link has links by the real nvJitLink.
#include "modules.h"

namespace arr_test {
namespace {

constexpr const char* variable = "ARR_CUDA_CUDADEVRT";
constexpr const char* source = "extern \"C\" __global__ void k(int* o) { *o = 7; }\n";

class DeviceRuntime : public Modules {
 protected:
  void TearDown() override {
    unsetenv(variable);
    Modules::TearDown();
  }
  static arr_module_options options() {
    arr_module_options o{};
    o.struct_size = sizeof o;
    o.device_runtime = 1;
    return o;
  }
};

TEST_P(DeviceRuntime, IsLinkedFromWhereTheVariableSays) {
  Folder files;
  const arr_module_options o = options();
  arr_module m = nullptr;
  if (host()) {
    EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_E_UNSUPPORTED);
    EXPECT_EQ(said(), "argument options: device_runtime is 1, on the host kernels launch no kernels");
    return;
  }
  const std::string archive = files.put("libcudadevrt.a", "!<arch>\nof the fake");
  setenv(variable, archive.c_str(), 1);
  ASSERT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_OK) << arr_last_error() << log_of(nullptr);
  EXPECT_EQ(run_k(m), 7);
  EXPECT_NE(log_of(m).find(archive), std::string::npos) << log_of(m);  // the fake's linker says what it takes
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const arr_module_input input{source, -1, ARR_IMAGE_SOURCE, 0, "part.cu"};
  ASSERT_EQ(arr_module_link(1, &input, &device, &o, &m), ARR_OK) << arr_last_error();
  EXPECT_EQ(run_k(m), 7);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
}

TEST_P(DeviceRuntime, AMissingArchiveIsNamed) {
  if (host()) GTEST_SKIP() << "the host links no archive: it refuses the option, which the test before sees";
  const arr_module_options o = options();
  const auto refused = [&](const std::string& path, arr_status status, const std::string& why) {
    setenv(variable, path.c_str(), 1);
    arr_module m = nullptr;
    EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), status);
    EXPECT_EQ(said(), why);
    EXPECT_EQ(m, nullptr);
  };
  const std::string missing = "the CUDA toolkit's libcudadevrt.a is not available: ";
  refused("/nowhere/libcudadevrt.a", ARR_E_UNAVAILABLE,
          missing + "/nowhere/libcudadevrt.a is no file that can be read");
  refused("/tmp", ARR_E_UNAVAILABLE, missing + "/tmp is no file that can be read");
  refused("libcudadevrt.a", ARR_E_ARGUMENT, "ARR_CUDA_CUDADEVRT: libcudadevrt.a is not an absolute path");
  Folder files;
  const std::string text = files.put("libcudadevrt.a", "only text");
  refused(text, ARR_E_UNAVAILABLE, missing + text + " is no archive");
}

TEST_P(DeviceRuntime, ArchivesAreForLinks) {
  const std::string archive = "!<arch>\nof the fake";
  const arr_module_input inputs[] = {
      {source, -1, ARR_IMAGE_SOURCE, 0, "part.cu"},
      {archive.data(), static_cast<int64_t>(archive.size()), ARR_IMAGE_AUTO, 0, "math.a"}};
  arr_module m = nullptr;
  const arr_status linked = arr_module_link(2, inputs, &device, nullptr, &m);
  EXPECT_EQ(linked, host() ? ARR_E_UNSUPPORTED : ARR_OK) << arr_last_error();
  if (host()) return;
  EXPECT_EQ(run_k(m), 7);
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  m = nullptr;
  EXPECT_EQ(arr_module_load(archive.data(), static_cast<int64_t>(archive.size()), &device, nullptr, &m),
            ARR_E_ARGUMENT);
  EXPECT_EQ(said(),
            "argument image: kernel.cu is an archive, which arr_module_link takes beside what uses it");
  arr_module_options o = options();
  int64_t size = 0;
  EXPECT_EQ(arr_module_image(source, -1, ARR_IMAGE_LTOIR, &device, &o, 0, nullptr, &size), ARR_E_ARGUMENT);
  o.device_runtime = 2;
  EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument options: device_runtime is 2, expected 0 or 1");
  o.device_runtime = 0;
  o.reserved = 1;
  EXPECT_EQ(arr_module_load(source, -1, &device, &o, &m), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument options: reserved is 1, expected 0");
}

ARR_ON_DEVICES(DeviceRuntime);

}  // namespace
}  // namespace arr_test
