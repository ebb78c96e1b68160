// SPDX-License-Identifier: MIT
// texture.h on the host and over the fake CUDA: handles, what is refused without harm, what is left behind,
// failures of the driver.
#include <dlfcn.h>

#include <array>

#include "../support/fake_cuda/fake_cuda.h"
#include "support.h"

namespace {

// The fake's functions, where the test runs on it.
template <class F>
F* fake(const char* name) {
  static void* library = dlopen(ARR_FAKE_CUDA, RTLD_NOW);
  return reinterpret_cast<F*>(dlsym(library, name));
}

class Textures : public arr_test::OnDevice {
 protected:
  [[nodiscard]] arr_texels texels(int32_t flags = ARR_TEXELS_SURFACE) const {
    constexpr int64_t shape[] = {4, 6};
    arr_texels t = nullptr;
    EXPECT_EQ(arr_texels_create(ARR_FLOAT32, 1, 2, shape, flags, &device, &t), ARR_OK) << arr_last_error();
    return t;
  }
  [[nodiscard]] arr_array array() const {
    constexpr int64_t shape[] = {4, 6};
    arr_array a = nullptr;
    EXPECT_EQ(arr_ones(ARR_FLOAT32, 2, shape, ARR_ORDER_C, &device, nullptr, &a), ARR_OK) << arr_last_error();
    return a;
  }
  [[nodiscard]] int64_t live(const char* what) const {
    EXPECT_EQ(arr_device_sync(&device),
              ARR_OK);  // what was released is destroyed when its stream has come by
    return host() ? 0 : fake<decltype(arr_fake_cuda_live)>("arr_fake_cuda_live")(what);
  }
};

TEST_P(Textures, HandlesOfAnotherKindOrReleasedAreErrors) {
  const int64_t handles = arr_live_handles(), objects = arr_live_objects();
  arr_texels t = texels();
  arr_texture texture = nullptr, surface = nullptr;
  arr_array a = array();
  ARR_DOES(arr_texture_create(t, nullptr, &texture));
  ARR_DOES(arr_surface_create(t, &surface));
  EXPECT_EQ(arr_live_handles(), handles + 4);
  EXPECT_EQ(arr_texels_copy_from(reinterpret_cast<arr_texels>(texture), a, nullptr), ARR_E_HANDLE);
  EXPECT_STREQ(arr_last_error(),
               "arr_texels_copy_from: argument t: expected a live texels handle, got one that is released, "
               "never valid, or of another kind");
  EXPECT_EQ(arr_texture_release(reinterpret_cast<arr_texture>(t)), ARR_E_HANDLE);
  arr_texture_options options{};
  options.struct_size = sizeof options;
  bool is = false;
  ARR_DOES(arr_texture_info(surface, &options, &is));
  EXPECT_TRUE(is);
  void *native = nullptr, *other = nullptr;
  ARR_DOES(arr_texture_native(texture, &native));
  ARR_DOES(arr_texture_native(surface, &other));
  EXPECT_NE(native, nullptr);
  EXPECT_NE(native, other);
  // In any order: textures keep the texels.
  ARR_DOES(arr_texels_release(t));
  EXPECT_EQ(arr_texels_release(t), ARR_E_HANDLE);
  EXPECT_EQ(arr_texture_create(t, nullptr, &texture), ARR_E_HANDLE);
  ARR_DOES(arr_texture_info(texture, &options, nullptr));
  ARR_DOES(arr_texture_release(surface));
  ARR_DOES(arr_texture_release(texture));
  EXPECT_EQ(arr_texture_release(texture), ARR_E_HANDLE);
  EXPECT_EQ(arr_texture_native(texture, &native), ARR_E_HANDLE);
  EXPECT_EQ(arr_texture_release(nullptr), ARR_OK);
  EXPECT_EQ(arr_texels_release(nullptr), ARR_OK);
  arr_release(a);
  EXPECT_EQ(arr_live_handles(), handles);
  EXPECT_EQ(live("arrays") + live("textures"), 0);
  EXPECT_LE(arr_live_objects(), objects + 1);  // the default stream, where this was its first use
}

TEST_P(Textures, OptionsComeBack) {
  arr_texels t = texels(0);
  arr_texture_options given{}, got{};
  given.struct_size = got.struct_size = sizeof given;
  given.address_x = ARR_ADDRESS_MIRROR;
  given.address_y = ARR_ADDRESS_BORDER;
  given.filter = ARR_FILTER_LINEAR;
  given.normalized = 1;
  given.border_g = 2.5;
  arr_texture texture = nullptr;
  ARR_DOES(arr_texture_create(t, &given, &texture));
  ARR_DOES(arr_texture_info(texture, &got, nullptr));
  EXPECT_EQ(got.address_x, ARR_ADDRESS_MIRROR);
  EXPECT_EQ(got.address_y, ARR_ADDRESS_BORDER);
  EXPECT_EQ(got.filter, ARR_FILTER_LINEAR);
  EXPECT_EQ(got.normalized, 1);
  EXPECT_EQ(got.border_g, 2.5);
  got.struct_size = 8;
  EXPECT_EQ(arr_texture_info(texture, &got, nullptr), ARR_E_ARGUMENT);
  arr_texture_release(texture);
  arr_texels_release(t);
}

// NULL where something is expected, and out parameters that stay as they were.
TEST_P(Textures, MissingArguments) {
  arr_texels t = texels(0);
  auto* const before = reinterpret_cast<arr_texture>(t);
  arr_texture out = before;
  constexpr int64_t shape[] = {4};
  EXPECT_EQ(arr_texels_create(ARR_FLOAT32, 1, 1, shape, 0, &device, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_texels_create(ARR_FLOAT32, 1, 1, nullptr, 0, &device, &t), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_texture_create(t, nullptr, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_texture_create(nullptr, nullptr, &out), ARR_E_HANDLE);
  EXPECT_EQ(arr_texture_of_array(nullptr, 1, nullptr, &out), ARR_E_HANDLE);
  EXPECT_EQ(arr_surface_create(t, &out), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_texels_copy_from(t, nullptr, nullptr), ARR_E_HANDLE);
  EXPECT_EQ(out, before);
  arr_value_texture(nullptr, out);
  ARR_DOES(arr_texels_info(t, nullptr, nullptr, nullptr, nullptr, nullptr));
  arr_texels_release(t);
}

TEST_P(Textures, KernelsTakeOnlyLiveOnes) {
  const char source[] =
      "extern \"C\" __global__ void f(cudaTextureObject_t t, float* o) { *o = tex2D<float>(t, 5.5f, 3.5f); }";
  arr_module module = nullptr;
  arr_kernel kernel = nullptr;
  ARR_DOES(arr_module_create(source, -1, &device, 0, nullptr, &module));
  ARR_DOES(arr_module_kernel(module, "f", &kernel));
  arr_texels t = texels(0);
  arr_array a = array(), o = nullptr;
  constexpr int64_t one[] = {1, 1, 1};
  constexpr int32_t block[] = {1, 1, 1};
  ARR_DOES(arr_zeros(ARR_FLOAT32, 1, one, ARR_ORDER_C, &device, nullptr, &o));
  ARR_DOES(arr_texels_copy_from(t, a, nullptr));
  arr_texture texture = nullptr;
  ARR_DOES(arr_texture_create(t, nullptr, &texture));
  std::array<arr_value, 2> args{};
  arr_value_texture(args.data(), texture);
  arr_value_array(&args[1], o);
  ARR_DOES(arr_launch_raw(kernel, one, block, 0, 2, args.data(), nullptr));
  arr_texels_release(t);
  arr_texture_release(texture);
  float got = 0;
  ARR_DOES(arr_get(o, ARR_ORDER_C, &got, sizeof got, nullptr));
  EXPECT_EQ(got, 1);
  EXPECT_EQ(arr_launch_raw(kernel, one, block, 0, 2, args.data(), nullptr), ARR_E_HANDLE);
  EXPECT_STREQ(
      arr_last_error(),
      "arr_launch_raw: argument args: expected a live texture handle, got one that is released, never "
      "valid, or of another kind");
  arr_value_texture(args.data(), reinterpret_cast<arr_texture>(a));
  EXPECT_EQ(arr_launch_raw(kernel, one, block, 0, 2, args.data(), nullptr), ARR_E_HANDLE);
  arr_release(a);
  arr_release(o);
  arr_kernel_release(kernel);
  arr_module_release(module);
  EXPECT_EQ(live("textures"), 0);
}

// No memory on the device the first time: what was released but not yet destroyed makes room. Other failures
// leave nothing behind.
TEST_P(Textures, FailuresOfTheDriver) {
  if (host()) GTEST_SKIP() << "the host has no driver";
  auto* fail = fake<decltype(arr_fake_cuda_fail)>("arr_fake_cuda_fail");
  constexpr int32_t out_of_memory = 2, invalid = 1;
  fail("cuArray3DCreate_v2", 1, out_of_memory, 0);
  arr_texels t = texels();
  fail("cuTexObjectCreate", 1, invalid, 0);
  arr_texture texture = nullptr;
  EXPECT_EQ(arr_texture_create(t, nullptr, &texture), ARR_E_DEVICE);
  EXPECT_NE(std::string(arr_last_error()).find("cuTexObjectCreate"), std::string::npos) << arr_last_error();
  fail("cuSurfObjectCreate", 1, invalid, 0);
  EXPECT_EQ(arr_surface_create(t, &texture), ARR_E_DEVICE);
  arr_array a = array();
  fail("cuTexObjectCreate", 1, invalid, 0);
  arr_array rows = nullptr;
  constexpr int64_t shape[] = {4, 6};
  ARR_DOES(arr_create_pitched(ARR_FLOAT32, 2, shape, &device, nullptr, &rows));
  EXPECT_EQ(arr_texture_of_array(rows, 1, nullptr, &texture), ARR_E_UNSUPPORTED);
  EXPECT_NE(std::string(arr_last_error()).find("argument a: 4 rows of 6 texels, 512 bytes apart"),
            std::string::npos)
      << arr_last_error();
  arr_release(rows);
  fail("cuMemcpy3DAsync_v2", 1, invalid, 0);
  EXPECT_EQ(arr_texels_copy_from(t, a, nullptr), ARR_E_DEVICE);
  ARR_DOES(arr_texels_copy_from(t, a, nullptr));
  fail("cuEventRecord", 1, invalid, 0);  // nobody knows when the texels are free
  arr_texels_release(t);
  arr_release(a);
  EXPECT_EQ(live("arrays"), 0);
}

ARR_ON_DEVICES(Textures);

}  // namespace
